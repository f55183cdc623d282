import type { SealedColumn } from '../../../../../application/secret-key/ports/sealed-values.js';
import { SEALED_COLUMNS, type TableName } from '../tables.js';

export const SENTINELS = { table: 'secret_key_sentinels', column: 'sealed_text' } as const;

/** The purposes of columns that are not sealed as `stored secrets` are. */
const PURPOSES: Readonly<Record<string, SealedColumn['purpose']>> = {
  'error_tracking_settings.sealed_token': 'tracker tokens',
} satisfies Partial<Record<`${TableName}.${string}`, SealedColumn['purpose']>>;

export interface RotatedColumn extends SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Its primary key, a number. */
  readonly key: string;
}

/** Every sealed column of the catalogue but that of the sentinels: those are replaced when a rotation ends. */
export const ROTATED_COLUMNS: readonly RotatedColumn[] = SEALED_COLUMNS.filter(
  ({ table }) => table !== SENTINELS.table,
).map(({ table, column, key }) => {
  const name = `${table}.${column}`;
  return { name, table, column, key: key[0] ?? '', purpose: PURPOSES[name] ?? 'stored secrets' };
});

/** Where the next database is, in one that was left: all that is ever read there again. */
export const SUCCESSOR_COLUMNS = ROTATED_COLUMNS.filter(({ table }) => table === 'storage_control');
