import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { fillDemo } from '../../src/infrastructure/demo/fill-demo.js';
import { makeKey } from './ssh-keys.js';
import type { TestService } from './test-service.js';
import { until } from './until.js';

/** Of ada, in every release that is kept. */
const TOKEN = 'a-token-that-is-kept-with-a-release';
export const MADE_AT = new Date('2026-11-23T12:00:00.000Z');
const PROJECT = '/projects/engines%2Fcompiler';
const FORK = '/projects/ada%2Fcompiler';

type Call = readonly [method: string, path: string, json?: object];

/** What people do in the project of the demo, so that each feature has left something. */
const STORY: readonly Call[] = [
  ['POST', '/user/emails', { email: 'ada@home.example' }],
  ['POST', `${PROJECT}/star`],
  ['POST', `${PROJECT}/issues/1/award_emoji`, { name: 'rocket' }],
  ['POST', `${PROJECT}/issues/1/time_estimate`, { duration: '3h' }],
  ['POST', `${PROJECT}/issues/1/add_spent_time`, { duration: '20m' }],
  ['POST', `${PROJECT}/issues/1/links`, { target_project_id: 'engines/compiler', target_issue_iid: '2' }],
  ['PUT', `${PROJECT}/issues/1`, { due_date: '2026-12-24' }],
  ['POST', `${PROJECT}/issues/3/discussions`, { body: 'How deep may they be?' }],
  ['POST', `${PROJECT}/issues/3/todo`],
  [
    'POST',
    `${PROJECT}/snippets`,
    { title: 'A sum', visibility: 'internal', files: [{ file_path: 'sum.txt', content: '1 + 2\n' }] },
  ],
  [
    'POST',
    `${PROJECT}/releases`,
    {
      ...{ tag_name: 'v1.0', ref: 'main', name: 'First', description: 'It adds.' },
      assets: { links: [{ name: 'manual', url: 'https://manual.example/' }] },
    },
  ],
  ['POST', `${PROJECT}/protected_branches`, { name: 'stable-*' }],
  ['POST', `${PROJECT}/protected_tags`, { name: 'v*' }],
  ['POST', `${PROJECT}/hooks`, { url: 'https://hooks.example/', token: 'hush', push_events: true, note_events: true }],
  ['POST', `${PROJECT}/deploy_keys`, { title: 'The builder', key: makeKey().line, can_push: true }],
  ['POST', '/user/keys', { title: 'My laptop', key: makeKey().line }],
  ['POST', `${PROJECT}/deploy_tokens`, { name: 'Installer', scopes: ['read_repository'] }],
  ['POST', `${PROJECT}/merge_requests/1/approve`],
  ['POST', `${PROJECT}/repository/commits/main/comments`, { note: 'A good beginning.' }],
  ['PUT', '/notification_settings', { level: 'watch' }],
  ['PUT', '/groups/engines/notification_settings', { level: 'mention' }],
  ['PUT', `${PROJECT}/notification_settings`, { level: 'participating' }],
  ['PUT', `${PROJECT}/alert_settings`, { create_incident: true }],
  ['POST', `${PROJECT}/fork`, { namespace_path: 'ada' }],
];

/** What each of them is about is there. */
const READ: readonly string[] = [
  '/user',
  '/user/emails',
  '/user/keys',
  '/notification_settings',
  '/todos',
  '/groups?order_by=id&sort=asc',
  '/groups/engines/members',
  '/groups/engines/notification_settings',
  '/projects?order_by=id&sort=asc',
  PROJECT,
  ...[
    'members',
    'events',
    'forks',
    'starrers',
    'labels',
    'milestones',
    'notification_settings',
    'issues?order_by=created_at&sort=asc',
    'issues?search=negative',
    'issues/1/notes',
    'issues/1/award_emoji',
    'issues/1/links',
    'issues/1/time_stats',
    'issues/1/resource_label_events',
    'issues/3/discussions',
    'merge_requests',
    'merge_requests/1/approvals',
    'merge_requests/1/changes',
    'merge_requests/1/discussions',
    'merge_requests/1/versions',
    'repository/branches',
    'repository/commits',
    'repository/commits/main/comments',
    'repository/tree?recursive=true',
    'repository/files/compiler.js/raw?ref=main',
    'repository/tags',
    'releases',
    'protected_branches',
    'protected_tags',
    'snippets',
    'snippets/1/raw',
    'hooks',
    'deploy_keys',
    'deploy_tokens',
    'alert_settings',
    'alert_integrations',
    'alert_management_alerts',
  ].map((path) => `${PROJECT}/${path}`),
];

export type Answers = Readonly<Record<string, unknown>>;

const ask = async (service: TestService, [method, path, json]: Call): Promise<unknown> => {
  const { status, body } = await service.nodeCall(method, path, {
    token: TOKEN,
    ...(json === undefined ? {} : { json }),
  });
  if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
};

/** Answers by their paths. */
export const readAnswers = async (service: TestService): Promise<Answers> => {
  const answers: Record<string, unknown> = {};
  for (const path of READ) answers[path] = await ask(service, ['GET', path]);
  const empty = READ.filter((path) => JSON.stringify(answers[path]) === '[]');
  if (empty.length > 0) throw new Error(`There is nothing at ${empty.join(', ')}.`);
  return answers;
};

/** The same at each time, so that it is one alert. */
export const raiseAlert = async (service: TestService): Promise<unknown> => {
  const [integration] = (await ask(service, ['GET', `${PROJECT}/alert_integrations`])) as { readonly token: string }[];
  const { ok, status } = await fetch(`${service.nodeUrl}/engines/compiler/alerts/notify.json`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${integration?.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'The engine is hot', severity: 'critical', fingerprint: 'heat' }),
  });
  if (!ok) throw new Error(`The alert was answered ${status}.`);
  return ask(service, ['GET', `${PROJECT}/alert_management_alerts`]);
};

export const openIssue = (service: TestService): Promise<unknown> =>
  ask(service, ['POST', `${PROJECT}/issues`, { title: 'After the update' }]);

const discussLines = async (service: TestService): Promise<void> => {
  const { diff_refs: shas } = (await ask(service, ['GET', `${PROJECT}/merge_requests/1`])) as { diff_refs: object };
  const position = { ...shas, position_type: 'text', new_path: 'loops.js', new_line: 1 };
  const body = 'Say what it is for:\n```suggestion\n// Loops.\n```';
  await ask(service, ['POST', `${PROJECT}/merge_requests/1/discussions`, { body, position }]);
};

const keepToken = async ({ service: { container } }: TestService): Promise<void> => {
  const digest = container.get(TOKENS.secretDigester).digest(TOKEN);
  await container.get(TOKENS.unitOfWork).execute(async ({ users, personalAccessTokens }) => {
    const ada = await users.findByUsername('ada');
    if (ada === undefined) throw new Error('The demo has no ada.');
    const made = { name: 'kept', scopes: ['api'], expiresAt: null, createdAt: MADE_AT } as const;
    await personalAccessTokens.add({ userId: ada.id, digest, ...made });
  });
};

/** Lets people use a service that nobody has used, and waits for what follows from it. */
export const live = async (service: TestService): Promise<void> => {
  await fillDemo(service.service);
  await keepToken(service);
  for (const each of STORY) await ask(service, each);
  await discussLines(service);
  await raiseAlert(service);
  await until(
    async () => ((await ask(service, ['GET', FORK])) as { import_status: string }).import_status === 'finished',
  );
  while ((await service.service.container.get(TOKENS.jobRunner).runDue()) > 0);
};
