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
import type { CodeWorkRepository, ProtectedRefRepository } from './ports/repository-repositories.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<{ readonly codeWorks: CodeWorkRepository }>;
  readonly changeRefs: ChangeRefs;
  readonly revisions: Revisions;
  readonly refs: RefReader;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf'>;
  readonly history: HistoryReader;
  readonly clock: Clock;
}

/** Removes the branches of a project whose commits are all in its default branch. */
export class RemoveMergedBranches {
  constructor(private readonly parts: Parts) {}

  /** Asks for it: it may take long. */
  async request({ project }: Permitted<'push_code'>, { id: userId }: Pick<CodeWriter, 'id'>): Promise<void> {
    const work = { kind: 'remove_merged_branches', projectId: project.id, userId, payload: {} } as const;
    await this.parts.unitOfWork.execute(({ codeWorks }) => codeWorks.add(work, this.parts.clock.now()));
  }

  /** May be repeated. */
  async execute(permitted: Permitted<'push_code'>, writer: CodeWriter): Promise<void> {
    const { revisions, refs, changeRefs } = this.parts;
    const { project } = permitted;
    const repository = await revisions.repositoryOf(permitted);
    const main = project.defaultBranch;
    const head = repository && main !== null ? await refs.findRef(repository.id, branchRef(main)) : undefined;
    if (repository === undefined || head === undefined) return;
    for await (const batch of refs.advertised(repository.id, [branchRef('')])) {
      const tips = [...new Set(batch.map(({ target }) => target))];
      const merged = await this.parts.history.reachable(repository.store, head.target, tips);
      for (const { name, target } of batch) {
        const branch = refPartsOf(name)?.name ?? name;
        if (branch === main || !merged.has(target) || (await this.#isProtected(permitted, branch))) continue;
        await changeRefs.removeBranch(permitted, writer, branch, target).catch(leaveIt);
      }
    }
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
