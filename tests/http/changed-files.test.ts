import { beforeAll, expect, it } from '@jest/globals';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

describeWriting('the list of the files of a change', (writing) => {
  let browser: FormBrowser;
  let other: FormBrowser;
  let loom: WrittenProject;
  let pages: Readonly<Record<string, string>>;

  beforeAll(async () => {
    for (const name of ['dora', 'rita']) await writing.service.addUser(name, { password: PASSWORD });
    [browser, other] = [await signedIn(writing.service, 'dora'), await signedIn(writing.service, 'rita')];
    loom = await writing.newProject({ visibility: 'public' });
    await loom.write('main', { 'a.txt': 'one\n', 'old.txt': 'old\n' });
    const { id } = (
      await loom.commit(
        'work',
        'Change',
        [
          { action: 'create', file_path: 'b<i>.txt', content: 'b\nb\n' },
          { action: 'delete', file_path: 'old.txt' },
        ],
        { start_branch: 'main' },
      )
    ).body;
    await loom.call('POST', '/merge_requests', { source_branch: 'work', target_branch: 'main', title: 'Seal' });
    const at = `/${loom.project.path}/-`;
    pages = {
      merge: `${at}/merge_requests/1/diffs`,
      commit: `${at}/commit/${id}`,
      compare: `${at}/compare/main...work`,
    };
  });

  const read = async (page: string, who = browser): Promise<string> => (await who.get(page)).text();
  const listIn = (html: string) =>
    [
      ...(/<details class="changed-files" open>([^]*?)<\/details>/.exec(html)?.[1] ?? '').matchAll(/<li>(.*?)<\/li>/g),
    ].map(([, item = '']) => item.replaceAll(/<span class="badge".*<\/span>|<(?!a href)[^>]+>/g, '').trim());
  const marksIn = (html: string) => [...html.matchAll(/data-viewed="([^"]+)"/g)].map(([, mark]) => mark);

  it.each(['merge', 'commit', 'compare'])('leads to each of them, with what comes and goes: %s', async (name) => {
    const html = await read(pages[name]!);
    expect(listIn(html)).toEqual([
      '<a href="#file-1">b&lt;i&gt;.txt added · +2 −0',
      '<a href="#file-2">old.txt deleted · +0 −1',
    ]);
    expect(html).toContain('<details class="diff" id="file-2"');
  });

  it('is not there for one file', async () => {
    const { id } = await loom.write('main', { 'c.txt': 'one\n' });
    expect(await read(`/${loom.project.path}/-/commit/${id}`)).not.toContain('changed-files');
  });

  it('has marks for what was viewed, which are of one person and one version of a file', async () => {
    const before = marksIn(await read(pages['merge']!));
    expect(before).toEqual([expect.stringMatching(/^[\w-]{16}$/), expect.stringMatching(/^[\w-]{16}$/)]);
    expect(marksIn(await read(pages['merge']!))).toEqual(before);
    expect(marksIn(await read(pages['merge']!, other))).not.toEqual(before);
    await loom.commit('work', 'Change it', [{ action: 'update', file_path: 'b<i>.txt', content: 'b\nc\n' }]);
    const after = marksIn(await read(pages['merge']!));
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true]);
  });
});
