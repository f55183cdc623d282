import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import { KEY_TOKENS } from '../../src/infrastructure/composition/keys.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { toldAt } from '../support/queued-mails.js';
import { makeKey, rsaLine } from '../support/ssh-keys.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface KeyBody {
  readonly id: number;
  readonly title: string;
  readonly key: string;
  readonly last_used_at: string | null;
}

const blobOf = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64');
const sha256Of = (line: string) => `SHA256:${createHash('sha256').update(blobOf(line)).digest('base64').slice(0, 43)}`;
const md5Of = (line: string) => createHash('md5').update(blobOf(line)).digest('hex').match(/../g)!.join(':');

describeEachDatabase('SSH keys of people', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let eve: TestUser;

  beforeAll(async () => {
    // Nobody takes mail there: what was queued stays.
    service = await TestService.start(await openTestDatabase(), { smtpUrl: new Sensitive('smtp://127.0.0.1:9') });
    root = await service.addUser('root', { admin: true });
  });
  let serial = 0;
  beforeEach(async () => {
    serial += 1;
    ada = await service.addUser(`ada${serial}`, { password: PASSWORD });
    eve = await service.addUser(`eve${serial}`);
  });
  afterAll(() => service.close());

  const call = <Body = KeyBody>(method: string, path: string, json?: object, who: TestUser | null = ada) =>
    service.call<Body>(method, path, {
      ...(who === null ? {} : { token: who.token }),
      ...(json === undefined ? {} : { json }),
    });
  const add = (line: string, fields: object = {}) =>
    call('POST', '/user/keys', { title: 'laptop', key: line, ...fields });

  it('are added, listed, read and removed by their owner', async () => {
    const key = makeKey();
    const added = await add(key.line, { expires_at: '2099-01-31' });
    expect([added.status, added.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        title: 'laptop',
        created_at: expect.any(String),
        expires_at: '2099-01-31T00:00:00.000Z',
        last_used_at: null,
        key: `${key.bare} ada${serial} Example (localhost)`,
        usage_type: 'auth',
      },
    ]);
    const path = `/user/keys/${added.body.id}`;
    expect((await call('GET', path)).body).toEqual(added.body);
    expect((await call('GET', '/user/keys')).body).toEqual([added.body]);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).body).toEqual({ message: '404 Key Not Found' });
    expect((await call('DELETE', path)).status).toBe(404);
  });

  it('of others are neither read nor removed as one’s own', async () => {
    const { body } = await add(makeKey().line);
    for (const method of ['GET', 'DELETE'])
      expect((await call(method, `/user/keys/${body.id}`, undefined, eve)).status).toBe(404);
    expect((await call('DELETE', `/users/${ada.id}/keys/${body.id}`, undefined, eve)).status).toBe(403);
    expect((await call('POST', `/users/${ada.id}/keys`, { title: 'x', key: makeKey().line }, eve)).status).toBe(403);
  });

  it('are public, by the id and by the name of their owner', async () => {
    const { body } = await add(makeKey('rsa').line);
    for (const who of [ada.id, ada.username])
      expect((await call('GET', `/users/${who}/keys`, undefined, null)).body).toEqual([body]);
    expect((await call('GET', `/users/${ada.id}/keys/${body.id}`, undefined, null)).body).toEqual(body);
    expect((await call('GET', '/users/nobody-at-all/keys', undefined, null)).body).toEqual({
      message: '404 User Not Found',
    });
  });

  it('are a file for programs that let people in elsewhere: those that open something here, and nobody’s who is blocked', async () => {
    const [laptop, phone] = [makeKey(), makeKey('rsa')];
    await add(laptop.line);
    await add(phone.line);
    const old = await add(makeKey().line, { expires_at: '2099-01-31' });
    const { schema, reader } = service.service.database;
    await schema('ssh_keys')
      .where({ id: old.body.id })
      .update({ expires_at: reader.dialect.writeInstant(new Date(0)) });
    const file = async (name: string) => {
      const answer = await fetch(`${service.url}/${name}.keys`);
      return [answer.status, answer.headers.get('content-type'), await answer.text()];
    };
    const comment = `${ada.username} (localhost)`;
    const plain = 'text/plain; charset=utf-8';
    expect(await file(ada.username)).toEqual([200, plain, `${laptop.bare} ${comment}\n${phone.bare} ${comment}\n`]);
    expect(await file(eve.username)).toEqual([200, plain, '']);
    expect((await file('nobody-at-all'))[0]).toBe(404);
    expect((await call('POST', `/users/${ada.id}/block`, {}, root)).status).toBe(201);
    expect(await file(ada.username)).toEqual([200, plain, '']);
  });

  it('leave their address free: no username ends as the file does', async () => {
    const fields = { name: 'X', email: 'x@example.com', password: PASSWORD, username: 'ada.keys' };
    const refused = await call<{ message: object }>('POST', '/users', fields, root);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      { username: [expect.stringMatching(/\.json or \.keys$/)] },
    ]);
  });

  it('are added and removed by administrators, too', async () => {
    const { status, body } = await call('POST', `/users/${ada.id}/keys`, { title: 'set', key: makeKey().line }, root);
    expect(status).toBe(201);
    expect((await call('DELETE', `/users/${ada.id}/keys/${body.id}`, undefined, root)).status).toBe(204);
  });

  it('are found by id and by either fingerprint by administrators, with their owner', async () => {
    const { line } = makeKey('ecdsa');
    const { body } = await add(line);
    const user = expect.objectContaining({ id: ada.id, username: ada.username });
    expect((await call('GET', `/keys/${body.id}`, undefined, root)).body).toEqual({ ...body, user });
    for (const fingerprint of [sha256Of(line), md5Of(line)]) {
      const found = await call('GET', `/keys?fingerprint=${encodeURIComponent(fingerprint)}`, undefined, root);
      expect(found.body).toEqual({ ...body, user });
    }
    const ask = async (query: string, who = root) => {
      const answer = await call('GET', `/keys${query}`, undefined, who);
      return [answer.status, answer.body];
    };
    expect(await ask('?fingerprint=nonsense')).toEqual([400, { message: 'Failed to return the key' }]);
    expect(await ask(`?fingerprint=${encodeURIComponent(sha256Of(makeKey().line))}`)).toEqual([
      404,
      { message: '404 Key Not Found' },
    ]);
    expect((await ask(`?fingerprint=${encodeURIComponent(sha256Of(line))}`, ada))[0]).toBe(403);
  });

  it('are refused with what is wrong with them', async () => {
    const refusal = async (line: string, fields: object = {}) => {
      const { status, body } = await add(line, fields);
      return [status, body];
    };
    expect(await refusal('no key')).toEqual([
      400,
      { message: { key: ['is invalid'], fingerprint: ['cannot be generated'] } },
    ]);
    expect(await refusal(rsaLine(1024))).toEqual([400, { message: { key: ['must be at least 2048 bits'] } }]);
    expect(await refusal(makeKey().line, { title: ' ' })).toEqual([400, { message: { title: ["can't be blank"] } }]);
    expect(await refusal(makeKey().line, { expires_at: '2020-01-01' })).toEqual([
      400,
      { message: { expires_at: ['must be in the future'] } },
    ]);
    expect(await refusal(makeKey().line, { expires_at: 'soon' })).toEqual([
      400,
      { message: { expires_at: [expect.stringContaining('is not a date')] } },
    ]);
  });

  it('belong to one person, however many add them at once', async () => {
    const { line } = makeKey();
    const adders = [ada, eve, root, ada, eve, root];
    const answers = await Promise.all(
      adders.map((who, n) =>
        call('POST', '/user/keys', { title: `${n}`, key: `${line.split(' ', 2).join(' ')} ${n}` }, who),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
    for (const { status, body } of answers)
      if (status === 400) expect(body).toEqual({ message: { fingerprint: ['has already been taken'] } });
  });

  it('tell their owner by mail that they were added, whoever added them', async () => {
    await add(makeKey().line, { title: 'work machine' });
    await call('POST', `/users/${ada.id}/keys`, { title: 'by root', key: makeKey().line }, root);
    expect(await toldAt(service, `${ada.username}@example.com`)).toEqual([
      'An SSH key was added: work machine | by the personal access token “test”, from 127.0.0.1',
      'An SSH key was added: by root | by the administrator “root”',
    ]);
  });

  it('know when they were last used', async () => {
    const { body } = await add(makeKey().line);
    const { keyUses } = service.service.container.get(KEY_TOKENS.keys);
    keyUses.record(body.id, null, service.clock.now());
    await keyUses.flush();
    expect((await call('GET', `/user/keys/${body.id}`)).body.last_used_at).toBe(service.clock.now().toISOString());
  });

  it('go with their owner', async () => {
    const { line } = makeKey();
    await call('POST', '/user/keys', { title: 'gone', key: line }, eve);
    await call('DELETE', `/users/${eve.id}?hard_delete=true`, undefined, root);
    expect((await add(line)).status).toBe(201);
  });

  describe('on the page of the profile', () => {
    let browser: FormBrowser;
    beforeEach(async () => {
      browser = await signedIn(service, ada.username);
    });

    it('are added, shown and removed', async () => {
      const { line } = makeKey();
      const sent = await browser.submit('/profile/keys', '/profile/keys', {
        title: 'desk <1>',
        key: line,
        expires_at: '',
      });
      expect([sent.status, sent.headers.get('location')]).toEqual([303, '/profile/keys']);
      const page = await (await browser.get('/profile/keys')).text();
      expect(page).toContain('desk &lt;1&gt;');
      expect(page.replaceAll('&#x2F;', '/')).toContain(sha256Of(line));
      const [, remove = ''] = /href="(\/profile\/keys\/\d+\/remove)"/.exec(page) ?? [];
      expect((await browser.submit('/profile/keys', remove, {})).status).toBe(303);
      expect(await (await browser.get('/profile/keys')).text()).toContain('None yet.');
    });

    it('ask for the password when the last proof is too old', async () => {
      service.clock.advance(11 * 60_000);
      const fields = { title: 'late', key: makeKey().line };
      const asked = await (await browser.submit('/profile/keys', '/profile/keys', fields)).text();
      expect(asked).toContain('add an SSH key');
      expect((await call<KeyBody[]>('GET', '/user/keys')).body).toEqual([]);
      await browser.submit('/profile/keys', '/profile/keys', { ...fields, current_password: PASSWORD });
      expect((await call<KeyBody[]>('GET', '/user/keys')).body).toHaveLength(1);
    });

    it('are refused before the password is asked for where they are wrong, and stand on no page where they are private', async () => {
      service.clock.advance(11 * 60_000);
      const { secret } = makeKey();
      for (const [fields, problem] of [
        [{ title: 'Laptop', key: secret }, 'The key is a private key'],
        [{ title: 'Laptop', key: 'words' }, 'The key is not a public key'],
        [{ title: ' ', key: makeKey().line }, 'The title can&#39;t be blank'],
        [{ title: 'Laptop', key: makeKey().line, expires_at: '2001-01-01' }, 'must be in the future'],
      ] as const) {
        const sent = await browser.submit('/profile/keys', '/profile/keys', fields);
        const html = await sent.text();
        expect([sent.status, html.includes(problem), html.includes('Confirm that it is you')]).toEqual([
          400,
          true,
          false,
        ]);
        expect(html).not.toContain(secret.split('\n')[1]);
      }
    });

    it('say what is wrong beside the field', async () => {
      const sent = await browser.submit('/profile/keys', '/profile/keys', { title: 'x', key: rsaLine(1024) });
      expect([sent.status, await sent.text()]).toEqual([400, expect.stringContaining('must be at least 2048 bits')]);
    });
  });
});
