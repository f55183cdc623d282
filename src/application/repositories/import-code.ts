import type { ObjectId } from '../../domain/repositories/object-id.js';
import { MAINTAINERS, matchesPattern } from '../../domain/repositories/protected-ref.js';
import { refPartsOf } from '../../domain/repositories/ref-name.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { DomainEvents } from '../shared/domain-events.js';
import { LeasedWorks } from '../shared/leased-works.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Logger } from '../shared/ports/logger.js';
import type { SecretBox, SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { Pause } from '../shared/while-held.js';
import { openRemote } from './operations/open-remote.js';
import type { CodeImport, CodeImportRepository, ImportHindrance, ImportLease } from './ports/code-imports.js';
import { ObjectsRefused, type ObjectIntake, type Staged, type StoreKeeper } from './ports/object-stores.js';
import { REMOTE_WORDS, RemoteProblem, type RemoteSource } from './ports/remotes.js';
import type {
  ProtectedRefRepository,
  RefRepository,
  RefTip,
  Repository,
  RepositoryRepository,
} from './ports/repository-repositories.js';
import type { ProjectRefs } from './project-refs.js';
import { reasonOf } from './reason-of.js';
import { fitting } from './refs-from-elsewhere.js';

interface Needs {
  readonly codeImports: CodeImportRepository;
  readonly repositories: RepositoryRepository;
  readonly refs: RefRepository;
  readonly protectedRefs: ProtectedRefRepository;
  readonly events: DomainEvents;
}

export interface ImportCodeParts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly source: RemoteSource;
  readonly keeper: Pick<StoreKeeper, 'ready' | 'create'>;
  readonly intake: ObjectIntake;
  readonly projectRefs: Pick<ProjectRefs, 'soon' | 'catchUp'>;
  /** Whether somebody may push to a project by now: fetching takes as long as a server likes. */
  readonly mayPush: (userId: UserId, projectId: ProjectId) => Promise<boolean>;
  readonly secrecy: {
    readonly secrets: SecretSource;
    readonly secretBox: SecretBox;
    readonly digester: SecretDigester;
  };
  readonly pause: Pause;
  readonly clock: Clock;
  readonly logger: Logger;
}

const AT_ONCE = 4;
/** So that somebody who imports from a server that takes its time leaves room for others. */
const OF_USER = 1;
const PAUSES_MS = [5_000, 60_000, 300_000] as const;

const UNKNOWN = 'The code could not be fetched. The log of the service says why.';
const NO_COMMIT = 'A branch of it leads to something that is no commit.';
const HINDERED: Readonly<Record<ImportHindrance, string>> = {
  archived: 'The project was archived meanwhile.',
  blocked: 'Whoever asked for the code is blocked.',
};
const WRITTEN = 'Somebody has pushed to the project meanwhile.';
const NO_RIGHTS = 'Whoever asked for the code may not push to the project any more.';

interface Fetched {
  readonly repository: Repository;
  readonly staged: Staged;
  readonly tips: ReadonlyMap<string, RefTip>;
  readonly head: string | null;
}

/**
 * Fetches the code of new projects from elsewhere: all of it into a quarantine, by the rules of a push, then branches, tags, default branch
 * and the news of it in one unit of work. Nothing is told as pushed: no pipeline begins, and no issue is closed.
 */
export class ImportCode {
  readonly #works: LeasedWorks<CodeImport, UserId | null>;

