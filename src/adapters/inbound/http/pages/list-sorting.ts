import type { ListedPlace } from './listed-place.js';

/** How lists of what people plan and change can be sorted, and what pages call that. */
export const SORTS = {
  created_desc: ['Newest first', { orderBy: 'created_at', sort: 'desc' }],
  created_asc: ['Oldest first', { orderBy: 'created_at', sort: 'asc' }],
  updated_desc: ['Last changed first', { orderBy: 'updated_at', sort: 'desc' }],
  updated_asc: ['Last changed last', { orderBy: 'updated_at', sort: 'asc' }],
} as const;
export const SORT_NAMES = ['created_desc', 'created_asc', 'updated_desc', 'updated_asc'] as const;

/** For a field to choose from. */
const SORT_OPTIONS = SORT_NAMES.map((name) => [name, SORTS[name][0]] as const);

/** The filters that are set, for links to other pages of a list. */
export const keptOf = (filters: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));

/** What an address narrows a list by, and how fields call it. */
type Narrowing = Readonly<Record<string, string>>;

/** The tabs above a list: what they choose, how that is called, and what there is to choose from. */
type Choice = readonly [name: string, label: string, options: readonly (readonly [value: string, label: string])[]];

/**
 * What a list shows that can be narrowed and sorted.
 *
 * @param where a release has a field only where there is one: releases lead here.
 */
export const filteredBy = (
  asked: Readonly<Record<string, string>>,
  narrowing: Narrowing,
  choices: readonly Choice[],
  where?: ListedPlace,
) => {
  const releaseTag = where !== undefined && 'releaseTag' in where ? where.releaseTag : undefined;
  const filters = releaseTag === undefined ? asked : { ...asked, release_tag: releaseTag };
  const fields = releaseTag === undefined ? narrowing : { ...narrowing, release_tag: 'Release' };
  return {
    filters,
    choices,
    kept: keptOf(filters),
    narrowings: Object.entries(fields),
    narrowed: Object.keys(fields).some((name) => filters[name] !== ''),
    sorts: SORT_OPTIONS,
  };
};
