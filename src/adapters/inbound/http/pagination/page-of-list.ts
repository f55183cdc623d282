import type { Page, PageRequest } from '../../../../domain/shared/page.js';

/** A page of a list that is short enough to be read whole. */
export const pageOfList = <T>(list: readonly T[], { page, perPage }: PageRequest): Page<T> => ({
  items: list.slice((page - 1) * perPage, page * perPage),
  total: list.length,
  hasNext: list.length > page * perPage,
});
