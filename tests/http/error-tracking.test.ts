import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDeployment, type Deployment } from '../support/deployments.js';
import type { ApiRequest, TestService, TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';

interface SettingsBody {
  readonly active: boolean;
  readonly project_name: string;
  readonly tracker_external_url: string;
  readonly sentry_external_url: string;
  readonly api_url: string;
}

const API_URL = 'https://errors.example/api/0/projects/team/analytical-engine';
const EXTERNAL_URL = 'https://errors.example/team/analytical-engine';
const TOKEN = 'tracker-token-5f1d1c0e';
const NOT_CONFIGURED = { message: '404 Error Tracking Setting Not Found' };

describeEachDeployment('error tracking settings', (deploy) => {
  let deployment: Deployment;
  let service: TestService;
  let ada: TestUser;
  let serial = 0;

  beforeAll(async () => {
    deployment = await deploy();
    service = deployment.service;
    ada = await service.addUser('ada');
  });

  afterAll(() => deployment.close());

  const addProject = async (visibility = 'private') => {
    const { body } = await service.call<{ id: number }>('POST', '/projects', {
      token: ada.token,
      json: { name: `Engine ${(serial += 1)}`, visibility },
    });
    return body.id;
  };
  const call = <Body = SettingsBody>(method: string, id: number | string, request: ApiRequest = {}) =>
    service.call<Body>(method, `/projects/${id}/error_tracking/settings`, { token: ada.token, ...request });
  const configure = (id: number | string, json: object) => call('PUT', id, { json });
  const configured = async (json: object = {}) => {
    const id = await addProject();
    expect((await configure(id, { api_url: API_URL, ...json })).status).toBe(200);
    return id;
  };
  const row = async (id: number) =>
    (await service.service.database.reader
      .query('error_tracking_settings')
      .where({ project_id: id as ProjectId })
      .first()) as { readonly sealed_token: string | null } | undefined;

  it('are made, read, disabled and enabled, by number and by path', async () => {
    const id = await addProject();
    const { body: project } = await service.call<{ path_with_namespace: string }>('GET', `/projects/${id}`, {
      token: ada.token,
    });
    const made = await configure(id, { api_url: API_URL, project_name: 'Engine', token: TOKEN, active: true });
    const expected = {
      active: true,
      project_name: 'Engine',
      tracker_external_url: EXTERNAL_URL,
      sentry_external_url: EXTERNAL_URL,
      api_url: API_URL,
    };
    expect([made.status, made.body]).toEqual([200, expected]);
    const path = encodeURIComponent(project.path_with_namespace);
    for (const which of [id, path]) {
      const disabled = await call('PATCH', which, { json: { active: false } });
      expect([disabled.status, disabled.body]).toEqual([200, { ...expected, active: false }]);
      const enabled = await call('PATCH', which, { json: { active: true } });
      expect([enabled.status, enabled.body]).toEqual([200, expected]);
      const read = await call('GET', which);
      expect([read.status, read.body]).toEqual([200, expected]);
    }
    expect((await service.call('GET', `/projects/${id}/error_tracking/settings/`, { token: ada.token })).body).toEqual(
      expected,
    );
  });

  it('say by themselves what was not given, and are active without a token', async () => {
    const id = await configured();
    expect((await call('GET', id)).body).toEqual({
      active: true,
      project_name: 'Analytical Engine',
      tracker_external_url: EXTERNAL_URL,
      sentry_external_url: EXTERNAL_URL,
      api_url: API_URL,
    });
    expect(await row(id)).toMatchObject({ sealed_token: null });
  });

  it('take the external URL by either name, and answer it by both', async () => {
    const id = await configured({ sentry_external_url: 'https://old.example/engine' });
    expect((await call('GET', id)).body).toMatchObject({
      tracker_external_url: 'https://old.example/engine',
      sentry_external_url: 'https://old.example/engine',
    });
    await configure(id, {
      tracker_external_url: 'https://new.example/a',
      sentry_external_url: 'https://new.example/b',
    });
    expect((await call('GET', id)).body).toMatchObject({
      tracker_external_url: 'https://new.example/a',
      sentry_external_url: 'https://new.example/a',
    });
    const cleared = await configure(id, { sentry_external_url: null });
    expect(cleared.body.tracker_external_url).toBe(EXTERNAL_URL);
  });

  it('keep what a change does not name, and drop what was said of another API URL', async () => {
    const id = await configured({ project_name: 'Engine', token: TOKEN, tracker_external_url: 'https://see.example/' });
    await configure(id, { active: false });
    await configure(id, { api_url: API_URL });
    const { body } = await call('GET', id);
    expect(body).toMatchObject({
      active: false,
      project_name: 'Engine',
      tracker_external_url: 'https://see.example/',
    });
    const kept = await row(id);
    expect(kept?.sealed_token).toEqual(expect.any(String));
    const moved = await configure(id, { api_url: 'https://evil.example/api/0/projects/a/b' });
    expect(moved.body).toEqual({
      active: false,
      project_name: 'B',
      tracker_external_url: 'https://evil.example/a/b',
      sentry_external_url: 'https://evil.example/a/b',
      api_url: 'https://evil.example/api/0/projects/a/b',
    });
    expect(await row(id)).toMatchObject({ sealed_token: null });
  });

  it('keep the token sealed for this purpose alone, and say it nowhere', async () => {
    const id = await addProject();
    service.secrets.push(TOKEN);
    const answers: unknown[] = [];
    const onNode = (method: string, query: string, request: ApiRequest = {}) =>
      service.nodeCall(method, `/projects/${id}/error_tracking/settings${query}`, { token: ada.token, ...request });
    answers.push(await onNode('PUT', `?token=${TOKEN}&api_url=${encodeURIComponent(API_URL)}`));
    answers.push(await onNode('PUT', '', { form: { token: `${TOKEN} twice`, api_url: '' } }));
    answers.push(await onNode('PUT', '', { json: { token: [TOKEN] } }));
    answers.push(await onNode('GET', ''), await onNode('PATCH', '', { json: { active: false, token: TOKEN } }));
    expect(JSON.stringify(answers)).not.toContain(TOKEN);
    expect(JSON.stringify(service.logger.lines)).not.toContain(TOKEN);
    const sealed = (await row(id))?.sealed_token ?? '';
    expect(sealed).not.toContain(TOKEN);
    const { container } = service.service;
    expect(container.get(TOKENS.trackerTokenBox).open(sealed)).toBe(TOKEN);
    expect(() => container.get(TOKENS.secretBox).open(sealed)).toThrow();
  });

  it.each([
    ['null', null],
    ['an empty text', ''],
  ])('forget the token that is given as %s', async (_name, token) => {
    const id = await configured({ token: TOKEN });
    await configure(id, { token });
    expect(await row(id)).toMatchObject({ sealed_token: null });
  });

  it('are changed one after the other: no answer of success is lost', async () => {
    const id = await addProject();
    const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
    const answers = await Promise.all(
      names.map((project_name, index) =>
        configure(id, index % 2 === 0 ? { api_url: API_URL, project_name } : { api_url: API_URL, token: TOKEN }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await call('GET', id)).body.project_name).toMatch(/^Name [0246]$/);
    expect((await row(id))?.sealed_token).toEqual(expect.any(String));
  });

  it('go with their project', async () => {
    const id = await configured({ token: TOKEN });
    expect((await service.call('DELETE', `/projects/${id}`, { token: ada.token })).status).toBe(202);
    expect((await call('GET', id)).body).toEqual({ message: '404 Project Not Found' });
    // The service may have taken the job already, and be at it.
    await service.service.container.get(TOKENS.jobRunner).runDue();
    await until(async () => (await row(id)) === undefined);
  });

  describe('who may', () => {
    it.each(['GET', 'PATCH', 'PUT'])('%s: the ladder of levels', async (method) => {
      const id = await configured();
      const hidden = await service.addUser(`hidden-${(serial += 1)}`);
      const root = await service.addUser(`root-${serial}`, { admin: true });
      const ladder: [string, string | undefined, number, unknown][] = [
        ['nobody', undefined, 401, { message: '401 Unauthorized' }],
        ['a stranger', hidden.token, 404, { message: '404 Project Not Found' }],
      ];
      for (const [name, level] of [
        ['guest', 10],
        ['reporter', 20],
        ['developer', 30],
        ['maintainer', 40],
      ] as const) {
        const user = await service.addUser(`${name}-${serial}`);
        await service.call('POST', `/projects/${id}/members`, {
          token: ada.token,
          json: { user_id: user.id, access_level: level },
        });
        const allowed = level >= 40;
        ladder.push([
          name,
          user.token,
          allowed ? 200 : 403,
          allowed ? expect.anything() : { message: '403 Forbidden' },
        ]);
      }
      ladder.push(['the owner', ada.token, 200, expect.anything()], ['an admin', root.token, 200, expect.anything()]);
      for (const [name, token, status, body] of ladder) {
        const path = `/projects/${id}/error_tracking/settings`;
        const answer = await service.call(method, path, {
          ...(token === undefined ? {} : { token }),
          ...(method === 'GET' ? {} : { json: { active: true } }),
        });
        expect([name, answer.status, answer.body]).toEqual([name, status, body]);
      }
    });

    it('is a matter of the level on a public project too', async () => {
      const id = await addProject('public');
      const { token } = await service.addUser(`visitor-${(serial += 1)}`);
      for (const method of ['GET', 'PATCH', 'PUT']) {
        expect([method, (await call(method, id, { token })).status]).toEqual([method, 403]);
      }
    });

    it('is a matter of the scopes too', async () => {
      const id = await configured();
      const reads = await service.addToken(ada.id, ['read_api']);
      const readsUsers = await service.addToken(ada.id, ['read_user']);
      expect((await call('GET', id, { token: reads })).status).toBe(200);
      for (const [method, token] of [
        ['PATCH', reads],
        ['PUT', reads],
        ['GET', readsUsers],
      ] as const) {
        const { status, body } = await call<object>(method, id, { token, ...(method === 'GET' ? {} : { json: {} }) });
        expect([status, body]).toEqual([403, expect.objectContaining({ error: 'insufficient_scope' })]);
      }
    });
  });

  describe('what is refused', () => {
    it('is decided in order: project, level, settings, parameters', async () => {
      const bare = await addProject('internal');
      const { token } = await service.addUser(`passer-${(serial += 1)}`);
      const json = { active: 'perhaps' };
      expect((await call('PATCH', 999_999, { json })).body).toEqual({ message: '404 Project Not Found' });
      expect((await call('PATCH', bare, { token, json })).body).toEqual({ message: '403 Forbidden' });
      for (const method of ['GET', 'PATCH']) {
        const answer = await call(method, bare, method === 'GET' ? {} : { json });
        expect([answer.status, answer.body]).toEqual([404, NOT_CONFIGURED]);
      }
      await configure(bare, { api_url: API_URL });
      const answer = await call('PATCH', bare, { json });
      expect([answer.status, answer.body]).toEqual([400, { error: 'active is invalid' }]);
    });

    it.each([
      ['no active', {}, 'active is missing'],
      ['an empty one', { form: { active: '' } }, 'active is empty'],
      ['one that is no boolean', { form: { active: 'maybe' } }, 'active is invalid'],
      ['null', { json: { active: null } }, 'active is invalid'],
      ['a list', { json: { active: [true] } }, 'active is invalid'],
      ['a number but 0 and 1', { json: { active: 2 } }, 'active is invalid'],
    ])('is a PATCH with %s', async (_name, request, error) => {
      const id = await configured();
      const answer = await call('PATCH', id, request);
      expect([answer.status, answer.body]).toEqual([400, { error }]);
      expect((await call('GET', id)).body.active).toBe(true);
    });

    it('is what can’t be kept, all of it at once, and nothing is changed', async () => {
      const id = await addProject();
      const refused = await call<object>('PUT', id, {
        json: {
          project_name: 'x'.repeat(256),
          tracker_external_url: 'ftp://errors.example',
          token: 'two words',
        },
      });
      expect([refused.status, refused.body]).toEqual([
        400,
        {
          message: {
            api_url: ["can't be blank"],
            tracker_external_url: ['must be an http or https address'],
            project_name: ['is too long (maximum is 255 characters)'],
            token: ['must be letters, digits and signs without spaces, at most 1000'],
          },
        },
      ]);
      expect((await call('GET', id)).body).toEqual(NOT_CONFIGURED);
    });

    it('are API URLs of more than 255 characters, and none below', async () => {
      const id = await addProject();
      const longest = `https://errors.example/${'a'.repeat(232)}`;
      expect((await configure(id, { api_url: `${longest}a` })).body).toEqual({
        message: { api_url: ['is too long (maximum is 255 characters)'] },
      });
      expect((await configure(id, { api_url: longest })).body.api_url).toBe(longest);
    });

    it('is any other method', async () => {
      const answer = await call<object>('DELETE', await addProject());
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, PATCH, PUT, HEAD, OPTIONS']);
    });
  });

  describe('parameters', () => {
    it.each(['query', 'form', 'json'] as const)('are taken from %s', async (how) => {
      const id = await addProject();
      const path = `/projects/${id}/error_tracking/settings`;
      const send = (method: string, fields: Record<string, string>) => {
        const query = how === 'query' ? `?${new URLSearchParams(fields).toString()}` : '';
        const body = how === 'query' ? {} : { [how]: fields };
        return service.call<SettingsBody>(method, path + query, { token: ada.token, ...body });
      };
      const made = await send('PUT', { api_url: API_URL, project_name: 'Engine', active: 'no' });
      expect([made.status, made.body]).toMatchObject([200, { active: false, project_name: 'Engine' }]);
      for (const [written, active] of [
        ['true', true],
        ['0', false],
        ['yes', true],
        ['off', false],
      ] as const) {
        const answer = await send('PATCH', { active: written });
        expect([written, answer.status, answer.body.active]).toEqual([written, 200, active]);
      }
    });
  });
});
