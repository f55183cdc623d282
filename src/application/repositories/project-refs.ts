import { Overloaded } from '../../domain/shared/domain-error.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Logger } from '../shared/ports/logger.js';
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
import { reasonOf } from './reason-of.js';

/** A node that was killed keeps the others waiting for no longer than this. */
const LEASE_MS = 15_000;
/** The other node is usually about to end, and is looked for less and less often. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;
/** Two seconds: what is left then is written by whoever looks next. */
const MOST_LOOKS = 43;
const AT_ONCE = 500;
/** What moves in that time is written together, so that a branch that is committed to all the time costs few writes. */
const SOON_MS = 50;
/** Whoever can do without the newest refs waits no longer for them. */
const PATIENCE_MS = 200;

type Needs = { readonly staleRefs: StaleRefRepository };
type Subject = Pick<Repository, 'id' | 'store'>;

interface Run {
  /** Once everything that had moved before it began is in the files. */
  readonly written: Promise<void>;
  /** Once that lasts, and is noted. */
  readonly ended: Promise<void>;
  next?: Promise<Run>;
}

interface Steps {
  readonly onWritten?: () => void;
  /** Done with what is written, before the lease is released. */
  readonly last?: () => Promise<void>;
}

interface ProjectRefsParts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly staleRefs: StaleRefReader;
  readonly projector: RefProjector;
  readonly secrets: SecretSource;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
  readonly logger: Logger;
}

/**
 * Writes into the files of a store what its rows say, for git's own commands to read. One node at a time by a lease, in a node one at a
 * time by a queue, and always what the rows say now: an old value can't land last. Whoever moves a ref doesn't wait for it; whoever lets
 * git read refs does, on any node.
 */
export class ProjectRefs {
  readonly #runs = new Map<number, Run>();
  /** Those that nobody waits for yet. */
  readonly #soon = new Map<number, Subject>();

  constructor(private readonly parts: ProjectRefsParts) {}

  /**
   * Resolves when everything that had moved before is written, so that git's own commands see it. That it lasts is seen to afterwards: a note
   * says until then that it is to be written, and what a loss of power undoes is written again.
   */
  execute(repository: Subject): Promise<void> {
    this.#soon.delete(repository.id);
    const running = this.#runs.get(repository.id);
    if (running === undefined) return this.#begin(repository).written;
    // One that begins after the present one sees all that is asked for by now.
    running.next ??= running.ended.then(() => this.#begin(repository));
    return running.next.then(({ written }) => written);
  }

  /** The same for whoever is about to read refs and can do without the newest: waits for 0.2 s at most, and a failure is only logged. */
  async catchUp(repository: Subject): Promise<void> {
    await this.#tolerate(repository, async () => {
      if (await this.parts.staleRefs.hasAny(repository.id))
        await Promise.race([this.execute(repository), this.parts.pause(PATIENCE_MS)]);
    });
  }

  /** The same a little later, for a ref that has moved. Where it fails, or the process ends before, whoever comes next sees to it. */
  soon(repository: Subject): void {
    if (this.#soon.has(repository.id)) return;
    this.#soon.set(repository.id, repository);
    void this.parts.pause(SOON_MS).then(() => (this.#soon.has(repository.id) ? this.#write(repository) : undefined));
  }

  /** Writes them, and puts them into one file. */
  pack(repository: Subject): Promise<void> {
    return this.#project(repository, { last: () => this.parts.projector.pack(repository.store) });
  }

  /** Resolves when nothing is left of what was begun. */
  async settle(): Promise<void> {
    for (const repository of [...this.#soon.values()]) void this.#write(repository);
    while (this.#runs.size > 0) await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
  }

  /** For nobody who waits. */
  #write(repository: Subject): Promise<void> {
    return this.#tolerate(repository, () => this.execute(repository));
  }

  async #tolerate({ id }: Subject, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.parts.logger.warn('refs were not written to their files', { repositoryId: id, error: reasonOf(error) });
    }
  }

  #begin(repository: Subject): Run {
    const { promise: written, resolve, reject } = Promise.withResolvers<undefined>();
    let isWritten = false;
    const onWritten = (): void => {
      isWritten = true;
      resolve(undefined);
    };
    const ended = this.#project(repository, { onWritten }).then(onWritten, (error: unknown) => {
      // Nobody waits any longer: the note is still there, for whoever comes next.
      if (isWritten)
        this.parts.logger.warn('written refs were not noted', { repositoryId: repository.id, error: reasonOf(error) });
      else reject(error as Error);
    });
    const run: Run = { written, ended };
    this.#runs.set(repository.id, run);
    void ended.then(() => {
      if (this.#runs.get(repository.id) === run && run.next === undefined) this.#runs.delete(repository.id);
    });
    return run;
  }

  async #project({ id, store }: Subject, { onWritten, last }: Steps): Promise<void> {
    // Nobody has to be kept away where nothing is to be written: a lease is two transactions.
    if (last === undefined && !(await this.parts.staleRefs.hasAny(id))) return;
    const lease = { repositoryId: id, holder: this.parts.secrets.token() };
    let stale: readonly StaleRef[] | undefined = await this.#take(lease);
    let released = false;
    try {
      // Another node goes on where the lease was lost.
      while (stale !== undefined && stale.length > 0) {
        const written: readonly StaleRef[] = stale;
        const isAll = written.length < AT_ONCE;
        const makeLast = await this.parts.projector.write(store, written);
        if (isAll) onWritten?.();
        await makeLast();
        // What has moved meanwhile is seen to by whoever moved it.
        const ends = isAll && last === undefined;
        stale = await this.#note(async ({ staleRefs }) => {
          await staleRefs.written(lease, written);
          if (!ends) return this.#leased(staleRefs, lease);
          // Without another transaction, and without taking it for longer first: PostgreSQL looks up the project of a repository that one
          // transaction changes twice, and whoever has taken the project waits for the repository.
          await staleRefs.release(lease);
          return [];
        });
        released = ends;
      }
      if (stale !== undefined) await last?.();
    } finally {
      if (!released) await this.#note(({ staleRefs }) => staleRefs.release(lease));
    }
  }

  /** A loss of power may undo a lease or a note: what is noted no more is written again, and so is what was written without a lease. */
  #note<Result>(work: (needs: Needs) => Promise<Result>): Promise<Result> {
    return this.parts.unitOfWork.execute(work, 'repeatable');
  }

  /** Waits for another node that writes. @throws Overloaded when it takes too long. */
  async #take(lease: ProjectionLease): Promise<readonly StaleRef[]> {
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const taken = await this.#note(async ({ staleRefs }) => {
        const stale = await this.#leased(staleRefs, lease);
        return stale === undefined ? undefined : { stale };
      });
      if (taken !== undefined) return taken.stale;
      await this.parts.pause(Math.min(FIRST_PAUSE_MS * 2 ** look, LONGEST_PAUSE_MS));
    }
    throw new Overloaded(1);
  }

  /** Takes the lease, or takes it for longer. Undefined when another node has it. */
  async #leased(staleRefs: StaleRefRepository, lease: ProjectionLease): Promise<readonly StaleRef[] | undefined> {
    const now = this.parts.clock.now();
    if (!(await staleRefs.lease(lease, now, new Date(now.getTime() + LEASE_MS)))) return undefined;
    return staleRefs.read(lease.repositoryId, AT_ONCE);
  }
}