  constructor(private readonly parts: ImportCodeParts) {
    const { unitOfWork, secrecy, clock, pause } = parts;
    this.#works = new LeasedWorks<CodeImport, UserId | null>(
      { secrets: secrecy.secrets, clock, pause },
      {
        atOnce: AT_ONCE,
        atOnceOfOne: OF_USER,
        whose: ({ userId }) => userId,
        lease: (lease, users) => this.#lease({ ...lease, exceptUsers: users.filter((user) => user !== null) }),
        renew: ({ projectId }, { holder, until }) =>
          unitOfWork.execute(({ codeImports }) => codeImports.renew(projectId, holder, until), 'repeatable'),
        attempt: (found, holder, signal) => this.#fetch(found, holder, signal),
        note: async (found, holder, failure) => {
          if (failure !== undefined) await this.#note(found, holder, failure);
        },
      },
    );
  }

  /** Begins no further import, and leaves those that run to the next start. */
  stop(): void {
    this.#works.stop();
  }

  /** Answers how many were tried. */
  runDue(): Promise<number> {
    return this.#works.runDue();
  }

  #lease(lease: ImportLease): Promise<CodeImport | undefined> {
    return this.parts.unitOfWork.execute(async ({ codeImports, events }) => {
      const found = await codeImports.lease(lease);
      if (found !== undefined)
        await events.publish({ kind: 'code_import_begun', projectId: found.projectId, at: lease.now });
      return found;
    }, 'repeatable');
  }

  async #fetch(found: CodeImport, holder: string, signal: AbortSignal): Promise<void> {
    const { source, keeper, intake, projectRefs, secrecy } = this.parts;
    const { projectId, remote: sealed } = found;
    await this.parts.unitOfWork.execute(({ codeImports }) => refuseHindered(codeImports, projectId));
    await this.#requireRights(found);
    const remote = openRemote(secrecy.secretBox, sealed);
    await keeper.ready();
    const { refs, head } = fitting(await source.refsOf(remote, signal));
    const repository = await this.#open(projectId);
    // The project was removed meanwhile, and the import with it.
    if (repository === undefined) return;
    await keeper.create(repository.store);
    const wanted = [...new Set(refs.values())];
    const staged = await intake.receive(
      repository.store,
      wanted.length === 0 ? undefined : source.pack(remote, { wanted, had: [] }, signal),
    );
    try {
      const whole = await staged.connected(wanted, () => projectRefs.catchUp(repository));
      if (!whole) throw new RemoteProblem(REMOTE_WORDS.incomplete, false);
      const tips = await tipsOf(staged, refs);
      await this.#requireRights(found);
      await staged.keep();
      await this.#finish({ repository, staged, tips, head }, holder);
    } finally {
      await staged.settle();
    }
    projectRefs.soon(repository);
  }

  /** @throws RemoteProblem. */
  async #requireRights({ userId, projectId }: CodeImport): Promise<void> {
    if (userId === null || !(await this.parts.mayPush(userId, projectId))) throw new RemoteProblem(NO_RIGHTS, false);
  }

  #open(projectId: ProjectId): Promise<Repository | undefined> {
    const { secrets, digester } = this.parts.secrecy;
    const store = digester.digest(secrets.token());
    const at = this.parts.clock.now();
    return this.parts.unitOfWork.execute(({ repositories }) => repositories.open(projectId, store, at));
  }

  #finish({ repository, staged, tips, head }: Fetched, holder: string): Promise<void> {
    const { projectId } = repository;
    const at = this.parts.clock.now();
    return this.parts.unitOfWork.execute(async ({ codeImports, repositories, refs, protectedRefs, events }) => {
      const held = await repositories.take(projectId);
      if (held === undefined) return;
      await refuseHindered(codeImports, projectId);
      if (!(await codeImports.end(projectId, holder))) return;
      for (const [ref, to] of tips)
        if (!(await refs.move(held.id, { ref, from: null, to }))) throw new RemoteProblem(WRITTEN, false);
      const branch = defaultOf(tips, head);
      if (branch !== undefined) {
        await repositories.setDefaultBranch(held, branch);
        await protect(protectedRefs, projectId, branch, at);
      }
      await repositories.recordPush(held.id, staged.size, at);
      await events.publish({ kind: 'code_copied', projectId, error: null });
    });
  }

  /** Tries it again later, where that may help. */
  async #note({ projectId, attempts }: CodeImport, holder: string, error: Error): Promise<void> {
    const { unitOfWork, clock, logger } = this.parts;
    logger.info('code was not imported', { projectId, attempts, error: reasonOf(error) });
    await unitOfWork.execute(async ({ codeImports, events }) => {
      const hindrance = await codeImports.hindranceOf(projectId);
      const told = hindrance === undefined ? problemOf(error) : new RemoteProblem(HINDERED[hindrance], false);
      const pause = this.#works.isStopping ? 0 : told.passing ? PAUSES_MS[attempts - 1] : undefined;
      if (pause !== undefined) return codeImports.postpone(projectId, holder, new Date(clock.now().getTime() + pause));
      if (await codeImports.giveUp(projectId, holder))
        await events.publish({ kind: 'code_copied', projectId, error: told.message });
    });
  }
}

/** @throws RemoteProblem. */
const refuseHindered = async (codeImports: CodeImportRepository, projectId: ProjectId): Promise<void> => {
  const hindrance = await codeImports.hindranceOf(projectId);
  if (hindrance !== undefined) throw new RemoteProblem(HINDERED[hindrance], false);
};

const problemOf = (error: unknown): RemoteProblem => {
  if (error instanceof RemoteProblem) return error;
  return error instanceof ObjectsRefused ? new RemoteProblem(error.message, false) : new RemoteProblem(UNKNOWN, true);
};

/** As a first push has its default branch protected: by nothing where somebody has protected it before. */
const protect = async (
  protectedRefs: ProtectedRefRepository,
  projectId: ProjectId,
  name: string,
  at: Date,
): Promise<void> => {
  const rules = await protectedRefs.branchesOf(projectId);
  if (rules.some((rule) => matchesPattern(name, rule.name))) return;
  const rule = { name, pushLevel: MAINTAINERS, mergeLevel: MAINTAINERS, allowForcePush: false };
  await protectedRefs.addBranch(projectId, rule, at);
};

const tipsOf = async (staged: Staged, refs: ReadonlyMap<string, ObjectId>): Promise<ReadonlyMap<string, RefTip>> => {
  const tips = new Map<string, RefTip>();
  for (const [name, target] of refs) {
    const found = await staged.examine(target);
    if (found === undefined) throw new RemoteProblem(REMOTE_WORDS.incomplete, false);
    if (refPartsOf(name)?.kind === 'branch' && found.type !== 'commit') throw new RemoteProblem(NO_COMMIT, false);
    tips.set(name, { target, peeled: found.peeled, committedAt: found.committedAt });
  }
  return tips;
};

/** What HEAD names there, or else the first branch. */
const defaultOf = (tips: ReadonlyMap<string, unknown>, head: string | null): string | undefined => {
  const branches = [...tips.keys()].filter((name) => refPartsOf(name)?.kind === 'branch');
  const chosen = branches.find((name) => name === head) ?? branches[0];
  return chosen === undefined ? undefined : refPartsOf(chosen)?.name;
};
