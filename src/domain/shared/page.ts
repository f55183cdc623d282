/** Offset paging: `page` counts from 1. */
export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
  /** False where nobody asks how long the list is, as on pages of the browser. */
  readonly counted?: false;
}

/** One page of a list. `total` is absent where nobody asked for it, or counting would cost more than {@link COUNT_LIMIT} examined entries. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total?: number;
  readonly hasNext: boolean;
}

/** Lists longer than this carry no totals. */
export const COUNT_LIMIT = 10_000;

/** A page that begins further down a long list is refused: the database would read everything before it. */
export const MAX_OFFSET = 50_000;

export type SortDirection = 'asc' | 'desc';

export const mapPage = <T, U>(page: Page<T>, map: (item: T) => U): Page<U> => ({
  ...page,
  items: page.items.map(map),
});
