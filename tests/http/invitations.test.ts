import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { HeldHasher } from '../support/held-hasher.js';
import { queuedMails } from '../support/queued-mails.js';
import { SECRET_KEY, TestService, type TestUser } from '../support/test-service.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface Member {
  readonly username: string;
  readonly access_level: number;
  readonly expires_at: string | null;
}

describeEachDatabase('sign-up and invitations', (openTestDatabase) => {
  const hasher = new HeldHasher();
  let databaseUrl: string;
  let service: TestService;
  let owner: TestUser;
  let browser: FormBrowser;
  let count = 0;
  let place: string;
  let address: string;

  beforeAll(async () => {
    databaseUrl = await openTestDatabase();
    service = await TestService.start(databaseUrl, {}, SECRET_KEY, hasher);
  });
  afterAll(() => service.close());

  beforeEach(async () => {
    const name = `owner${(count += 1)}`;
    owner = await service.addUser(name, { password: PASSWORD });
    await service.call('POST', '/projects', { token: owner.token, json: { name: 'Compiler' } });
    place = `${name}/compiler`;
    address = `guest${count}@example.com`;
    browser = await signedIn(name);
  });

  const signedIn = async (name: string): Promise<FormBrowser> => {
    const made = new FormBrowser(service.url);
    await made.signIn(name);
    return made;
  };
  const send = async (who: FormBrowser, path: string, values: Record<string, string> = {}, page = '/users/sign_in') => {
    const response = await who.submit(who === browser ? '/profile/account' : page, path, values);
    return { status: response.status, location: response.headers.get('location'), html: await response.text() };
  };
  const invite = (values: Record<string, string> = {}, who = browser, to = place) =>
    send(who, `/${to}/-/invitations`, { email: address, access_level: '30', ...values }, '/profile/account');
  const withdraw = async () => {
    const html = await (await browser.get(`/${place}/-/invitations`)).text();
    const [, id = ''] = /invitations\/(\d+)\/withdraw/.exec(html) ?? [];
    return send(browser, `/${place}/-/invitations/${id}/withdraw`);
  };
  const linkTo = async (recipient = address): Promise<string> => {
    const mails = (await queuedMails(service)).filter((mail) => mail.recipient === recipient);
    return /invitation_token=(.+)$/.exec(mails.at(-1)?.content['link'] ?? '')?.[1] ?? '';
  };
  /** What differs on each page that is alike. */
  const withoutTokens = (html: string): string =>
    html.replaceAll(/name="authenticity_token" value="[^"]*"|invitations\/\d+\/withdraw/g, '');
  const stranger = () => new FormBrowser(service.url);
  const signUp = (token: string, username: string, values: Record<string, string> = {}, who = stranger()) =>
    send(who, '/users/invitation', {
      invitation_token: token,
      username,
      name: 'New Person',
      password: PASSWORD,
      ...values,
    });
  const open = async (token: string, who = stranger()) => {
    const response = await who.get(`/users/invitation?invitation_token=${token}`);
    return { status: response.status, html: await response.text() };
  };
  const members = async (): Promise<readonly Member[]> => {
    const path = `/projects/${encodeURIComponent(place)}/members`;
    return (await service.call<Member[]>('GET', path, { token: owner.token })).body;
  };

  it('ends in an account with a confirmed address and a membership, signed in', async () => {
    expect((await invite({ expires_at: '2099-01-31' })).location).toBe(`/${place}/-/invitations`);
    const listed = await (await browser.get(`/${place}/-/invitations`)).text();
    expect(listed).toContain(address);
    expect(listed).toContain('It waits until mail is set up');
    const token = await linkTo();
    expect((await open(token)).html).toContain(`invited you to <strong>${place}</strong>`);
    const guest = stranger();
    const done = await signUp(token, `guest${count}`, {}, guest);
    expect(done.location).toBe(`/${place}`);
    expect(await (await guest.get(`/${place}`)).text()).toContain('Welcome, New Person');
    expect(await members()).toContainEqual(
      expect.objectContaining({ username: `guest${count}`, access_level: 30, expires_at: '2099-01-31' }),
    );
    expect((await (await signedIn(`guest${count}`)).get('/profile/emails')).status).toBe(200);
    expect(await (await guest.get('/profile/emails')).text()).toMatch(
      new RegExp(`${address}[\\s\\S]*primary, confirmed`),
    );
  });

  it('begins with "Invite member", too, by an address', async () => {
    const page = `/${place}/-/members/invite`;
    const ask = (member: string, values: Record<string, string> = {}) =>
      send(browser, page, { member, access_level: '30', expires_at: '', ...values });
    expect((await ask(address)).location).toBe(`/${place}/-/invitations`);
    expect(await (await browser.get(`/${place}/-/invitations`)).text()).toContain(
      `An invitation to ${address} is in the queue. It waits until mail is set up.`,
    );
    expect((await signUp(await linkTo(), `called${count}`)).status).toBe(303);
    const { body } = await service.call<Member[]>('GET', `/projects/${encodeURIComponent(place)}/members`, {
      token: owner.token,
    });
    expect(body.map(({ username }) => username)).toContain(`called${count}`);
    const refused = await ask('no one@example.com');
    expect([refused.status, refused.html.includes('id="member-problem"')]).toEqual([400, true]);
    expect((await ask('nobody-of-this-name')).html).toContain('is not the username of an account');
    expect((await ask(`other-${address}`, { access_level: '70' })).status).toBe(400);
  });

  it('begins alike with "Invite member" whether or not an account has the address, and makes nobody a member', async () => {
    const invitee = await service.addUser(`invitee${count}`, { password: PASSWORD });
    const theirs = `${invitee.username}@example.com`;
    const page = `/${place}/-/members/invite`;
    const ask = async (member: string, values: Record<string, string> = {}) => {
      const { status, location, html } = await send(browser, page, { member, access_level: '30', ...values });
      const told = await (await browser.get(location ?? page)).text();
      return [status, location, ...[html, told].map((text) => withoutTokens(text).replaceAll(member, 'them'))];
    };
    const inQueue = async (member: string) => {
      const asked = await ask(member);
      await withdraw();
      return asked;
    };
    expect(await inQueue(theirs)).toEqual(await inQueue(address));
    expect(await ask(theirs, { access_level: '70' })).toEqual(await ask(address, { access_level: '70' }));
    expect(await members()).toEqual([]);
    await ask(theirs.toUpperCase());
    const guest = await signedIn(invitee.username);
    const token = await linkTo(theirs.toUpperCase());
    await send(guest, '/users/invitation/join', { invitation_token: token }, '/profile/account');
    expect((await members()).map(({ username }) => username)).toContain(invitee.username);
    // Who is a member already, neither.
    expect(await inQueue(theirs)).toEqual(await inQueue(`other-${address}`));
  });

  it('ends in a membership for who has an account, by any of theirs', async () => {
    await invite();
    const token = await linkTo();
    const other = await service.addUser(`other${count}`, { password: PASSWORD });
    const theirs = await signedIn(other.username);
    expect((await open(token, theirs)).html).toContain(`Join as @${other.username}`);
    const joined = await send(theirs, '/users/invitation/join', { invitation_token: token }, '/profile/account');
    expect(joined.location).toBe(`/${place}`);
    expect((await members()).map(({ username }) => username)).toContain(other.username);
  });

  describe('a link', () => {
    it('works once, however many follow it at once', async () => {
      await invite();
      const token = await linkTo();
      const all = await Promise.all([1, 2, 3, 4].map((number) => signUp(token, `racer${count}x${number}`)));
      expect(all.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404]);
      expect((await members()).filter(({ username }) => username.startsWith(`racer${count}x`))).toHaveLength(1);
      expect((await open(token)).status).toBe(404);
    });

    it('stays good while what was typed is refused', async () => {
      await invite();
      const token = await linkTo();
      const short = await signUp(token, `fixed${count}`, { password: 'short' });
      expect([short.status, short.html.includes('is too short')]).toEqual([400, true]);
      const taken = await signUp(token, owner.username);
      expect([taken.status, taken.html.includes('already been taken')]).toEqual([400, true]);
      expect(taken.html).toContain('value="New Person"');
      expect((await signUp(token, `fixed${count}`)).status).toBe(303);
    });

    it.each([
      ['it has expired', () => Promise.resolve(service.clock.advance(7 * DAY_MS + 1))],
      ['it was withdrawn', () => withdraw()],
      ['the same person was invited once more', () => invite()],
      [
        'whoever sent it was blocked',
        () =>
          service.service.container
            .get(TOKENS.unitOfWork)
            .execute(({ users }) => users.update(owner.id, { state: 'blocked' })),
      ],
      [
        'the project was removed',
        () => service.call('DELETE', `/projects/${encodeURIComponent(place)}`, { token: owner.token }),
      ],
    ])('is no good once %s', async (_, end) => {
      await invite();
      const token = await linkTo();
      await end();
      expect((await open(token)).status).toBe(404);
      expect((await signUp(token, `late${count}`)).status).toBe(404);
      expect((await stranger().get(`/late${count}`)).status).toBe(404);
    });

    it('gives no more than who sent it may give by then', async () => {
      const group = `team${count}`;
      const { body } = await service.call<{ id: number }>('POST', '/groups', {
        token: owner.token,
        json: { name: group, path: group },
      });
      const second = await service.addUser(`second${count}`, { password: PASSWORD });
      const members = `/groups/${body.id}/members`;
      await service.call('POST', members, { token: owner.token, json: { user_id: second.id, access_level: 50 } });
      const theirs = await signedIn(second.username);
      await send(theirs, `/groups/${group}/-/invitations`, { email: address, access_level: '50' }, '/profile/account');
      const token = await linkTo();
      expect((await open(token)).status).toBe(200);
      await service.call('PUT', `${members}/${second.id}`, { token: owner.token, json: { access_level: 40 } });
      expect((await signUp(token, `mine${count}`)).status).toBe(404);
    });

    describe('that is followed, while the new password waits to be hashed,', () => {
      let group: string;
      let second: TestUser;
      let token: string;

      beforeEach(async () => {
        group = `team${count}`;
        const made = { token: owner.token, json: { name: group, path: group } };
        expect((await service.call('POST', '/groups', made)).status).toBe(201);
        second = await service.addUser(`second${count}`, { password: PASSWORD });
        const member = { token: owner.token, json: { user_id: second.id, access_level: 50 } };
        expect((await service.call('POST', `/groups/${group}/members`, member)).status).toBe(201);
        const theirs = await signedIn(second.username);
        await send(
          theirs,
          `/groups/${group}/-/invitations`,
          { email: address, access_level: '40' },
          '/profile/account',
        );
        token = await linkTo();
      });

      const followedWhile = async (act: () => Promise<unknown>) => {
        const { status } = await hasher.meanwhile(() => signUp(token, `waiting${count}`), act);
        const { body } = await service.call<Member[]>('GET', `/groups/${group}/members`, { token: owner.token });
        return [status, body.some(({ username }) => username === `waiting${count}`)];
      };
      const member = () => `/groups/${group}/members/${second.id}`;

      it.each([
        ['is lowered', () => service.call('PUT', member(), { token: owner.token, json: { access_level: 30 } })],
        ['is removed', () => service.call('DELETE', member(), { token: owner.token })],
        [
          'is blocked',
          () =>
            service.service.container
              .get(TOKENS.unitOfWork)
              .execute(({ users }) => users.update(second.id, { state: 'blocked' })),
        ],
      ])('is no good once whoever sent it %s, and makes no account', async (_, lose) => {
        expect(await followedWhile(lose)).toEqual([404, false]);
        expect((await stranger().get(`/waiting${count}`)).status).toBe(404);
        expect((await open(token)).status).toBe(404);
      });

      it('is as good as it was otherwise', async () => {
        expect(await followedWhile(() => Promise.resolve())).toEqual([303, true]);
      });
    });

    it('that is made up says the same as one that was used', async () => {
      for (const token of ['', 'x', 'a'.repeat(300), '%00']) expect((await open(token)).status).toBe(404);
    });
  });

  describe('inviting', () => {
    it('is for who manages members: the page does not exist for strangers, and is refused to others', async () => {
      const guest = await service.addUser(`plain${count}`, { password: PASSWORD });
      const theirs = await signedIn(guest.username);
      expect((await theirs.get(`/${place}/-/invitations`)).status).toBe(404);
      expect((await invite({}, theirs)).status).toBe(404);
      const path = `/projects/${encodeURIComponent(place)}/members`;
      await service.call('POST', path, { token: owner.token, json: { user_id: guest.id, access_level: 30 } });
      expect((await invite({}, theirs)).status).toBe(403);
      expect((await queuedMails(service)).filter(({ recipient }) => recipient === address)).toEqual([]);
    });

    it.each([
      ['an address that is none', { email: 'nobody' }, 'is invalid'],
      ['a role that is none', { access_level: '35' }, 'is not included in the list'],
      ['a day that has passed', { expires_at: '2001-01-01' }, 'cannot be a date in the past'],
    ])('refuses %s', async (_, values, words) => {
      const refused = await invite(values);
      expect([refused.status, refused.html.includes(words)]).toEqual([400, true]);
    });

    it('says the same of an address that has an account and of one that has none', async () => {
      const known = await invite({ email: `${owner.username}@example.com` });
      const unknown = await invite();
      expect([known.status, known.location]).toEqual([unknown.status, unknown.location]);
      const templates = (await queuedMails(service))
        .filter(({ recipient }) => [address, `${owner.username}@example.com`].includes(recipient))
        .map(({ template }) => template);
      expect(templates).toEqual(['invitation', 'invitation']);
    });

    it('ends after twenty an hour, and after three to one address', async () => {
      for (let made = 0; made < 3; made += 1) {
        const project = `more${made}`;
        await service.call('POST', '/projects', { token: owner.token, json: { name: project } });
        expect((await invite({}, browser, `${owner.username}/${project}`)).status).toBe(303);
      }
      expect((await invite()).status).toBe(429);
      for (let made = 0; made < 17; made += 1)
        expect((await invite({ email: `many${made}x${count}@example.com` })).status).toBe(303);
      const refused = await invite({ email: `last${count}@example.com` });
      expect([refused.status, refused.html.includes('You can invite 20 people an hour')]).toEqual([429, true]);
      service.clock.advance(HOUR_MS + 1);
      expect((await invite()).status).toBe(303);
    });

    it.each([
      ['replaced', () => Promise.resolve()],
      ['withdrawn', withdraw],
    ])('counts invitations that were %s towards both limits', async (_, end) => {
      for (let made = 0; made < 3; made += 1) {
        expect((await invite()).status).toBe(303);
        await end();
      }
      expect((await invite()).status).toBe(429);
      address = `second${address}`;
      for (let made = 0; made < 17; made += 1) expect((await invite({ email: `${made}${address}` })).status).toBe(303);
      expect((await invite()).html).toContain('You can invite 20 people an hour');
    });

    it('is in the audit log, with the account and the membership that come of it', async () => {
      await invite();
      await signUp(await linkTo(), `told${count}`);
      await service.addUser(`boss${count}`, { admin: true, password: PASSWORD });
      const log = await (await (await signedIn(`boss${count}`)).get(`/admin/audit_log.jsonl`)).text();
      const entries = log
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
      const invited = { kind: 'member_invited', author: owner.username, place, subject: address, detail: 'Developer' };
      const created = { kind: 'account_created', author: `told${count}`, account: `told${count}` };
      const added = { kind: 'member_added', account: `told${count}`, place };
      for (const entry of [invited, created, added]) expect(entries).toContainEqual(expect.objectContaining(entry));
    });
  });

  describe('SIGN_UP', () => {
    /** `open` on a database of its own: each service runs jobs by its own clock. */
    const withPolicy = async (policy: 'off' | 'open', work: () => Promise<void>): Promise<void> => {
      const [usual, before] = [service, browser];
      const url = policy === 'open' ? await openTestDatabase() : databaseUrl;
      service = await TestService.start(url, { signUp: policy });
      try {
        if (policy === 'open') await service.addUser(owner.username, { password: PASSWORD });
        browser = await signedIn(owner.username);
        await work();
      } finally {
        await service.close();
        [service, browser] = [usual, before];
      }
    };

    it('at "invite" has no page to ask for an account', async () => {
      expect((await stranger().get('/users/sign_up')).status).toBe(404);
      expect((await send(stranger(), '/users/sign_up', { email: address })).status).toBe(404);
    });

    it('at "off" refuses invitations, and links that were sent before make members but no accounts', async () => {
      await invite();
      const token = await linkTo();
      await withPolicy('off', async () => {
        expect((await invite({ email: 'another@example.com' })).html).toContain('while SIGN_UP is off');
        for (const member of [`${owner.username}@example.com`, 'another@example.com']) {
          const asked = await send(browser, `/${place}/-/members/invite`, { member, access_level: '30' });
          const told = asked.html.includes('The username is an e-mail address, and nobody is invited by mail here');
          expect([member, asked.status, told]).toEqual([member, 400, true]);
        }
        expect((await signUp(token, `never${count}`)).html).toContain('Nobody may create an account here any more');
        const known = await service.addUser(`known${count}`, { password: PASSWORD });
        const theirs = await signedIn(known.username);
        const joined = await send(theirs, '/users/invitation/join', { invitation_token: token }, '/profile/account');
        expect(joined.location).toBe(`/${place}`);
      });
    });

    it('at "open" mails a link to whoever asks, and tells nobody who has an account', async () => {
      await withPolicy('open', async () => {
        expect(await (await stranger().get('/users/sign_in')).text()).toContain('href="/users/sign_up"');
        const answers = [];
        for (const email of [address, `${owner.username}@example.com`])
          answers.push((await send(stranger(), '/users/sign_up', { email })).html.replaceAll(email, 'ADDRESS'));
        const [mine, theirs] = answers.map((html) => html.replace(/authenticity_token" value="[^"]+"/g, ''));
        expect(mine).toBe(theirs);
        const mails = await queuedMails(service);
        expect(mails.find(({ recipient }) => recipient === address)?.template).toBe('sign_up');
        const told = mails.filter(({ recipient }) => recipient === `${owner.username}@example.com`).at(-1);
        expect([told?.template, told?.content['link']]).toEqual(['already_signed_up', `${service.url}/users/sign_in`]);
        expect((await signUp(await linkTo(), `open${count}`)).location).toBe('/');
        expect((await signedIn(`open${count}`)).cookies.size).toBeGreaterThan(0);
      });
    });

    it('at "open" mails an address at most three times an hour, also when many ask at once', async () => {
      await withPolicy('open', async () => {
        for (const email of [address, `${owner.username}@example.com`]) {
          for (let asked = 0; asked < 9; asked += 1) await send(stranger(), '/users/sign_up', { email });
          const runner = service.service.container.get(TOKENS.jobRunner);
          await Promise.all(Array.from({ length: 6 }, () => runner.runDue()));
          expect((await queuedMails(service)).filter(({ recipient }) => recipient === email)).toHaveLength(3);
        }
      });
    });
  });
});
