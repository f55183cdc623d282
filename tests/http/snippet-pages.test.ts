import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('pages of snippets', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let author: FormBrowser;
  let other: FormBrowser;
  let visitor: FormBrowser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada', { password: PASSWORD });
    await service.addUser('grace', { password: PASSWORD });
    [author, other] = [await signedIn(service, 'ada'), await signedIn(service, 'grace')];
    visitor = new FormBrowser(service.url);
  });

  afterAll(() => service.close());

  const html = async (who: FormBrowser, path: string) => (await who.get(path)).text();
  const make = async (values: Record<string, string>, list = '/-/snippets', who = author) =>
    who.submit(`${list}/new`, `${list}/new`, { title: 'Notes', visibility: 'public', ...values });
  const made = async (values: Record<string, string> = {}, list = '/-/snippets') => {
    const answer = await make({ path_0: 'a.txt', content_0: 'one\r\ntwo\r\n', ...values }, list);
    expect(answer.status).toBe(303);
    return answer.headers.get('location') ?? '';
  };
  const addProject = async (visibility: string) => {
    const path = `mill-${(serial += 1)}`;
    await service.call('POST', '/projects', { token: ada.token, json: { name: path, path, visibility } });
    return `/ada/${path}/-/snippets`;
  };
  const filesOf = async (address: string) => {
    const id = address.slice(address.lastIndexOf('/') + 1);
    const { body } = await service.call<{ files: { path: string }[] }>('GET', `/snippets/${id}`, { token: ada.token });
    return body.files.map(({ path }) => path);
  };
  const raw = async (path: string) => (await author.get(path)).text();

  it('make one of several files, and show it', async () => {
    const address = await made({ description: 'About <b>it</b>', path_1: 'src/b.c', content_1: 'int b;' });
    const page = await html(visitor, address);
    for (const part of ['Notes', 'About &lt;b&gt;it&lt;/b&gt;', 'a.txt', 'src/b.c', 'int b;', 'ada Example'])
      expect(page).toContain(part);
    expect(await html(author, '/-/snippets')).toContain(`href="${address}"`);
    expect(await html(other, '/-/snippets')).not.toContain(`href="${address}"`);
    for (const who of [other, visitor])
      expect(await html(who, '/-/snippets?scope=public')).toContain(`href="${address}"`);
  });

  it('send a file as text that runs nothing', async () => {
    const address = await made({ path_0: 'a b.html', content_0: '<script>alert(1)</script>' });
    for (const path of [`${address}/raw`, `${address}/raw/main/a%20b.html`]) {
      const answer = await visitor.get(path);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(await answer.text()).toBe('<script>alert(1)</script>');
    }
    expect((await visitor.get(`${address}/raw/main/none`)).status).toBe(404);
    expect(await html(visitor, address)).not.toContain('<script>alert(1)');
  });

  it('change, rename, remove and add files at once; two may change places', async () => {
    const address = await made({ path_1: 'b.txt', content_1: 'B', path_2: 'c.txt', content_2: 'C' });
    const answer = await author.submit(`${address}/edit`, `${address}/edit`, {
      title: 'Changed',
      visibility: 'private',
      ...{ previous_0: 'a.txt', path_0: 'b.txt', content_0: 'A2\r\n' },
      ...{ previous_1: 'b.txt', path_1: 'a.txt', content_1: 'B' },
      ...{ previous_2: 'c.txt', path_2: 'c.txt', content_2: 'C', remove_2: 'true' },
      ...{ previous_3: '', path_3: '', content_3: 'nameless' },
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, address]);
    expect(await filesOf(address)).toEqual(['b.txt', 'a.txt', 'snippetfile1.txt']);
    expect(await raw(`${address}/raw/main/b.txt`)).toBe('A2\n');
    expect(await raw(`${address}/raw/main/a.txt`)).toBe('B');
    expect((await visitor.get(address)).status).toBe(404);
  });

  it('say what is wrong, and keep what was typed', async () => {
    const answer = await make({ title: ' ', path_0: '../up', content_0: 'kept text' });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    for (const part of ['The title can&#39;t be blank', 'have an invalid path', 'kept text', 'value="../up"'])
      expect(page).toContain(part);
    expect((await make({})).status).toBe(400);
  });

  it('remove one after a confirmation', async () => {
    const address = await made();
    expect(await html(author, `${address}/remove`)).toContain('Remove the snippet Notes?');
    expect((await author.get(address)).status).toBe(200);
    const answer = await author.submit(`${address}/remove`, `${address}/remove`, {});
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/-/snippets']);
    expect(await html(author, '/-/snippets')).toContain('Snippet “Notes” removed.');
    expect((await author.get(address)).status).toBe(404);
  });

  it('offer and take changes from nobody but the author', async () => {
    const address = await made();
    for (const who of [other, visitor]) expect(await html(who, address)).not.toContain(`${address}/edit`);
    for (const form of ['edit', 'remove']) {
      expect((await other.get(`${address}/${form}`)).status).toBe(403);
      const values = { authenticity_token: await other.formToken('/-/snippets/new'), title: 'Mine' };
      expect((await other.post(`${address}/${form}`, values)).status).toBe(403);
      expect((await author.post(`${address}/${form}`, { title: 'Forged' })).status).toBe(403);
      expect((await visitor.get(`${address}/${form}`)).headers.get('location')).toContain('/users/sign_in');
    }
    expect(await html(author, address)).toContain('Notes');
  });

  describe('of a project', () => {
    it('are made by its members, and shown in its frame', async () => {
      const list = await addProject('public');
      const address = await made({}, list);
      expect(address).toMatch(new RegExp(`^${list}/\\d+$`));
      const page = await html(visitor, address);
      expect(page).toContain('aria-label="Project"');
      expect(await html(visitor, list)).toContain(`href="${address}"`);
      expect((await other.get(`${list}/new`)).status).toBe(403);
      expect(await html(other, list)).not.toContain(`${list}/new`);
      expect(await html(author, list)).toContain(`${list}/new`);
    });

    it('are hidden with it, and private ones from others', async () => {
      const [closed, open] = [await addProject('private'), await addProject('public')];
      const [hidden, own] = [await made({}, closed), await made({ visibility: 'private' }, open)];
      for (const address of [hidden, own, `${own}/raw`, `${own}/raw/main/a.txt`, closed])
        for (const who of [other, visitor]) expect([address, (await who.get(address)).status]).toEqual([address, 404]);
      expect(await html(other, open)).not.toContain(own);
      // Another address leads to none of them.
      expect((await author.get(`/-/snippets/${own.slice(own.lastIndexOf('/') + 1)}`)).status).toBe(404);
    });
  });
});
