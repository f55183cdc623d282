import { isRestoring, left, serving } from '../../domain/storage/storage-control.js';
import { MoveRefused } from './move-refused.js';
import type { StorageEnd } from './ports/storage-end.js';
import type { StartDigest, StoredTable } from './ports/stored-rows.js';
import { verifyStores } from './verify-stores.js';

/**
 * Gives up a move that has not ended: the source serves again, and the target, where it is given, is empty again. A restore that has not
 * ended is given up where it was to arrive.
 */
export const abortMove = async (source: StorageEnd, target: StorageEnd | undefined): Promise<void> => {
  for (const end of [source, target]) await end?.hold();
  const from = await source.control();
  if (isRestoring(from) && target === undefined) return source.empty();
  if (from.role === 'target')
    throw new MoveRefused(`${source.place} is a target: name ${from.peer} by DATABASE_URL, and this one by --to.`);
  if (from.role === 'left')
    throw new MoveRefused(`${source.place} was left for ${from.peer} already: "gatehouse storage reopen" goes back.`);
  if (target !== undefined) {
    const to = await target.control();
    if (to.role !== 'target' || to.peer !== source.place)
      throw new MoveRefused(`${target.place} is not the target of a move from ${source.place}.`);
    await target.empty();
  } else if (from.state !== 'moving') throw new MoveRefused(`${source.place} is not being moved.`);
  await source.unfence(serving(from));
};

export interface WayBack {
  readonly tables: readonly StoredTable[];
  readonly startDigest: StartDigest;
  /** Goes back although what was written at the successor since is not in the database that was left. */
  readonly discardChanges: boolean;
}

/** Serves from a database again that was left; its successor is left for it first, so that never two serve. */
export const reopenStorage = async (
  source: StorageEnd,
  successor: StorageEnd,
  { tables, startDigest, discardChanges }: WayBack,
): Promise<void> => {
  for (const end of [source, successor]) await end.hold();
  const [from, to] = [await source.control(), await successor.control()];
  if (from.role !== 'left') throw new MoveRefused(`${source.place} was not left.`);
  if (to.move !== from.move) throw new MoveRefused(`${successor.place} is not what ${source.place} was left for.`);
  if (await successor.isServed()) throw new MoveRefused(`A service has ${successor.place} open: stop it first.`);
  if (to.role !== 'left') await successor.fence({ ...left(to), peer: source.place });
  const { equal, tables: compared } = await source.snapshot((here) =>
    successor.snapshot((there) => verifyStores(tables, here, there, startDigest)),
  );
  if (!equal && !discardChanges) {
    await successor.unfence(serving(to));
    const rows = compared.reduce((sum, { different }) => sum + different, 0);
    throw new MoveRefused(
      `Since the move ${successor.place} has changed (${rows} rows): move back with "gatehouse storage move", or lose that with --discard-changes.`,
    );
  }
  await source.unfence(serving(from, to.epoch + 1));
};

/** Empties a database that was left, once what it was left for serves: then it can be moved to. */
export const forgetStorage = async (source: StorageEnd, successor: StorageEnd): Promise<void> => {
  for (const end of [source, successor]) await end.hold();
  const [from, to] = [await source.control(), await successor.control()];
  if (from.role !== 'left') throw new MoveRefused(`${source.place} was not left: nothing of it is removed.`);
  if (to.move !== from.move || to.role !== 'primary' || to.epoch <= from.epoch)
    throw new MoveRefused(`${successor.place} does not serve what ${source.place} was left with: nothing is removed.`);
  await source.empty();
};
