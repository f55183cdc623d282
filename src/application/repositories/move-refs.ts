import type { ObjectId } from '../../domain/repositories/object-id.js';
import type { ExaminedChange, RefRules } from '../../domain/repositories/push-decision.js';
import { branchRef, refPartsOf } from '../../domain/repositories/ref-name.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import {
  moveRefsByRightsNow,
  moveRefsWithin,
  NotAllMoved,
  type CountedChange,
  type MovedRefs,
  type ChangingRepositories,
  type RefMoves,
} from './operations/move-refs-within.js';
import type { Staged } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';
import type { ProtectedRefRepository, Repository } from './ports/repository-repositories.js';

/** Beyond so many refs of a push their commits aren't counted: one entry of the feed tells of all of them. */
const MOST_COUNTED = 20;

/** Moves refs in one unit of work, with what follows from it: default branch, its protection, kept tips, the event. */
export class MoveRefs {
  constructor(
    private readonly unitOfWork: UnitOfWork<ChangingRepositories>,
    private readonly reader: RefReader,
    private readonly protections: Pick<ProtectedRefRepository, 'branchesOf' | 'tagsOf'>,
    private readonly clock: Clock,
  ) {}

  /** As they are now; the unit of work asks again. @throws NotFound "Project". */
  async rulesOf(projectId: ProjectId): Promise<RefRules> {
    const [standing, branches, tags] = await Promise.all([
      this.reader.standing(projectId),
      this.protections.branchesOf(projectId),
      this.protections.tagsOf(projectId),
    ]);
    if (standing === undefined) throw new NotFound('Project');
    return { ...standing, branches, tags };
  }

  /** What the feed tells of each change. */
  async countCommits(
    staged: Staged,
    repository: Pick<Repository, 'id'>,
    { defaultBranch }: Pick<RefRules, 'defaultBranch'>,
    changes: readonly ExaminedChange[],
  ): Promise<readonly CountedChange[]> {
    const main =
      defaultBranch === null ? undefined : await this.reader.findRef(repository.id, branchRef(defaultBranch));
    const counted: CountedChange[] = [];
    for (const change of changes) {
      const commitCount = changes.length > MOST_COUNTED ? 0 : await countOf(staged, change, main?.target);
      const found = change.to === null ? undefined : await staged.examine(change.to);
      const tip =
        change.to === null || found === undefined
          ? null
          : { target: change.to, peeled: found.peeled, committedAt: found.committedAt };
      counted.push({ ...change, tip, commitCount, commitTitle: found?.title ?? null });
    }
    return counted;
  }

  /** A push has asked just before what its sender may; the API asked when the request began. @throws NotFound "Project" when it is gone. */
  async execute(moves: RefMoves): Promise<MovedRefs> {
    const move = moves.by === 'git' ? moveRefsWithin : moveRefsByRightsNow;
    try {
      return await this.unitOfWork.execute((repositories) => move(repositories, moves, this.clock.now()));
    } catch (error) {
      if (error instanceof NotAllMoved) return { failures: error.failures };
      throw error;
    }
  }
}

/** Commits that a branch got: those that it had not, and for a new one those that the default branch has not. */
const countOf = async (
  staged: Staged,
  { ref, from, to, type }: ExaminedChange,
  main: ObjectId | undefined,
): Promise<number> => {
  const kind = refPartsOf(ref)?.kind;
  if (to === null || kind === undefined) return 0;
  if (kind === 'tag') return 1;
  if (type !== 'commit') return 0;
  const known = from ?? main;
  if (known === undefined || (await staged.examine(known)) === undefined) return staged.count(to, []);
  return staged.count(to, [known]);
};
