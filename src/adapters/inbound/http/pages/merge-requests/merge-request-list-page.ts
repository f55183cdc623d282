import type {
  MergeRequestFilters,
  MergeRequestHead,
} from '../../../../../application/review/ports/merge-request-ports.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { given } from '../../kit/given.js';
import { sendGroupPage, sendProjectPage } from '../frame/send-place-page.js';
import { filterChoices, groupFilterChoices } from '../filter-choices.js';
import { filteredBy, SORT_NAMES, SORTS } from '../list-sorting.js';
import { listedProject, type ListedPlace } from '../listed-place.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest, queryChoice, queryText } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { joinedPath, projectPath } from '../project-path.js';
import { sendPage } from '../render.js';
import { MOST_COUNTED, stateCounts } from '../state-counts.js';
import {
  addressOfMergeRequests,
  MERGE_REQUESTS,
  TAB,
  type MergeRequestPagesParts,
} from './merge-request-pages-parts.js';

const STATES = ['opened', 'merged', 'closed', 'all'] as const;
const STATE_WORDS = [
  ['opened', 'Open'],
  ['merged', 'Merged'],
  ['closed', 'Closed'],
  ['all', 'All'],
] as const;

const NARROWING = {
  search: 'Search',
  author: 'Author',
  assignee: 'Assignee',
  reviewer: 'Reviewer',
  label: 'Label',
  milestone: 'Milestone',
  source: 'Source branch',
  target: 'Target branch',
} as const;
type Narrowing = keyof typeof NARROWING;
const NARROWINGS = Object.keys(NARROWING) as readonly Narrowing[];

/** What the address asks for. */
const filtersIn = (context: PageContext) => {
  const texts = NARROWINGS.map((name) => [name, queryText(context, name)]);
  return {
    state: queryChoice(context, 'state', STATES),
    sort: queryChoice(context, 'sort', SORT_NAMES),
    ...(Object.fromEntries(texts) as Record<Narrowing, string>),
  };
};
type Filters = ReturnType<typeof filtersIn>;

const NOTHING: Page<MergeRequestHead> = { items: [], hasNext: false };

const username = (name: string): string | undefined => name.replace(/^@/, '') || undefined;

/** The merge requests of a project. */
export const addMergeRequestListPage = (pages: Pages, parts: MergeRequestPagesParts): void => {
  const to = 'merge_requests';
  pages.tabs.addToProjects({ name: TAB, label: 'Merge requests', to, permission: 'read_merge_requests', order: 35 });

  pages.get(MERGE_REQUESTS, 'anyone', async (context) => {
    const actor = actorFor(context.browser);
    const place = await parts.access.project(actor, projectPath(context.request), 'read_merge_requests');
    const { project, level } = place;
    await sendProjectPage(context, place, 'merge-requests', {
      ...listed(parts, context, listedProject(parts.access, context, place), project.name),
      address: addressOfMergeRequests(project),
      mayOpen: context.browser.user !== undefined && isOffered(project, level, 'open_merge_requests'),
      showPath: false,
      offered: filterChoices(parts, context, project),
    });
  });
};

/** Those of all projects of a group, and of the groups below it. */
export const addGroupMergeRequestsPage = (pages: Pages, parts: MergeRequestPagesParts): void => {
  const to = 'merge_requests';
  pages.tabs.addToGroups({ name: TAB, label: 'Merge requests', to, permission: 'read_group', order: 35 });

  pages.get('/groups/*path/-/merge_requests', 'anyone', async (context) => {
    const place = await parts.access.group(actorFor(context.browser), joinedPath(context.request), 'read_group');
    const { group } = place;
    await sendGroupPage(context, place, 'merge-requests', {
      ...listed(parts, context, { within: group.id, archived: false }, group.name),
      address: `/groups/${group.fullPath}/-/merge_requests`,
      mayOpen: false,
      showPath: true,
      offered: groupFilterChoices(parts, context, group),
    });
  });
};

/** What both lists show. */
const listed = (parts: MergeRequestPagesParts, context: PageContext, where: ListedPlace, name: string) => {
  const filters = filtersIn(context);
  const { state, sort, search } = filters;
  const asked = askedFor(parts, context, where, filters);
  const page = asked.then((query) => {
    if (query === undefined) return NOTHING;
    const inState = state === 'all' ? {} : { state };
    return parts.mergeRequestReader.listHeads({ ...query, ...inState, ...SORTS[sort][1], page: pageRequest(context) });
  });
  return {
    tab: TAB,
    title: `Merge requests of ${name}`,
    mergeRequests: page.then(({ items }) => items),
    // What a text is found in is looked for once.
    counts: search === '' && asked.then((query) => query && countsOf(parts, query)),
    ...filteredBy(filters, NARROWING, [['state', 'State', STATE_WORDS]], where),
    page,
    request: pageRequest(context),
  };
};

const countsOf = async ({ mergeRequestReader }: MergeRequestPagesParts, query: MergeRequestFilters) =>
  stateCounts(await mergeRequestReader.countByState(query, MOST_COUNTED));

/** Undefined where nobody is called as it asks. */
const askedFor = async (
  { access, users }: MergeRequestPagesParts,
  context: PageContext,
  where: ListedPlace,
  { search, author, assignee, reviewer, label, milestone, source, target }: Filters,
): Promise<MergeRequestFilters | undefined> => {
  const assigned = username(assignee);
  const assigneeId = assigned === undefined ? undefined : ((await users.findByUsername(assigned))?.id ?? null);
  if (assigneeId === null) return undefined;
  return {
    viewer: access.viewer(actorFor(context.browser)),
    ...where,
    ...given({
      assigneeId,
      authorUsername: username(author),
      reviewerUsername: username(reviewer),
      search: search || undefined,
      labels: label === '' ? undefined : [label],
      milestoneTitle: milestone || undefined,
      sourceBranch: source || undefined,
      targetBranch: target || undefined,
    }),
  };
};

const SCOPES = ['assigned', 'reviews', 'created'] as const;

/** Those of all projects that concern whoever looks. */
export const addOwnMergeRequestsPage = (
  pages: Pages,
  { access, mergeRequestReader }: Pick<MergeRequestPagesParts, 'access' | 'mergeRequestReader'>,
): void => {
  pages.get('/dashboard/merge_requests', 'signed_in', async (context) => {
    const { browser, response } = context;
    const actor = actorOf(browser);
    const scope = queryChoice(context, 'scope', SCOPES);
    const state = queryChoice(context, 'state', ['opened', 'merged', 'closed']);
    const request = pageRequest(context);
    const mine = {
      assigned: { assigneeId: actor.id },
      reviews: { reviewerId: actor.id },
      created: { authorId: actor.id },
    };
    const page = await mergeRequestReader.listHeads({
      viewer: access.viewer(actor),
      ...mine[scope],
      state,
      orderBy: 'updated_at',
      sort: 'desc',
      page: request,
    });
    const kept = { scope, state };
    const title = 'My merge requests';
    sendPage(response, browser, 'own-merge-requests', {
      title,
      mergeRequests: page.items,
      page,
      request,
      ...kept,
      kept,
    });
  });
};
