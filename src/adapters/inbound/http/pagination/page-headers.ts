import type { RouteResult } from '../route.js';
import { COUNT_LIMIT, type Page, type PageRequest } from '../../../../domain/shared/page.js';

const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 20;
/** The deepest offset that a list is read at; what lies beyond is an empty page. */
const MAX_OFFSET = Number.MAX_SAFE_INTEGER / 2;

/** Out-of-range numbers are clamped: page at least 1, at most 100 a page, a negative count means the default. */
export const readPageRequest = ({ page, per_page }: { page: number; per_page: number }): PageRequest => {
  const perPage = per_page < 0 ? DEFAULT_PER_PAGE : Math.min(per_page, MAX_PER_PAGE);
  return { page: Math.min(Math.max(page, 1), Math.floor(MAX_OFFSET / perPage)), perPage };
};

/** Never repeated in a link: a link is logged, bookmarked and passed on. */
const CREDENTIALS = new Set(['private_token', 'access_token', 'bearer_token', 'job_token']);

export const isCredential = (name: string): boolean => CREDENTIALS.has(name);

export const withoutCredentials = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => !isCredential(name)));

/** Writes links to pages of a list. */
const linksOf = ({ origin, pathname, searchParams }: URL, { page, perPage }: PageRequest) => {
  const query = withoutCredentials(searchParams);
  // For its place in the order.
  query.set('page', String(page));
  query.set('per_page', String(perPage));
  query.sort();
  return (to: number, rel: string): string => {
    query.set('page', String(to));
    return `<${origin}${pathname}?${query.toString()}>; rel="${rel}"`;
  };
};

/** The headers of one page. `url` is the public address of the request. */
export const pageHeaders = (
  url: URL,
  request: PageRequest,
  { total, hasNext }: Pick<Page<unknown>, 'total' | 'hasNext'>,
): Record<string, string> => {
  const { page, perPage } = request;
  const pages = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage));
  const previous = page > 1 && (pages === undefined || page <= pages + 1) ? page - 1 : undefined;
  const linkTo = linksOf(url, request);
  const links = [
    ...(previous === undefined ? [] : [linkTo(previous, 'prev')]),
    ...(hasNext ? [linkTo(page + 1, 'next')] : []),
    linkTo(1, 'first'),
    ...(pages === undefined ? [] : [linkTo(pages, 'last')]),
  ];
  return {
    'X-Per-Page': String(perPage),
    'X-Page': String(page),
    'X-Next-Page': hasNext ? String(page + 1) : '',
    'X-Prev-Page': previous === undefined ? '' : String(previous),
    ...(total === undefined || total > COUNT_LIMIT ? {} : { 'X-Total': String(total), 'X-Total-Pages': String(pages) }),
    Link: links.join(', '),
  };
};

/** The headers of one page that a cursor goes on from: where to, and nothing that would have to be counted. */
export const keysetHeaders = (
  url: URL,
  { perPage, cursor, parameter = 'cursor' }: NonNullable<RouteResult['keyset']>,
): Record<string, string> => {
  if (cursor === undefined) return { 'X-Per-Page': String(perPage) };
  const query = withoutCredentials(url.searchParams);
  query.delete('page');
  query.set('pagination', 'keyset');
  query.set('per_page', String(perPage));
  query.set(parameter, cursor);
  query.sort();
  return { 'X-Per-Page': String(perPage), Link: `<${url.origin}${url.pathname}?${query.toString()}>; rel="next"` };
};
