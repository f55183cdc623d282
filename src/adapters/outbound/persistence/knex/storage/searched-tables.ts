import type { Held, SearchedTable } from '../../../../../application/storage/ports/searched-tables.js';
import type { LogicalType } from '../tables/table.js';
import { STORED_TABLES } from './stored-tables.js';

/** By these a repeated request is known again: whoever learns what they are of gets in nowhere. */
const OPEN_NOTHING: ReadonlySet<string> = new Set(['alert_idempotency_keys']);

const HELD: Readonly<Partial<Record<LogicalType, Held>>> = {
  digest: 'digest of a secret',
  sealed: 'sealed',
  text: 'text',
  key: 'text',
  json: 'text',
};

/** The tables of an installation with what each column holds. */
export const SEARCHED_TABLES: readonly SearchedTable[] = STORED_TABLES.map((table) => ({
  ...table,
  holds: table.typed.map(({ type }) =>
    type === 'digest' && OPEN_NOTHING.has(table.name) ? 'nothing to find' : (HELD[type] ?? 'nothing to find'),
  ),
}));
