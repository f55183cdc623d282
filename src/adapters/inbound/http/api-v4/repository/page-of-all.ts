import type { Page, PageRequest } from '../../../../../domain/shared/page.js';

/** A page of a list that is short enough to be read whole. */
export const pageOfAll = <Item>(items: readonly Item[], { page, perPage }: PageRequest): Page<Item> => {
  const from = (page - 1) * perPage;
  return { items: items.slice(from, from + perPage), total: items.length, hasNext: items.length > from + perPage };
};
