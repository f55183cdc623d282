import type { StoredTable } from './stored-rows.js';

/** What a column holds, as far as secrets are concerned. */
export type Held = 'digest of a secret' | 'sealed' | 'text' | 'nothing to find';

export interface SearchedTable extends StoredTable {
  /** Of each column, in their order. */
  readonly holds: readonly Held[];
}
