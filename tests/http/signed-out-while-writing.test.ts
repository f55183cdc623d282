import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

const PAGE = '/ada/engine/-/issues/new';
const TITLE = 'Gears </textarea><script>alert(1)</script>';
const DESCRIPTION = '\nThey grind.\n';
const FIFTEEN_DAYS_MS = 15 * 24 * 3_600_000;

describeEachDatabase('whoever is signed out while they write', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let browser: FormBrowser;
  let token: string;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada', { password: PASSWORD });
    await service.call('POST', '/projects', { token: ada.token, json: { name: 'Engine' } });
    browser = await signedIn(service, 'ada');
    token = await browser.formToken(PAGE);
    service.clock.advance(FIFTEEN_DAYS_MS);
  });
  afterAll(() => service.close());

  const send = (form: Record<string, string>) => browser.post(PAGE, form);
  const form = () => ({ authenticity_token: token, title: TITLE, description: DESCRIPTION });

  it('is shown what they wrote, and where to sign in, and nothing is saved', async () => {
    const answer = await send(form());
    const html = await answer.text();
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([401, 'no-store']);
    expect(html).toContain('<h1>You were signed out</h1>');
    expect(html).toContain(`href="/users/sign_in?return_to=${encodeURIComponent(PAGE)}" target="_blank"`);
    expect(html).toContain('readonly>\nGears &lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;</textarea>');
    // The first line break behind the tag is none of the text.
    expect(html).toContain(`readonly>\n${DESCRIPTION}</textarea>`);
    expect((await service.call('GET', '/projects/ada%2Fengine/issues', { token: ada.token })).body).toEqual([]);
  });

  describe('with files, which a form is sent with', () => {
    const sendFiles = (files: readonly (readonly [name: string, bytes: number])[], description = DESCRIPTION) => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...form(), description })) body.append(name, value);
      for (const [name, bytes] of files) body.append('attachments', new File([new Uint8Array(bytes)], name));
      return browser.send(PAGE, { method: 'POST', body });
    };

    it.each([
      ['none', [['', 0]]],
      ['a small one', [['a.bin', 10]]],
      [
        'more than is read of strangers',
        [
          ['a.bin', 10],
          ['b.bin', 5 * 1_048_576],
        ],
      ],
    ] as const)('is shown the text, and nothing is kept: %s', async (_words, files) => {
      const answer = await sendFiles(files);
      const html = await answer.text();
      expect(answer.status).toBe(401);
      expect(html).toContain(`readonly>\n${DESCRIPTION.replaceAll('\n', '\r\n')}</textarea>`);
      const kept = await service.call('GET', '/projects/ada%2Fengine/uploads', { token: ada.token });
      expect(kept.body).toEqual([]);
    });

    it('is shown the text, and the service goes on, where the file breaks off', async () => {
      const parts = Object.entries(form()).map(
        ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      );
      const file = '--x\r\nContent-Disposition: form-data; name="attachments"; filename="a.bin"\r\n\r\nabc';
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
      const answer = await browser.send(PAGE, { method: 'POST', headers, body: [...parts, file].join('') });
      expect([answer.status, (await answer.text()).includes('They grind.')]).toEqual([401, true]);
      expect((await browser.get('/users/sign_in')).status).toBe(200);
    });

    it('is told where the text is larger than what is read of strangers', async () => {
      expect((await sendFiles([['a.bin', 10]], 'a'.repeat(70_000))).status).toBe(413);
    });
  });

  describe('is sent to sign in, without a page of it,', () => {
    const leadsToSignIn = async (sent: Record<string, string>): Promise<void> => {
      const answer = await send(sent);
      expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([
        303,
        `/users/sign_in?return_to=${encodeURIComponent(PAGE)}`,
        expect.not.stringContaining('Gears'),
      ]);
    };

    it('where they wrote nothing', () => leadsToSignIn({ authenticity_token: token, title: ' ' }));

    it('where another site made the form', async () => {
      await leadsToSignIn({ ...form(), authenticity_token: '' });
      await leadsToSignIn({ ...form(), authenticity_token: token.split('').reverse().join('') });
    });
  });

  describe('who sends the form from a page of ours, as browsers tell,', () => {
    const OURS = { 'Sec-Fetch-Site': 'same-origin' };
    const LONG = `Begin ${'a'.repeat(600_000)} end`;
    const sendFrom = (headers: Record<string, string>, fields: Record<string, string>, who = browser, to = PAGE) =>
      who.send(to, { method: 'POST', headers, body: new URLSearchParams(fields) });
    const nothingIsSaved = async (): Promise<void> =>
      expect((await service.call('GET', '/projects/ada%2Fengine/issues', { token: ada.token })).body).toEqual([]);

    it.each(['as the form is', 'with files'])('is shown a text of any length that the form takes, %s', async (how) => {
      const fields = { ...form(), description: LONG };
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      body.append('attachments', new File([new Uint8Array(10)], 'a.bin'));
      const files = () => browser.send(PAGE, { method: 'POST', headers: OURS, body });
      const answer = await (how === 'with files' ? files() : sendFrom(OURS, fields));
      expect([answer.status, (await answer.text()).includes(`readonly>\n${LONG}</textarea>`)]).toEqual([401, true]);
      const tooLong = await sendFrom(OURS, { ...form(), description: 'a'.repeat(3 * 1_048_576) });
      expect(tooLong.status).toBe(413);
      await nothingIsSaved();
    });

    describe('after signing in again, in another tab,', () => {
      let again: FormBrowser;
      let old: string;

      beforeAll(async () => {
        again = await signedIn(service, 'ada');
        old = await again.formToken(PAGE);
        await again.submit(PAGE, '/users/sign_out', {});
        expect((await again.signIn('ada')).status).toBe(303);
      });
      const oldForm = () => ({ ...form(), authenticity_token: old, password: PASSWORD, token: 'secret' });

      it('is shown what they wrote, and no other field, and nothing is saved', async () => {
        const answer = await sendFrom(OURS, oldForm(), again);
        const html = await answer.text();
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([403, 'no-store']);
        expect(html).toContain('you are signed in as <bdi>ada Example</bdi> now');
        expect(html).toContain('readonly>\nGears &lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;</textarea>');
        expect(html).toContain(`<a href="${PAGE}" target="_blank"`);
        for (const secret of [PASSWORD, 'secret', old]) expect(html).not.toContain(secret);
        // It is there to be copied: no button of this page sends it.
        expect(html).not.toContain(`action="${PAGE}"`);
        await nothingIsSaved();
      });

      it('is shown nothing of what another site sends, nor where browsers do not tell', async () => {
        for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, {}]) {
          const answer = await sendFrom(headers, oldForm(), again);
          expect([answer.status, await answer.text()]).toEqual([403, expect.not.stringContaining('They grind.')]);
        }
        await nothingIsSaved();
      });
    });
  });
});
