import { Overloaded } from '../../domain/shared/domain-error.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { RefProjector } from './ports/object-stores.js';
import type {
  ProjectionLease,
  Repository,
  StaleRef,
  StaleRefReader,
  StaleRefRepository,
} from './ports/repository-repositories.js';

/** A node that was killed keeps the others waiting for no longer than this. */
const LEASE_MS = 15_000;
const LOOK_AGAIN_MS = 50;
/** Two seconds: what is left then is written by whoever looks next. */
const MOST_LOOKS = 40;
const AT_ONCE = 500;

type Needs = { readonly staleRefs: StaleRefRepository };
type Subject = Pick<Repository, 'id' | 'store'>;

interface Run {
  readonly current: Promise<void>;
  next?: Promise<void>;
}

/**
 * Writes into the files of a store what its rows say, for git's own commands to read. One node at a time by a lease, in a node one at a
 * time by a queue, and always what the rows say now: an old value can't land last.
 */
export class ProjectRefs {
  readonly #runs = new Map<number, Run>();

  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly staleRefs: StaleRefReader,
    private readonly projector: RefProjector,
    private readonly secrets: SecretSource,
    private readonly clock: Clock,
    private readonly pause: (ms: number) => Promise<void>,
  ) {}

  /** Resolves when everything that had moved before is written. */
  execute(repository: Subject): Promise<void> {
    const running = this.#runs.get(repository.id);
    if (running === undefined) return this.#begin(repository);
    // One that begins after the present one sees all that is asked for by now.
    running.next ??= running.current.catch(() => undefined).then(() => this.#begin(repository));
    return running.next;
  }

  /** The same, and puts them into one file. */
  pack(repository: Subject): Promise<void> {
    return this.#project(repository, () => this.projector.pack(repository.store));
  }

  #begin(repository: Subject): Promise<void> {
    const current = this.#project(repository);
    const run: Run = { current };
    this.#runs.set(repository.id, run);
    const end = () => {
      if (this.#runs.get(repository.id) === run && run.next === undefined) this.#runs.delete(repository.id);
    };
    current.then(end, end);
    return current;
  }

  async #project({ id, store }: Subject, whenWritten?: () => Promise<void>): Promise<void> {
    // Nobody has to be kept away where nothing is to be written: a lease is two transactions.
    if (whenWritten === undefined && !(await this.staleRefs.hasAny(id))) return;
    const lease = { repositoryId: id, holder: this.secrets.token() };
    let stale: readonly StaleRef[] | undefined = await this.#take(lease);
    let released = false;
    try {
      // Another node goes on where the lease was lost.
      while (stale !== undefined && stale.length > 0) {
        const written: readonly StaleRef[] = stale;
        await this.projector.write(store, written);
        stale = await this.unitOfWork.execute(async ({ staleRefs }) => {
          await staleRefs.written(lease, written);
          if (whenWritten !== undefined || (await staleRefs.hasAny(id))) return this.#leased(staleRefs, lease);
          // Without another transaction, and without taking it for longer first: PostgreSQL looks up the project of a repository that one
          // transaction changes twice, and whoever has taken the project waits for the repository.
          await staleRefs.release(lease);
          return [];
        });
        released = whenWritten === undefined && stale?.length === 0;
      }
      if (stale !== undefined) await whenWritten?.();
    } finally {
      if (!released) await this.unitOfWork.execute(({ staleRefs }) => staleRefs.release(lease));
    }
  }

  /** Waits for another node that writes. @throws Overloaded when it takes too long. */
  async #take(lease: ProjectionLease): Promise<readonly StaleRef[]> {
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const taken = await this.unitOfWork.execute(async ({ staleRefs }) => {
        const stale = await this.#leased(staleRefs, lease);
        return stale === undefined ? undefined : { stale };
      });
      if (taken !== undefined) return taken.stale;
      await this.pause(LOOK_AGAIN_MS);
    }
    throw new Overloaded(1);
  }

  /** Takes the lease, or takes it for longer. Undefined when another node has it. */
  async #leased(staleRefs: StaleRefRepository, lease: ProjectionLease): Promise<readonly StaleRef[] | undefined> {
    const now = this.clock.now();
    if (!(await staleRefs.lease(lease, now, new Date(now.getTime() + LEASE_MS)))) return undefined;
    return staleRefs.read(lease.repositoryId, AT_ONCE);
  }
}
