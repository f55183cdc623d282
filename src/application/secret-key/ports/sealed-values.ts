/** What a box seals that ends up in the database. Boxes of different purposes don't open each other's. */
export type StoredPurpose = 'stored secrets' | 'tracker tokens';

/** A column of sealed values. */
export interface SealedColumn {
  /** `table.column`, for people. */
  readonly name: string;
  readonly purpose: StoredPurpose;
}

export interface SealedValue {
  readonly id: number;
  readonly sealed: string;
}

export interface Replacement extends SealedValue {
  /** The same value sealed with the current key. */
  readonly resealed: string;
}

/** Every sealed value of the database, a batch at a time. */
export interface SealedValues {
  readonly columns: readonly SealedColumn[];
  /** The next values of a column in the order of their ids. */
  readAfter(column: SealedColumn, id: number, limit: number): Promise<readonly SealedValue[]>;
  /** Replaces each value that still is what was read, in one transaction. */
  replace(column: SealedColumn, replacements: readonly Replacement[]): Promise<void>;
}
