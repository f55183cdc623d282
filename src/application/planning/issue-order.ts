import { hasColumn, labelsAfterMove, standsIn, type Board, type CardMove } from '../../domain/planning/board.js';
import { Conflict, NotFound } from '../../domain/shared/domain-error.js';
import type { UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { changeIssue, type IssueChange } from './change-issue.js';
import { placeIssue, type Neighbours } from './operations/place-issue.js';
import type { BoardRepository } from './ports/board-ports.js';
import type { IssueOrderRepository } from './ports/issue-order.js';
import type { PlanningRepositories } from './ports/planning-repositories.js';
import type { ChangeableIssue } from './visible-issue.js';

type Needs = PlanningRepositories & {
  readonly boards: BoardRepository;
  readonly issueOrder: IssueOrderRepository;
  readonly events: DomainEvents;
};

interface MoveOnBoard extends CardMove {
  readonly boardId: number;
  /** Whom it is to stand beside there; where it stood among all issues, if absent. */
  readonly beside?: Neighbours;
}

const MOVED_MEANWHILE = 'Somebody else has moved it or changed its labels meanwhile. Here is how it stands now.';
const NO_SUCH_LIST = 'The board no longer has the list that it was to go to.';

/** Where issues stand: among those of their project, and in the columns of boards. */
export class IssueOrder {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /** Puts an issue beside others. @throws Unprocessable where those are none of the project; NotPossible where no room can be made. */
  async reorder(_place: Permitted<'manage_boards'>, { issue }: ChangeableIssue, beside: Neighbours): Promise<void> {
    await this.unitOfWork.execute(({ issueOrder }) => placeIssue(issueOrder, issue, beside));
  }

  /**
   * Takes an issue from one column of a board to another: what that means for its labels and its state is changed as if by hand, and what
   * others have changed meanwhile stays.
   *
   * @throws NotFound "Board"; Conflict where it isn't in the first column any more, or the other one is gone; as `reorder`.
   */
  async moveCard(
    actor: UserActor,
    { project }: Permitted<'manage_boards'>,
    { issue, party }: ChangeableIssue,
    { boardId, beside, ...move }: MoveOnBoard,
  ): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      const board = await repositories.boards.find(project.id, boardId);
      if (board === undefined) throw new NotFound('Board');
      if (!hasColumn(board, move.to)) throw new Conflict(NO_SUCH_LIST);
      // Before the issue, as whoever puts issues in order holds them.
      if (beside !== undefined) await repositories.issueOrder.hold(project.id);
      await changeIssue(repositories, { issue, party, by: actor.id, at }, changeFor(board, move));
      if (beside !== undefined) await placeIssue(repositories.issueOrder, issue, beside);
    });
  }
}

/** What a move from one column to another changes. */
const changeFor = (board: Board, { from, to }: CardMove): IssueChange => {
  const state = from === 'closed' ? 'closed' : 'opened';
  const event = from === to ? undefined : to === 'closed' ? 'close' : from === 'closed' ? 'reopen' : undefined;
  return {
    // Before its labels are: they say nothing of an issue that somebody has closed.
    refuse: (held) => {
      if (held.state !== state) throw new Conflict(MOVED_MEANWHILE);
    },
    relabel: (labels) => {
      if (!standsIn(board, from, { state, labels })) throw new Conflict(MOVED_MEANWHILE);
      return labelsAfterMove(board, { from, to }, labels);
    },
    ...(event !== undefined && { stateEvent: event }),
  };
};
