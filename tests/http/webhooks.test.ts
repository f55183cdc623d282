import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createMayReach } from '../../src/adapters/outbound/network/reachable-hosts.js';
import { createSendWebhook } from '../../src/adapters/outbound/network/send-webhook.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { WEBHOOK_TOKENS } from '../../src/infrastructure/composition/webhooks.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { hiddenField, PASSWORD } from '../support/form-browser.js';
import { withGit } from '../support/git.js';
import { remoteOf, WorkTree } from '../support/git-service.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WatchedRounds } from '../support/watched-rounds.js';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly object_kind: string;
    readonly event_type?: string;
    readonly object_attributes?: Readonly<Record<string, unknown>>;
    readonly commits?: readonly unknown[];
    readonly [field: string]: unknown;
  };
}

/** A receiver on this machine that answers as it is told. */
class Receiver {
  readonly received: Received[] = [];
  status = 200;
  headers: Record<string, string> = {};
  silent = false;
  answer = 'x'.repeat(20_000);
  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Received['body'];
        receiver.received.push({ headers: request.headers, body });
        if (!receiver.silent) response.writeHead(receiver.status, receiver.headers).end(receiver.answer);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

interface HookBody {
  readonly id: number;
  readonly alert_status: string;
  readonly [field: string]: unknown;
}
interface DeliveryBody {
  readonly id: number;
  readonly status: string;
  readonly attempts: number;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly problem: string | null;
  readonly request_data: object;
}

describeEachDatabase('webhooks', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let receiver: Receiver;
  let rounds: WatchedRounds;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase(), { outboundAllowlist: ['127.0.0.1'] });
    rounds = new WatchedRounds(service.service.container.get(WEBHOOK_TOKENS.webhooks).deliverWebhooks);
    ada = await service.addUser('ada', { password: PASSWORD });
    grace = await service.addUser('grace');
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());

  const call = <Body = HookBody>(method: string, path: string, json?: object, who = ada) =>
    service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });

  const addProject = async () => {
    const json = { name: `engine-${(serial += 1)}` };
    return (await call<{ id: number; path_with_namespace: string }>('POST', '/projects', json)).body;
  };

  const addHook = async (fields: object = {}) => {
    const project = await addProject();
    const { status, body } = await call('POST', `/projects/${project.id}/hooks`, { url: receiver.url, ...fields });
    expect(status).toBe(201);
    const base = `/projects/${project.id}/hooks/${body.id}`;
    const deliveries = async () => (await call<readonly DeliveryBody[]>('GET', `${base}/events`)).body;
    const openIssue = (title: string, more: object = {}) =>
      call<{ iid: number }>('POST', `/projects/${project.id}/issues`, { title, ...more });
    return { project, hook: body, base, deliveries, openIssue };
  };

  const received = async (count = 1): Promise<readonly Received[]> => {
    await until(() => Promise.resolve(receiver.received.length >= count));
    return receiver.received;
  };

  /** The same once it is noted what came of it: the clock is not moved while something is on its way. */
  const noted = async (count: number): Promise<readonly Received[]> => {
    await received(count);
    await rounds.atRest();
    return receiver.received;
  };

  describe('a webhook', () => {
    it('is made, read, changed, listed and removed; its token is never told', async () => {
      const { hook, base, project } = await addHook({ token: 'hush-hush', issues_events: true, push_events: false });
      service.secrets.push('hush-hush');
      expect(hook).toMatchObject({
        url: receiver.url,
        project_id: project.id,
        push_events: false,
        issues_events: true,
        merge_requests_events: false,
        enable_ssl_verification: true,
        push_events_branch_filter: null,
        alert_status: 'executable',
      });
      expect(await call('PUT', base, { note_events: true, push_events_branch_filter: 'release/*' })).toMatchObject({
        status: 200,
        body: { id: hook.id, issues_events: true, note_events: true, push_events_branch_filter: 'release/*' },
      });
      const otherwise = { push_events_branch_filter: '^release', branch_filter_strategy: 'regex' };
      expect(await call('PUT', base, otherwise)).toMatchObject({
        status: 400,
        body: { error: 'branch_filter_strategy does not have a valid value' },
      });
      expect(await call('PUT', base, { branch_filter_strategy: 'wildcard' })).toMatchObject({
        body: { push_events_branch_filter: 'release/*' },
      });
      expect(await call('PUT', base, { branch_filter_strategy: 'all_branches' })).toMatchObject({
        body: { push_events_branch_filter: null },
      });
      const listed = (await call<readonly object[]>('GET', `/projects/${project.id}/hooks`)).body;
      expect(listed).toEqual([(await call('GET', base)).body]);
      expect(JSON.stringify(listed)).not.toContain('hush');
      expect((await call('DELETE', base)).status).toBe(204);
      expect(await call('GET', base)).toMatchObject({ status: 404, body: { message: '404 Not Found' } });
    });

    it('takes no token that no header can carry', async () => {
      const { base, project } = await addHook({ token: 'hush' });
      for (const token of ['a\r\nX-Other: 1', 'a\nb', '中'])
        for (const [method, path] of [
          ['POST', `/projects/${project.id}/hooks`],
          ['PUT', base],
        ] as const)
          expect(await call(method, path, { url: receiver.url, token })).toMatchObject({
            status: 400,
            body: { message: { token: ['must be text that a header can carry'] } },
          });
    });

    it('has custom headers, whose names alone are told, and which are set and removed one by one', async () => {
      const sent = { key: 'Authorization', value: 'Bearer whisper' };
      const { hook, base, project } = await addHook({ custom_headers: [sent, { key: 'X-Team', value: 'whisper-2' }] });
      service.secrets.push('whisper');
      const keys = [{ key: 'Authorization' }, { key: 'X-Team' }];
      expect(hook['custom_headers']).toEqual(keys);
      const keysNow = async () => (await call('GET', base)).body['custom_headers'];
      expect((await call('PUT', base, { note_events: true })).body['custom_headers']).toEqual(keys);
      expect(await keysNow()).toEqual(keys);
      const set = await call('PUT', `${base}/custom_headers/x-team`, { value: 'whisper-3' });
      expect([set.status, await keysNow()]).toEqual([204, [{ key: 'Authorization' }, { key: 'x-team' }]]);
      expect((await call('DELETE', `${base}/custom_headers/AUTHORIZATION`)).status).toBe(204);
      expect((await call('DELETE', `${base}/custom_headers/Authorization`)).status).toBe(404);
      await call('POST', `${base}/test/push_events`);
      expect(receiver.received[0]?.headers).toMatchObject({ 'x-team': 'whisper-3' });
      expect(receiver.received[0]?.headers).not.toHaveProperty('authorization');
      expect((await call('PUT', base, { custom_headers: [] })).body['custom_headers']).toEqual([]);
      const { query } = service.service.database.reader;
      expect(await query('webhooks').where({ id: hook.id }).first()).toMatchObject({ sealed_header_values: null });
      await call('PUT', base, { custom_headers: [sent] });
      const row = await query('webhooks').where({ id: hook.id }).first();
      expect(JSON.stringify(row)).not.toContain('whisper');
      const listed = await call<readonly object[]>('GET', `/projects/${project.id}/hooks`);
      expect(listed.body).toMatchObject([{ custom_headers: [{ key: 'Authorization' }] }]);
    });

    it('takes custom headers of forms, as clients write them', async () => {
      const { id } = await addProject();
      const form = `url=${encodeURIComponent(receiver.url)}&custom_headers[][key]=X-A&custom_headers[][value]=1`;
      const answer = await fetch(`${service.url}/api/v4/projects/${id}/hooks`, {
        method: 'POST',
        headers: { 'PRIVATE-TOKEN': ada.token, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: form,
      });
      expect([answer.status, await answer.json()]).toMatchObject([201, { custom_headers: [{ key: 'X-A' }] }]);
    });

    it('takes no custom header that is its own or of the connection, or that no header can be', async () => {
      const { base, project } = await addHook({ custom_headers: [{ key: 'X-A', value: 'a' }] });
      const lists = [
        [{ key: 'X-Gitlab-Token', value: 'a' }],
        [{ key: 'Content-Type', value: 'a' }],
        [{ key: 'transfer-encoding', value: 'chunked' }],
        [{ key: 'X-A\r\nX-B', value: 'a' }],
        [{ key: 'X-A', value: 'a\r\nX-B: b' }],
        [{ key: 'X-A' }],
        ['X-A'],
        [null],
        Array.from({ length: 21 }, (_, at) => ({ key: `X-A${at}`, value: 'a' })),
      ];
      for (const custom_headers of lists)
        for (const [method, path] of [
          ['POST', `/projects/${project.id}/hooks`],
          ['PUT', base],
        ] as const)
          expect((await call(method, path, { url: receiver.url, custom_headers })).status).toBe(400);
      for (const [key, value] of [
        ['Host', 'a'],
        ['X-B%0d%0aX-C', 'a'],
        ['X-B', 'a\nX-C: c'],
        ['X-B', ''],
      ])
        expect((await call('PUT', `${base}/custom_headers/${key}`, { value })).status).toBe(400);
      expect((await call('PUT', `${base}/custom_headers/Host`, { value: 'a' })).body).toEqual({
        message: { custom_headers: ['must not be those of every delivery, or of the connection'] },
      });
      for (let at = 1; at < 20; at += 1) await call('PUT', `${base}/custom_headers/X-A${at}`, { value: 'a' });
      expect((await call('PUT', `${base}/custom_headers/X-A20`, { value: 'a' })).status).toBe(400);
      expect((await call<{ custom_headers: object[] }>('GET', base)).body.custom_headers).toHaveLength(20);
    });

    it('is one of at most 100 of its project, however many are made at once', async () => {
      const { project, base } = await addHook();
      const add = () => call('POST', `/projects/${project.id}/hooks`, { url: receiver.url });
      for (let made = 1; made < 95; made += 1) expect((await add()).status).toBe(201);
      const statuses = (await Promise.all(Array.from({ length: 10 }, add))).map(({ status }) => status);
      expect(statuses.sort()).toEqual([...Array<number>(5).fill(201), ...Array<number>(5).fill(422)]);
      expect((await add()).body).toEqual({ message: 'A project has at most 100 webhooks' });
      await call('DELETE', base);
      expect((await add()).status).toBe(201);
    });

    it('hears of pushes unless it is told otherwise', async () => {
      expect((await addHook()).hook).toMatchObject({ push_events: true, issues_events: false });
    });

    it('is for maintainers', async () => {
      const { project, base } = await addHook();
      await call('POST', `/projects/${project.id}/members`, { user_id: grace.id, access_level: 30 });
      expect((await call('GET', base, undefined, grace)).status).toBe(403);
      expect((await call('GET', `/projects/${project.id}/hooks`, undefined, grace)).status).toBe(403);
      const header = `${base}/custom_headers/X-A`;
      const onHeader = async () => [
        (await call('PUT', header, { value: 'a' }, grace)).status,
        (await call('DELETE', header, undefined, grace)).status,
      ];
      expect(await onHeader()).toEqual([403, 403]);
      await call('DELETE', `/projects/${project.id}/members/${grace.id}`);
      expect(await onHeader()).toEqual([404, 404]);
      expect((await call('GET', base, undefined, grace)).status).toBe(404);
    });

    it.each([
      'ftp://example.com/',
      'nonsense',
      'http://10.0.0.1/',
      'http://169.254.169.254/latest',
      'http://u:p@example.com/',
      'http://[::1]/',
    ])('is refused for %s with 422', async (url) => {
      const { id } = await addProject();
      expect(await call('POST', `/projects/${id}/hooks`, { url })).toMatchObject({
        status: 422,
        body: { error: 'Invalid url given' },
      });
    });
  });

  describe('what is sent', () => {
    it('names its event, carries the token and says the same id at every attempt', async () => {
      const { openIssue } = await addHook({ token: 'hush', issues_events: true });
      receiver.status = 500;
      await openIssue('Broken');
      await noted(1);
      receiver.status = 200;
      service.clock.advance(10_000);
      const [first, second] = await received(2);
      expect(first?.headers).toMatchObject({
        'x-gitlab-event': 'Issue Hook',
        'x-gitlab-token': 'hush',
        'x-gitlab-event-uuid': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'content-type': 'application/json',
        'x-gitlab-instance': service.url,
      });
      expect(second?.headers['x-gitlab-event-uuid']).toBe(first?.headers['x-gitlab-event-uuid']);
      expect(second?.body).toEqual(first?.body);
    });

    it('tells of issues: opened, closed, reopened, reassigned', async () => {
      const { project, openIssue } = await addHook({ issues_events: true, push_events: false });
      const { body } = await openIssue('Broken', { description: 'Smoke' });
      const edit = (json: object) => call('PUT', `/projects/${project.id}/issues/${body.iid}`, json);
      await received(1);
      await edit({ state_event: 'close' });
      await received(2);
      await edit({ state_event: 'reopen' });
      await received(3);
      await edit({ assignee_ids: [ada.id] });
      const all = await received(4);
      expect(all.map((each) => each.body.object_attributes?.['action'])).toEqual(['open', 'close', 'reopen', 'update']);
      expect(all[0]?.body).toMatchObject({
        object_kind: 'issue',
        event_type: 'issue',
        user: { id: ada.id, username: 'ada', name: 'ada Example' },
        project: { id: project.id, path_with_namespace: project.path_with_namespace, visibility_level: 0 },
        object_attributes: { iid: body.iid, title: 'Broken', description: 'Smoke', state: 'opened' },
      });
    });

    it('tells what an update of an issue changed, once an act, and nothing where nothing did', async () => {
      const { project, openIssue } = await addHook({ issues_events: true, push_events: false });
      const { body: milestone } = await call<{ id: number }>('POST', `/projects/${project.id}/milestones`, {
        title: '1.0',
      });
      const { body } = await openIssue('Broken', { description: 'Smoke', labels: 'bug' });
      const edit = (json: object) => call('PUT', `/projects/${project.id}/issues/${body.iid}`, json);
      await received(1);
      const changesOf = async (json: object) => {
        receiver.received.splice(0);
        expect((await edit(json)).status).toBe(200);
        const [told] = await noted(1);
        expect(told?.body.object_attributes).toMatchObject({ action: 'update' });
        return told?.body.changes;
      };
      expect(await changesOf({ title: 'Draft: mended', description: 'Oil', due_date: '2026-12-24' })).toEqual({
        title: { previous: 'Broken', current: 'Draft: mended' },
        description: { previous: 'Smoke', current: 'Oil' },
        due_date: { previous: null, current: '2026-12-24' },
      });
      expect(await changesOf({ add_labels: 'leak', remove_labels: 'bug', assignee_ids: [ada.id] })).toEqual({
        labels: { previous: [{ title: 'bug' }], current: [{ title: 'leak' }] },
        assignees: { previous: [], current: [expect.objectContaining({ id: ada.id, username: 'ada' })] },
      });
      expect(await changesOf({ milestone_id: milestone.id })).toEqual({
        milestone_id: { previous: null, current: milestone.id },
      });
      const { body: group } = await call<{ id: number }>('POST', '/groups', { name: 'Planners', path: 'planners' });
      await call('PUT', `/projects/${project.id}/transfer`, { namespace: 'planners' });
      const { body: shared } = await call<{ id: number }>('POST', `/groups/${group.id}/milestones`, { title: '2.0' });
      expect(await changesOf({ milestone_id: shared.id })).toEqual({
        milestone_id: { previous: milestone.id, current: shared.id },
      });
      receiver.received.splice(0);
      await edit({ title: 'Draft: mended', labels: 'leak', assignee_ids: [ada.id], discussion_locked: false });
      await edit({ state_event: 'close' });
      const [closed] = await noted(1);
      expect(closed?.body).toMatchObject({
        object_attributes: { action: 'close' },
        changes: { state_id: { previous: 1, current: 2 } },
      });
    });

    it('tells of an issue that is shown nothing of what it was while it was confidential', async () => {
      const { project, openIssue } = await addHook({ issues_events: true, push_events: false });
      const { body } = await openIssue('Secret', { confidential: true });
      await call('PUT', `/projects/${project.id}/issues/${body.iid}`, { title: 'Harmless', confidential: false });
      const [told] = await noted(1);
      expect(told?.body.changes).toEqual({ confidential: { previous: true, current: false } });
      expect(JSON.stringify(told?.body)).not.toContain('Secret');
    });

    it('tells of confidential issues and their comments only who asked for these', async () => {
      const open = await addHook({ issues_events: true, note_events: true });
      await open.openIssue('Secret', { confidential: true });
      const hidden = await addHook({ confidential_issues_events: true, confidential_note_events: true });
      const { body } = await hidden.openIssue('Secret too', { confidential: true });
      await received(1);
      await call('POST', `/projects/${hidden.project.id}/issues/${body.iid}/notes`, { body: 'Hush' });
      const all = await received(2);
      expect(all.map(({ headers }) => headers['x-gitlab-event'])).toEqual([
        'Confidential Issue Hook',
        'Confidential Note Hook',
      ]);
      expect(all.map((each) => each.body.event_type)).toEqual(['confidential_issue', 'confidential_note']);
      expect(await open.deliveries()).toEqual([]);
    });

    it('tells of an issue that is hidden before it is sent, and of its comments, only who asked for confidential ones', async () => {
      const { project, base, openIssue, deliveries } = await addHook({ issues_events: true, note_events: true });
      const insider = {
        issues_events: true,
        note_events: true,
        confidential_issues_events: true,
        confidential_note_events: true,
      };
      await call('POST', `/projects/${project.id}/hooks`, { url: receiver.url, token: 'insider', ...insider });
      await rounds.hold();
      for (let turn = 0; turn < 10; turn += 1) {
        const issue = `/projects/${project.id}/issues/${(await openIssue('Harmless')).body.iid}`;
        await call('POST', `${issue}/notes`, { body: 'Harmless, too' });
        await call('PUT', issue, { confidential: true, description: 'SECRET' });
      }
      rounds.goOn();
      await until(async () => (await deliveries()).every(({ status }) => status !== 'waiting'));
      expect((await deliveries()).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'failed'));
      const all = await noted(30);
      expect(all.map(({ headers }) => headers['x-gitlab-token'])).toEqual(Array.from({ length: 30 }, () => 'insider'));
      // The receiver is not to blame.
      expect((await call('GET', base)).body.alert_status).toBe('executable');
    });

    it('tells of comments with their issue', async () => {
      const { project, openIssue } = await addHook({ note_events: true });
      const { body } = await openIssue('Broken');
      await call('POST', `/projects/${project.id}/issues/${body.iid}/notes`, { body: 'Look' });
      const [note] = await received(1);
      expect(note?.headers['x-gitlab-event']).toBe('Note Hook');
      expect(note?.body).toMatchObject({
        object_kind: 'note',
        project_id: project.id,
        object_attributes: { note: 'Look', noteable_type: 'Issue' },
        issue: { iid: body.iid, title: 'Broken' },
      });
    });

    withGit('of pushes', () => {
      it('tells of pushes with their commits, of tags, and of branches that pass the filter', async () => {
        const { project, base } = await addHook({ tag_push_events: true });
        const tree = await WorkTree.init();
        const remote = remoteOf(service, project.path_with_namespace, 'ada', ada.token);
        await tree.commit('README.md', 'one');
        await tree.git('branch', '-M', 'main');
        const before = await tree.head();
        await tree.git('push', '--quiet', remote, 'main');
        await received(1);
        const head = await tree.commit('other.txt', 'two', 'Add another\n\nWith a body');
        await tree.git('push', '--quiet', '-o', 'ci.skip', '-o', 'ci.variable=A=B', '-o', 'mine', remote, 'main');
        const [first, push] = await received(2);
        expect(first?.body).toMatchObject({ push_options: {} });
        expect(push?.headers['x-gitlab-event']).toBe('Push Hook');
        expect(push?.body).toMatchObject({
          object_kind: 'push',
          event_name: 'push',
          ref: 'refs/heads/main',
          before,
          after: head,
          checkout_sha: head,
          user_id: ada.id,
          user_username: 'ada',
          project_id: project.id,
          total_commits_count: 1,
          push_options: { ci: { skip: true, variable: { 'A=B': 1 } } },
          commits: [
            {
              id: head,
              title: 'Add another',
              message: expect.stringContaining('With a body'),
              author: { name: 'Ada', email: 'ada@example.com' },
              added: ['other.txt'],
              modified: [],
              removed: [],
            },
          ],
        });
        await tree.git('tag', 'v1');
        await tree.git('push', '--quiet', remote, 'v1');
        const tag = (await received(3))[2];
        expect(tag?.headers['x-gitlab-event']).toBe('Tag Push Hook');
        expect(tag?.body).toMatchObject({
          object_kind: 'tag_push',
          ref: 'refs/tags/v1',
          before: '0'.repeat(40),
          after: head,
          checkout_sha: head,
          message: null,
          commits: [{ id: head }],
          total_commits_count: 1,
        });
        await call('PUT', base, { push_events_branch_filter: 'release/*' });
        await tree.git('push', '--quiet', remote, 'main:topic', 'main:release/1');
        const last = (await received(4))[3];
        expect(last?.body).toMatchObject({ ref: 'refs/heads/release/1', commits: expect.anything() });
        await tree.git('push', '--quiet', remote, '--delete', 'release/1');
        expect((await received(5))[4]?.body).toMatchObject({ after: '0'.repeat(40), checkout_sha: null, commits: [] });
      });

      it('tells of a new branch what the default one has not, and of the default one all of it', async () => {
        const { project } = await addHook({ push_events: true });
        const tree = await WorkTree.init();
        const remote = remoteOf(service, project.path_with_namespace, 'ada', ada.token);
        const old = [await tree.commit('a', 'one', 'One'), await tree.commit('a', 'two', 'Two')];
        const push = async (...specs: string[]) => {
          await tree.git('push', '--quiet', remote, ...specs);
          await received(1);
          return receiver.received.splice(0)[0]?.body;
        };
        const told = (ids: readonly string[]) => ({
          commits: ids.map((id) => expect.objectContaining({ id })),
          total_commits_count: ids.length,
        });
        expect(await push('HEAD:refs/heads/main')).toMatchObject(told(old));
        expect(await push('HEAD:refs/heads/same')).toMatchObject(told([]));
        const added = await tree.commit('b', 'three', 'Three');
        expect(await push('HEAD:refs/heads/topic')).toMatchObject(told([added]));
      });

      it('tells of comments on commits with their commit', async () => {
        const { project } = await addHook({ note_events: true, push_events: false });
        const tree = await WorkTree.init();
        const remote = remoteOf(service, project.path_with_namespace, 'ada', ada.token);
        const head = await tree.commit('a', 'one', 'One\n\nWith a body');
        await tree.git('push', '--quiet', remote, 'HEAD:refs/heads/main');
        const at = `/projects/${project.id}/repository/commits/${head}/comments`;
        expect((await call('POST', at, { note: 'Look' })).status).toBe(201);
        const [note] = await received(1);
        expect(note?.headers['x-gitlab-event']).toBe('Note Hook');
        expect(note?.body).toMatchObject({
          ...{ object_kind: 'note', event_type: 'note', project_id: project.id },
          object_attributes: {
            ...{ note: 'Look', noteable_type: 'Commit', noteable_id: null, commit_id: head },
            url: expect.stringMatching(new RegExp(`/-/commit/${head}#note_\\d+$`)),
          },
          commit: { id: head, title: 'One', author: { name: 'Ada' } },
        });
      });

      it('tells of releases that are made and changed, with what they lead to', async () => {
        const { project } = await addHook({ releases_events: true, push_events: false });
        const tree = await WorkTree.init();
        const remote = remoteOf(service, project.path_with_namespace, 'ada', ada.token);
        const head = await tree.commit('a', 'one', 'One');
        await tree.git('push', '--quiet', remote, 'HEAD:refs/heads/main');
        const releases = `/projects/${project.id}/releases`;
        const links = [{ name: 'Notes', url: 'https://example.com/notes' }];
        const made = { tag_name: 'v1', ref: 'main', description: 'First', assets: { links } };
        expect((await call('POST', releases, made)).status).toBe(201);
        await call('PUT', `${releases}/v1`, { name: 'One' });
        const [create, update] = await received(2);
        expect(create?.headers['x-gitlab-event']).toBe('Release Hook');
        expect(create?.body).toMatchObject({
          ...{ object_kind: 'release', action: 'create', tag: 'v1', description: 'First' },
          url: expect.stringMatching(/\/-\/releases\/v1$/),
          project: { id: project.id },
          commit: { id: head, title: 'One' },
          assets: {
            count: 5,
            links: [{ ...links[0], link_type: 'other' }],
            sources: expect.arrayContaining([
              { format: 'zip', url: expect.stringMatching(/\/-\/archive\/v1\/.*-v1\.zip$/) },
            ]),
          },
        });
        expect(update?.body).toMatchObject({ action: 'update', tag: 'v1', name: 'One' });
      });

      it('tells of an annotated tag its message and the commit that it leads to, and of a removed one nothing', async () => {
        const { project } = await addHook({ push_events: false, tag_push_events: true });
        const tree = await WorkTree.init();
        const remote = remoteOf(service, project.path_with_namespace, 'ada', ada.token);
        const head = await tree.commit('README.md', 'one', 'First\r\n\r\nWith a body');
        await tree.git('tag', '-a', '-m', 'Release one\n\nWith notes', 'v1');
        const tag = (await tree.git('rev-parse', 'v1')).trim();
        await tree.git('push', '--quiet', remote, 'HEAD:refs/heads/main', 'v1');
        await received(1);
        await tree.git('push', '--quiet', remote, '--delete', 'v1');
        const [made, removed] = await received(2);
        expect(made?.body).toMatchObject({
          after: tag,
          checkout_sha: head,
          message: 'Release one\n\nWith notes',
          commits: [{ id: head, title: 'First', added: ['README.md'] }],
          total_commits_count: 1,
        });
        expect(removed?.body).toMatchObject({
          ...{ before: tag, after: '0'.repeat(40), checkout_sha: null, message: null },
          ...{ commits: [], total_commits_count: 0 },
        });
      });

      it('sends as a test what its newest commits, or newest tag, would have been told of', async () => {
        const { project, base } = await addHook({ push_events: false });
        const test = async (event: string) => {
          expect((await call('POST', `${base}/test/${event}`)).status).toBe(201);
          return receiver.received.splice(0)[0]?.body;
        };
        expect(await test('push_events')).toMatchObject({ object_kind: 'push', commits: [], checkout_sha: null });
        const tree = await WorkTree.init();
        const remote = remoteOf(service, project.path_with_namespace, 'ada', ada.token);
        const ids: string[] = [];
        for (const title of ['One', 'Two', 'Three', 'Four']) ids.push(await tree.commit('README.md', title, title));
        await tree.git('tag', '-a', '-m', 'Release', 'v1');
        await tree.git('push', '--quiet', remote, 'HEAD:refs/heads/main', 'v1');
        expect(await test('push_events')).toMatchObject({
          ...{ object_kind: 'push', ref: 'refs/heads/main', user_username: 'ada', project_id: project.id },
          ...{ before: ids[0], after: ids[3], checkout_sha: ids[3], total_commits_count: 3 },
          commits: ids.slice(1).map((id) => ({ id, modified: ['README.md'] })),
        });
        expect(await test('tag_push_events')).toMatchObject({
          ...{ object_kind: 'tag_push', ref: 'refs/tags/v1', checkout_sha: ids[3], message: 'Release' },
          ...{ commits: [{ id: ids[3], title: 'Four' }], total_commits_count: 1 },
        });
      });
    });
  });

  describe('a delivery', () => {
    it('is in the log, with what was answered, bounded', async () => {
      const { openIssue, deliveries } = await addHook({ issues_events: true });
      await openIssue('Broken');
      await received(1);
      await until(async () => (await deliveries())[0]?.status === 'delivered');
      const [delivery] = await deliveries();
      expect(delivery).toMatchObject({ attempts: 1, response_status: 200, problem: null, trigger: 'issues_events' });
      expect(delivery?.response_body?.length).toBe(8_192);
      expect(delivery?.request_data).toEqual(receiver.received[0]?.body);
    });

    it('is tried again later and later, then given up', async () => {
      const { openIssue, deliveries } = await addHook({ issues_events: true });
      receiver.status = 503;
      await openIssue('Broken');
      for (const [at, pause] of [10_000, 60_000, 600_000, 3_600_000, 14_400_000].entries()) {
        await noted(at + 1);
        expect(await deliveries()).toMatchObject([
          { status: 'waiting', attempts: at + 1, problem: 'The receiver answered 503.' },
        ]);
        service.clock.advance(pause);
      }
      await until(async () => (await deliveries())[0]?.status === 'failed');
      expect(receiver.received).toHaveLength(6);
    });

    it('follows no redirect', async () => {
      const { deliveries, base } = await addHook();
      receiver.status = 302;
      receiver.headers = { Location: 'http://127.0.0.1:1/elsewhere' };
      expect((await call('POST', `${base}/test/push_events`)).status).toBe(422);
      expect(await deliveries()).toMatchObject([{ status: 'failed', response_status: 302 }]);
      expect(receiver.received).toHaveLength(1);
    });

    it('is sent again, as it was', async () => {
      const { openIssue, deliveries, base } = await addHook({ issues_events: true });
      await openIssue('Broken');
      await until(async () => (await deliveries())[0]?.status === 'delivered');
      const [delivery] = await deliveries();
      expect(await call('POST', `${base}/events/${delivery?.id}/resend`)).toMatchObject({
        status: 201,
        body: { response_status: 200 },
      });
      expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);
      expect((await call('POST', `${base}/events/0/resend`)).status).toBe(404);
    });

    it('carries no token to another URL unless one is set with it, tested or sent again neither', async () => {
      const { base, openIssue, deliveries } = await addHook({ token: 'hush', issues_events: true });
      await openIssue('Broken');
      await until(async () => (await deliveries())[0]?.status === 'delivered');
      const [delivery] = await deliveries();
      const sentAfter = async (change: object) => {
        expect((await call('PUT', base, change)).status).toBe(200);
        await call('POST', `${base}/test/push_events`);
        await call('POST', `${base}/events/${delivery?.id}/resend`);
        return receiver.received.splice(0).map(({ headers }) => headers['x-gitlab-token']);
      };
      receiver.received.splice(0);
      expect(await sentAfter({ url: receiver.url, note_events: true })).toEqual(['hush', 'hush']);
      expect(await sentAfter({ url: `${receiver.url}/elsewhere` })).toEqual([undefined, undefined]);
      expect(await sentAfter({ url: receiver.url })).toEqual([undefined, undefined]);
      expect(await sentAfter({ url: `${receiver.url}/new`, token: 'other' })).toEqual(['other', 'other']);
    });

    it('carries the custom headers of its moment, sent again too, and none to another URL', async () => {
      const custom_headers = [{ key: 'Authorization', value: 'Bearer whisper' }];
      const { base, openIssue, deliveries } = await addHook({ custom_headers, issues_events: true });
      await openIssue('Broken');
      await until(async () => (await deliveries())[0]?.status === 'delivered');
      expect(receiver.received[0]?.headers).toMatchObject({
        authorization: 'Bearer whisper',
        'content-type': 'application/json',
        'x-gitlab-event': 'Issue Hook',
      });
      const [delivery] = await deliveries();
      const sentAfter = async (change: object) => {
        receiver.received.splice(0);
        expect((await call('PUT', base, change)).status).toBe(200);
        await call('POST', `${base}/events/${delivery?.id}/resend`);
        return receiver.received[0]?.headers['authorization'];
      };
      expect(await sentAfter({ note_events: true })).toBe('Bearer whisper');
      expect(await sentAfter({ custom_headers: [{ key: 'authorization', value: 'Basic other' }] })).toBe('Basic other');
      expect(JSON.stringify(await deliveries())).not.toContain('other');
      expect(await sentAfter({ url: `${receiver.url}/elsewhere` })).toBeUndefined();
      expect((await call('GET', base)).body['custom_headers']).toEqual([]);
      expect(await sentAfter({ url: `${receiver.url}/new`, custom_headers })).toBe('Bearer whisper');
    });

    it('keeps no secret that its receiver repeats', async () => {
      const custom_headers = [{ key: 'Authorization', value: 'Bearer whisper-aloud' }];
      const { base, deliveries } = await addHook({ custom_headers, token: 'hush-hush-aloud' });
      receiver.answer = 'Unknown whisper-aloud, hush-hush-aloud';
      expect((await call('POST', `${base}/test/issues_events`)).status).toBe(201);
      expect((await deliveries()).map((each) => each.response_body)).toEqual(['Unknown [secret], [secret]']);
    });

    it('does not wait for those of a project whose receiver takes its time', async () => {
      const slow = await Receiver.start();
      slow.silent = true;
      const busy = await addHook({ issues_events: true, url: slow.url });
      const other = await addHook({ issues_events: true });
      await rounds.hold();
      // More than are on their way at once.
      for (let issue = 0; issue < 12; issue += 1) await busy.openIssue(`Slow ${issue}`);
      await other.openIssue('Waits for nobody');
      rounds.goOn();
      await received(1);
      expect(slow.received.length).toBeLessThanOrEqual(4);
      await call('DELETE', busy.base);
      await slow.close();
      await rounds.atRest();
    });

    it('that a node left behind when it died is sent by the next', async () => {
      const { openIssue, deliveries } = await addHook({ issues_events: true });
      await rounds.hold();
      await openIssue('Broken');
      const now = service.clock.now();
      const leased = await service.service.container
        .get(TOKENS.unitOfWork)
        .execute(({ webhookDeliveries }) =>
          webhookDeliveries.lease(now, new Date(now.getTime() + 60_000), { limit: 10 }),
        );
      expect(leased).toHaveLength(1);
      service.clock.advance(60_000);
      rounds.goOn();
      await received(1);
      await until(async () => (await deliveries())[0]?.status === 'delivered');
    });

    it('is undone with what it would tell of', async () => {
      const { project, deliveries } = await addHook({ issues_events: true });
      expect((await call('POST', `/projects/${project.id}/issues`, { title: '' })).status).toBe(400);
      expect(await deliveries()).toEqual([]);
    });
  });

  describe('a test', () => {
    it.each([
      'push_events',
      'tag_push_events',
      'issues_events',
      'confidential_issues_events',
      'note_events',
      'confidential_note_events',
      'releases_events',
    ])('of %s is sent at once', async (trigger) => {
      const { base } = await addHook();
      expect(await call('POST', `${base}/test/${trigger}`)).toMatchObject({
        status: 201,
        body: { message: '201 Created' },
      });
      expect(receiver.received).toHaveLength(1);
    });

    it('of nothing that is sent is a 400', async () => {
      const { base } = await addHook();
      expect((await call('POST', `${base}/test/moon_events`)).status).toBe(400);
    });
  });

  it('is disabled after 20 failures in a row, says so, and works again after a test that succeeds', async () => {
    const { base, openIssue, deliveries } = await addHook({ issues_events: true });
    receiver.status = 500;
    for (let turn = 0; turn < 20; turn += 1) await call('POST', `${base}/test/push_events`);
    expect((await call('GET', base)).body.alert_status).toBe('disabled');
    const before = (await deliveries()).length;
    await openIssue('Unheard');
    expect(await deliveries()).toHaveLength(before);
    receiver.status = 200;
    expect((await call('POST', `${base}/test/push_events`)).status).toBe(201);
    expect((await call('GET', base)).body.alert_status).toBe('executable');
  });

  it('has a page: added, tested, its log read, sent again, removed', async () => {
    const project = await addProject();
    const browser = await signedIn(service, 'ada');
    const address = `/${project.path_with_namespace}/-/settings/webhooks`;
    expect(await (await browser.get(address)).text()).toContain('None yet.');
    const refused = await browser.submit(address, address, { url: 'http://10.0.0.1/', push_events: 'true' });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('private or reserved network'),
    ]);
    const unfit = await browser.submit(address, address, { url: receiver.url, token: '中', push_events: 'true' });
    expect([unfit.status, await unfit.text()]).toEqual([
      400,
      expect.stringContaining('The secret token must be text that a header can carry'),
    ]);
    for (const custom_headers of ['X-A 1', 'Host: elsewhere.example']) {
      const headed = await browser.submit(address, address, { url: receiver.url, custom_headers });
      expect([headed.status, await headed.text()]).toEqual([
        400,
        expect.stringMatching(/Custom headers (need|must not)/),
      ]);
    }
    const fields = { url: receiver.url, token: 'hush', push_events: 'true' };
    const custom_headers = 'X-Team:  hush : 2 \r\n\r\nAuthorization: Bearer hush-3\r\n';
    const saved = await browser.submit(address, address, { ...fields, custom_headers });
    expect(saved.status).toBe(303);
    const [hook] = (await call<readonly HookBody[]>('GET', `/projects/${project.id}/hooks`)).body;
    expect(hook).toMatchObject({ url: receiver.url, push_events: true, enable_ssl_verification: false });
    const one = `${address}/${hook?.id}`;
    const page = async (path: string) => (await browser.get(path)).text();
    expect(await page(address)).not.toContain('hush');
    expect((await browser.submit(address, `${one}/test`, {})).headers.get('location')).toBe(`${one}?done=sent`);
    expect(receiver.received[0]?.headers['x-gitlab-token']).toBe('hush');
    expect(receiver.received[0]?.headers).toMatchObject({ 'x-team': 'hush : 2', authorization: 'Bearer hush-3' });
    const log = await page(one);
    expect(log).toContain('<code>X-Team</code>, <code>Authorization</code>');
    expect(log).not.toContain('hush');
    expect(log).toContain('answered 200');
    const delivery = /name="delivery" value="(\d+)"/.exec(log)?.[1] ?? '';
    receiver.status = 500;
    expect((await browser.submit(one, `${one}/resend`, { delivery })).headers.get('location')).toBe(
      `${one}?done=unsent`,
    );
    expect(receiver.received).toHaveLength(2);
    expect((await browser.submit(address, `${one}/remove`, {})).status).toBe(303);
    expect(await page(address)).toContain('None yet.');
  });

  it('is changed on its page: what is secret stays unless it is given anew, and goes with the URL', async () => {
    const project = await addProject();
    const browser = await signedIn(service, 'ada');
    const address = `/${project.path_with_namespace}/-/settings/webhooks`;
    const custom_headers = [
      { key: 'X-Team', value: 'hush-2' },
      { key: 'Authorization', value: 'hush-3' },
    ];
    const made = { url: receiver.url, token: 'hush', wiki_page_events: true, custom_headers };
    const { id } = (await call('POST', `/projects/${project.id}/hooks`, made)).body;
    const one = `${address}/${id}`;
    const edit = `${one}/edit`;
    const hook = async () => (await call('GET', `/projects/${project.id}/hooks/${id}`)).body;
    const send = async (fields: Readonly<Record<string, string>>, to = receiver.url) => {
      const saved = await browser.submit(edit, edit, { url: to, ...fields });
      expect([saved.status, saved.headers.get('location')]).toEqual([303, one]);
      return (await browser.get(one)).text();
    };
    const sentHeaders = async () => {
      await browser.submit(one, `${one}/test`, { event: 'releases_events' });
      return receiver.received.at(-1)!.headers;
    };
    const form = await (await browser.get(edit)).text();
    expect(form).toContain(`value="${receiver.url}"`);
    expect(form).toContain('X-Team: ••••••••\nAuthorization: ••••••••</textarea>');
    expect(form).toContain('There is one: empty keeps it');
    expect(form).toMatch(/name="push_events" value="true" checked/);
    expect(form).not.toContain('hush');

    const kept = 'Authorization: ••••••••\r\nX-New: hush-4';
    await send({ custom_headers: kept, issues_events: 'true', push_events_branch_filter: ' release/* ' });
    expect(await hook()).toMatchObject({
      push_events: false,
      issues_events: true,
      wiki_page_events: true,
      enable_ssl_verification: false,
      push_events_branch_filter: 'release/*',
      custom_headers: [{ key: 'Authorization' }, { key: 'X-New' }],
    });
    const headers = await sentHeaders();
    expect(headers).toMatchObject({ authorization: 'hush-3', 'x-new': 'hush-4', 'x-gitlab-token': 'hush' });
    expect(headers).toMatchObject({ 'x-gitlab-event': 'Release Hook' });
    expect(headers).not.toHaveProperty('x-team');

    const elsewhere = await send({ custom_headers: kept, enable_ssl_verification: 'true' }, `${receiver.url}/other`);
    expect(elsewhere).toContain('With its old URL went its secret token and the headers whose values were kept.');
    expect(await hook()).toMatchObject({ push_events_branch_filter: null, custom_headers: [{ key: 'X-New' }] });
    expect(await sentHeaders()).not.toHaveProperty('x-gitlab-token');

    await send({ token: 'hush-5', custom_headers: '' }, `${receiver.url}/other`);
    expect(await sentHeaders()).toMatchObject({ 'x-gitlab-token': 'hush-5' });
    await send({ remove_token: 'true' }, `${receiver.url}/other`);
    expect(await sentHeaders()).not.toHaveProperty('x-gitlab-token');
  });

  it('is not changed on its page over what somebody else has changed since that was shown', async () => {
    const project = await addProject();
    const browser = await signedIn(service, 'ada');
    const { id } = (await call('POST', `/projects/${project.id}/hooks`, { url: receiver.url })).body;
    const edit = `/${project.path_with_namespace}/-/settings/webhooks/${id}/edit`;
    const seen = hiddenField(await (await browser.get(edit)).text(), 'seen');
    const theirs = { custom_headers: [{ key: 'X-Team', value: 'hush-4' }] };
    await call('PUT', `/projects/${project.id}/hooks/${id}`, theirs);
    const fields = { url: receiver.url, push_events: 'true', seen };
    const refused = await browser.submit(edit, edit, fields);
    const text = await refused.text();
    expect([refused.status, text]).toEqual([409, expect.stringContaining('Somebody else has changed this webhook')]);
    const hook = async () => (await call('GET', `/projects/${project.id}/hooks/${id}`)).body;
    expect(await hook()).toMatchObject({ custom_headers: [{ key: 'X-Team' }] });
    const again = await browser.submit(edit, edit, { ...fields, seen: hiddenField(text, 'seen') });
    expect(again.status).toBe(303);
    expect(await hook()).toMatchObject({ custom_headers: [] });
  });

  it('shows what was typed again when it is refused, but the secret token', async () => {
    const project = await addProject();
    const browser = await signedIn(service, 'ada');
    const address = `/${project.path_with_namespace}/-/settings/webhooks`;
    const { id } = (await call('POST', `/projects/${project.id}/hooks`, { url: receiver.url })).body;
    const typed = {
      token: 'hush',
      note_events: 'true',
      push_events_branch_filter: 'main',
      custom_headers: 'X-Team: one',
    };
    for (const form of [address, `${address}/${id}/edit`]) {
      const refused = await browser.submit(form, form, { ...typed, url: 'http://10.0.0.1/' });
      const page = await refused.text();
      expect([refused.status, page]).toEqual([400, expect.stringContaining('private or reserved network')]);
      expect(page).toMatch(/name="note_events" value="true" checked/);
      expect(page).not.toMatch(/name="(push_events|enable_ssl_verification)" value="true" checked/);
      expect(page).toContain('value="http://10.0.0.1/"');
      expect(page).toContain('value="main"');
      expect(page).toContain('X-Team: one</textarea>');
      expect(page).not.toContain('hush');
      for (const [field, value] of [
        ['token', 'a'.repeat(1_001)],
        ['push_events_branch_filter', 'a'.repeat(256)],
        ['custom_headers', 'X-Unknown: ••••••••'],
      ]) {
        const answer = await browser.submit(form, form, { ...typed, url: receiver.url, [field!]: value! });
        expect([field, answer.status, await answer.text()]).toEqual([
          field,
          400,
          expect.stringContaining(`id="${field}-problem"`),
        ]);
      }
    }
    expect((await call<readonly HookBody[]>('GET', `/projects/${project.id}/hooks`)).body).toHaveLength(1);
  });

  it('is changed by maintainers alone, and what it is nobody else learns', async () => {
    const project = await addProject();
    const { id } = (await call('POST', `/projects/${project.id}/hooks`, { url: receiver.url })).body;
    const edit = `/${project.path_with_namespace}/-/settings/webhooks/${id}/edit`;
    await service.addUser('webhook-guest', { password: PASSWORD });
    const other = await signedIn(service, 'webhook-guest');
    const refused = await other.get(edit);
    expect([refused.status, await refused.text()]).toEqual([404, expect.not.stringContaining(receiver.url)]);
    const sent = await other.submit('/', edit, { url: `${receiver.url}/theirs` });
    expect(sent.status).toBe(404);
    const own = await signedIn(service, 'ada');
    for (const no of [0, 999_999, 'x']) expect((await own.get(edit.replace(`/${id}/`, `/${no}/`))).status).toBe(404);
    expect((await call('GET', `/projects/${project.id}/hooks/${id}`)).body['url']).toBe(receiver.url);
  });

  it('has a page that takes whatever an address or a form says', async () => {
    const project = await addProject();
    const browser = await signedIn(service, 'ada');
    const address = `/${project.path_with_namespace}/-/settings/webhooks`;
    expect(await (await browser.get(`${address}?done=constructor`)).text()).not.toContain('role="status"');
    await browser.submit(address, address, { url: receiver.url, push_events: 'true' });
    const [hook] = (await call<readonly HookBody[]>('GET', `/projects/${project.id}/hooks`)).body;
    const one = `${address}/${hook?.id}`;
    for (const delivery of ['', 'first', '1.5', '-1', '1e400', '9223372036854775808', '9'.repeat(400)])
      expect([delivery, (await browser.submit(one, `${one}/resend`, { delivery })).status]).toEqual([delivery, 404]);
  });
});

