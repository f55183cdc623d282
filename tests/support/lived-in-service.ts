import { expect } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { fillProject, fillRunners, makesFor } from './filled-project.js';
import { FormBrowser, PASSWORD } from './form-browser.js';
import { OAuthClient, signedIn } from './oauth-client.js';
import { plantReceipt } from './planted-receipt.js';
import { queuedMails } from './queued-mails.js';
import { makeKey } from './ssh-keys.js';
import type { TestService, TestUser } from './test-service.js';
import { until } from './until.js';

/** Who looks at pages: an administrator, an owner, what people are in a project, somebody who is not in it, and nobody. */
export const VIEWERS = ['root', 'owner', 'maintainer', 'developer', 'guest', 'stranger', 'visitor'] as const;
export type Viewer = (typeof VIEWERS)[number];

export const browserOf = (service: TestService, viewer: Viewer): Promise<FormBrowser> =>
  viewer === 'visitor' ? Promise.resolve(new FormBrowser(service.url)) : signedIn(service, viewer);

/** Pages that nothing in the frame leads to, but that people know. */
const KNOWN_PAGES = [
  // The one with the longest names, before all others.
  '/owner/open-mill',
  '/',
  '/explore/projects',
  '/explore/groups',
  '/users/sign_in',
  '/search?search=mill',
  '/-/snippets/1/raw',
  '/owner/open-mill/-/releases/permalink/latest',
  '/api/docs',
];

const LONG = 'with a name that is long enough to break on a phone';
const ELSEWHERE = 'https://ci.example/%{project_path}';
const TEXT =
  '# Leak\n\n- [ ] dry\n- [x] wet, @root\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a = 1;\n```\n\n> Said **so**, [here](https://example.com)\n';

/** What only shows in a project where people talk about code. */
const discussCode = async (service: TestService, owner: TestUser, project: number): Promise<void> => {
  const make = makesFor(service, owner);
  const at = `/projects/${project}`;
  await make(`${at}/repository/commits`, {
    branch: `a-branch-${LONG.replaceAll(' ', '-')}`,
    start_branch: 'main',
    commit_message: `A commit ${LONG}\n\nFor reasons.`,
    actions: [{ action: 'update', file_path: 'src/a.c', content: 'int a;\nint long_enough_to_break_on_a_phone;\n' }],
  });
  const { body } = await service.call<{ sha: string }>('GET', `${at}/repository/branches/main`, owner);
  const tip = (body as unknown as { commit: { id: string } }).commit.id;
  await make(`${at}/repository/commits/${tip}/comments`, { note: TEXT });
  const snippets = await service.call<readonly { id: number }[]>('GET', `${at}/snippets`, owner);
  await make(`${at}/snippets/${snippets.body[0]!.id}/notes`, { body: TEXT });
};

/** What administrators and people have of their own. */
const fillAccounts = async (service: TestService, root: TestUser, browser: FormBrowser): Promise<string[]> => {
  await makesFor(service, root)('/user/keys', { title: `Laptop ${LONG}`, key: makeKey().line });
  await makesFor(service, root)('/user/emails', { email: 'root@elsewhere.example' });
  await fillRunners(service, root, { runner_type: 'instance_type', description: `Builder ${LONG}` });
  await OAuthClient.register(service, { name: `Own ${LONG}`, ownerId: root.id });
  const client = await OAuthClient.register(service, { name: 'Dashboard' });
  await client.tokens(browser);
  const asking = await OAuthClient.register(service, { name: `Asking ${LONG}` });
  await plantReceipt(service.service.container.get(TOKENS.database), '7f3a91c2');
  const settings = ['projects/owner/open-mill', 'groups/closed'].map((place) => `/profile/notifications/${place}`);
  return [...settings, asking.authorizePath()];
};

/** Links that are mailed, by who may open them. */
const mailedLinks = async (service: TestService): Promise<readonly string[]> => {
  const visitor = new FormBrowser(service.url);
  const sent = await visitor.submit('/users/password/new', '/users/password/new', { email: 'guest@example.com' });
  expect(sent.status).toBeLessThan(400);
  const mails = await queuedMails(service);
  const links = mails.flatMap(({ content }) => Object.values(content).filter((text) => /^https?:\S+$/.test(text)));
  return [...new Set(links.map((link) => new URL(link)).map(({ pathname, search }) => pathname + search))];
};

export interface LivedIn {
  /** Where a viewer begins: what they are led to, what people know by heart, and what was mailed to them. */
  readonly startsOf: (viewer: Viewer) => readonly string[];
}

