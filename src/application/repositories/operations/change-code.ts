import type { FileAction } from '../../../domain/repositories/file-action.js';
import { encodeCommit, type NewCommit } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { RefChanger } from '../../../domain/repositories/protected-ref.js';
import type { ChangedBy, ExaminedChange } from '../../../domain/repositories/push-decision.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { UnitOfWork } from '../../shared/unit-of-work.js';
import { DraftTree } from '../draft-tree.js';
import type { LandChanges } from '../land-changes.js';
import type { MoveRefs } from '../move-refs.js';
import type { OpenRepository } from '../open-repository.js';
import type { Draft, ObjectIntake, ObjectReader } from '../ports/object-stores.js';
import type { Repository } from '../ports/repository-repositories.js';
import type { ProjectRefs } from '../project-refs.js';
import { moveRefsByRightsNow, NotAllMoved, type ChangingRepositories, type MovedRefs } from './move-refs-within.js';

/** What a change of code works with, as long as it lasts. */
export interface CodeDraft {
  readonly repository: Repository;
  readonly draft: Draft;
}

export interface CodeLanding {
  readonly changes: readonly ExaminedChange[];
  readonly changer: RefChanger;
  readonly by: ChangedBy;
  readonly userId: UserId;
  /** As whoever pushes by git may send them. */
  readonly options?: readonly string[];
}

interface Parts<Repositories> {
  readonly unitOfWork: UnitOfWork<Repositories>;
  readonly openRepository: OpenRepository;
  readonly intake: ObjectIntake;
  readonly objects: ObjectReader;
  readonly landChanges: LandChanges;
  readonly moveRefs: MoveRefs;
  readonly projectRefs: Pick<ProjectRefs, 'soon'>;
  readonly clock: Clock;
}

/** Lets another context change code, and its own rows in the same unit of work. */
export class ChangeCode<Repositories extends ChangingRepositories> {
  constructor(private readonly parts: Parts<Repositories>) {}

  /** Hands out a draft for as long as the work lasts. @throws NotFound "Project" when it is gone; Unavailable. */
  async during<Result>(projectId: ProjectId, work: (drafted: CodeDraft) => Promise<Result>): Promise<Result> {
    const repository = await this.parts.openRepository.execute(projectId);
    const draft = await this.parts.intake.draft(repository.store);
    try {
      return await work({ repository, draft });
    } finally {
      await draft.settle();
    }
  }

  /** The tree of a commit with some files changed. @throws NotPossible, saying why an action can't be done. */
  async tree({ repository, draft }: CodeDraft, base: ObjectId, actions: readonly FileAction[]): Promise<ObjectId> {
    const tree = new DraftTree(this.parts.objects, repository, draft, base);
    for (const action of actions) await tree.apply(action);
    return tree.write();
  }

  commit({ draft }: CodeDraft, commit: NewCommit): Promise<ObjectId> {
    return draft.add(encodeCommit(commit));
  }

  /**
   * Moves refs by the rules that hold for a push: all of them, or none. What the caller may do is asked again with them.
   * @param alongside what else is true from then on: its writes stay if the refs move, and only then.
   */
  land(
    { repository, draft }: CodeDraft,
    { changes, ...landing }: CodeLanding,
    alongside: (repositories: Repositories) => Promise<void>,
  ): Promise<MovedRefs> {
    const { landChanges, moveRefs, unitOfWork, clock } = this.parts;
    return landChanges.execute(
      repository,
      draft,
      { ...landing, atomic: true },
      {
        examined: changes,
        count: (rules) => moveRefs.countCommits(draft, repository, rules, changes),
        move: async (moves) => {
          try {
            return await unitOfWork.execute((repositories) =>
              moveRefsByRightsNow(repositories, { ...moves, whenMoved: () => alongside(repositories) }, clock.now()),
            );
          } catch (error) {
            if (error instanceof NotAllMoved) return { failures: error.failures };
            throw error;
          }
        },
      },
    );
  }

  /** For refs that another unit of work has moved: the files follow. */
  refsMoved(repository: Repository): void {
    this.parts.projectRefs.soon(repository);
  }
}
