import type { Board, Column } from '../../../domain/planning/board.js';
import type { Label } from '../../../domain/planning/label.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { IssueFilters, IssueHead } from './planning-readers.js';

export interface BoardReader {
  /** In the order in which they were made. */
  ofProject(projectId: ProjectId): Promise<readonly Board[]>;
  find(projectId: ProjectId, id: number): Promise<Board | undefined>;
}

export interface BoardRepository extends BoardReader {
  /** Of works that change boards of a project, each waits for the one before. */
  hold(projectId: ProjectId): Promise<void>;
  add(projectId: ProjectId, name: string, at: Date): Promise<Board>;
  rename(id: number, name: string, at: Date): Promise<void>;
  /** Its lists go with it; issues and labels stay. */
  remove(id: number): Promise<void>;
  /** @returns the id of a new list, the last of its board. @throws NotPossible for a label that is gone. */
  addList(board: Pick<Board, 'id' | 'projectId'>, label: Pick<Label, 'name'>): Promise<number>;
  /** Puts the lists of a board in this order. */
  orderLists(ids: readonly number[]): Promise<void>;
  removeList(id: number): Promise<void>;
}

/** So far the issues of a column are counted. */
export const MOST_COUNTED_CARDS = 1_000;

export interface BoardColumn {
  readonly column: Column;
  readonly cards: readonly IssueHead[];
  readonly hasNext: boolean;
  /** No further than one beyond `MOST_COUNTED_CARDS`. */
  readonly count: number;
}

export interface BoardQuery {
  readonly board: Board;
  /** What narrows every column. */
  readonly filters: Omit<IssueFilters, 'state' | 'not'>;
  /** How many cards a column shows. */
  readonly limit: number;
}

export interface BoardColumnReader {
  /** All columns from the left, with the first cards of each that the viewer may see. */
  columns(query: BoardQuery): Promise<readonly BoardColumn[]>;
}
