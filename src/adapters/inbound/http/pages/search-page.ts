import type { UserReader } from '../../../../application/identity/ports/identity-readers.js';
import type { PlanningReader } from '../../../../application/planning/ports/planning-readers.js';
import type { PlanningSearch } from '../../../../application/planning/ports/planning-search.js';
import type { MergeRequestReader } from '../../../../application/review/ports/merge-request-ports.js';
import { itemsOf } from '../../../../application/shared/page-in-batches.js';
import { together } from '../../../../application/shared/together.js';
import type { WorkspaceReader } from '../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import type { PageRequest } from '../../../../domain/shared/page.js';
import type { PageContext } from './page-context.js';
import type { Pages } from './page.js';
import { actorFor, pageRequest, queryChoice, queryText } from './page-request.js';
import { sendPage } from './render.js';

export interface SearchPageParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly users: UserReader;
  readonly planningReader: PlanningReader;
  readonly planningSearch: Pick<PlanningSearch, 'milestones'>;
  readonly mergeRequestReader: Pick<MergeRequestReader, 'listHeads'>;
}

const KINDS = ['projects', 'groups', 'people', 'issues', 'mergeRequests', 'milestones'] as const;
type Kind = (typeof KINDS)[number];

const LABELS: Readonly<Record<Kind, string>> = {
  projects: 'Projects',
  groups: 'Groups',
  people: 'People',
  issues: 'Issues',
  mergeRequests: 'Merge requests',
  milestones: 'Milestones',
};

/** A number as people write it of an issue or a merge request: `#12`, `!3`. */
const NUMBER = /^([#!])(\d{1,9})$/;
const NUMBERED: Readonly<Record<string, Kind>> = { '#': 'issues', '!': 'mergeRequests' };

const NOTHING = { items: [], hasNext: false };

/** Finds what people look for by its name or number, a page of one kind at a time, as far as the viewer may see it. */
export const addSearchPage = (pages: Pages, parts: SearchPageParts): void => {
  pages.get('/search', 'anyone', async (context) => {
    const { browser, response } = context;
    const search = queryText(context, 'search');
    // Visitors are told no names of people.
    const kinds = KINDS.filter((kind) => kind !== 'people' || browser.user !== undefined);
    const numbered = NUMBERED[NUMBER.exec(search)?.[1] ?? ''];
    const [first, ...others]: readonly Kind[] = numbered === undefined ? kinds : [numbered, ...kinds];
    const kind = queryChoice(context, 'kind', [first ?? 'projects', ...others]);
    const request = pageRequest(context);
    const page = search === '' ? NOTHING : await find(parts, context, { kind, search, page: request });
    const isVain = search !== '' && request.page === 1 && page.items.length === 0;
    const elsewhere = isVain
      ? await kindsWith(
          parts,
          context,
          search,
          kinds.filter((each) => each !== kind),
        )
      : [];
    const link = (of: Kind) => `/search?${new URLSearchParams({ kind: of, search }).toString()}`;
    sendPage(response, browser, 'search-results', {
      title: search === '' ? 'Search' : `Search for ${search}`,
      search,
      kind,
      kinds: kinds.map((each) => ({ label: LABELS[each], href: link(each), current: each === kind })),
      [kind]: page.items,
      found: page.items.length > 0,
      elsewhere: elsewhere.map((each) => ({ label: LABELS[each], href: link(each) })),
      page,
      request,
    });
  });
};

/** Those of some kinds of which something matches. */
const kindsWith = async (
  parts: SearchPageParts,
  context: PageContext,
  search: string,
  kinds: readonly Kind[],
): Promise<readonly Kind[]> => {
  const one = { page: 1, perPage: 1 };
  const found = await together(kinds.map((kind) => find(parts, context, { kind, search, page: one })));
  return kinds.filter((_kind, index) => (found[index]?.items.length ?? 0) > 0);
};

const find = (
  { access, reader, users, planningReader, planningSearch, mergeRequestReader }: SearchPageParts,
  context: PageContext,
  { kind, search, page }: { readonly kind: Kind; readonly search: string; readonly page: PageRequest },
): Promise<{ readonly items: readonly unknown[]; readonly hasNext: boolean }> => {
  const viewer = access.viewer(actorFor(context.browser));
  const [, sign, number] = NUMBER.exec(search) ?? [];
  const wanted = (of: Kind) => (NUMBERED[sign ?? ''] === of ? { iids: [Number(number)] } : { search });
  const newest = { orderBy: 'created_at', sort: 'desc', page } as const;
  const finders = {
    projects: () => reader.listProjects({ viewer, search, orderBy: 'last_activity_at', sort: 'desc', page }),
    groups: () => reader.listGroups({ viewer, search, orderBy: 'path', sort: 'asc', page }),
    people: () => users.list({ search, orderBy: 'username', sort: 'asc', page }),
    issues: () => planningReader.listIssueHeads({ viewer, ...wanted('issues'), ...newest }),
    mergeRequests: () => mergeRequestReader.listHeads({ viewer, ...wanted('mergeRequests'), ...newest }),
    milestones: async () => {
      const { batches, hasNext } = await planningSearch.milestones({ viewer, search, page });
      return { items: await itemsOf(batches), hasNext };
    },
  };
  return finders[kind]();
};