/** An installation as it is after some weeks: two projects, of which one is hidden, with something of everything. */
export const liveIn = async (service: TestService): Promise<LivedIn> => {
  const root = await service.addUser('root', { admin: true, password: PASSWORD });
  const owner = await service.addUser('owner', { password: PASSWORD });
  const make = makesFor(service, owner);
  await make('/snippets', { title: 'Own', content: 'one', file_name: 'src/a.txt', visibility: 'public' });
  const { id: closed } = await make('/groups', { name: 'Closed works', path: 'closed' });
  const { id: inner } = await make('/groups', { name: 'Inner', path: 'inner', parent_id: closed });
  await make(`/groups/${closed}/access_tokens`, { name: `Robot ${LONG}`, scopes: ['api'] });
  await make(`/groups/${closed}/badges`, { name: `State ${LONG}`, link_url: ELSEWHERE, image_url: ELSEWHERE });
  await make(`/groups/${closed}/deploy_tokens`, { name: `Server ${LONG}`, scopes: ['read_repository'] });
  const label = { color: '#0b6670', description: `Of what grinds ${LONG}` };
  for (const [group, name] of [
    [closed, 'urgent'],
    [inner, 'worn'],
  ] as const)
    await make(`/groups/${group}/labels`, { name, ...label });
  const milestone = { description: `All that **grinds** ${LONG}`, due_date: '2026-12-24' };
  for (const [group, title] of [
    [closed, `Winter ${LONG}`],
    [inner, 'Spring'],
  ] as const)
    await make(`/groups/${group}/milestones`, { title, ...milestone });
  await fillRunners(service, owner, { runner_type: 'group_type', group_id: closed, description: `Builder ${LONG}` });
  const hidden = await fillProject(service, owner, { name: 'Hidden mill', path: 'mill', namespace_id: inner });
  const fields = { name: `Open mill ${LONG}`, path: 'open-mill', visibility: 'public', description: `Grinds ${LONG}.` };
  const open = await fillProject(service, owner, fields);
  const { id: shown } = await make('/groups', { name: `Open works ${LONG}`, path: 'open', visibility: 'public' });
  // One of them is not for the maintainer to see.
  for (const group_id of [closed, shown]) await make(`/projects/${open}/share`, { group_id, group_access: 20 });
  for (const [name, level] of Object.entries({ maintainer: 40, developer: 30, guest: 10, stranger: 0 })) {
    const person = await service.addUser(name, { password: PASSWORD });
    if (level === 0) {
      for (const place of [`/projects/${open}`, `/groups/${shown}`])
        await makesFor(service, person)(`${place}/access_requests`, {});
      continue;
    }
    const json = { user_id: person.id, access_level: level };
    // Of the project alone: the groups that hold it are not for them to see.
    for (const project of [hidden, open]) await make(`/projects/${project}/members`, json);
  }
  await make(`/projects/${open}/issues`, { title: `Leak ${LONG}`, description: TEXT, assignee_ids: [root.id] });
  await make(`/projects/${open}/issues/1/notes`, { body: TEXT });
  await make(`/projects/${open}/merge_requests/2/notes`, { body: TEXT });
  for (const project of [hidden, open])
    for (const iid of [1, 2])
      await makesFor(service, root)(`/projects/${project}/merge_requests/${iid}/draft_notes`, { note: TEXT });
  const described = { ...owner, json: { description: TEXT } };
  expect((await service.call('PUT', `/projects/${open}/merge_requests/2`, described)).status).toBe(200);
  await make(`/projects/${open}/fork`, { path: 'fork', name: `Fork ${LONG}`, namespace_path: 'open' });
  await discussCode(service, owner, open);
  await make(`/projects/${open}/job_token_scope/allowlist`, { target_project_id: hidden });
  const schedule = { description: `Weekly ${LONG}`, ref: 'main', cron: '0 4 * * sun' };
  await makesFor(service, root)(`/projects/${open}/pipeline_schedules`, schedule);
  const browser = await signedIn(service, 'root');
  const ofRoot = await fillAccounts(service, root, browser);
  const ownerBrowser = await signedIn(service, 'owner');
  const invitation = { email: 'somebody@example.com', access_level: '30' };
  const invited = await ownerBrowser.submit('/profile/account', '/owner/open-mill/-/invitations', invitation);
  expect(invited.status).toBe(303);
  const todos = async () => (await service.call<readonly object[]>('GET', '/todos', root)).body.length > 0;
  await until(todos);
  await make(`/projects/${open}/protected_tags`, { name: 'kept-*' });
  const waiting = `/projects/${open}/jobs?scope[]=manual`;
  const [job] = (await service.call<readonly { id: number }[]>('GET', waiting, root)).body;
  // Those that are led to first have ended.
  ofRoot.push(`/owner/open-mill/-/jobs/${job!.id}`);
  const more = { root: ofRoot, visitor: await mailedLinks(service) };
  return { startsOf: (viewer) => [...KNOWN_PAGES, ...(viewer in more ? more[viewer as keyof typeof more] : [])] };
};
