import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { numbers, seedActivity } from '../support/seed-activity.js';
import { seedMergeRequests } from '../support/seed-merge-requests.js';
import { ServiceProcess } from '../support/service-process.js';
import { median } from '../support/statistics.js';
import { TestService } from '../support/test-service.js';

const ISSUES = Number(process.env['BENCH_ISSUES'] ?? 100_000);
const MERGE_REQUESTS = Number(process.env['BENCH_MERGE_REQUESTS'] ?? 100_000);
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 1_000_000);
/** Of the pages only those whose addresses match. */
const CASES = new RegExp(process.env['BENCH_CASES'] ?? '');
const REQUESTS = 100;
const WARM_UP = 5;
/** What a page may take and weigh. */
const [MOST_MS, MOST_BYTES] = [25, 40 * 1_024];
/** Of every so many issues one is planned for the milestone, or confidential. */
const [PLANNED_EACH, CONFIDENTIAL_EACH] = [500, 50];

const PROJECT = '/works/engine/-';

const PAGES = [
  '/',
  '/dashboard/issues',
  '/explore/projects',
  '/explore/people',
  '/search?search=engine',
  '/search?search=Leak%2099&kind=issues',
  '/search?search=%2312',
  '/search?search=Seeded%2099&kind=mergeRequests',
  '/ada',
  '/users/ada/activity',
  '/groups/works',
  '/groups/works/-/members',
  '/works/engine',
  ...[
    'issues',
    'issues?state=all&sort=updated_at',
    'issues?state=closed&author=ada',
    'issues?search=Leak+77',
    'issues?page=50',
    'issues/new',
    'issues/1',
    'milestones',
    'milestones/1',
    'labels',
    'members',
    'activity',
    'merge_requests',
    'merge_requests?search=Seeded+77&state=all',
    'alert_management',
    'alert_management/1/details',
    'settings',
    'settings/operations',
  ].map((page) => `${PROJECT}/${page}`),
  '/profile/account',
  '/profile/sessions',
  '/admin',
  '/admin/users',
  '/admin/projects',
  '/admin/audit_log',
  '/api/docs',
] as const;

/** Issues beneath every use case: so many of them by REST would take minutes. */
const seedIssues = async (database: Database, url: string, projectId: number, authorId: number): Promise<void> => {
  const [last] = await database.reader.run<{ id: number | null }>('select max(id) as id from subjects', []);
  const [milestone] = await database.reader.run<{ id: number }>('select id from milestones', []);
  const first = Number(last?.id ?? 0);
  const sqlite = url.startsWith('sqlite:');
  const at = (offset: string) =>
    sqlite
      ? `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (${offset}) || ' seconds')`
      : `date_trunc('milliseconds', now() - (${offset}) * interval '1 second')`;
  const [yes, no] = sqlite ? ['1', '0'] : ['true', 'false'];
  await database.schema.transaction(async (transaction) => {
    if (!sqlite) await transaction.raw('set local statement_timeout = 0');
    const all = numbers(url, ISSUES);
    await transaction.raw(
      `insert into subjects (id, kind, project_id) ${all} select ${first} + i, 'issue', ${projectId} from n`,
    );
    await transaction.raw(`insert into issues
      (id, project_id, iid, kind, title, description, search_key, state, confidential, author_id, created_at, updated_at, closed_at, milestone_id)
      ${all} select ${first} + i, ${projectId}, 1000 + i, 'issue', 'Leak ' || i, 'It drips.', 'leak ' || i || ' it drips.',
        case when i % 3 = 0 then 'closed' else 'opened' end, case when i % ${CONFIDENTIAL_EACH} = 0 then ${yes} else ${no} end,
        ${authorId}, ${at(`(${ISSUES} - i) * 300`)}, ${at(`(${ISSUES} - i) * 300`)},
        case when i % 3 = 0 then ${at(`(${ISSUES} - i) * 200`)} end,
        case when i % ${PLANNED_EACH} = 0 then ${milestone?.id} end from n`);
    await transaction.raw('analyze');
  });
};

const p95 = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? NaN;

