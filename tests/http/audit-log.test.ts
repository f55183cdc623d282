import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COUNTED_KINDS, type AuditKind } from '../../src/domain/audit/audit-kind.js';
import { AUDIT_TOKENS } from '../../src/infrastructure/composition/audit.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { makeKey } from '../support/ssh-keys.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface Exported {
  readonly created_at: string;
  readonly kind: AuditKind;
  readonly author: string | null;
  readonly means: string;
  readonly acted_as: string | null;
  readonly address: string | null;
  readonly account: string | null;
  readonly place: string | null;
  readonly subject: string | null;
  readonly detail: string | null;
  readonly times: number;
}

describeEachDatabase('the audit log', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let olga: TestUser;
  let browser: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase(), {
      rateLimits: { api: 'off', alerts: 'off', signIn: 'off' },
    });
    root = await service.addUser('boss', { admin: true, scopes: ['api', 'sudo'], password: PASSWORD });
    ada = await service.addUser('ada', { password: PASSWORD });
    olga = await service.addUser('olga');
    browser = new FormBrowser(service.url);
    await browser.signIn('boss');
  });
  afterAll(() => service.close());

  const call = async <Body = { id: number }>(
    method: string,
    path: string,
    json?: unknown,
    who = ada,
  ): Promise<Body> => {
    const answer = await service.call<Body>(method, path, {
      token: who.token,
      ...(json === undefined ? {} : { json }),
    });
    expect(answer.status).toBeLessThan(300);
    return answer.body;
  };
  const entries = async (query = ''): Promise<readonly Exported[]> => {
    const text = await (await browser.get(`/admin/audit_log.jsonl?${query}`)).text();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Exported);
  };
  const newest = async (kind: AuditKind): Promise<Exported | undefined> => (await entries(`what=${kind}`))[0];

  describe('tells of each act who did it, by what, from where and to what', () => {
    let group: { id: number };
    let project: { id: number };
    let readers: { id: number };
    let tools: { id: number };
    let runnerId: number;
    const named = expect.stringMatching(/^#\d+ a machine$/) as unknown as string;
    const inProject = (path: string) => `/projects/${project.id}${path}`;

    beforeAll(async () => {
      group = await call('POST', '/groups', { name: 'Engines', path: 'engines' });
      project = await call('POST', '/projects', { name: 'Compiler', path: 'compiler', namespace_id: group.id });
    });

    const end = (who: TestUser) => call('DELETE', `/groups/${group.id}/access_requests/${olga.id}`, undefined, who);
    const acts: readonly [AuditKind, Partial<Exported>, () => Promise<unknown>][] = [
      ['group_created', { place: 'engines', detail: 'private' }, () => Promise.resolve()],
      ['project_created', { place: 'engines/compiler', detail: 'private' }, () => Promise.resolve()],
      [
        'member_added',
        { place: 'engines/compiler', account: 'boss', detail: 'Developer' },
        () => call('POST', inProject('/members'), { user_id: root.id, access_level: 30 }),
      ],
      [
        'member_changed',
        { place: 'engines/compiler', account: 'boss', detail: 'Maintainer, until 2099-01-01' },
        () => call('PUT', inProject(`/members/${root.id}`), { access_level: 40, expires_at: '2099-01-01' }),
      ],
      [
        'member_removed',
        { place: 'engines/compiler', account: 'boss' },
        () => call('DELETE', inProject(`/members/${root.id}`)),
      ],
      [
        'project_shared',
        { place: 'engines/compiler', subject: 'readers', detail: 'Reporter, until 2099-01-01' },
        async () => {
          readers = await call('POST', '/groups', { name: 'Readers', path: 'readers' });
          await call('POST', inProject('/share'), { group_id: readers.id, group_access: 20, expires_at: '2099-01-01' });
        },
      ],
      [
        'project_unshared',
        { place: 'engines/compiler', subject: 'readers' },
        () => call('DELETE', inProject(`/share/${readers.id}`)),
      ],
      [
        'visibility_changed',
        { place: 'engines', detail: 'private → public' },
        () => call('PUT', `/groups/${group.id}`, { visibility: 'public' }),
      ],
      [
        'access_requested',
        { place: 'engines', account: 'olga', author: 'olga' },
        () => call('POST', `/groups/${group.id}/access_requests`, {}, olga),
      ],
      ['access_request_withdrawn', { place: 'engines', account: 'olga', author: 'olga' }, () => end(olga)],
      [
        'access_request_denied',
        { place: 'engines', account: 'olga' },
        async () => {
          await call('POST', `/groups/${group.id}/access_requests`, {}, olga);
          await end(ada);
        },
      ],
      [
        'webhook_added',
        { place: 'engines/compiler', subject: 'hooks.example:8443' },
        () =>
          call('POST', inProject('/hooks'), {
            url: 'https://hooks.example:8443/x?key=hush-key',
            token: 'hush-token',
          }),
      ],
      [
        'mirror_added',
        { place: 'engines/compiler', subject: 'git.example' },
        () => call('POST', inProject('/remote_mirrors'), { url: 'https://ada:hush-word@git.example/a.git' }),
      ],
      [
        'deploy_token_made',
        { place: 'engines/compiler', subject: 'builder', detail: 'read_repository' },
        () => call('POST', inProject('/deploy_tokens'), { name: 'builder', scopes: ['read_repository'] }),
      ],
      [
        'access_token_made',
        {
          place: 'engines/compiler',
          subject: 'robot',
          account: expect.stringMatching(/^project_\d+_bot_/) as unknown as string,
        },
        () => call('POST', inProject('/access_tokens'), { name: 'robot', scopes: ['api'] }),
      ],
      [
        'deploy_key_added',
        { subject: 'a machine' },
        () => call('POST', inProject('/deploy_keys'), { title: 'a machine', key: makeKey().line, can_push: true }),
      ],
      [
        'deploy_key_enabled',
        { place: 'engines/compiler', subject: 'a machine', detail: 'may push' },
        () => Promise.resolve(),
      ],
      [
        'alert_integration_added',
        { place: 'engines/compiler', subject: 'Zabbix', detail: 'generic' },
        () => call('POST', inProject('/alert_integrations'), { type: 'generic', name: 'Zabbix', active: true }),
      ],
      [
        'error_tracking_changed',
        { place: 'engines/compiler' },
        () =>
          call('PUT', inProject('/error_tracking/settings'), {
            active: true,
            api_url: 'https://sentry.example/api/0/projects/a/b/',
            project_name: 'b',
            token: 'hush-tracker',
          }),
      ],
      [
        'ci_variable_added',
        { place: 'engines/compiler', subject: 'DEPLOY_TOKEN', detail: null },
        () => call('POST', inProject('/variables'), { key: 'DEPLOY_TOKEN', value: 'hush-variable' }),
      ],
      [
        'ci_variable_changed',
        { place: 'engines/compiler', subject: 'DEPLOY_TOKEN', detail: null },
        () => call('PUT', inProject('/variables/DEPLOY_TOKEN'), { value: 'hush-again', masked: true }),
      ],
      [
        'ci_variable_removed',
        { place: 'engines/compiler', subject: 'DEPLOY_TOKEN', detail: null },
        () => service.call('DELETE', inProject('/variables/DEPLOY_TOKEN'), { token: ada.token }),
      ],
      [
        'runner_made',
        { place: 'engines/compiler', subject: named, detail: 'project_type' },
        async () => {
          const fields = { runner_type: 'project_type', project_id: project.id, description: 'a machine' };
          runnerId = (await call('POST', '/user/runners', fields)).id;
        },
      ],
      ['runner_changed', { subject: named }, () => call('PUT', `/runners/${runnerId}`, { paused: true })],
      ['runner_token_reset', { subject: named }, () => call('POST', `/runners/${runnerId}/reset_authentication_token`)],
      [
        'runner_enabled',
        { place: 'engines/tools', subject: named },
        async () => {
          tools = await call('POST', '/projects', { name: 'Tools', path: 'tools', namespace_id: group.id });
          await call('POST', `/projects/${tools.id}/runners`, { runner_id: runnerId });
        },
      ],
      [
        'runner_disabled',
        { place: 'engines/tools', subject: named },
        () => service.call('DELETE', `/projects/${tools.id}/runners/${runnerId}`, { token: ada.token }),
      ],
      [
        'runner_removed',
        { subject: named },
        () => service.call('DELETE', `/runners/${runnerId}`, { token: ada.token }),
      ],
      [
        'add_ssh_key',
        { account: 'ada', subject: 'laptop' },
        () => call('POST', '/user/keys', { title: 'laptop', key: makeKey().line }),
      ],
      [
        'project_moved',
        { detail: 'engines/compiler → engines/interpreter' },
        () => call('PUT', inProject(''), { path: 'interpreter' }),
      ],
      ['project_archived', { place: 'engines/interpreter' }, () => call('POST', inProject('/archive'))],
      ['project_removed', { place: 'engines/interpreter' }, () => call('DELETE', inProject(''))],
      ['group_removed', { place: 'engines' }, () => call('DELETE', `/groups/${group.id}`)],
    ];

    it.each(acts)('%s', async (kind, expected, act) => {
      await act();
      expect(await newest(kind)).toMatchObject({
        kind,
        author: 'ada',
        means: 'personal_access_token',
        acted_as: null,
        address: expect.stringContaining('127.0.0.1') as unknown,
        ...expected,
      });
    });

    const adminActs: readonly [AuditKind, Partial<Exported>, () => Promise<unknown>][] = [
      [
        'account_created',
        { account: 'grace' },
        () =>
          call(
            'POST',
            '/users',
            { username: 'grace', name: 'Grace', email: 'g@example.com', password: PASSWORD },
            root,
          ),
      ],
      ['account_promoted', { account: 'ada' }, () => call('PUT', `/users/${ada.id}`, { admin: true }, root)],
      ['account_demoted', { account: 'ada' }, () => call('PUT', `/users/${ada.id}`, { admin: false }, root)],
      ['account_blocked', { account: 'ada' }, () => call('POST', `/users/${ada.id}/block`, undefined, root)],
      ['account_unblocked', { account: 'ada' }, () => call('POST', `/users/${ada.id}/unblock`, undefined, root)],
      [
        'application_registered',
        { subject: 'CI' },
        () =>
          call(
            'POST',
            '/applications',
            { name: 'CI', redirect_uri: 'https://ci.example/cb', scopes: 'api', confidential: true },
            root,
          ),
      ],
    ];

    it.each(adminActs)('%s', async (kind, expected, act) => {
      await act();
      expect(await newest(kind)).toMatchObject({ author: 'boss', means: 'personal_access_token', ...expected });
    });
  });

  it('names the administrator behind sudo, and counts how often they used it', async () => {
    for (const path of ['/user', '/projects'])
      await service.call('GET', path, { token: root.token, headers: { sudo: 'ada' } });
    await service.call('POST', '/projects', { token: root.token, headers: { sudo: 'ada' }, json: { name: 'Quiet' } });
    expect(await newest('sudo_used')).toMatchObject({ author: 'boss', acted_as: 'ada', account: 'ada', times: 3 });
    expect(await newest('project_created')).toMatchObject({ author: 'boss', acted_as: 'ada', place: 'ada/quiet' });
  });

  it('tells of sign-ins, and of those that fail once an hour with a count, without what was typed', async () => {
    const stranger = new FormBrowser(service.url);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await stranger.signIn('ada', 'hush-wrong');
      await stranger.signIn('hush-password-as-a-name', 'hush-wrong');
    }
    await stranger.signIn('ada');
    expect(await newest('sign_in_failed')).toMatchObject({ account: 'ada', author: null, means: 'nobody', times: 3 });
    expect(await newest('unknown_sign_in_failed')).toMatchObject({ account: null, subject: null, times: 3 });
    expect(await newest('signed_in')).toMatchObject({ account: 'ada', author: 'ada', means: 'browser' });
    service.clock.advance(3_600_001);
    await new FormBrowser(service.url).signIn('ada', 'hush-wrong');
    expect(await newest('sign_in_failed')).toMatchObject({ account: 'ada', times: 1 });
    expect(COUNTED_KINDS.has('sign_in_failed')).toBe(true);
  });

  it('holds no secret', async () => {
    const text = JSON.stringify(await entries());
    expect(text).not.toContain('hush');
    for (const secret of service.secrets) expect(text).not.toContain(secret);
  });

  it('is written with the act or not at all, and the act not without it', async () => {
    const unitOfWork = service.service.container.get(TOKENS.unitOfWork);
    const before = (await entries()).length;
    const failing = unitOfWork.execute(async ({ users }) => {
      await users.update(ada.id, { state: 'blocked' });
      throw new Error('afterwards');
    });
    await expect(failing).rejects.toThrow('afterwards');
    expect(await entries()).toHaveLength(before);
    const unwritten = unitOfWork.execute(async ({ users, auditLog }) => {
      auditLog.record = () => Promise.reject(new Error('no room'));
      await users.update(ada.id, { state: 'blocked' });
    });
    await expect(unwritten).rejects.toThrow('no room');
    expect((await call<{ state: string }>('GET', '/user')).state).toBe('active');
  });

  it('names as author who asked, however many ask at once', async () => {
    const people = await Promise.all(['eve', 'fay', 'gus'].map((name) => service.addUser(name)));
    await Promise.all(
      people.flatMap((who) =>
        [1, 2, 3].map((number) => call('POST', '/projects', { name: `of-${who.username}-${number}` }, who)),
      ),
    );
    const made = (await entries('what=project_created')).filter(({ place }) => place?.includes('/of-'));
    expect(made).toHaveLength(9);
    for (const { author, place } of made) expect(place).toMatch(new RegExp(`^${author}/of-${author}-`));
  });

  it('is found by who, to whom, what, address and day', async () => {
    const all = await entries();
    const days = all.map(({ created_at }) => created_at.slice(0, 10)).sort();
    expect((await entries('author=BOSS')).every(({ author }) => author === 'boss')).toBe(true);
    expect((await entries('about=engines')).map(({ kind }) => kind)).toContain('group_removed');
    expect(await entries('about=engine')).toEqual([]);
    expect(await entries('about=%25')).toEqual([]);
    expect((await entries('what=members')).every(({ kind }) => /^(?:member|access_request)/.test(kind))).toBe(true);
    expect(await entries('address=192.0.2.1')).toEqual([]);
    expect(await entries(`from=${days[0]}&to=${days.at(-1)}`)).toHaveLength(all.length);
    expect(await entries('to=2000-01-01')).toEqual([]);
    expect(await (await browser.get('/admin/audit_log?from=yesterday')).text()).toContain('“yesterday” is not a date');
  });

  it('shows fifty a page, and leads to the older ones', async () => {
    const read = async (path: string) => (await browser.get(path)).text();
    const rows = (html: string) => html.match(/<tr role="row">\n\s+<td class="instant" role="cell">/g)?.length ?? 0;
    for (let made = 0; made < 20; made += 1) await call('POST', '/projects', { name: `many-${made}` });
    const first = await read('/admin/audit_log');
    expect(rows(first)).toBe(50);
    const older = /rel="next" href="([^"]+)"/.exec(first)?.[1] ?? '';
    const second = await read(`/admin/audit_log${older}`);
    expect(rows(second)).toBe((await entries()).length - 50);
    expect(second).toContain('Newest entries');
  });

  it('is exported as CSV in which no cell is a formula', async () => {
    const bad = await call('POST', '/user/keys', { title: '=HYPERLINK("http://x")', key: makeKey().line });
    await call('DELETE', `/user/keys/${bad.id}`);
    const response = await browser.get('/admin/audit_log.csv?what=ssh_key_removed');
    expect(response.headers.get('content-type')).toContain('text/csv');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
    const [head, line] = (await response.text()).split('\r\n');
    expect(head).toMatch(/^id,created_at,/);
    expect(line).toContain(`"'=HYPERLINK(""http://x"")"`);
  });

  it('tells who exported it', async () => {
    await (await browser.get('/admin/audit_log.csv')).text();
    expect(await newest('audit_log_exported')).toMatchObject({ author: 'boss', means: 'browser' });
  });

  it('does not exist for anybody but administrators', async () => {
    const other = new FormBrowser(service.url);
    await other.signIn('ada');
    for (const who of [other, new FormBrowser(service.url)])
      for (const path of ['/admin/audit_log', '/admin/audit_log.csv', '/admin/audit_log.jsonl'])
        expect((await who.get(path)).status).toBe(404);
  });

  it('keeps entries for a year', async () => {
    const reader = service.service.container.get(AUDIT_TOKENS.auditReader);
    service.clock.advance(364 * 86_400_000);
    await service.service.container.get(TOKENS.cleanUp)();
    expect((await reader.list({}, 1)).length).toBe(1);
    service.clock.advance(2 * 86_400_000);
    await service.service.container.get(TOKENS.cleanUp)();
    expect((await reader.list({}, 1)).length).toBe(0);
  });
});
