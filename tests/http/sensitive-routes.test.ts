import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SensitivePath } from '../../src/adapters/inbound/http/pages/declared-forms.js';
import type { Route } from '../../src/adapters/inbound/http/route.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeAnyDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { TestService, type TestUser } from '../support/test-service.js';

/** The routes that do what a form does, with what makes them do it. */
type Routes = Readonly<Record<string, object>>;

const PAGES_ALONE = 'no token does that, and no session at the API';
const NO_ROUTE = 'is on the pages alone';
const CHANGE = { 'PUT /users/:id': { name: 'Changed' } };

/** A sensitive form that is missing here does not compile. */
const BY_API: Readonly<Record<SensitivePath, Routes | string>> = {
  '/profile/account/password': PAGES_ALONE,
  '/profile/account/two_factor': PAGES_ALONE,
  '/profile/account/two_factor/disable': PAGES_ALONE,
  '/profile/account/recovery_codes': PAGES_ALONE,
  '/profile/emails': { 'POST /user/emails': { email: 'new@example.com' } },
  '/profile/emails/:id/primary': PAGES_ALONE,
  '/profile/emails/:id/recovery': PAGES_ALONE,
  '/profile/emails/:id/remove': { 'DELETE /user/emails/:email_id': {} },
  '/profile/personal_access_tokens': {
    'POST /users/:user_id/personal_access_tokens': { name: 'mine', scopes: ['api'] },
  },
  '/profile/personal_access_tokens/:id/rotate': { 'POST /personal_access_tokens/:token_id/rotate': {} },
  '/profile/keys': { 'POST /user/keys': {}, 'POST /users/:id/keys': {} },
  '/admin/users': { 'POST /users': {} },
  '/admin/users/:id': CHANGE,
  '/admin/users/:id/block': { 'POST /users/:id/block': {} },
  '/admin/users/:id/unblock': { 'POST /users/:id/unblock': {} },
  '/admin/users/:id/promote': { 'PUT /users/:id': { admin: true } },
  '/admin/users/:id/demote': { 'PUT /users/:id': { admin: false } },
  '/admin/users/:id/disable_two_factor': { 'PATCH /users/:id/disable_two_factor': {} },
  '/admin/users/:id/send_password_link': NO_ROUTE,
  '/admin/applications': { 'POST /applications': {}, 'POST /applications/:id/renew-secret': {} },
  '/admin/applications/:id/remove': { 'DELETE /applications/:id': {} },
  '/admin/runners': {
    'POST /user/runners': { runner_type: 'instance_type' },
    'POST /runners/:runner_id/reset_authentication_token': {},
  },
  '/admin/runners/:id/remove': { 'DELETE /runners/:runner_id': {} },
};

/** What no page does, and is as sensitive. */
const WITHOUT_A_FORM: Routes = {
  'DELETE /users/:id': {},
  'POST /personal_access_tokens/self/rotate': {},
};

const CONTENT = 'is content, of which nobody gets into an account';
const LESS_ACCESS = 'takes access away';
/** What administrators alone may change, and by a session, too. */
const ORDINARY: Readonly<Record<string, string>> = {
  'POST /projects/user/:user_id': CONTENT,
  'POST /admin/ci/variables': CONTENT,
  'PUT /admin/ci/variables/:key': CONTENT,
  'DELETE /admin/ci/variables/:key': CONTENT,
  'POST /deploy_keys': 'opens nothing until a project enables it',
  'DELETE /users/:id/keys/:key_id': LESS_ACCESS,
};

const ROUTES: Routes = Object.assign(
  { ...WITHOUT_A_FORM },
  ...Object.values(BY_API).filter((routes) => typeof routes === 'object'),
) as Routes;

const keyOf = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;

describeAnyDatabase('what pages ask for the password again for, by a session at the API', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let friend: TestUser;
  let runner: number;
  let browser: FormBrowser;
  let csrf: string;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true, password: PASSWORD });
    friend = await service.addUser('friend');
    const json = { runner_type: 'instance_type' };
    const made = await service.call<{ id: number }>('POST', '/user/runners', { token: root.token, json });
    runner = made.body.id;
    browser = new FormBrowser(service.url);
    await browser.signIn('root');
    csrf = await browser.formToken('/profile/account');
    service.clock.advance(11 * 60_000);
  });

  afterAll(() => service.close());

  const declared = () => service.service.container.get(TOKENS.routes);
  const bySession = async (method: string, path: string, json: object) => {
    const headers = { 'X-CSRF-Token': csrf, 'Content-Type': 'application/json' };
    const response = await browser.send(`/api/v4${path}`, { method, headers, body: JSON.stringify(json) });
    return [response.status, await response.text()] as const;
  };
  const addressOf = (path: string) =>
    path.replace(':runner_id', String(runner)).replace(/:(id|user_id|email_id)/, String(friend.id));

  describe.each(Object.entries(BY_API).filter(([, routes]) => typeof routes === 'object'))('%s', (_, routes) => {
    it.each(Object.entries(routes))('is refused as %s, with a word about what to use', async (key, json) => {
      expect(declared().map(keyOf)).toContain(key);
      const [method = '', path = ''] = key.split(' ');
      const [status, text] = await bySession(method, addressOf(path), json as object);
      expect(status).toBe(403);
      expect(text).toMatch(/A browser's session can't [^"]+ by the API: use the pages, or a personal access token/);
    });
  });

  it('is what every route is about that is declared sensitive', () => {
    const sensitive = declared().filter((route) => route.sensitive !== undefined);
    expect(Object.keys(ROUTES)).toEqual(expect.arrayContaining(sensitive.map(keyOf)));
  });

  it('is whatever administrators alone may change, unless there is a reason', () => {
    const changing = declared().filter(({ access, method }) => access === 'admin' && method !== 'get');
    const ordinary = changing.filter(({ sensitive }) => sensitive === undefined).map(keyOf);
    expect(ordinary.sort()).toEqual(Object.keys(ORDINARY).sort());
  });

  it('is refused to no token, and runners of projects are made and removed by sessions as on their pages', async () => {
    const { token } = root;
    const changed = await service.call('PUT', `/users/${friend.id}`, { token, json: { name: 'Changed' } });
    expect(changed.status).toBe(200);
    const project = await service.call<{ id: number }>('POST', '/projects', { token, json: { name: 'Engine' } });
    const json = { runner_type: 'project_type', project_id: project.body.id };
    const [status, text] = await bySession('POST', '/user/runners', json);
    expect(status).toBe(201);
    const { id } = JSON.parse(text) as { id: number };
    expect((await bySession('DELETE', `/runners/${id}`, {}))[0]).toBe(204);
  });
});