describeEachDatabase('the cost of pages', (openTestDatabase) => {
  let service: ServiceProcess;
  let database: Database;
  let browser: FormBrowser;

  beforeAll(async () => {
    const url = await openTestDatabase();
    const secretKey = randomBytes(32);
    const seeded = await TestService.start(url, {}, secretKey);
    const ada = await seeded.addUser('ada', { admin: true, password: PASSWORD });
    const grace = await seeded.addUser('grace');
    const call = async (path: string, json: object) =>
      (await seeded.call<{ id: number }>('POST', path, { token: ada.token, json })).body;
    const group = await call('/groups', { name: 'Works', path: 'works' });
    const { id } = await call('/projects', { name: 'Engine', path: 'engine', namespace_id: group.id });
    await call(`/projects/${id}/labels`, { name: 'bug', color: '#d9534f' });
    await call(`/projects/${id}/milestones`, { title: 'First light', due_date: '2999-01-01' });
    await call(`/projects/${id}/issues`, {
      title: 'First',
      labels: 'bug',
      assignee_ids: [ada.id],
      description: '# A\n\nb',
    });
    await call(`/projects/${id}/members`, { user_id: grace.id, access_level: 30 });
    const integration = await AlertingProject.of(seeded, ada, id).integrate();
    for (let count = 0; count < 100; count += 1)
      await sendAlert(integration, { title: `Hot ${count}`, severity: count % 2 === 0 ? 'high' : 'low' });
    database = openDatabase({ url, poolMax: 4 });
    await seedIssues(database, url, id, ada.id);
    await seedMergeRequests(database, { url, projectId: id as ProjectId, authorId: ada.id, count: MERGE_REQUESTS });
    const elsewhere = (first: number, count: number) => [id + first, count] as const;
    const places = {
      ofFew: [id, id, id],
      busyOfMany: elsewhere(1, 100),
      quietOfMany: elsewhere(101, 2_900),
      left: id + 3_001,
      others: elsewhere(3_002, 5_000),
    } as const;
    await seedActivity(database, url, EVENTS, { few: ada.id, many: grace.id }, places);
    await seeded.close();
    service = await ServiceProcess.start({
      DATABASE_URL: url,
      SECRET_KEY: secretKey.toString('base64'),
      NODE_ENV: 'production',
    });
    browser = new FormBrowser(service.url);
    await browser.signIn('ada');
  });

  afterAll(async () => {
    await service.end('SIGTERM');
    await database.close();
  });

  it(`is at most ${MOST_MS} ms and ${MOST_BYTES / 1_024} KB, beside ${ISSUES.toLocaleString('en')} issues, ${MERGE_REQUESTS.toLocaleString('en')} merge requests and ${EVENTS.toLocaleString('en')} entries`, async () => {
    const read = async (page: string) => {
      const startedAt = performance.now();
      const response = await browser.get(page);
      const bytes = (await response.arrayBuffer()).byteLength;
      expect([page, response.status]).toEqual([page, 200]);
      return { ms: performance.now() - startedAt, bytes };
    };
    const pages = PAGES.filter((each) => CASES.test(each));
    // The first page would pay for what all of them share: what the engine compiles, and what the database plans once.
    for (let count = 0; count < WARM_UP; count += 1) for (const page of pages) await read(page);
    const answers = new Map(pages.map((page) => [page, [] as Awaited<ReturnType<typeof read>>[]]));
    // In turns: what disturbs the machine for a while disturbs all pages alike.
    for (let count = 0; count < REQUESTS; count += 1)
      for (const [page, ofPage] of answers) ofPage.push(await read(page));
    const seen = [...answers].map(([page, ofPage]) => {
      const times = ofPage.map(({ ms }) => ms);
      return { page, p50: median(times), p95: p95(times), KB: Math.max(...ofPage.map(({ bytes }) => bytes)) / 1_024 };
    });
    const rounded = (value: number) => Math.round(value * 10) / 10;
    const lines = seen.map(({ page, p50, p95: slow, KB }) => [page, ...[p50, slow, KB].map(rounded)].join('\t'));
    process.stdout.write(`${expect.getState().currentTestName ?? ''}\npage\tp50\tp95\tKB\n${lines.join('\n')}\n`);
    expect(seen.filter(({ p95: slow }) => slow > MOST_MS)).toEqual([]);
    expect(seen.filter(({ KB }) => KB * 1_024 > MOST_BYTES)).toEqual([]);
  });
});
