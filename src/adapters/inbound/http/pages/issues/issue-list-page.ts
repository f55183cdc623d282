import type { IssueFilters, IssueHead } from '../../../../../application/planning/ports/planning-readers.js';
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
import { projectOfPage } from '../project-of-page.js';
import { joinedPath } from '../project-path.js';
import { MOST_COUNTED, stateCounts } from '../state-counts.js';
import { addressOfIssues, ISSUES, type IssuePagesParts } from './issue-pages-parts.js';

const STATES = ['opened', 'closed', 'all'] as const;
const KINDS = ['issue', 'incident'] as const;

/** What the address asks for. */
const filtersIn = (context: PageContext) => ({
  state: queryChoice(context, 'state', STATES),
  kind: queryChoice(context, 'kind', KINDS),
  sort: queryChoice(context, 'sort', SORT_NAMES),
  search: queryText(context, 'search'),
  author: queryText(context, 'author').replace(/^@/, ''),
  assignee: queryText(context, 'assignee').replace(/^@/, ''),
  label: queryText(context, 'label'),
  milestone: queryText(context, 'milestone'),
});
type Filters = ReturnType<typeof filtersIn>;

const NARROWING = {
  search: 'Search',
  author: 'Author',
  assignee: 'Assignee',
  label: 'Label',
  milestone: 'Milestone',
};
const KIND_WORDS = [
  ['issue', 'Issues'],
  ['incident', 'Incidents'],
] as const;
const STATE_WORDS = [
  ['opened', 'Open'],
  ['closed', 'Closed'],
  ['all', 'All'],
] as const;
const CHOICES = [
  ['kind', 'Kind', KIND_WORDS],
  ['state', 'State', STATE_WORDS],
] as const;

const NOTHING: Page<IssueHead> = { items: [], hasNext: false };

export const addIssueListPage = (pages: Pages, parts: IssuePagesParts): void => {
  const tab = { name: 'issues', label: 'Issues', to: 'issues', order: 30, within: 'planning' } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'read_issues' });

  pages.get(ISSUES, 'anyone', async (context) => {
    const place = await projectOfPage(parts.access, context, 'read_issues');
    const { project, level } = place;
    await sendProjectPage(context, place, 'issues', {
      ...listed(parts, context, listedProject(parts.access, context, place), project.name),
      address: addressOfIssues(place),
      mayOpen: context.browser.user !== undefined && isOffered(project, level, 'write_issues'),
      showPath: false,
      offered: filterChoices(parts, context, project),
    });
  });
};

/** Those of all projects of a group, and of the groups below it. */
export const addGroupIssuesPage = (pages: Pages, parts: IssuePagesParts): void => {
  const tab = { name: 'issues', label: 'Issues', to: 'issues', order: 30, within: 'planning' } as const;
  pages.tabs.addToGroups({ ...tab, permission: 'read_group' });

  pages.get('/groups/*path/-/issues', 'anyone', async (context) => {
    const place = await parts.access.group(actorFor(context.browser), joinedPath(context.request), 'read_group');
    const { group } = place;
    await sendGroupPage(context, place, 'issues', {
      ...listed(parts, context, { within: group.id, archived: false }, group.name),
      address: `/groups/${group.fullPath}/-/issues`,
      mayOpen: false,
      showPath: true,
      offered: groupFilterChoices(parts, context, group),
    });
  });
};

/** What both lists show. */
const listed = (parts: IssuePagesParts, context: PageContext, where: ListedPlace, name: string) => {
  const filters = filtersIn(context);
  const { state, sort, search } = filters;
  const asked = askedFor(parts, context, where, filters);
  const page = asked.then((query) => {
    if (query === undefined) return NOTHING;
    const inState = state === 'all' ? {} : { state };
    return parts.planningReader.listIssueHeads({ ...query, ...inState, ...SORTS[sort][1], page: pageRequest(context) });
  });
  return {
    tab: 'issues',
    title: `${filters.kind === 'incident' ? 'Incidents' : 'Issues'} of ${name}`,
    issues: page.then(({ items }) => items),
    // What a text is found in is looked for once.
    counts: search === '' && asked.then((query) => query && countsOf(parts, query)),
    ...filteredBy(filters, NARROWING, CHOICES, where),
    page,
    request: pageRequest(context),
  };
};

const countsOf = async ({ planningReader }: IssuePagesParts, query: IssueFilters) =>
  stateCounts(await planningReader.countByState(query, MOST_COUNTED));

/** Several labels are named with commas, as clients of the API do: no label has one. */
const namesIn = (label: string): readonly string[] => [
  ...new Set(
    label
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

/** Undefined where nobody is called as it asks. */
const askedFor = async (
  { access, users }: IssuePagesParts,
  context: PageContext,
  where: ListedPlace,
  { kind, search, author, assignee, label, milestone }: Filters,
): Promise<IssueFilters | undefined> => {
  const [authorId, assigneeId] = await Promise.all(
    [author, assignee].map(async (name) =>
      name === '' ? undefined : ((await users.findByUsername(name))?.id ?? null),
    ),
  );
  if (authorId === null || assigneeId === null) return undefined;
  return {
    viewer: access.viewer(actorFor(context.browser)),
    ...where,
    kind,
    ...given({
      authorId,
      assigneeId,
      search: search || undefined,
      labels: label === '' ? undefined : namesIn(label),
      milestoneTitle: milestone || undefined,
    }),
  };
};
