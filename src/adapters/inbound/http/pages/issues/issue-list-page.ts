import type { IssueHead } from '../../../../../application/planning/ports/planning-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { given } from '../../kit/given.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import { chipsOf } from '../label-chips.js';
import { keptOf, SORT_NAMES, SORT_OPTIONS, SORTS } from '../list-sorting.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest, queryChoice, queryText } from '../page-request.js';
import { projectPath } from '../project-path.js';
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

const NARROWING = ['search', 'author', 'assignee', 'label', 'milestone'] as const;

const NOTHING: Page<IssueHead> = { items: [], hasNext: false };

export const addIssueListPage = (pages: Pages, parts: IssuePagesParts): void => {
  pages.tabs.addToProjects({ name: 'issues', label: 'Issues', to: 'issues', permission: 'read_project', order: 30 });

  pages.get(ISSUES, 'anyone', async (context) => {
    const place = await parts.access.project(actorFor(context.browser), projectPath(context.request), 'read_project');
    const { project, level } = place;
    const filters = filtersIn(context);
    const page = list(parts, context, project.id, filters);
    await sendProjectPage(context, place, 'issues', {
      tab: 'issues',
      title: `${filters.kind === 'incident' ? 'Incidents' : 'Issues'} of ${project.name}`,
      address: addressOfIssues(place),
      issues: page.then(({ items }) => items),
      chips: page.then(({ items }) => chipsOf(parts.planningOverview, project.id, items)),
      filters,
      kept: keptOf(filters),
      narrowed: NARROWING.some((name) => filters[name] !== ''),
      sorts: SORT_OPTIONS,
      mayOpen: context.browser.user !== undefined && isOffered(project, level, 'take_part'),
      page,
      request: pageRequest(context),
    });
  });
};

const list = async (
  { access, users, planningReader }: IssuePagesParts,
  context: PageContext,
  projectId: ProjectId,
  { state, kind, sort, search, author, assignee, label, milestone }: Filters,
): Promise<Page<IssueHead>> => {
  const [authorId, assigneeId] = await Promise.all(
    [author, assignee].map(async (name) =>
      name === '' ? undefined : ((await users.findByUsername(name))?.id ?? null),
    ),
  );
  // Nobody is called that.
  if (authorId === null || assigneeId === null) return NOTHING;
  return planningReader.listIssueHeads({
    viewer: access.viewer(actorFor(context.browser)),
    projectId,
    kind,
    ...SORTS[sort][1],
    ...given({
      state: state === 'all' ? undefined : state,
      authorId,
      assigneeId,
      search: search || undefined,
      labels: label === '' ? undefined : [label],
      milestoneTitle: milestone || undefined,
    }),
    page: pageRequest(context),
  });
};
