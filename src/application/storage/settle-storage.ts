import {
  emptied,
  givenUp,
  isEmptied,
  isGivenUp,
  isMoving,
  isRestoring,
  left,
  serving,
  servingOn,
  type StorageControl,
} from '../../domain/storage/storage-control.js';
import { MoveRefused } from './move-refused.js';
import type { StorageEnd } from './ports/storage-end.js';
import type { StartDigest, StoredTable } from './ports/stored-rows.js';
import { verifyStores } from './verify-stores.js';

/** A run of the move ends by itself after what it does at this moment: making indexes takes longest. */
const RUN_ENDS_MS = 600_000;
/** What a source says changes three times at most: it copies, holds, and cuts over. */
const MARKS = 3;

/** @throws MoveRefused where there is nothing that could be given up there. */
const refuseToAbort = (control: StorageControl, { place }: StorageEnd): void => {
  const { role, peer } = control;
  if (isEmptied(control)) throw new MoveRefused(`${place} was emptied, and is not being moved.`);
  if (role === 'target')
    throw new MoveRefused(`${place} is a target: name ${peer} by DATABASE_URL, and this one by --to.`);
  if (role === 'left')
    throw new MoveRefused(`${place} was left for ${peer} already: "gatehouse storage reopen" goes back.`);
};

/** Whether a database is being filled from another. @throws MoveRefused where it is something else to somebody. */
const isFilledFrom = async (source: StorageEnd, target: StorageEnd): Promise<boolean> => {
  const control = await target.control();
  const { role, peer, move } = control;
  if (role === 'target' && peer === source.place) return true;
  if (move === undefined || isEmptied(control)) return false;
  throw new MoveRefused(`${target.place} is not the target of a move from ${source.place}.`);
};

/** From here on no run of the move can cut over. Answers what the source says then. */
const giveUp = async (source: StorageEnd): Promise<StorageControl> => {
  for (let mark = 1; ; mark += 1) {
    const from = await source.control();
    refuseToAbort(from, source);
    if (!isMoving(from)) return from;
    try {
      await source.mark(givenUp(from), from);
      return givenUp(from);
    } catch (error) {
      if (mark === MARKS) throw error;
    }
  }
};

/**
 * Gives up a move that has not ended: the source serves as before, and the target, where it is given, is empty again. A run of the move
 * that is at work ends by itself, and is waited for. A restore that has not ended is given up where it was to arrive.
 */
export const abortMove = async (source: StorageEnd, target: StorageEnd | undefined): Promise<void> => {
  const before = await source.control();
  if (isRestoring(before) && target === undefined) {
    await source.hold();
    return source.empty();
  }
  refuseToAbort(before, source);
  const isFilled = async () => target !== undefined && (await isFilledFrom(source, target));
  const filled = await isFilled();
  if (!isMoving(before) && !isGivenUp(before) && !filled) throw new MoveRefused(`${source.place} is not being moved.`);
  const from = await giveUp(source);
  for (const end of [source, target]) await end?.hold(RUN_ENDS_MS);
  await source.release(servingOn(from), from);
  // A run may have begun to fill it before it ended.
  if (target === undefined || !(await isFilled())) return;
  const filledOne = await target.control();
  await target.empty(filledOne.sealedSuccessor === undefined ? undefined : emptied(filledOne));
};

export interface WayBack {
  readonly tables: readonly StoredTable[];
  readonly startDigest: StartDigest;
  /** The address of the database that was left, sealed, for whoever looks for it at its successor. */
  readonly sealedSource: string;
  /** Goes back although what was written at the successor since is not in the database that was left. */
  readonly discardChanges: boolean;
}

/** Serves from a database again that was left; its successor is left for it first, so that never two serve. */
export const reopenStorage = async (
  source: StorageEnd,
  successor: StorageEnd,
  { tables, startDigest, sealedSource, discardChanges }: WayBack,
): Promise<void> => {
  for (const end of [source, successor]) await end.hold();
  const [from, to] = [await source.control(), await successor.control()];
  if (from.role !== 'left') throw new MoveRefused(`${source.place} was not left.`);
  if (isEmptied(from)) throw new MoveRefused(`${source.place} was emptied: only a move or a restore fills it again.`);
  if (to.move !== from.move) throw new MoveRefused(`${successor.place} is not what ${source.place} was left for.`);
  if (await successor.isServed()) throw new MoveRefused(`A service has ${successor.place} open: stop it first.`);
  if (to.role !== 'left') await successor.fence({ ...left(to), peer: source.place, sealedSuccessor: sealedSource });
  const { equal, tables: compared } = await source.snapshot((here) =>
    successor.snapshot((there) => verifyStores(tables, here, there, startDigest)),
  );
  if (!equal && !discardChanges) {
    await successor.release(serving(to), await successor.control());
    const rows = compared.reduce((sum, { different }) => sum + different, 0);
    throw new MoveRefused(
      `Since the move ${successor.place} has changed (${rows} rows): move back with "gatehouse storage move", or lose that with --discard-changes.`,
    );
  }
  await source.release(serving(from, to.epoch + 1), from);
};

/** Lets a move that waits for it cut over. */
export const cutStorage = async (source: StorageEnd): Promise<void> => {
  const control = await source.control();
  if (control.state !== 'holding')
    throw new MoveRefused(
      `No move of ${source.place} waits to be cut over: "gatehouse storage status" says what is going on.`,
    );
  await source.mark({ ...control, state: 'cutting' }, control);
};

/** Empties a database that was left, once what it was left for serves: then it can be moved to. Nobody serves from it until then. */
export const forgetStorage = async (source: StorageEnd, successor: StorageEnd): Promise<void> => {
  for (const end of [source, successor]) await end.hold();
  const [from, to] = [await source.control(), await successor.control()];
  if (from.role !== 'left') throw new MoveRefused(`${source.place} was not left: nothing of it is removed.`);
  if (isEmptied(from)) throw new MoveRefused(`${source.place} was emptied already.`);
  if (to.move !== from.move || to.role !== 'primary' || to.epoch <= from.epoch)
    throw new MoveRefused(`${successor.place} does not serve what ${source.place} was left with: nothing is removed.`);
  await source.empty(emptied(from));
};
