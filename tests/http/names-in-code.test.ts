import { beforeAll, describe, expect, it } from '@jest/globals';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

describeWriting('what READMEs and messages of commits name', (writing) => {
  let member: FormBrowser;
  let visitor: FormBrowser;
  let loom: WrittenProject;
  let commit: string;
  let named: string;

  beforeAll(async () => {
    const { service } = writing;
    const dora = await service.addUser('dora', { password: PASSWORD });
    [member, visitor] = [await signedIn(service, 'dora'), new FormBrowser(service.url)];
    loom = await writing.newProject({ visibility: 'public' });
    const secret = await writing.newProject({ visibility: 'private' });
    await loom.addMember(dora, 30);
    await secret.addMember(dora, 30);
    await loom.call('POST', '/issues', { title: 'Leak' });
    await loom.call('POST', '/issues', { title: 'Hidden words', confidential: true });
    await secret.call('POST', '/issues', { title: 'Secret words' });
    ({ id: named } = await loom.write('main', { 'a.txt': 'a\n' }));
    const text = `#1, #2 #3 @dora <b>${secret.project.path}#1</b> ${named}`;
    await loom.write('main', { 'README.md': text, 'docs/more.md': text, 'docs/README.md': text });
    const message = `Seal #1 and #2\n\nSee ${text}.\nhttps://example.com/#1`;
    ({ id: commit } = (
      await loom.commit('main', message, [{ action: 'create', file_path: 'b.txt', content: 'b\n' }])
    ).body);
  });

  const read = async (who: FormBrowser, page: string): Promise<string> => (await who.get(page)).text();
  const linksIn = (html: string): readonly string[] =>
    [...html.matchAll(/<a href="([^"]+)"[^>]*>/g)].map(([, href = '']) => href.replace(/^\/ada\/loom-\d+\/-/, '…'));

  const THOSE_OF_ALL = () => ['…/issues/1', '/dora', `…/commit/${named}`];
  const THOSE_OF_MEMBERS = () => ['…/issues/1', '…/issues/2', '/dora', '…/issues/1', `…/commit/${named}`];

  describe.each([
    ['on the page of the project', ''],
    ['in a folder', '/-/tree/main/docs'],
    ['on the page of the file', '/-/blob/main/docs/more.md'],
  ])('%s', (_words, path) => {
    const shownTo = async (who: FormBrowser): Promise<string> => {
      const html = await read(who, `/${loom.project.path}${path}`);
      return /<(\w+) class="markdown(?: readme)?">([^]*?)<\/\1>/.exec(html)?.[2] ?? '';
    };

    it('is a link where its reader may open it, and words alone where not', async () => {
      const [ofMember, ofVisitor] = [await shownTo(member), await shownTo(visitor)];
      expect([linksIn(ofMember), linksIn(ofVisitor)]).toEqual([THOSE_OF_MEMBERS(), THOSE_OF_ALL()]);
      for (const html of [ofMember, ofVisitor]) {
        expect(html).toContain('#3');
        expect(html).toContain('&lt;b&gt;');
        expect(html).not.toMatch(/Hidden words|Secret words/);
      }
    });
  });

  it('is a link in the title and in the text of a message, and so is the address of a page', async () => {
    const page = `/${loom.project.path}/-/commit/${commit}`;
    const shownTo = async (who: FormBrowser): Promise<readonly [string, string]> => {
      const html = await read(who, page);
      return [
        /<h1 class="name">(.*)<\/h1>/.exec(html)?.[1] ?? '',
        /<div class="prose">([^]*?)<\/div>/.exec(html)?.[1] ?? '',
      ];
    };
    const [title, text] = await shownTo(member);
    expect([linksIn(title), linksIn(text)]).toEqual([
      ['…/issues/1', '…/issues/2'],
      [...THOSE_OF_MEMBERS(), 'https://example.com/#1'],
    ]);
    expect(text).toContain('&lt;b&gt;');
    const [ofVisitor, textOfVisitor] = await shownTo(visitor);
    expect(ofVisitor.replaceAll(/<[^>]+>/g, '')).toBe('Seal #1 and #2');
    expect([linksIn(ofVisitor), linksIn(textOfVisitor)]).toEqual([
      ['…/issues/1'],
      [...THOSE_OF_ALL(), 'https://example.com/#1'],
    ]);
  });
});
