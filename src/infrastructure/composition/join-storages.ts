import type {
  DomainEvent,
  DomainEvents,
  Follower,
  SetFollower,
  Subscriber,
} from '../../application/shared/domain-events.js';
import { together } from '../../application/shared/together.js';
import { subjectKindsOf, type Storage, type StoreParts } from './storage.js';

/** What stands between the works and a store. */
export type WatchStore<Repositories> = (name: string, store: object, repositories: Repositories) => object;

interface Joined {
  readonly events: DomainEvents;
}

/** Who acts on events at the same time. */
type Stage<Repositories> = Follower<Repositories> | readonly SetFollower<Repositories>[];

const stagesOf = <Repositories>(subscribers: readonly Subscriber<Repositories>[]): readonly Stage<Repositories>[] => {
  const stages: (Follower<Repositories> | SetFollower<Repositories>[])[] = [];
  for (const subscriber of subscribers) {
    const last = stages.at(-1);
    if (typeof subscriber === 'function') stages.push(subscriber);
    else if (Array.isArray(last)) last.push(subscriber);
    else stages.push([subscriber]);
  }
  return stages;
};

/** Joins the repositories of all storages to one object for each transaction; each is made when it is first asked for. */
export const joinStorages = <Repositories extends Joined>(
  storages: readonly Storage[],
  subscribers: readonly Subscriber<Repositories>[],
  watch: WatchStore<Repositories>,
): ((parts: Omit<StoreParts, 'subjectKinds'>) => Repositories) => {
  const subjectKinds = subjectKindsOf(storages);
  const stages = stagesOf(subscribers);

  class Stores implements Joined {
    readonly #made = new Map<string, object>();
    readonly events = { publish: (...events: readonly DomainEvent[]) => this.#publish(events) };

    constructor(private readonly parts: StoreParts) {}

    find(name: string, make: (parts: StoreParts) => object): object {
      const known = this.#made.get(name);
      if (known !== undefined) return known;
      const made = watch(name, make(this.parts), this as unknown as Repositories);
      this.#made.set(name, made);
      return made;
    }

    async #publish(events: readonly DomainEvent[]): Promise<void> {
      const repositories = this as unknown as Repositories;
      for (const stage of stages) {
        if (typeof stage === 'function') for (const event of events) await stage(event, repositories);
        else await together(stage.map((follower) => follower.follow(events, repositories)));
      }
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
