import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { HeldHasher } from '../support/held-hasher.js';
import { TestService, type TestUser } from '../support/test-service.js';

const MINUTE = 60_000;
const NEW_PASSWORD = 'an-analytical-engine';

describeEachDatabase('administrators whose request waits for a password to be hashed', (openTestDatabase) => {
  const hasher = new HeldHasher();
  let service: TestService;
  let root: TestUser;
  let serial = 0;
  let mallory: TestUser;
  let friend: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase(), {}, randomBytes(32), hasher);
    root = await service.addUser('root', { admin: true });
  });

  afterAll(() => service.close());

  beforeEach(async () => {
    serial += 1;
    mallory = await service.addUser(`mallory${serial}`, { admin: true, password: PASSWORD });
    friend = await service.addUser(`friend${serial}`, { password: PASSWORD });
  });

  const byRoot = async (method: string, path: string, json?: object) => {
    const { status } = await service.call(method, path, { token: root.token, ...(json === undefined ? {} : { json }) });
    expect([200, 201, 204]).toContain(status);
  };
  const demote = ({ id }: TestUser) => byRoot('PUT', `/users/${id}`, { admin: false });
  const block = ({ id }: TestUser) => byRoot('POST', `/users/${id}/block`);
  const nothing = () => Promise.resolve();
  const signOut = ({ id }: TestUser) =>
    service.service.container.get(TOKENS.unitOfWork).execute(({ sessions }) => sessions.removeAllOf(id));
  const withdrawConsents = ({ id }: TestUser) =>
    service.service.container
      .get(TOKENS.unitOfWork)
      .execute(({ grants }) => grants.revokeAllOf(id, 'revoked_by_user', service.clock.now()));
  const isAdministrator = async ({ id }: TestUser) =>
    (await service.service.container.get(TOKENS.unitOfWork).execute(({ users }) => users.find(id)))?.admin;
  const namesOf = async (path: string, field: string) =>
    (await service.call<Record<string, unknown>[]>('GET', path, { token: root.token })).body.map(
      (each) => each[field] as string,
    );
  const canSignIn = async (username: string, password: string) =>
    (await new FormBrowser(service.url).signIn(username, password)).status === 303;

  describe('on the pages', () => {
    const LIST = '/admin/users';
    /** What is sent, with the password confirmed, and whether it was done. */
    const FORMS = {
      promote: {
        send: () => [`${LIST}/${friend.id}/promote`, {}] as const,
        wasDone: () => isAdministrator(friend),
      },
      'edit a user': {
        send: () =>
          [
            `${LIST}/${friend.id}`,
            { username: `renamed${serial}`, name: 'R', email: `${friend.username}@example.com` },
          ] as const,
        wasDone: async () => (await namesOf(`/users?username=renamed${serial}`, 'username')).length > 0,
      },
      'create an account': {
        send: () =>
          [
            LIST,
            { username: `made${serial}`, name: 'M', email: `m${serial}@example.com`, password: NEW_PASSWORD },
          ] as const,
        wasDone: async () => (await namesOf(`/users?username=made${serial}`, 'username')).length > 0,
      },
      'register an application': {
        send: () =>
          [
            '/admin/applications',
            { name: `App ${serial}`, redirect_uri: 'https://app.example/callback', scopes: 'read_user' },
          ] as const,
        wasDone: async () => (await namesOf('/applications', 'application_name')).includes(`App ${serial}`),
      },
      'make a runner': {
        send: () => ['/admin/runners', { description: `runner ${serial}`, run_untagged: 'true' }] as const,
        wasDone: async () => (await namesOf('/runners/all', 'description')).includes(`runner ${serial}`),
      },
    };

    const confirmWhile = async (name: keyof typeof FORMS, act: () => Promise<unknown>) => {
      const browser = new FormBrowser(service.url);
      await browser.signIn(mallory.username);
      service.clock.advance(11 * MINUTE);
      const [path, values] = FORMS[name].send();
      const authenticity_token = await browser.formToken(LIST);
      const form = { ...values, authenticity_token, current_password: PASSWORD };
      const answer = await hasher.meanwhile(() => browser.post(path, form), act);
      return { status: answer.status, html: await answer.text(), done: await FORMS[name].wasDone() };
    };

    describe.each(Object.keys(FORMS) as (keyof typeof FORMS)[])('%s', (name) => {
      it.each([
        ['demoted', demote],
        ['blocked', block],
        ['signed out', signOut],
      ] as const)('nothing once they are %s', async (_, lose) => {
        const { status, html, done } = await confirmWhile(name, () => lose(mallory));
        expect([status, done]).toEqual([lose === demote ? 404 : 401, false]);
        expect(html).not.toContain(friend.username);
      });

      it('if they are administrators still', async () => {
        expect(await confirmWhile(name, nothing)).toMatchObject({ status: 303, done: true });
      });
    });

    it('and one whose proof was recent, and whose new password for an account waits, creates none any more', async () => {
      const browser = new FormBrowser(service.url);
      await browser.signIn(mallory.username);
      const authenticity_token = await browser.formToken(LIST);
      const [path, values] = FORMS['create an account'].send();
      const form = { ...values, authenticity_token };
      const answer = await hasher.meanwhile(
        () => browser.post(path, form),
        () => demote(mallory),
      );
      expect([answer.status, await FORMS['create an account'].wasDone()]).toEqual([404, false]);
    });
  });

  describe('at the API', () => {
    type Head = Record<string, string>;

    const ACTS = {
      'create an administrator': {
        send: () =>
          [
            'POST',
            '/users',
            {
              username: `made${serial}`,
              name: 'M',
              email: `m${serial}@example.com`,
              password: NEW_PASSWORD,
              admin: true,
            },
          ] as const,
        wasDone: async () => (await namesOf(`/users?username=made${serial}`, 'username')).length > 0,
      },
      'set a password': {
        send: () => ['PUT', `/users/${friend.id}`, { password: NEW_PASSWORD, admin: true }] as const,
        wasDone: async () => (await isAdministrator(friend)) || (await canSignIn(friend.username, NEW_PASSWORD)),
      },
    };

    const callWhile = async (name: keyof typeof ACTS, headers: Head, act: () => Promise<unknown>) => {
      const [method, path, json] = ACTS[name].send();
      const { status } = await hasher.meanwhile(() => service.call(method, path, { headers, json }), act);
      return [status, await ACTS[name].wasDone()];
    };
    const revoke = (token: string) => () => service.call('DELETE', '/personal_access_tokens/self', { token });

    describe.each(Object.keys(ACTS) as (keyof typeof ACTS)[])('%s', (name) => {
      it.each([
        ['demoted', demote],
        ['blocked', block],
      ] as const)('nothing once they are %s', async (_, lose) => {
        expect(await callWhile(name, { 'PRIVATE-TOKEN': mallory.token }, () => lose(mallory))).toEqual([403, false]);
      });

      it('nothing once their token is revoked', async () => {
        const { token } = mallory;
        expect(await callWhile(name, { 'PRIVATE-TOKEN': token }, revoke(token))).toEqual([401, false]);
      });

      it('nothing once their token has expired', async () => {
        const tomorrow = new Date(service.clock.now().getTime() + 24 * 60 * MINUTE).toISOString().slice(0, 10);
        const token = await service.addToken(mallory.id, ['api'], tomorrow);
        const later = () => Promise.resolve(service.clock.advance(24 * 60 * MINUTE));
        expect(await callWhile(name, { 'PRIVATE-TOKEN': token }, later)).toEqual([401, false]);
      });

      it('nothing once what their application was allowed is revoked', async () => {
        const token = await service.addOAuthToken(mallory.username, PASSWORD, 'api');
        const headers = { Authorization: `Bearer ${token}` };
        expect(await callWhile(name, headers, () => withdrawConsents(mallory))).toEqual([401, false]);
      });

      it.each([
        ['demoted', demote],
        ['blocked', block],
      ] as const)('nothing once the administrator behind sudo is %s', async (_, lose) => {
        const token = await service.addToken(mallory.id, ['api', 'sudo']);
        const headers = { 'PRIVATE-TOKEN': token, Sudo: root.username };
        expect(await callWhile(name, headers, () => lose(mallory))).toEqual([403, false]);
      });

      it('if they are administrators still, by sudo and by an application, too', async () => {
        const done = [name === 'set a password' ? 200 : 201, true];
        const sudo = { 'PRIVATE-TOKEN': await service.addToken(root.id, ['api', 'sudo']), Sudo: mallory.username };
        expect(await callWhile(name, sudo, nothing)).toEqual(done);
        friend = await service.addUser(`friend${(serial += 1)}`, { password: PASSWORD });
        const bearer = await service.addOAuthToken(mallory.username, PASSWORD, 'api');
        expect(await callWhile(name, { Authorization: `Bearer ${bearer}` }, nothing)).toEqual(done);
      });
    });
  });
});
