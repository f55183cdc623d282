import type { Page } from '../../domain/shared/page.js';

/**
 * A page whose items are read in batches, as they are asked for: their texts may be larger in all than what memory should hold. An item
 * that is removed before its batch is read is left out.
 */
export interface PageInBatches<T> extends Omit<Page<T>, 'items'> {
  readonly batches: AsyncIterable<readonly T[]>;
}

/** The page of a list that has nothing. */
export const nothingInBatches = (): PageInBatches<never> => ({ batches: inOneBatch([]), total: 0, hasNext: false });

/** All items at once. */
export const itemsOf = async <T>(batches: AsyncIterable<readonly T[]>): Promise<readonly T[]> => {
  const items: T[] = [];
  for await (const batch of batches) items.push(...batch);
  return items;
};

export async function* inOneBatch<T>(items: readonly T[]): AsyncGenerator<readonly T[], void, undefined> {
  yield await Promise.resolve(items);
}

export async function* mapBatches<T, U>(
  batches: AsyncIterable<readonly T[]>,
  map: (item: T) => U,
): AsyncGenerator<readonly U[], void, undefined> {
  for await (const batch of batches) yield batch.map(map);
}

const FEW = 10;

/** Reads what belongs to items, a few of them at a time as they are asked for: each may come with a large text. */
export async function* readFewAtATime<T, U>(
  items: readonly T[],
  read: (few: readonly T[]) => Promise<readonly U[]>,
): AsyncGenerator<readonly U[], void, undefined> {
  for (let at = 0; at < items.length; at += FEW) yield await read(items.slice(at, at + FEW));
}
