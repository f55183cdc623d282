import { BadRequest } from '../../../domain/shared/domain-error.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { RefReader } from '../ports/ref-reader.js';
import type { Ref } from '../ports/repository-repositories.js';

/** More are not looked at one by one. */
const MOST_REFS = 100_000;
/** After so many others have a turn: each may be looked at by an expression that takes its time. */
const BREATH = 20;

/** As the database searches: `^` before the text asks for the beginning, `$` after it for the end. */
export const isFound = (name: string, search = ''): boolean => {
  const text = search.replace(/^\^/, '').replace(/\$$/, '');
  if (search.startsWith('^') && !name.startsWith(text)) return false;
  return search.endsWith('$') ? name.endsWith(text) : name.includes(text);
};

interface Selection {
  readonly repositoryId: number;
  /** Where the refs stand, such as `refs/heads/`. */
  readonly folder: string;
  /** Whether a ref is meant, by its short name. */
  readonly isMeant: (name: string) => boolean;
  readonly compare: (one: Ref, other: Ref) => number;
  readonly page: PageRequest;
}

/** A page of refs that are chosen or ordered as no database can. @throws BadRequest where there are too many. */
export const selectRefs = async (
  refs: RefReader,
  { repositoryId, folder, isMeant, compare, page }: Selection,
): Promise<Page<Ref>> => {
  const found: Ref[] = [];
  let seen = 0;
  for await (const batch of refs.advertised(repositoryId, [folder])) {
    seen += batch.length;
    if (seen > MOST_REFS) throw new BadRequest(`There are more than ${MOST_REFS} refs. Search by a part of the name.`);
    for (const [at, ref] of batch.entries()) {
      if (isMeant(ref.name.slice(folder.length))) found.push(ref);
      if (at % BREATH === BREATH - 1) await new Promise((resume) => setImmediate(resume));
    }
  }
  const from = (page.page - 1) * page.perPage;
  const items = found.sort(compare).slice(from, from + page.perPage);
  return { items, total: found.length, hasNext: found.length > from + items.length && items.length > 0 };
};
