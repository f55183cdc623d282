import { isStorable } from '../../validation/storable-text.js';
import type { PageContext } from '../page-context.js';

const MOST_PAGES = 10_000;
const LONGEST = 255;

export const pageNumber = ({ request }: PageContext): number => {
  const page = Number(request.query['page']);
  return Number.isSafeInteger(page) && page > 0 && page <= MOST_PAGES ? page : 1;
};

/** A short text of the query; what can't be meant is empty. */
export const queryText = ({ request }: PageContext, name: string, longest = LONGEST): string => {
  const text = request.query[name];
  return typeof text === 'string' && text.length <= longest && isStorable(text) ? text : '';
};
