import { MAINTAINERS } from '../../domain/repositories/protected-ref.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { CodeCopiedEvent } from '../shared/code-events.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Logger } from '../shared/ports/logger.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { branchRef } from '../../domain/repositories/ref-name.js';
import type { BringCommits } from './operations/bring-commits.js';
import type { CodeCopy, CodeCopyRepository, RefsToCopy } from './ports/code-copies.js';
import type { StoreKeeper } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';
import type { ProtectedRefRepository, Repository, RepositoryRepository } from './ports/repository-repositories.js';
import type { ProjectRefs } from './project-refs.js';
import { reasonOf } from './reason-of.js';

interface Needs {
  readonly codeCopies: CodeCopyRepository;
  readonly repositories: RepositoryRepository;
  readonly protectedRefs: ProtectedRefRepository;
  readonly events: DomainEvents;
}

export interface CopyCodeParts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly reader: RefReader;
  readonly keeper: StoreKeeper;
  readonly projectRefs: ProjectRefs;
  readonly bringCommits: Pick<BringCommits, 'execute'>;
  /** Whether whoever made a fork may still make one like it: that was asked when they did, and much may have changed since. */
  readonly mayStillFork: (fork: ProjectId, source: ProjectId) => Promise<boolean>;
  readonly secrecy: { readonly secrets: SecretSource; readonly digester: SecretDigester };
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One that a crash left is taken again then. Linking may take longer: two at once do no harm, for every step may be repeated. */
const LEASE_MS = 60_000;
const MOST_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 5_000;
/** A source that is pushed to all the time is copied once more, and only what is new. */
const MOST_LOOKS = 100;
/** What a source let go of may be gone from it two weeks later: whoever forks it then must not get it from an older pool. */
const POOL_YOUTH_MS = 14 * 24 * 3_600_000;
const POOLS_AT_ONCE = 50;

const GAVE_UP = 'The repository could not be copied. Remove the fork and make it again.';
const BRANCH_GONE = 'The branch that was to be copied is gone.';
const NEVER_STILL = 'The refs of the source never stood still.';
const SOURCE_GONE = 'The project that was forked is gone.';
const NO_RIGHTS =
  'Whoever made the fork may not fork the project any more, or not as visibly. Remove the fork and make it again.';

/** The repositories of a fork and of its source. */
interface Ends {
  readonly source: Repository;
  readonly target: Repository;
}

/**
 * Copies the code of a project into its fork: objects first, without a copy of any byte, then refs, default branch, and the news of it
 * in one unit of work. Of one branch alone its objects are copied, as by a fetch: what else the source has is none of the fork's business.
 * Every step may be repeated, so whoever dies in between leaves it to the next.
 */
export class CopyCode {
  #stopping = false;

  constructor(private readonly parts: CopyCodeParts) {}

  /** Begins no further copy. */
  stop(): void {
    this.#stopping = true;
  }

  /** Answers how many copies ended. */
  async runDue(): Promise<number> {
    for (let ended = 0; ; ended += 1) {
      const copy = this.#stopping ? undefined : await this.#lease();
      if (copy === undefined) return ended;
      if (!(await this.#attempt(copy))) return ended;
    }
  }

  /** Removes pools that nobody needs any more. */
  async dropPools(): Promise<void> {
    const { unitOfWork, keeper, clock } = this.parts;
    const pools = await unitOfWork.execute(({ codeCopies }) => codeCopies.closePools(clock.now(), POOLS_AT_ONCE));
    for (const { id, store } of pools) {
      await keeper.remove(store);
      await unitOfWork.execute(({ codeCopies }) => codeCopies.forgetPool(id));
    }
  }

  #lease(): Promise<CodeCopy | undefined> {
    const now = this.parts.clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    return this.parts.unitOfWork.execute(({ codeCopies }) => codeCopies.lease(now, until));
  }

  async #attempt(copy: CodeCopy): Promise<boolean> {
    const { logger, unitOfWork, clock } = this.parts;
    try {
      await this.#copy(copy);
      return true;
    } catch (error) {
      const { projectId, attempts } = copy;
      logger.warn('code was not copied', { projectId, attempts, error: reasonOf(error) });
      if (attempts >= MOST_ATTEMPTS) await this.#end(copy, GAVE_UP);
      const dueAt = new Date(clock.now().getTime() + FIRST_PAUSE_MS * 2 ** (attempts - 1));
      await unitOfWork.execute(({ codeCopies }) => codeCopies.postpone(projectId, dueAt));
      return false;
    }
  }

