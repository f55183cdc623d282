import type { Alerts } from '../../../../application/alerts/alerts.js';
import type { AlertQuery, AlertReader } from '../../../../application/alerts/ports/alert-readers.js';
import type { EnvironmentReader } from '../../../../application/environments/ports/environment-ports.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { ALERT_STATUSES, type AlertStatus } from '../../../../domain/alerts/alert.js';
import { SEVERITIES } from '../../../../domain/alerts/severity.js';
import { Conflict, NotFound } from '../../../../domain/shared/domain-error.js';
import type { Project } from '../../../../domain/workspace/namespace.js';
import { COUNT_LIMIT } from '../../../../domain/shared/page.js';
import { identifierIn } from '../../../../domain/shared/identifiers.js';
import { orNotFound } from '../kit/or-not-found.js';
import { isStorable } from '../validation/storable-text.js';
import type { WebUrls } from '../web-urls.js';
import { describeArrival } from './alerts/arrival-words.js';
import { alertsOverTime, beginOfAlertChart, occurrencesOf } from './charts/alert-charts.js';
import { tell } from './frame/notice.js';
import { given } from '../kit/given.js';
import { field, fields, type PageContext, type Pages } from './page.js';
import { allowLiveScript } from './page-headers.js';
import { actorOf, localPath } from './page-session.js';
import { cutAt, PageTexts } from './page-texts.js';
import { projectOfPage } from './project-of-page.js';
import type { PageLocals } from './render.js';
import { sendProjectPage } from './frame/send-place-page.js';
import { linkedText } from './linked-text.js';
import { pageRequest } from './page-request.js';

export interface AlertPagesParts {
  readonly access: WorkspaceAccess;
  readonly alerts: Alerts;
  readonly alertReader: AlertReader;
  readonly environments: Pick<EnvironmentReader, 'findByName'>;
  readonly urls: WebUrls;
}

const SHOWN_ARRIVALS = 500;

/** The tabs of the list, with the statuses that each shows. */
const TABS: Readonly<Record<string, readonly AlertStatus[]>> = {
  open: ['triggered', 'acknowledged'],
  triggered: ['triggered'],
  acknowledged: ['acknowledged'],
  resolved: ['resolved'],
  all: ALERT_STATUSES,
};

/** What the list can be sorted by, each both ways: the most, the worst or the newest first, or last. */
const ORDERS = {
  started: 'started_at',
  severity: 'severity',
  events: 'events',
  status: 'status',
  title: 'title',
  incident: 'incident',
} as const;
type Sorting = Pick<AlertQuery, 'orderBy' | 'sort'>;
const SORTS: ReadonlyMap<string, Sorting> = new Map(
  Object.entries(ORDERS).flatMap(([name, orderBy]): (readonly [string, Sorting])[] => [
    [name, { orderBy, sort: 'desc' }],
    [`${name}_asc`, { orderBy, sort: 'asc' }],
  ]),
);

/** What the list shows, and by what it can be sorted; what a phone has room for comes first. */
const COLUMNS = [
  { name: 'Severity', sorting: 'severity' },
  { name: 'Alert', sorting: 'title' },
  { name: 'Events', sorting: 'events' },
  { name: 'Started', sorting: 'started' },
  { name: 'Incident', sorting: 'incident' },
  { name: 'Status', sorting: 'status' },
];

/** What is done to several alerts at once: the words of the button, and of what was done. */
const BULK = [
  ['acknowledged', 'Acknowledge', 'acknowledged'],
  ['resolved', 'Resolve', 'resolved'],
  ['ignored', 'Ignore', 'ignored'],
] as const satisfies readonly (readonly [AlertStatus, string, string])[];
/** As many as a page shows. */
const MOST_AT_ONCE = 20;

const textOf = (value: unknown): string => (typeof value === 'string' && isStorable(value) ? value.slice(0, 255) : '');

/** Rows that a page shows of a payload, and how long the keys of each are at most. */
const SHOWN_ROWS = 500;
const KEY_LENGTH = 255;

