import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { MailServer } from '../support/mail-server.js';
import { Mailing } from '../support/mailing.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WrittenProject } from '../support/written-project.js';

/** What nobody may learn who isn't let in: the name of a private fork, what is on its other branches, and a confidential issue. */
const SECRETS = ['hidden-fork', 'hidden-file', 'hidden-branch', 'Hidden plan'];

withGit('what merge requests tell strangers', () => {
  describeEachDatabase('what merge requests tell strangers', (openTestDatabase) => {
    let mailing: Mailing;
    let server: MailServer;
    let loom: WrittenProject;
    let fork: { readonly id: number };
    let people: Readonly<Record<'ada' | 'grace' | 'guest' | 'stranger', TestUser>>;

    const get = async (path: string, user?: TestUser) => {
      const headers = user === undefined ? {} : { 'PRIVATE-TOKEN': user.token };
      const response = await fetch(`${mailing.service.url}${path}`, { headers });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };

    beforeAll(async () => {
      server = await MailServer.start();
      const settings = { smtpUrl: server.url, mailFrom: 'Gatehouse <gate@house.example>' };
      const service = await TestService.start(await openTestDatabase(), settings);
      mailing = new Mailing({ service, nodes: [service], close: () => service.close() }, server);
      const [ada, grace] = [await service.addUser('ada'), await service.addUser('grace')];
      people = { ada, grace, guest: await service.addUser('guest'), stranger: await service.addUser('stranger') };
      loom = await WrittenProject.make(service, ada, { name: 'Loom', visibility: 'public' });
      await loom.write('main', { 'README.md': '# Loom\n' });
      await loom.addMember(grace, 30);
      await loom.addMember(people.guest, 10);
      await mailing.call(people.guest, 'PUT', `/projects/${loom.id}/notification_settings`, { level: 'watch' });
      await mailing.call(people.stranger, 'PUT', '/notification_settings', { level: 'watch' });
      await loom.call('POST', '/issues', { title: 'Hidden plan', confidential: true });
      const made = { visibility: 'private', path: 'hidden-fork', name: 'hidden-fork' };
      fork = (await loom.call<{ id: number }>('POST', '/fork', made, grace)).body;
      const call = <Body = unknown>(method: string, path: string, json?: object) =>
        mailing.call<Body>(grace, method, `/projects/${fork.id}${path}`, json);
      await until(async () => (await call<{ import_status: string }>('GET', '')).body.import_status === 'finished');
      for (const [branch, file] of [
        ['feature', 'shown'],
        ['hidden-branch', 'hidden-file'],
      ] as const)
        await call('POST', '/repository/commits', {
          branch,
          start_branch: 'main',
          commit_message: `Write ${file}`,
          actions: [{ action: 'create', file_path: file, content: file }],
        });
      const pair = { source_branch: 'feature', target_branch: 'main', target_project_id: loom.id };
      const opened = await call('POST', '/merge_requests', { ...pair, title: 'Take it', description: 'Closes #1' });
      expect(opened.status).toBe(201);
      await loom.call('POST', '/merge_requests/1/notes', { body: 'See #1 and @grace' });
    });

    afterAll(async () => {
      await mailing.deployment.close();
      await server.down();
    });

    const ONE = () => `/api/v4/projects/${loom.id}/merge_requests/1`;
    const BELOW = [
      '',
      '?include_diverged_commits_count=true',
      '/commits',
      '/changes',
      '/diffs',
      '/raw_diffs',
      '/versions',
      '/participants',
      '/reviewers',
      '/closes_issues',
      '/related_issues',
      '/approvals',
      '/approval_state',
      '/approval_rules',
      '/pipelines',
      '/award_emoji',
      '/time_stats',
    ];
    const AROUND = () => [
      `/api/v4/projects/${loom.id}`,
      `/api/v4/projects/${loom.id}/merge_requests`,
      `/api/v4/projects/${loom.id}/forks`,
      `/api/v4/projects/${loom.id}/issues`,
      '/api/v4/merge_requests?scope=all',
      `/api/v4/merge_requests?scope=all&source_project_id=${fork.id}`,
    ];
    const SIGNED_IN = () => [
      `${ONE()}/notes`,
      `${ONE()}/discussions`,
      `${ONE()}/resource_state_events`,
      `/api/v4/projects/${loom.id}/events`,
      '/api/v4/todos',
      ...['merge_requests', 'issues', 'notes', 'projects', 'commits', 'blobs'].flatMap((scope) => [
        ...(['notes', 'commits', 'blobs'].includes(scope) ? [] : [`/api/v4/search?scope=${scope}&search=hid`]),
        ...(scope === 'projects' ? [] : [`/api/v4/projects/${loom.id}/search?scope=${scope}&search=hid`]),
      ]),
    ];
    const pages = () => ['', '/diffs', '/commits'].map((page) => `/${loom.project.path}/-/merge_requests/1${page}`);

    describe.each(['visitor', 'stranger', 'guest'] as const)('%s', (who) => {
      const user = () => (who === 'visitor' ? undefined : people[who]);

      it('reads nothing of the private fork but its commits, and nothing of a confidential issue but its number', async () => {
        const paths = [
          ...BELOW.map((path) => `${ONE()}${path}`),
          ...AROUND(),
          ...pages(),
          ...(who === 'visitor' ? [] : SIGNED_IN()),
        ];
        for (const path of paths) {
          const { status, text, headers } = await get(path, user());
          expect([path, status]).toEqual([path, 200]);
          const told = SECRETS.filter((secret) => `${text}${headers.get('link') ?? ''}`.includes(secret));
          expect([path, told]).toEqual([path, []]);
        }
        for (const path of ['/closes_issues', '/related_issues']) {
          const { text, headers } = await get(`${ONE()}${path}`, user());
          expect([path, text, headers.get('x-total')]).toEqual([path, '[]', '0']);
        }
      });

      it('is refused the issue and the fork themselves', async () => {
        for (const path of ['', '/related_merge_requests', '/closed_by']) {
          const { status } = await get(`/api/v4/projects/${loom.id}/issues/1${path}`, user());
          expect([path, status]).toEqual([path, 404]);
        }
        for (const path of ['', '/merge_requests', '/repository/branches'])
          expect([path, (await get(`/api/v4/projects/${fork.id}${path}`, user())).status]).toEqual([path, 404]);
      });
    });

    it('counts the merge requests that close an issue as far as one may see them', async () => {
      const { body: issue } = await loom.call<{ iid: number }>('POST', '/issues', { title: 'Threads tear' });
      const spool = await WrittenProject.make(mailing.service, people.ada, { name: 'Spool', visibility: 'private' });
      const closing = { title: 'Spin', description: `Closes ${loom.project.path}#${issue.iid}` };
      for (const project of [loom, spool]) {
        await project.write('main', { LICENSE: 'Spin as you like.\n' });
        await project.write('thicker', { thread: 'thick\n' }, { start_branch: 'main' });
        const opened = await project.call('POST', '/merge_requests', {
          ...closing,
          source_branch: 'thicker',
          target_branch: 'main',
        });
        expect(opened.status).toBe(201);
      }
      const counted = async (path: string, user?: TestUser) =>
        JSON.parse((await get(path, user)).text) as { merge_requests_count: number };
      const below = `/api/v4/projects/${loom.id}/issues`;
      for (const [user, count] of [
        [people.ada, 2],
        [people.stranger, 1],
        [undefined, 1],
      ] as const) {
        expect(await counted(`${below}/${issue.iid}`, user)).toMatchObject({ merge_requests_count: count });
        expect(await counted(`${below}?iids[]=${issue.iid}`, user)).toMatchObject([{ merge_requests_count: count }]);
      }
    });

    it('mails watchers of a public project the merge request, and nothing of what is hidden', async () => {
      await loom.call('PUT', '/merge_requests/1', { title: 'Take it now', assignee_id: people.ada.id }, people.grace);
      await loom.call('PUT', '/merge_requests/1/merge');
      const mails = await mailing.received();
      const toGuest = mails.filter(({ recipients }) => recipients.join().startsWith('guest@'));
      expect(toGuest.length).toBeGreaterThan(0);
      const toOthers = mails.filter(({ recipients }) => /^(?:guest|stranger)@/.test(recipients.join()));
      for (const { head, text, html } of toOthers)
        expect(SECRETS.filter((secret) => `${head}${text ?? ''}${String(html)}`.includes(secret))).toEqual([]);
    });
  });
});
