import type { ActivityQuery, ActivityReader } from '../../../../application/activity/ports/activity-reader.js';
import type { AlertReader, OpenAlertCount } from '../../../../application/alerts/ports/alert-readers.js';
import type { UserProfile } from '../../../../application/identity/ports/identity-readers.js';
import type { PlanningReader } from '../../../../application/planning/ports/planning-readers.js';
import { itemsOf } from '../../../../application/shared/page-in-batches.js';
import type { MergeRequestReader } from '../../../../application/review/ports/merge-request-ports.js';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import { together } from '../../../../application/shared/together.js';
import type { Viewer, WorkspaceReader } from '../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { keptSince } from '../../../../domain/activity/event-filter.js';
import { SEVERITIES } from '../../../../domain/alerts/severity.js';
import type { Group, Project } from '../../../../domain/workspace/namespace.js';
import { sentenceOf } from './activity-sentence.js';
import type { Pages } from './page.js';
import { allowLiveScript } from './page-headers.js';
import { pageRequest, queryChoice } from './page-request.js';
import { actorOf } from './page-session.js';
import { sendPage } from './render.js';

export interface StartPageParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly planningReader: PlanningReader;
  readonly alertReader: AlertReader;
  readonly mergeRequestReader: Pick<MergeRequestReader, 'listHeads'>;
  readonly activityReader: ActivityReader;
  readonly retentionDays: number | undefined;
  readonly clock: Clock;
  /** What an administrator sets outside the pages. */
  readonly installation: () => {
    readonly baseUrl: string;
    readonly hasMail: boolean;
    readonly hasBackups: boolean;
  };
}

const FEW = { page: 1, perPage: 10, counted: false } as const;
const ONE = { page: 1, perPage: 1, counted: false } as const;
const NEWEST = 10;

interface Step {
  readonly words: string;
  readonly done: boolean;
  readonly how: string;
  readonly href?: string;
}

/** What somebody finds who signs in: what is theirs, and what happened. */
export const addStartPage = (pages: Pages, parts: StartPageParts): void => {
  pages.get('/', 'anyone', async ({ browser, response }) => {
    const tellsZone = browser.user?.timeZone == null;
    if (tellsZone) allowLiveScript(response);
    if (browser.user === undefined) return sendPage(response, browser, 'welcome', { title: 'Welcome', tellsZone });
    const viewer = parts.access.viewer(actorOf(browser));
    const shown = await read(parts, viewer, browser.user);
    const steps = await checklist(parts, viewer, shown);
    sendPage(response, browser, 'start', { title: 'Start', ...shown, steps, tellsZone });
  });

  addOwnIssues(pages, parts);
};

const addOwnIssues = (pages: Pages, { access, planningReader }: StartPageParts): void => {
  pages.get('/dashboard/issues', 'signed_in', async (context) => {
    const { browser, response } = context;
    const actor = actorOf(browser);
    const scope = queryChoice(context, 'scope', ['assigned', 'created']);
    const state = queryChoice(context, 'state', ['opened', 'closed']);
    const request = pageRequest(context);
    const page = await planningReader.listIssueHeads({
      viewer: access.viewer(actor),
      ...(scope === 'assigned' ? { assigneeId: actor.id } : { authorId: actor.id }),
      state,
      orderBy: 'updated_at',
      sort: 'desc',
      page: request,
    });
    const kept = { scope, state };
    sendPage(response, browser, 'own-issues', { title: 'My issues', issues: page.items, page, request, ...kept, kept });
  });
};

const read = async (
  { reader, planningReader, mergeRequestReader, alertReader, activityReader, retentionDays, clock }: StartPageParts,
  viewer: Viewer,
  { id }: UserProfile,
) => {
  const mine = { viewer, minAccessLevel: 10, page: FEW } as const;
  const filter = { from: keptSince(clock.now(), retentionDays) };
  const feed = { viewer, feed: { kind: 'memberships' }, filter, sort: 'desc' } as const;
  const recent = { orderBy: 'updated_at', sort: 'desc', page: FEW } as const;
  const [projects, groups, issues, reviews, alerts, [events, standing]] = await together([
    reader.listProjects({ ...mine, orderBy: 'last_activity_at', sort: 'desc' }),
    reader.listGroups({ ...mine, orderBy: 'name', sort: 'asc' }),
    planningReader.listIssueHeads({ viewer, assigneeId: id, state: 'opened', ...recent }),
    mergeRequestReader.listHeads({ viewer, reviewerId: id, state: 'opened', ...recent }),
    alertReader.countOpen(viewer),
    newestOf(activityReader, feed),
  ]);
  return {
    projects: projects.items,
    moreProjects: projects.hasNext,
    groups: groups.items,
    issues: issues.items,
    moreIssues: issues.hasNext,
    mergeRequests: reviews.items,
    moreReviews: reviews.hasNext,
    alerts: byProject(alerts),
    severities: SEVERITIES.filter((severity) => alerts.some((each) => each.severity === severity)),
    sentences: events.map((event) => ({ ...sentenceOf(event, standing), person: event.author })),
  };
};

/** The newest entries of a feed, and what of them is still there. */
const newestOf = async (reader: ActivityReader, feed: ActivityQuery) => {
  const { batches } = await reader.listAfter(feed, undefined, NEWEST);
  const events = await itemsOf(batches);
  return [events, await reader.standing(feed.viewer, events)] as const;
};

/** Projects with how many open alerts of each severity they have; the worst first, as they are counted. */
const byProject = (counts: readonly OpenAlertCount[]) => {
  const projects = new Map<string, Map<string, number>>();
  for (const { projectPath, severity, count } of counts) {
    const ofProject = projects.get(projectPath) ?? new Map<string, number>();
    projects.set(projectPath, ofProject.set(severity, count));
  }
  return [...projects].map(([path, bySeverity]) => ({ path, bySeverity }));
};

interface Own {
  readonly groups: readonly Group[];
  readonly projects: readonly Project[];
}

/**
 * What makes a new installation ready, for administrators; nothing once all of it is done.
 * @param own whoever has a group has seen that there is one.
 */
const checklist = async (
  { reader, installation }: StartPageParts,
  viewer: Viewer,
  own: Own,
): Promise<readonly Step[]> => {
  if (!viewer.admin) return [];
  const { baseUrl, hasMail, hasBackups } = installation();
  const query = { viewer, orderBy: 'id', sort: 'asc', page: ONE } as const;
  const { items: groups } = own.groups.length > 0 ? { items: own.groups } : await reader.listGroups(query);
  const { items: projects } = own.projects.length > 0 ? { items: own.projects } : await reader.listProjects(query);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname);
  const steps: readonly Step[] = [
    {
      words: 'Public address',
      done: !isLocal,
      how: `Set BASE_URL to the address that people use. It is ${baseUrl} now.`,
    },
    {
      words: 'Mail',
      done: hasMail,
      how: 'Set SMTP_URL, so that notifications and links to reset a password are sent.',
    },
    {
      words: 'First group',
      done: groups.length > 0,
      how: 'A group holds the projects of a team.',
      href: '/groups/-/new',
    },
    {
      words: 'First project',
      done: projects.length > 0,
      how: 'A project holds code, issues and alerts.',
      href: '/projects/new',
    },
    { words: 'Backup', done: hasBackups, how: 'Set BACKUP_SCHEDULE, so that an archive is written regularly.' },
  ];
  return steps.every(({ done }) => done) ? [] : steps;
};