/** A payload as rows of dotted keys, one after the other as they are asked for. */
function* flatten(value: unknown, key = ''): Generator<readonly [string, string], void, undefined> {
  if (typeof value !== 'object' || value === null) return void (yield [key, String(value)]);
  const below = (name: string | number): string => cutAt(key === '' ? String(name) : `${key}.${name}`, KEY_LENGTH);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) yield* flatten(value[index], below(index));
    return;
  }
  for (const name of Object.keys(value)) yield* flatten((value as Record<string, unknown>)[name], below(name));
}

/** The beginning of a payload, as far as it fits on a page. */
const beginningOf = (
  payload: string,
): { readonly rows: readonly (readonly [string, string])[]; readonly cut: boolean } => {
  const texts = new PageTexts();
  const rows: (readonly [string, string])[] = [];
  for (const [key, value] of flatten(JSON.parse(payload))) {
    if (rows.length === SHOWN_ROWS || texts.full) return { rows, cut: true };
    const [name, shown] = [texts.show(key), texts.show(value)];
    rows.push([name.text, shown.text]);
    if (shown.cut) return { rows, cut: true };
  }
  return { rows, cut: false };
};

/** Where people find what monitoring sent. The pages keep themselves up to date, at the same address and place. */
export const addAlertPages = (pages: Pages, parts: AlertPagesParts): void => {
  pages.tabs.addToProjects({
    name: 'alerts',
    label: 'Alerts',
    to: 'alert_management',
    permission: 'manage_alerts',
    order: 60,
    signedIn: true,
  });
  pages.get('/*path/-/alert_management', 'signed_in', (context) => showAlerts(parts, context));
  pages.post('/*path/-/alert_management', 'signed_in', (context) => changeSeveral(parts, context));
  pages.get('/*path/-/alert_management/:iid/details', 'signed_in', (context) => showAlert(parts, context));
  pages.post('/*path/-/alert_management/:iid/details', 'signed_in', (context) => changeStatus(parts, context));
  pages.get('/*path/-/alert_management/environments', 'signed_in', (context) => showEnvironments(parts, context));
};

const permit = ({ access }: AlertPagesParts, context: PageContext) => projectOfPage(access, context, 'manage_alerts');

const findAlert = async (parts: AlertPagesParts, context: PageContext) => {
  const permitted = await permit(parts, context);
  const { project } = permitted;
  const iid = orNotFound(identifierIn(String(context.request.params['iid'])), 'Alert');
  return { permitted, project, alert: orNotFound(await parts.alertReader.find(project.id, iid), 'Alert') };
};

/** What the query asks for, as far as there is such a thing. */
const askedOf = ({ request: { query } }: PageContext) => {
  const [tab, sorting] = [textOf(query['tab']), textOf(query['sort'])];
  const severity = SEVERITIES.find((each) => each === query['severity']);
  return {
    tab: Object.hasOwn(TABS, tab) ? tab : 'open',
    sorting: SORTS.has(sorting) ? sorting : 'started',
    filters: {
      search: textOf(query['search']),
      severity: severity ?? '',
      environment: textOf(query['environment']),
      service: textOf(query['service']),
      tool: textOf(query['tool']),
    },
  };
};

const showAlerts = async (parts: AlertPagesParts, context: PageContext): Promise<void> => {
  const place = await permit(parts, context);
  const { project } = place;
  const { tab, sorting, filters } = askedOf(context);
  const paging = pageRequest(context);
  const asked = {
    projectId: project.id,
    statuses: TABS[tab] ?? ALERT_STATUSES,
    ...given({
      search: filters.search || undefined,
      severity: SEVERITIES.find((each) => each === filters.severity),
      environment: filters.environment || undefined,
      service: filters.service || undefined,
      monitoringTool: filters.tool || undefined,
    }),
  };
  const { now } = context.response.locals as PageLocals;
  const [counts, environments, days, page] = await Promise.all([
    parts.alertReader.countByStatus(project.id),
    parts.alertReader.environments(project.id),
    parts.alertReader.countByDay(asked, beginOfAlertChart(now), COUNT_LIMIT),
    parts.alertReader.list({
      ...asked,
      ...(SORTS.get(sorting) ?? { orderBy: 'started_at', sort: 'desc' }),
      page: paging,
      payloadBytes: 0,
    }),
  ]);
  const tabs = Object.entries(TABS).map(([name, statuses]) => ({
    name,
    count: statuses.reduce((sum, status) => sum + counts[status], 0),
  }));
  const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  allowLiveScript(context.response);
  await sendProjectPage(context, place, 'alerts', {
    tab: 'alerts',
    live: true,
    title: `Alerts of ${project.name}`,
    alerts: page.items,
    statuses: tabs,
    status: tab,
    columns: COLUMNS,
    severities: SEVERITIES,
    environments: environments.map(({ name }) => name),
    bulk: BULK,
    sorting,
    filters,
    kept: { tab, sort: sorting, ...chosen },
    chart: alertsOverTime(days, now),
    page,
    request: paging,
  });
};

