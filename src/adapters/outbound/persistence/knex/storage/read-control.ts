import { serving, type StorageControl } from '../../../../../domain/storage/storage-control.js';
import type { Database } from '../database.js';
import type { RowOf } from '../tables.js';
import type { CopiedRows } from '../../../../../application/storage/ports/storage-end.js';
import { controlOf, copiedRowsOf, type ControlRow } from './control-row.js';

const TABLE = 'storage_control';

const rowOf = async ({ reader }: Database): Promise<ControlRow | undefined> =>
  (await reader.query(TABLE).where({ id: 1 }).first()) as ControlRow | undefined;

/** What a database says of itself. */
export const readControl = async (database: Database): Promise<StorageControl> => controlOf(await rowOf(database));

/** The same, with how far a move has come. */
export const readMove = async (
  database: Database,
): Promise<{ readonly control: StorageControl; readonly copied: CopiedRows | undefined }> => {
  const row = await rowOf(database);
  return { control: controlOf(row), copied: copiedRowsOf(row) };
};

/** The same of one that no version has migrated yet which knows of moves. */
export const readStorageControl = async (database: Database): Promise<StorageControl> =>
  (await database.schema.schema.hasTable(TABLE)) ? readControl(database) : controlOf(undefined);

/** Makes the last mark of a target whose source was left, unless somebody made it already. */
export const settleTarget = async (database: Database, from: StorageControl): Promise<void> => {
  const { role, epoch, state } = serving(await readControl(database), from.epoch + 1);
  await database.transact(
    async ({ query }) =>
      void (await query(TABLE)
        .where({ id: 1, role: 'target', state: 'ready', move: from.move ?? '' })
        .update({ role, epoch, state: state ?? null })),
  );
};

/** Says at a database that is being moved how this process is prepared for it. */
export const sayNode = (database: Database, row: Omit<RowOf<'storage_nodes'>, 'id'>): Promise<void> =>
  database.transact(async ({ query }) => void (await query('storage_nodes').insert(row).onConflict('node').merge()));

export const forgetNode = (database: Database, node: string): Promise<void> =>
  database.transact(async ({ query }) => void (await query('storage_nodes').where({ node }).delete()));
