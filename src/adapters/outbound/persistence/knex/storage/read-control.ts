import type { StorageControl } from '../../../../../domain/storage/storage-control.js';
import type { Database } from '../database.js';
import { controlOf, type ControlRow } from './control-row.js';

/** What a database says of itself, also one that no version has migrated yet which knows of moves. */
export const readStorageControl = async ({ schema }: Database): Promise<StorageControl> => {
  if (!(await schema.schema.hasTable('storage_control'))) return controlOf(undefined);
  return controlOf((await schema('storage_control').where({ id: 1 }).first()) as ControlRow | undefined);
};
