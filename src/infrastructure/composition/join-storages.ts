import type { DomainEvent, DomainEvents, Subscriber } from '../../application/shared/domain-events.js';
import { subjectKindsOf, type Storage, type StoreParts } from './storage.js';

/** What stands between the works and a store. */
export type WatchStore<Repositories> = (name: string, store: object, repositories: Repositories) => object;

interface Joined {
  readonly events: DomainEvents;
}

/** Joins the repositories of all storages to one object for each transaction; each is made when it is first asked for. */
export const joinStorages = <Repositories extends Joined>(
  storages: readonly Storage[],
  subscribers: readonly Subscriber<Repositories>[],
  watch: WatchStore<Repositories>,
): ((parts: Omit<StoreParts, 'subjectKinds'>) => Repositories) => {
  const subjectKinds = subjectKindsOf(storages);

  class Stores implements Joined {
    readonly #made = new Map<string, object>();
    readonly events = { publish: (event: DomainEvent) => this.#publish(event) };

    constructor(private readonly parts: StoreParts) {}

    find(name: string, make: (parts: StoreParts) => object): object {
      const known = this.#made.get(name);
      if (known !== undefined) return known;
      const made = watch(name, make(this.parts), this as unknown as Repositories);
      this.#made.set(name, made);
      return made;
    }

    async #publish(event: DomainEvent): Promise<void> {
      for (const subscriber of subscribers) await subscriber(event, this as unknown as Repositories);
    }
  }

  for (const [name, make] of storages.flatMap(({ stores }) => Object.entries(stores))) {
    if (name in Stores.prototype) throw new Error(`Two storages bring repositories of the name "${name}".`);
    Object.defineProperty(Stores.prototype, name, {
      get(this: Stores) {
        return this.find(name, make);
      },
    });
  }
  return (parts) => new Stores({ ...parts, subjectKinds }) as unknown as Repositories;
};
