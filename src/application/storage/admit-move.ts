import { isEmptied, isMoving, type StorageControl } from '../../domain/storage/storage-control.js';
import { isUnused } from './is-unused.js';
import { MoveRefused } from './move-refused.js';
import type { StorageEnd } from './ports/storage-end.js';
import type { StoredTable } from './ports/stored-rows.js';

const refuseOtherMigrations = async (source: StorageEnd, target: StorageEnd): Promise<void> => {
  const [here, there] = [await source.migrations(), await target.migrations()];
  const missing = there.filter((name) => !here.includes(name));
  if (missing.length > 0)
    throw new MoveRefused(`${source.place} lacks ${missing.join(', ')}: run "gatehouse migrate" there first.`);
  const newer = here.filter((name) => !there.includes(name));
  if (newer.length > 0)
    throw new MoveRefused(`${source.place} was migrated by a newer version (${newer.join(', ')}): move it by that.`);
};

/** @param to of the target, which says nothing yet between the first marks of both. */
const resumedMove = (target: StorageEnd, from: StorageControl, to: StorageControl, unused: boolean): string => {
  const { move, peer = '' } = from;
  if (move !== undefined && to.move === move) return move;
  if (move !== undefined && from.role !== 'left' && peer === target.place && unused) return move;
  throw new MoveRefused(
    from.role === 'left'
      ? `The database was left for ${peer} already: there is nothing to move.`
      : `The database is being moved to ${peer} (${move}): finish that, or run "gatehouse storage abort".`,
  );
};

/**
 * The move that these two are in the middle of, if there is one.
 *
 * @throws MoveRefused where the one can't be moved to the other.
 */
export const admitMove = async (
  source: StorageEnd,
  target: StorageEnd,
  tables: readonly StoredTable[],
): Promise<string | undefined> => {
  if (source.place === target.place) throw new MoveRefused('Both addresses name the same database.');
  const [from, to] = [await source.control(), await target.control()];
  await refuseOtherMigrations(source, target);
  if (from.role === 'target')
    throw new MoveRefused(`${source.place} is itself being filled (${from.move}), and that has not ended.`);
  if (isEmptied(from)) throw new MoveRefused(`${source.place} was emptied: there is nothing to move.`);
  const unused = await isUnused(target, tables);
  if (from.role === 'left' || isMoving(from)) return resumedMove(target, from, to, unused);
  if (!unused)
    throw new MoveRefused(
      `The database at ${target.place} is in use, was left, or is what a move that was given up has filled: a move fills one that is empty. Of the last, "gatehouse storage abort --to URL" makes one.`,
    );
  if (await target.isServed())
    throw new MoveRefused(
      `A service has ${target.place} open: stop it first, or wait for half a minute where it has gone over to another database.`,
    );
  return undefined;
};
