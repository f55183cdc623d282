import type { ProjectId } from '../shared/identifiers.js';
import type { ProblemCollector } from '../shared/problem-collector.js';
import type { IssueState } from './issue.js';
import type { Label } from './label.js';

/** A column of a board: the open issues that have a label. */
export interface BoardList {
  readonly id: number;
  readonly label: Label;
}

export interface Board {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly name: string;
  /** In their order, from the left. */
  readonly lists: readonly BoardList[];
}

/** What the board is called that every project has. */
/** Why a board gets no list. */
export const LABEL_NOT_FOUND = 'Label not found!';

export const DEFAULT_BOARD_NAME = 'Development';

export const MAX_BOARDS = 20;
export const MAX_BOARD_LISTS = 20;
export const MAX_BOARD_NAME = 255;

export const checkBoard = (problems: ProblemCollector, { name }: Pick<Board, 'name'>): void => {
  problems
    .check(name.trim() !== '', 'name', "can't be blank")
    .check(name.length <= MAX_BOARD_NAME, 'name', `is too long (maximum is ${MAX_BOARD_NAME} characters)`);
};

/** The open issues that have none of its labels, all closed ones, or the list of an id. */
export type Column = 'open' | 'closed' | number;

/** Where a card goes, and where whoever moves it saw it. */
export interface CardMove {
  readonly from: Column;
  readonly to: Column;
}

type Standing = { readonly state: IssueState; readonly labels: readonly string[] };

const namesOf = ({ lists }: Pick<Board, 'lists'>): ReadonlySet<string> => new Set(lists.map(({ label }) => label.name));

const labelOf = ({ lists }: Pick<Board, 'lists'>, column: Column): string | undefined =>
  lists.find(({ id }) => id === column)?.label.name;

/** Whether it has such a column now. */
export const hasColumn = (board: Pick<Board, 'lists'>, column: Column): boolean =>
  typeof column === 'string' || labelOf(board, column) !== undefined;

/** Whether an issue stands in a column. */
export const standsIn = (board: Pick<Board, 'lists'>, column: Column, { state, labels }: Standing): boolean => {
  if (state === 'closed' || column === 'closed') return state === column;
  if (column !== 'open') return labels.includes(labelOf(board, column) ?? '');
  const listed = namesOf(board);
  return !labels.some((name) => listed.has(name));
};

/** What an issue is called by once it has gone from one column to another: of other labels it keeps what it has. */
export const labelsAfterMove = (
  board: Pick<Board, 'lists'>,
  { from, to }: CardMove,
  labels: readonly string[],
): readonly string[] => {
  if (to === 'closed' || from === to) return labels;
  // Among the open ones it stands only without any of them.
  const listed = namesOf(board);
  if (to === 'open') return labels.filter((name) => !listed.has(name));
  const [left, got] = [labelOf(board, from), labelOf(board, to)];
  const kept = labels.filter((name) => name !== left && name !== got);
  return got === undefined ? kept : [...kept, got];
};

/** Takes one of a row to another place in it. */
export const movedWithin = <Item>(row: readonly Item[], item: Item, position: number): readonly Item[] =>
  row.filter((each) => each !== item).toSpliced(position, 0, item);