/** Changes the status of the alerts that were chosen, and says how many it could not be. */
const changeSeveral = async (parts: AlertPagesParts, context: PageContext): Promise<void> => {
  const { browser, request, response } = context;
  const permitted = await permit(parts, context);
  const asked = BULK.find(([each]) => each === field(request, 'status'));
  if (asked === undefined) throw new NotFound('Status');
  const [status, , words] = asked;
  const iids = fields(request, 'iid').flatMap((each) => identifierIn(each) ?? []);
  let refused = 0;
  const chosen = new Set(iids.slice(0, MOST_AT_ONCE));
  for (const iid of chosen) {
    const alert = orNotFound(await parts.alertReader.find(permitted.project.id, iid), 'Alert');
    try {
      await parts.alerts.changeStatus(permitted, alert.id, status, actorOf(browser).id);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      refused += 1;
    }
  }
  const done = chosen.size - refused;
  const late = refused === 0 ? '' : ` ${refused} could not be: another alert of the same fingerprint is open.`;
  tell(response, browser, `${done === 1 ? 'One alert was' : `${done} alerts were`} ${words}.${late}`);
  const list = `/${permitted.project.fullPath}/-/alert_management`;
  const back = localPath(field(request, 'return_to'));
  response.redirect(303, back.startsWith(`${list}?`) ? back : list);
};

const showAlert = async (parts: AlertPagesParts, context: PageContext, extra: object = {}): Promise<void> => {
  const { permitted, project, alert } = await findAlert(parts, context);
  const arrivals = await parts.alertReader.arrivals(alert.id, SHOWN_ARRIVALS);
  allowLiveScript(context.response);
  await sendProjectPage(context, permitted, 'alert', {
    tab: 'alerts',
    live: true,
    title: `${alert.title} (^alert#${alert.iid})`,
    alert,
    arrivals: arrivals.map((arrival) => ({ ...arrival, told: describeArrival(arrival) })),
    chart: occurrencesOf(arrivals),
    payload: beginningOf(alert.payload),
    linked: linkedText,
    environmentPage: environmentPage(parts, permitted, alert.environment),
    whole: parts.urls.api(`/projects/${project.id}/alert_management_alerts/${alert.iid}`),
    statuses: ALERT_STATUSES,
    ...extra,
  });
};

/** Of the environment of the project that an alert names, where there is one. */
const environmentPage = async (
  { environments }: AlertPagesParts,
  { project }: { readonly project: Project },
  name: string | null,
): Promise<string | undefined> => {
  const found = name === null ? undefined : await environments.findByName(project.id, name);
  return found && `/${project.fullPath}/-/environments/${found.id}`;
};

const changeStatus = async (parts: AlertPagesParts, context: PageContext): Promise<void> => {
  const { permitted, project, alert } = await findAlert(parts, context);
  const status = ALERT_STATUSES.find((each) => each === field(context.request, 'status'));
  if (status === undefined) throw new NotFound('Status');
  try {
    await parts.alerts.changeStatus(permitted, alert.id, status, actorOf(context.browser).id);
    tell(context.response, context.browser, `^alert#${alert.iid} is ${status} now.`);
    context.response.redirect(303, `/${project.fullPath}/-/alert_management/${alert.iid}/details`);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    context.response.status(409);
    await showAlert(parts, context, { problem: 'It can’t be open: another alert of the same fingerprint is.' });
  }
};

const showEnvironments = async (parts: AlertPagesParts, context: PageContext): Promise<void> => {
  const place = await permit(parts, context);
  const { project } = place;
  const environments = await parts.alertReader.environments(project.id);
  const title = `Environments that alerts of ${project.name} name`;
  await sendProjectPage(context, place, 'alerts/environments', { tab: 'alerts', title, environments });
};
