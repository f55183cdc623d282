import type { MoveState } from '../../domain/storage/storage-control.js';
import type { CopiedRows } from './ports/storage-end.js';

/** A move that is under way, as the database that is moved tells of it. */
export interface MoveInSight {
  readonly state: MoveState;
  readonly rows: CopiedRows;
}

/** What a process that serves knows of moves. */
export interface MovesInSight {
  /** The one that it saw when it looked last. */
  readonly move: MoveInSight | undefined;
}

/** A few words for an operator. */
export const describeMove = ({ rows: { copied, known } }: MoveInSight): string =>
  known === 0 ? 'moving' : `moving ${Math.floor((copied / known) * 100)} %`;
