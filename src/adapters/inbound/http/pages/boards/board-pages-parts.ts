import type { Boards } from '../../../../../application/planning/boards.js';
import type { IssueOrder } from '../../../../../application/planning/issue-order.js';
import type { Issues } from '../../../../../application/planning/issues.js';
import type { BoardColumnReader } from '../../../../../application/planning/ports/board-ports.js';
import type { PlanningOverview } from '../../../../../application/planning/ports/planning-overview.js';
import type { PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { Board } from '../../../../../domain/planning/board.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { pathNumber } from '../form-fields.js';
import { keptOf } from '../list-sorting.js';
import type { PageContext } from '../page-context.js';
import { queryText } from '../page-request.js';
import { projectOfPage } from '../project-of-page.js';

export interface BoardPagesParts {
  readonly access: WorkspaceAccess;
  readonly boards: Boards;
  readonly boardColumnReader: BoardColumnReader;
  readonly issueOrder: IssueOrder;
  readonly issues: Issues;
  readonly planningOverview: PlanningOverview;
  readonly planningReader: PlanningReader;
}

export const BOARDS = '/*path/-/boards';
export const BOARD = `${BOARDS}/:id`;

/** A board, and the project that it is one of, for whoever may do this there. */
export interface FoundBoard<P extends 'read_issues' | 'manage_boards'> {
  readonly place: PermittedProject<P>;
  readonly board: Board;
}

export const addressOfBoards = ({ project }: Pick<PermittedProject<'read_issues'>, 'project'>): string =>
  `/${project.fullPath}/-/boards`;

/** @throws NotFound, Forbidden. */
export const findBoard = async <P extends 'read_issues' | 'manage_boards'>(
  { access, boards }: BoardPagesParts,
  context: PageContext,
  permission: P,
): Promise<FoundBoard<P>> => {
  const place = await projectOfPage(access, context, permission);
  return { place, board: orNotFound(await boards.find(place, pathNumber(context.request)), 'Board') };
};

/** What the cards of all columns are narrowed by. */
export const boardFilters = (context: PageContext) => ({
  search: queryText(context, 'search'),
  label: queryText(context, 'label'),
});

/** The board as it is narrowed now. */
export const addressOfBoard = (context: PageContext, { place, board }: FoundBoard<'read_issues' | 'manage_boards'>) =>
  `${addressOfBoards(place)}/${board.id}${queryOf(keptOf(boardFilters(context)))}`;

export const queryOf = (asked: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams(asked).toString();
  return query === '' ? '' : `?${query}`;
};
