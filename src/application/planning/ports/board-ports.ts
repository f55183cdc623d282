import type { Board } from '../../../domain/planning/board.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';

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
  /** @returns the id of a new list, the last of its board. */
  addList(boardId: number, labelId: number): Promise<number>;
  /** Puts the lists of a board in this order. */
  orderLists(ids: readonly number[]): Promise<void>;
  removeList(id: number): Promise<void>;
}
