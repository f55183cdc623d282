// Lets knex know what rows a table has: `query('users').first()` hands out a `RowOf<'users'>`.
import type { TableRows } from './tables.js';

declare module 'knex/types/tables.js' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- only an interface merges with that of knex
  interface Tables extends TableRows {}
}
