import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { makeKey } from '../support/ssh-keys.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { codeNow, turnOnTwoFactor } from '../support/two-factor.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

/** A browser that says what it is. */
class NamedBrowser extends FormBrowser {
  constructor(
    url: string,
    private readonly userAgent: string,
  ) {
    super(url);
  }

  override send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('user-agent', this.userAgent);
    return super.send(path, { ...init, headers });
  }
}

describeEachDatabase("one's own profile", (openTestDatabase) => {
  let service: TestService;
  let name: string;
  let user: TestUser;
  let count = 0;
  let browser: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    name = `person${(count += 1)}`;
    user = await service.addUser(name, { password: PASSWORD });
    browser = await signedIn(FIREFOX);
  });

  const signedIn = async (userAgent: string, login = name): Promise<FormBrowser> => {
    const made = new NamedBrowser(service.url, userAgent);
    await made.signIn(login);
    return made;
  };
  const read = async (path: string, who = browser) => (await who.get(path)).text();
  const isSignedIn = async (who: FormBrowser) => (await who.get('/profile')).status === 200;
  const othersIn = (html: string) =>
    [...html.matchAll(/\/profile\/sessions\/(\d+)\/revoke/g)].map(([, id]) => id ?? '');

  it('names what is to be removed, and only what is one’s own', async () => {
    const own = (path: string, json: object) =>
      service.call<{ id: number }>('POST', `/user/${path}`, { token: user.token, json });
    const { body: key } = await own('keys', { title: 'Laptop', key: makeKey().line });
    const { body: email } = await own('emails', { email: `${name}@elsewhere.example` });
    const { body: tokens } = await service.call<readonly { id: number; name: string }[]>(
      'GET',
      '/personal_access_tokens',
      { token: user.token },
    );
    const [token] = tokens;
    const questions = [
      [`/profile/keys/${key.id}/remove`, 'Remove the SSH key Laptop?'],
      [`/profile/emails/${email.id}/remove`, `Remove ${name}@elsewhere.example?`],
      [`/profile/personal_access_tokens/${token?.id}/revoke`, `Revoke the token ${token?.name}?`],
    ] as const;
    const other = await service.addUser(`other-${name}`, { password: PASSWORD });
    const stranger = await signedIn(FIREFOX, other.username);
    for (const [address, question] of questions) {
      expect(await read(address)).toContain(`<h1>${question}</h1>`);
      expect([address, (await stranger.get(address)).status]).toEqual([address, 404]);
    }
    const removed = await browser.submit(questions[0][0], questions[0][0], {});
    expect(await read(removed.headers.get('location') ?? '')).toContain('SSH key “Laptop” removed.');
  });

  describe('sessions', () => {
    it('are shown with device, address and last use, this one marked', async () => {
      await signedIn(SAFARI);
      const html = await read('/profile/sessions');
      expect(html).toContain('<strong>Safari on iOS</strong>');
      expect(html).toMatch(/Firefox on Linux<\/strong> <span class="badge on">this browser/);
      expect(html).toMatch(/from (?:::ffff:)?127\.0\.0\.1, last used/);
      expect(othersIn(html)).toHaveLength(1);
    });

    it('end when they are revoked, and the audit log tells it', async () => {
      const phone = await signedIn(SAFARI);
      const [id = ''] = othersIn(await read('/profile/sessions'));
      await browser.submit('/profile/sessions', `/profile/sessions/${id}/revoke`, {});
      expect(await read('/profile/sessions')).toContain('that browser is signed out');
      expect([await isSignedIn(phone), await isSignedIn(browser)]).toEqual([false, true]);
      await service.addUser(`boss${count}`, { admin: true, password: PASSWORD });
      const log = await read('/admin/audit_log.jsonl?what=session_revoked', await signedIn(FIREFOX, `boss${count}`));
      expect(JSON.parse(log.split('\n')[0] ?? '')).toMatchObject({ author: name, account: name });
    });

    it('of others are not theirs to revoke', async () => {
      await service.addUser(`other${count}`, { password: PASSWORD });
      const other = await signedIn(SAFARI, `other${count}`);
      await signedIn(SAFARI);
      const [id = ''] = othersIn(await read('/profile/sessions'));
      expect((await other.submit('/profile/sessions', `/profile/sessions/${id}/revoke`, {})).status).toBe(404);
      expect(othersIn(await read('/profile/sessions'))).toEqual([id]);
    });

    it('all end but this one', async () => {
      const others = [await signedIn(SAFARI), await signedIn(FIREFOX)];
      await browser.submit('/profile/sessions', '/profile/sessions/revoke_others', {});
      for (const other of others) expect(await isSignedIn(other)).toBe(false);
      expect(await isSignedIn(browser)).toBe(true);
      await service.addUser(`guard${count}`, { admin: true, password: PASSWORD });
      const log = await read('/admin/audit_log.jsonl?what=sessions_revoked', await signedIn(FIREFOX, `guard${count}`));
      expect(JSON.parse(log.split('\n')[0] ?? '')).toMatchObject({ author: name, account: name, means: 'browser' });
    });

    it('show what a client calls itself as text', async () => {
      await signedIn('<script>alert(1)</script>');
      expect(await read('/profile/sessions')).not.toContain('<script>alert');
    });
  });

  it('has a name and what one says of oneself, which others see', async () => {
    const changed = await browser.submit('/profile', '/profile', { name: 'Ada L.', bio: 'Analyst\r\n<b>bold</b>' });
    expect(changed.status).toBe(303);
    expect(await read('/profile')).toContain('value="Ada L."');
    const page = await read(`/${name}`, new FormBrowser(service.url));
    expect(page).toContain('Ada L.');
    expect(page).toContain('Analyst\n&lt;b&gt;bold&lt;/b&gt;');
    const refused = await browser.submit('/profile', '/profile', { name: '', bio: 'x'.repeat(1_001) });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    for (const words of ['can&#39;t be blank', 'is too long']) expect(html).toContain(words);
  });

  it('has a time zone, in which exact times are shown, and until then that of the browser', async () => {
    expect(await read('/profile/sessions')).toMatch(/title="[-0-9]{10} [:0-9]{8} UTC"/);
    const zone = { name: 'Ada', bio: '', time_zone: 'Asia/Tokyo' };
    expect((await browser.submit('/profile', '/profile', zone)).status).toBe(303);
    expect(await read('/profile')).toContain('<option selected>Asia/Tokyo</option>');
    const sessions = await read('/profile/sessions');
    expect(sessions).toMatch(/<time datetime="[^"]+Z" title="[-0-9]{10} [:0-9]{8} UTC\+09:00 \(Asia\/Tokyo\)">/);
    const refused = await browser.submit('/profile', '/profile', { ...zone, time_zone: 'Atlantis' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('is not a time zone');
    await browser.submit('/profile', '/profile', { ...zone, time_zone: '' });
    expect(await read('/profile/sessions')).toMatch(/title="[-0-9]{10} [:0-9]{8} UTC"/);
  });

  it('has recovery codes to be made anew and downloaded', async () => {
    const secret = await turnOnTwoFactor(service, user.id);
    browser = await signedIn(FIREFOX);
    service.clock.advance(60_000);
    await browser.submit('/users/sign_in/verify', '/users/sign_in/verify', { code: codeNow(service, secret) });
    const made = await browser.submit('/profile/account', '/profile/account/recovery_codes', {});
    const html = await read(made.headers.get('location') ?? '');
    const codes = [...html.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code]) => code);
    const [, file = ''] =
      /download="gatehouse-recovery-codes.txt" href="data:text\/plain;charset=utf-8;base64,([^"]+)"/.exec(html) ?? [];
    expect(codes).toHaveLength(10);
    expect(Buffer.from(file, 'base64').toString().trim().split('\n').slice(2)).toEqual(codes);
  });
});
