import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDeployment } from '../support/deployments.js';
import { withGit } from '../support/git.js';
import { MailServer } from '../support/mail-server.js';
import { header, Mailing } from '../support/mailing.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WrittenProject } from '../support/written-project.js';

interface HookBody {
  readonly object_kind: string;
  readonly object_attributes: { readonly action: string; readonly iid: number; readonly state: string };
}

withGit('what is told of merge requests', () => {
  describeEachDeployment('what is told of merge requests', (deploy) => {
    let mailing: Mailing;
    let server: MailServer;
    let ada: TestUser;
    let grace: TestUser;
    let hedy: TestUser;
    let watcher: TestUser;
    let guest: TestUser;
    let loom: WrittenProject;

    beforeAll(async () => {
      server = await MailServer.start();
      const settings = { smtpUrl: server.url, mailFrom: 'Gatehouse <gate@house.example>' };
      mailing = new Mailing(await deploy({ ...settings, outboundAllowlist: ['127.0.0.1'] }), server);
      const { service } = mailing;
      [ada, grace, hedy] = [
        await service.addUser('ada'),
        await service.addUser('grace'),
        await service.addUser('hedy'),
      ];
      [watcher, guest] = [await service.addUser('watcher'), await service.addUser('guest')];
      loom = await WrittenProject.make(service, ada, { name: 'Loom', visibility: 'private' });
      await loom.write('main', { 'README.md': '# Loom\n' });
      for (const user of [grace, hedy]) await loom.addMember(user, 30);
      await loom.addMember(watcher, 20);
      await loom.addMember(guest, 10);
      for (const user of [watcher, guest])
        await mailing.call(user, 'PUT', `/projects/${loom.id}/notification_settings`, { level: 'watch' });
    });

    afterAll(async () => {
      await mailing.deployment.close();
      await server.down();
    });

    const open = async (branch: string, more: object = {}) => {
      await loom.write(branch, { [branch]: branch }, { start_branch: 'main' });
      const json = { source_branch: branch, target_branch: 'main', title: `Add ${branch}`, ...more };
      const { status, body } = await loom.call<{ iid: number }>('POST', '/merge_requests', json, grace);
      expect(status).toBe(201);
      return `/merge_requests/${body.iid}`;
    };

    it('mails those concerned about each of the six events, each once, and nobody who may not read the code', async () => {
      await mailing.received();
      const path = await open('one', { description: 'Look, @hedy and @guest', assignee_id: ada.id });
      const mails = await mailing.received();
      const told = mails.map(
        (mail) => `${mail.recipients.join().split('@')[0]}: ${header(mail, 'X-Gatehouse-NotificationReason')}`,
      );
      expect(told.sort()).toEqual(['ada: assigned', 'hedy: mentioned', 'watcher: watching']);
      const [mail] = mails;
      expect(header(mail!, 'subject')).toBe('Loom | Add one (!1)');
      expect(header(mail!, 'X-Gatehouse-MergeRequest-Iid')).toBe('1');
      expect(mail!.text).toContain('grace Example opened a merge request. It is assigned to ada Example.');
      expect(mail!.text).toContain('/-/merge_requests/1');

      await loom.call('PUT', path, { reviewer_ids: [hedy.id] }, grace);
      expect(await mailing.told()).toEqual(['ada: assigned', 'hedy: assigned', 'watcher: watching']);
      const todos = async (who: TestUser) =>
        (await mailing.call<{ action_name: string }[]>(who, 'GET', '/todos')).body.map((todo) => todo.action_name);
      expect([await todos(ada), await todos(hedy)]).toEqual([['assigned'], ['review_requested', 'mentioned']]);
      await loom.call('POST', `${path}/approve`, {}, hedy);
      expect(await todos(hedy)).toEqual([]);
      await loom.call('PUT', path, { description: 'Look, @hedy, @guest and @ada' }, grace);
      expect(await mailing.told()).toEqual(['ada: mentioned']);
      await loom.call('PUT', path, { state_event: 'close' }, grace);
      expect(await mailing.told()).toEqual(['ada: assigned', 'hedy: assigned', 'watcher: watching']);
      await loom.call('PUT', path, { state_event: 'reopen' }, grace);
      expect(await mailing.told()).toEqual(['ada: assigned', 'hedy: assigned', 'watcher: watching']);
      const actions = [{ action: 'update', file_path: 'one', content: 'more' }];
      await loom.commit('one', 'More', actions, {}, grace);
      // A push is nothing that watchers asked for.
      expect(await mailing.told()).toEqual(['ada: assigned', 'hedy: assigned']);
      await loom.call('PUT', `${path}/merge`);
      const merged = await mailing.received();
      expect(merged.map(({ recipients }) => recipients.join().split('@')[0]).sort()).toEqual([
        'grace',
        'hedy',
        'watcher',
      ]);
      expect(merged[0]!.text).toContain('ada Example merged the merge request.');
    });

    it('tells the feed what was done, in its words', async () => {
      const path = await open('two');
      await loom.call('POST', `${path}/approve`, {}, hedy);
      await loom.call('POST', `${path}/notes`, { body: 'Fine' }, hedy);
      await loom.call('PUT', path, { state_event: 'close' }, grace);
      await loom.call('PUT', path, { state_event: 'reopen' }, grace);
      await loom.call('PUT', `${path}/merge`);
      interface Entry {
        readonly action_name: string;
        readonly target_type: string | null;
        readonly target_iid: number | null;
        readonly author_username: string;
      }
      const { body } = await loom.call<Entry[]>('GET', '/events?per_page=100');
      const iid = Number(path.split('/').at(-1));
      const entries = body.filter((entry) => entry.target_type === 'MergeRequest' && entry.target_iid === iid);
      // Nodes have clocks of their own.
      expect(entries.map((entry) => `${entry.author_username} ${entry.action_name}`).sort()).toEqual([
        'ada accepted',
        'grace closed',
        'grace opened',
        'grace opened',
        'hedy approved',
      ]);
      const merged = await loom.call<Entry[]>('GET', '/events?action=merged&target_type=merge_request');
      expect(merged.body.map((entry) => entry.target_iid)).toContain(iid);
      const comments = await loom.call<Entry[]>('GET', '/events?action=commented');
      expect(comments.body).toMatchObject([{ action_name: 'commented on', note: { noteable_type: 'MergeRequest' } }]);
    });

    it('sends webhooks, with what was done and how it stands', async () => {
      const bodies: HookBody[] = [];
      const receiver = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          expect(request.headers['x-gitlab-event']).toBe('Merge Request Hook');
          bodies.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as HookBody);
          response.end();
        });
      });
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
      await loom.call('POST', '/hooks', { url, push_events: false, merge_requests_events: true });
      const path = await open('three');
      await loom.call('POST', `${path}/approve`, {}, hedy);
      await loom.call('PUT', `${path}/merge`);
      const seen = () =>
        new Set(bodies.map(({ object_kind: kind, object_attributes: { action } }) => `${kind} ${action}`));
      // Each comes at least once.
      await until(() => Promise.resolve(seen().size >= 3));
      expect([...seen()].sort()).toEqual(['merge_request approved', 'merge_request merge', 'merge_request open']);
      expect(bodies.find(({ object_attributes: { action } }) => action === 'merge')).toMatchObject({
        object_attributes: { state: 'merged', source_branch: 'three', target_branch: 'main', target: { name: 'Loom' } },
        user: { username: 'ada' },
      });
      receiver.closeAllConnections();
      receiver.close();
    });

    it('sends with an update what it changed, with a push where the branch was, and always the last commit', async () => {
      interface Told {
        readonly object_attributes: { readonly action: string; readonly oldrev?: string; readonly last_commit: object };
        readonly changes: Readonly<Record<string, unknown>>;
      }
      const bodies: Told[] = [];
      const receiver = createServer((request, response) => {
        void json(request).then((body) => {
          bodies.push(body as Told);
          response.end();
        });
      });
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
      await loom.call('POST', '/hooks', { url, push_events: false, merge_requests_events: true });
      const next = async (act: () => Promise<unknown>) => {
        bodies.splice(0);
        await act();
        await until(() => Promise.resolve(bodies.length > 0));
        return bodies[0]!;
      };
      let path = '';
      const opened = await next(async () => {
        path = await open('seven');
      });
      expect(opened).toMatchObject({
        object_attributes: { action: 'open', last_commit: { id: expect.any(String), title: expect.any(String) } },
        changes: {},
      });
      const edit = (fields: object) => () => loom.call('PUT', path, fields, grace);
      expect((await next(edit({ title: 'Draft: seven', labels: 'bug', reviewer_ids: [hedy.id] }))).changes).toEqual({
        title: { previous: 'Add seven', current: 'Draft: seven' },
        draft: { previous: false, current: true },
        labels: { previous: [], current: [{ title: 'bug' }] },
        reviewers: { previous: [], current: [expect.objectContaining({ username: 'hedy' })] },
      });
      await loom.write('other', { other: 'other' }, { start_branch: 'main' });
      expect((await next(edit({ target_branch: 'other' }))).changes).toEqual({
        target_branch: { previous: 'main', current: 'other' },
      });
      const actions = [{ action: 'update', file_path: 'seven', content: 'more' }];
      const before = (opened.object_attributes.last_commit as { id: string }).id;
      const pushed = await next(() => loom.commit('seven', 'More', actions, {}, grace));
      expect(pushed.object_attributes).toMatchObject({ action: 'update', oldrev: before });
      expect(pushed.object_attributes.last_commit).toMatchObject({ title: 'More' });
      expect((await next(edit({ state_event: 'close' }))).changes).toEqual({ state_id: { previous: 1, current: 2 } });
      receiver.closeAllConnections();
      receiver.close();
    });

    it('says below a merge request who approved it or not any more, and what was pushed, each once', async () => {
      const path = await open('nine');
      const said = async () => {
        const { body } = await loom.call<{ system: boolean; body: string; author: { username: string } }[]>(
          'GET',
          `${path}/notes?sort=asc`,
        );
        return body.filter(({ system }) => system).map(({ body: text, author }) => `${author.username} ${text}`);
      };
      for (const act of ['approve', 'approve', 'unapprove', 'unapprove'])
        await loom.call('POST', `${path}/${act}`, {}, hedy);
      const approvals = ['hedy approved this merge request', 'hedy unapproved this merge request'];
      expect(await said()).toEqual(approvals);
      const actions = [{ action: 'update', file_path: 'nine', content: 'more' }];
      const { body: pushed } = await loom.commit('nine', 'Say more\n\nWith a body', actions, {}, grace);
      await mailing.settle();
      expect(await said()).toEqual([...approvals, `grace added 1 commit\n\n* ${pushed.id.slice(0, 8)} - Say more`]);
    });

    it('sends webhooks of pipelines, each time that they stand otherwise', async () => {
      const bodies: { object_attributes: { status: string } }[] = [];
      const receiver = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          expect(request.headers['x-gitlab-event']).toBe('Pipeline Hook');
          bodies.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as (typeof bodies)[number]);
          response.end();
        });
      });
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
      await loom.call('POST', '/hooks', { url, push_events: false, pipeline_events: true });
      const say = (state: string) =>
        loom.call<{ pipeline_id: number }>('POST', '/statuses/main', { state, name: 'build' });
      const { pipeline_id: told } = (await say('pending')).body;
      expect((await loom.call('PUT', `/pipelines/${told}/metadata`, { name: 'Nightly' })).status).toBe(200);
      for (const state of ['running', 'success']) expect((await say(state)).status).toBe(201);
      const seen = () => new Set(bodies.map(({ object_attributes: { status } }) => status));
      await until(() => Promise.resolve(seen().size >= 3));
      expect(bodies.find(({ object_attributes: { status } }) => status === 'success')).toMatchObject({
        object_kind: 'pipeline',
        object_attributes: {
          ref: 'main',
          name: 'Nightly',
          source: 'external',
          finished_at: expect.any(String),
          iid: 1,
        },
        project: { id: loom.id },
        user: { username: 'ada' },
        commit: { title: expect.any(String) },
        builds: [{ name: 'build', stage: 'external' }],
      });
      receiver.closeAllConnections();
      receiver.close();
    });

    it('sends webhooks of pipelines that are for a merge request, with it', async () => {
      const bodies: { object_attributes: { source: string } }[] = [];
      const receiver = createServer((request, response) => {
        void json(request).then((body) => {
          bodies.push(body as (typeof bodies)[number]);
          response.end();
        });
      });
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
      await loom.call('POST', '/hooks', { url, push_events: false, pipeline_events: true });
      const ci = 'check: { script: make, rules: [{ if: $CI_MERGE_REQUEST_IID }] }';
      await loom.write('eight', { '.gitlab-ci.yml': ci }, { start_branch: 'main' });
      const opened = { source_branch: 'eight', target_branch: 'main', title: 'Check it' };
      const { body: mergeRequest } = await loom.call<{ iid: number }>('POST', '/merge_requests', opened);
      await until(() => Promise.resolve(bodies.length > 0));
      expect(bodies[0]).toMatchObject({
        object_attributes: { ref: 'eight', source: 'merge_request_event', status: 'pending' },
        merge_request: { iid: mergeRequest.iid, title: 'Check it', source_branch: 'eight', target_branch: 'main' },
      });
      receiver.closeAllConnections();
      receiver.close();
    });

    it('sends webhooks of comments, with the merge request that they are about', async () => {
      const bodies: unknown[] = [];
      const receiver = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          expect(request.headers['x-gitlab-event']).toBe('Note Hook');
          bodies.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
          response.end();
        });
      });
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
      await loom.call('POST', '/hooks', { url, push_events: false, note_events: true });
      const path = await open('six');
      const { body: note } = await loom.call<{ id: number }>('POST', `${path}/notes`, { body: 'Why?' }, hedy);
      await until(() => Promise.resolve(bodies.length > 0));
      expect(bodies[0]).toMatchObject({
        object_kind: 'note',
        event_type: 'note',
        user: { username: 'hedy' },
        project_id: loom.id,
        object_attributes: {
          id: note.id,
          note: 'Why?',
          noteable_type: 'MergeRequest',
          action: 'create',
          system: false,
        },
        merge_request: { title: 'Add six', state: 'opened', source_branch: 'six', target: { name: 'Loom' } },
      });
      const { body: versions } = await loom.call<{ base_commit_sha: string; head_commit_sha: string }[]>(
        'GET',
        `${path}/versions`,
      );
      const [{ base_commit_sha: base, head_commit_sha: head }] = versions as [(typeof versions)[number]];
      const position = { base_sha: base, start_sha: base, head_sha: head, new_path: 'six', new_line: 1 };
      const thread = { body: 'Here?', position: { ...position, old_path: 'six', position_type: 'text' } };
      expect((await loom.call('POST', `${path}/discussions`, thread, hedy)).status).toBe(201);
      await until(() => Promise.resolve(bodies.length > 1));
      expect(bodies[0]).toMatchObject({ object_attributes: { type: null, position: null, line_code: null } });
      expect(bodies[1]).toMatchObject({
        object_attributes: {
          ...{ note: 'Here?', type: 'DiffNote', commit_id: null },
          line_code: expect.stringMatching(/^[0-9a-f]{40}_0_1$/),
          position: { base_sha: base, head_sha: head, new_path: 'six', new_line: 1, old_line: null },
        },
        merge_request: { last_commit: { id: head } },
      });
      receiver.closeAllConnections();
      receiver.close();
    });

    it('asks the author when somebody else’s change stands in the way, until they push', async () => {
      const path = await open('five');
      const change = (branch: string, content: string, who: TestUser) =>
        loom.commit(branch, 'Change', [{ action: 'update', file_path: 'README.md', content }], {}, who);
      await change('five', 'mine', grace);
      await change('main', 'yours', ada);
      const asked = async () =>
        (await mailing.call<{ action_name: string; target: { id: number } }[]>(grace, 'GET', '/todos')).body;
      await until(async () => (await asked()).some((todo) => todo.action_name === 'unmergeable'));
      expect((await loom.call('GET', path)).body).toMatchObject({ detailed_merge_status: 'conflict' });
      await change('five', 'yours', grace);
      expect((await asked()).filter((todo) => todo.action_name === 'unmergeable')).toEqual([]);
      await loom.call('POST', `${path}/time_estimate`, { duration: '2h' }, grace);
      expect((await loom.call('GET', path)).body).toMatchObject({ time_stats: { human_time_estimate: '2h' } });
    });

    it('keeps what has open threads from being merged, where the project says so', async () => {
      await loom.call('PUT', '', { only_allow_merge_if_all_discussions_are_resolved: true });
      const path = await open('four');
      const thread = await loom.call<{ id: string }>('POST', `${path}/discussions`, { body: 'Why?' }, hedy);
      expect(thread.status).toBe(201);
      const shown = await loom.call('GET', path);
      expect(shown.body).toMatchObject({
        blocking_discussions_resolved: false,
        detailed_merge_status: 'discussions_not_resolved',
      });
      const refused = await loom.call('PUT', `${path}/merge`);
      expect([refused.status, refused.body]).toMatchObject([405, { reason: 'discussions_not_resolved' }]);
      const resolved = await loom.call('PUT', `${path}/discussions/${thread.body.id}`, { resolved: true }, grace);
      expect(resolved.status).toBe(200);
      await loom.call('POST', `${path}/award_emoji`, { name: 'thumbsup' }, hedy);
      expect((await loom.call('GET', path)).body).toMatchObject({ upvotes: 1, downvotes: 0 });
      expect((await loom.call('PUT', `${path}/merge`)).status).toBe(200);
    });
  });
});
