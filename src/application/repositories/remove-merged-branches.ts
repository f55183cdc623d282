import type { ObjectId } from '../../domain/repositories/object-id.js';
import { branchRef, refPartsOf } from '../../domain/repositories/ref-name.js';
import { branchRights } from '../../domain/repositories/protected-ref.js';
import { Forbidden, NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { Revisions } from './browse/revisions.js';
import type { ChangeRefs } from './change-refs.js';
import type { CodeWriter } from './commit-to-branch.js';
import type { HistoryReader } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';
import type {
  MergedSoFar,
  ProtectedRefRepository,
  Ref,
  RepositoriesRepositories,
} from './ports/repository-repositories.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<Pick<RepositoriesRepositories, 'repositories' | 'refs' | 'codeWorks'>>;
  readonly changeRefs: ChangeRefs;
  readonly revisions: Revisions;
  readonly refs: RefReader;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf'>;
  readonly history: HistoryReader;
  readonly clock: Clock;
}

/** Removes the branches of a project whose commits were all in its default branch when it was asked for, and are so still. */
export class RemoveMergedBranches {
  constructor(private readonly parts: Parts) {}

  /** Asks for it: it may take long. What is made, moved or merged from then on isn't meant. */
  async request({ project }: Permitted<'push_code'>, { id: userId }: Pick<CodeWriter, 'id'>): Promise<void> {
    await this.parts.unitOfWork.execute(async ({ repositories, refs, codeWorks }) => {
      const repository = await repositories.take(project.id);
      if (repository === undefined || repository.defaultBranch === null) return;
      const { id, refsVersion, defaultBranch } = repository;
      const [head] = (await refs.targetsOf(id, [branchRef(defaultBranch)])).values();
      if (head === undefined) return;
      const payload = { head, refsVersion };
      const work = { kind: 'remove_merged_branches', projectId: project.id, userId, payload } as const;
      await codeWorks.add(work, this.parts.clock.now());
    });
  }

  /** May be repeated. */
  async execute(permitted: Permitted<'push_code'>, writer: CodeWriter, asked: MergedSoFar): Promise<void> {
    const { revisions, refs, changeRefs } = this.parts;
    const { project } = permitted;
    const repository = await revisions.repositoryOf(permitted);
    const main = project.defaultBranch;
    const head = repository && main !== null ? await refs.findRef(repository.id, branchRef(main)) : undefined;
    if (repository === undefined || head === undefined) return;
    // Where the default branch was forced back it lacks some of them now.
    const heads = new Set([asked.head, head.target]);
    for await (const batch of refs.advertised(repository.id, [branchRef('')])) {
      const meant = batch.filter(({ name, version }) => version <= asked.refsVersion && name !== head.name);
      for (const { name, target } of await this.#merged(repository.store, heads, meant)) {
        const branch = refPartsOf(name)?.name ?? name;
        if (await this.#isProtected(permitted, branch)) continue;
        const expected = { target, unmovedSince: asked.refsVersion };
        await changeRefs.removeBranch(permitted, writer, branch, expected).catch(leaveIt);
      }
    }
  }

  /** Those whose commits each of these heads has. */
  async #merged(store: string, heads: Iterable<ObjectId>, branches: readonly Ref[]): Promise<readonly Ref[]> {
    let merged = branches;
    for (const head of heads) {
      const tips = [...new Set(merged.map(({ target }) => target))];
      const reached = await this.parts.history.reachable(store, head, tips);
      merged = merged.filter(({ target }) => reached.has(target));
    }
    return merged;
  }

  async #isProtected({ project, level }: Permitted<'push_code'>, branch: string): Promise<boolean> {
    const rules = await this.parts.protections.branchesOf(project.id);
    return branchRights(branch, rules, { level, admin: false }).protected;
  }
}

/** Somebody else has moved or removed it meanwhile. */
const leaveIt = (error: unknown): void => {
  if (!(error instanceof NotFound || error instanceof NotPossible || error instanceof Forbidden)) throw error;
};