describe('sending', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());

  const to = (url: string) => ({ url, headers: {}, body: '{}', verifyCertificate: true });
  const allowed = createMayReach(['127.0.0.1']);

  it('goes to no name that leads into a private network', async () => {
    const resolve = () => Promise.resolve([{ address: '10.0.0.1', family: 4 }]);
    const send = createSendWebhook({ mayReach: createMayReach([]), resolve });
    expect(await send(to('http://harmless.example/'))).toEqual({
      status: null,
      body: null,
      problem: 'It leads to a private or reserved network.',
    });
  });

  it('goes to the address that was checked, whatever the name says a moment later', async () => {
    let asked = 0;
    const resolve = () => {
      asked += 1;
      return Promise.resolve([{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
    };
    const send = createSendWebhook({ mayReach: allowed, resolve });
    const { port } = new URL(receiver.url);
    expect(await send(to(`http://pinned.example:${port}/`))).toMatchObject({ status: 200 });
    expect(asked).toBe(1);
  });

  it('ends when no answer comes in time', async () => {
    receiver.silent = true;
    const send = createSendWebhook({ mayReach: allowed, timeoutMs: 200 });
    expect(await send(to(receiver.url))).toMatchObject({ status: null, problem: 'No answer came within 0.2 s.' });
  });

  it('ends when the receiver switches to another protocol', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const server = createTcpServer((socket) => socket.on('error', () => undefined).end(switching));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const send = createSendWebhook({ mayReach: allowed });
    const { port } = server.address() as AddressInfo;
    expect(await send(to(`http://127.0.0.1:${port}/`))).toEqual({ status: 101, body: '', problem: null });
    server.close();
  });

  it('tells of a connection that fails by the word of the system alone', async () => {
    const send = createSendWebhook({ mayReach: allowed });
    expect(await send(to('http://127.0.0.1:1/'))).toMatchObject({ problem: 'The connection failed: ECONNREFUSED.' });
  });
});
