import { itemsOf, type PageInBatches } from '../../src/application/shared/page-in-batches.js';

/** A page with all of its items. */
export const whole = async <T, Page extends Omit<PageInBatches<T>, 'total'>>(
  page: Page & { readonly batches: AsyncIterable<readonly T[]> },
): Promise<Omit<Page, 'batches'> & { readonly items: readonly T[] }> => {
  const { batches, ...rest } = page;
  return { ...rest, items: await itemsOf(batches) };
};
