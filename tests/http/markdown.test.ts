import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeEachDatabase('POST /markdown', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, grace] = [await service.addUser('ada'), await service.addUser('grace')];
  });

  afterAll(() => service.close());

  const post = (json: object, who = ada) =>
    service.call<{ html: string }>('POST', '/markdown', { token: who.token, json });
  const html = async (text: string, more: object = {}) => {
    const { status, body } = await post({ text, ...more });
    expect(status).toBe(201);
    return body.html;
  };

  it('renders CommonMark, and extensions where they are asked for', async () => {
    const table = '| a |\n|---|\n| b |\n';
    expect(await html('# One\n\n**two**')).toBe('<h1>One</h1>\n<p><strong>two</strong></p>\n');
    expect(await html(table)).not.toContain('<table>');
    expect(await html(table, { gfm: true })).toContain('<table>');
    expect(await html('- [x] done', { gfm: true })).toContain('checkbox');
    expect(await html('[there](docs/a.md)', { gfm: true })).toContain('href="docs/a.md"');
    expect(await html(' ', { gfm: true })).toBe('');
  });

  it.each([true, false])('lets no HTML and no script through (gfm %s)', async (gfm) => {
    const hostile =
      '<script>x</script> [a](javascript:x) ![b](javascript:x) <img src=x onerror=x> [c](data:text/html,x)';
    const made = await html(hostile, { gfm });
    expect(made).not.toMatch(/<script|<img|href="(?:javascript|data)/i);
    expect(made).toContain('&lt;script&gt;');
  });

  describe('of a project', () => {
    it('links what its reader may see, and nothing else', async () => {
      const project = (await service.call<{ id: number }>('POST', '/projects', {
        token: ada.token,
        json: { name: 'Mill', path: 'mill', visibility: 'public' },
      })) as { body: { id: number } };
      const add = (json: object) =>
        service.call('POST', `/projects/${project.body.id}/issues`, { token: ada.token, json });
      await add({ title: 'Open' });
      await add({ title: 'Hidden', confidential: true });
      const json = { text: '#1 #2 #3 [a](b.md)', gfm: true, project: 'ada/mill' };
      const seen = (await post(json)).body.html;
      for (const part of ['href="/ada/mill/-/issues/1"', 'href="/ada/mill/-/issues/2"', '/ada/mill/-/blob/main/b.md'])
        expect(seen).toContain(part);
      expect(seen).not.toContain('issues/3');
      const strange = (await post(json, grace)).body.html;
      expect([strange.includes('issues/1'), strange.includes('issues/2')]).toEqual([true, false]);
    });

    it('that the caller does not see is 404, whatever else is wrong', async () => {
      await service.call('POST', '/projects', { token: ada.token, json: { name: 'Closed', path: 'closed' } });
      for (const project of ['ada/closed', 'ada/none', '0', ''])
        expect([(await post({ text: 'a', project }, grace)).status, (await post({ project }, grace)).status]).toEqual([
          404, 404,
        ]);
    });
  });

  it('needs a token and a text that is not too long', async () => {
    expect((await service.call('POST', '/markdown', { json: { text: 'a' } })).status).toBe(401);
    expect(await post({})).toMatchObject({ status: 400, body: { error: 'text is missing' } });
    expect((await post({ text: 'a'.repeat(500_001) })).status).toBe(400);
  });

  it('answers as it was written what takes too long', async () => {
    const made = await html('*a_ '.repeat(100_000) + '<b>', { gfm: true });
    expect(made.startsWith('<p>') || made.startsWith('<pre>')).toBe(true);
    expect(made).not.toContain('<b>');
    // The next one is rendered again.
    expect(await html('*a*')).toBe('<p><em>a</em></p>\n');
  });
});
