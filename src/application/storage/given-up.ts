import { isMoving } from '../../domain/storage/storage-control.js';
import { MoveRefused } from './move-refused.js';
import type { StorageEnd } from './ports/storage-end.js';

export const GIVEN_UP = 'The move was given up meanwhile.';

/** @throws MoveRefused where a move is under way no more, and its source was not left either. */
export const refuseGivenUp = async (source: StorageEnd): Promise<void> => {
  const control = await source.control();
  if (control.role === 'left' || isMoving(control)) return;
  throw new MoveRefused(GIVEN_UP);
};
