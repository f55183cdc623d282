import type { DomainEvents, Subscriber } from '../../application/shared/domain-events.js';
import type { SecretBox } from '../../application/shared/ports/secrets.js';
import type { Session } from '../../adapters/outbound/persistence/knex/session.js';

/** What the stores of one transaction are made of. */
export interface StoreParts {
  readonly session: Session;
  /** Seals the secrets in the database. */
  readonly secretBox: SecretBox;
  /** Called when the transaction leaves a job that is due at once. */
  readonly noteJob: () => void;
}

/**
 * The half of a context that works inside transactions, in whichever thread. It loads nothing that serves requests: threads are started
 * with this half alone.
 */
export interface Storage {
  readonly name: string;
  /** Its repositories, each made when a transaction first asks for it. */
  readonly stores: Readonly<Record<string, (parts: StoreParts) => object>>;
  /** Who acts on events, in the transaction that publishes them. */
  readonly subscribers?: readonly Subscriber<never>[];
}

export const defineStorage = <const S extends Storage>(storage: S): S => storage;

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type StoresOf<S extends Storage> = S extends unknown
  ? { readonly [Name in keyof S['stores']]: ReturnType<S['stores'][Name]> }
  : never;

/** All that a transaction may change. Use cases name the few that they need. */
export type RepositoriesOf<S extends Storage> = Intersection<StoresOf<S>> & { readonly events: DomainEvents };

type SubscriberOf<S extends Storage> = S extends { readonly subscribers: readonly (infer Each)[] } ? Each : never;

/** Doesn't compile where a subscriber needs a repository that no storage brings. */
export const storagesOf = <const Storages extends readonly Storage[]>(
  storages: Storages &
    (SubscriberOf<Storages[number]> extends Subscriber<RepositoriesOf<Storages[number]>>
      ? unknown
      : 'A subscriber needs a repository that no storage brings.'),
): Storages => storages;
