import type { ProjectId } from '../shared/identifiers.js';
import type { ProblemCollector } from '../shared/problem-collector.js';
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
export const DEFAULT_BOARD_NAME = 'Development';

export const MAX_BOARDS = 20;
export const MAX_BOARD_LISTS = 20;
export const MAX_BOARD_NAME = 255;

export const checkBoard = (problems: ProblemCollector, { name }: Pick<Board, 'name'>): void => {
  problems
    .check(name.trim() !== '', 'name', "can't be blank")
    .check(name.length <= MAX_BOARD_NAME, 'name', `is too long (maximum is ${MAX_BOARD_NAME} characters)`);
};

/** Takes one of a row to another place in it. */
export const movedWithin = <Item>(row: readonly Item[], item: Item, position: number): readonly Item[] =>
  row.filter((each) => each !== item).toSpliced(position, 0, item);
