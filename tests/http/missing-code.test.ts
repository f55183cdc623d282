import { beforeAll, describe, expect, it } from '@jest/globals';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

describeWriting('the page of code that is not there', (writing) => {
  let member: FormBrowser;
  let stranger: FormBrowser;
  let loom: WrittenProject;
  let at: string;

  beforeAll(async () => {
    const dora = await writing.service.addUser('dora', { password: PASSWORD });
    [member, stranger] = [await signedIn(writing.service, 'dora'), new FormBrowser(writing.service.url)];
    loom = await writing.newProject({ visibility: 'private' });
    await loom.addMember(dora, 20);
    await loom.write('main', { 'src/a.txt': 'a\n' });
    at = `/${loom.project.path}/-`;
  });

  const read = async (who: FormBrowser, path: string) => {
    const answer = await who.get(at + path);
    return { status: answer.status, html: await answer.text() };
  };

  describe('of a branch that is gone', () => {
    it.each(['blob', 'tree', 'commits', 'blame', 'raw'])(
      'says so, and leads to the default branch: %s',
      async (view) => {
        const { status, html } = await read(member, `/${view}/gone%3Cb%3E/src/a.txt`);
        expect(status).toBe(404);
        expect(html).toContain('“gone&lt;b&gt;/src/a.txt” names no branch, tag or commit of this project.');
        expect(html).toContain(`<a href="${at}/tree/main">Files of main</a>`);
      },
    );

    it('is bounded in what it repeats of the address', async () => {
      const { html } = await read(member, `/blob/${'x'.repeat(4_000)}`);
      expect(/“(x+)” names no branch/.exec(html)?.[1]).toHaveLength(255);
    });
  });

  it.each([
    ['blob/main/b.txt', 'There is no file “b.txt” in main.'],
    ['blame/main/src/b.txt', 'There is no file “src/b.txt” in main.'],
    ['tree/main/lib', 'There is no folder “lib” in main.'],
  ])('of a branch that is there says what is missing, and leads to the files of it: %s', async (path, words) => {
    const { status, html } = await read(member, `/${path}`);
    expect([status, html.includes(words)]).toEqual([404, true]);
    expect(html).toContain(`<a href="${at}/tree/main">Files of main</a>`);
  });

  it('tells nothing to who may not see the project', async () => {
    for (const path of ['/blob/gone/src/a.txt', '/blob/main/b.txt', '/blob/main/src/a.txt', '/tree/main/lib']) {
      const { status, html } = await read(stranger, path);
      expect([path, status, html.includes('There is no such page, or it is not for you to see.')]).toEqual([
        path,
        404,
        true,
      ]);
      expect(html).not.toMatch(/names no branch|Files of/);
    }
  });
});