  async #copy(copy: CodeCopy): Promise<void> {
    const { reader, keeper } = this.parts;
    if (copy.sourceId === null) return this.#end(copy, SOURCE_GONE);
    const source = await reader.findRepository(copy.sourceId);
    if (await reader.isBeingCopied(copy.sourceId)) throw new Error('The source waits for its own code.');
    if (source === undefined) return this.#end(copy, null);
    if (!(await this.parts.mayStillFork(copy.projectId, copy.sourceId))) return this.#end(copy, NO_RIGHTS);
    await keeper.ready();
    const target = await this.#open(copy.projectId);
    // The fork was removed meanwhile, and the copy with it.
    if (target === undefined) return;
    await (copy.branch === null
      ? this.#shareAll(copy, { source, target })
      : this.#bringBranch(copy, copy.branch, { source, target }));
  }

  async #shareAll(copy: CodeCopy, { source, target }: Ends): Promise<void> {
    const { keeper, unitOfWork, clock, projectRefs } = this.parts;
    const at = clock.now();
    const pool = { store: this.#newStore(), youngerThan: new Date(at.getTime() - POOL_YOUTH_MS), at };
    const shared = await unitOfWork.execute(({ codeCopies }) => codeCopies.joinPool(target, source, pool));
    await keeper.makePool(shared, source.store);
    await keeper.create(target.store);
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const version = await this.#versionOf(source);
      // Whatever its refs led to at that version is in its store already.
      await keeper.share(target.store, { from: source.store, pool: shared });
      if (await this.#finish(copy, { source, target }, { version })) {
        await projectRefs.execute(target);
        return;
      }
    }
    throw new Error(NEVER_STILL);
  }

  async #bringBranch(copy: CodeCopy, branch: string, { source, target }: Ends): Promise<void> {
    const { reader, keeper, projectRefs, bringCommits } = this.parts;
    await keeper.create(target.store);
    let bytes = 0;
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const version = await this.#versionOf(source);
      const tip = await reader.findRef(source.id, branchRef(branch));
      if (tip === undefined) return this.#end(copy, BRANCH_GONE);
      const brought = await bringCommits.execute(source, target, tip.target);
      try {
        bytes += brought?.size ?? 0;
        if (await this.#finish(copy, { source, target }, { version, only: { branch, bytes } })) {
          await projectRefs.execute(target);
          return;
        }
      } finally {
        await brought?.settle();
      }
    }
    throw new Error(NEVER_STILL);
  }

  #versionOf(source: Repository): Promise<number> {
    return this.parts.unitOfWork.execute(({ codeCopies }) => codeCopies.versionOf(source));
  }

  #newStore(): string {
    const { secrets, digester } = this.parts.secrecy;
    return digester.digest(secrets.token());
  }

  #open(projectId: ProjectId): Promise<Repository | undefined> {
    const at = this.parts.clock.now();
    const store = this.#newStore();
    return this.parts.unitOfWork.execute(({ repositories }) => repositories.open(projectId, store, at));
  }

  /** False where refs of the source moved meanwhile. */
  async #finish(copy: CodeCopy, { source, target }: Ends, what: RefsToCopy): Promise<boolean> {
    const at = this.parts.clock.now();
    // Linking and bringing objects takes its time.
    if (!(await this.parts.mayStillFork(copy.projectId, source.projectId))) {
      await this.#end(copy, NO_RIGHTS);
      return true;
    }
    return this.parts.unitOfWork.execute(async ({ codeCopies, repositories, protectedRefs, events }) => {
      if (!(await codeCopies.copyRefs(source, target, what))) return false;
      if (!(await codeCopies.end(copy.projectId))) return true;
      const held = await repositories.take(copy.projectId);
      if (held?.defaultBranch != null) {
        const rule = { name: held.defaultBranch, pushLevel: MAINTAINERS, mergeLevel: MAINTAINERS };
        await protectedRefs.addBranch(copy.projectId, { ...rule, allowForcePush: false }, at);
      }
      await events.publish(copied(copy, null));
      return true;
    });
  }

  #end(copy: CodeCopy, error: string | null): Promise<void> {
    return this.parts.unitOfWork.execute(async ({ codeCopies, events }) => {
      if (await codeCopies.end(copy.projectId)) await events.publish(copied(copy, error));
    });
  }
}

const copied = ({ projectId }: CodeCopy, error: string | null): CodeCopiedEvent => ({
  kind: 'code_copied',
  projectId,
  error,
});
