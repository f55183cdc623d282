import { beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const TEXT = 'To do:\n\n- [ ] Oil <b>\n  - [x] Find "it"\n\n> 1. [ ] Run\n\n```\n- [ ] code\n```\n';

const ROUNDS = 5;

const decoded = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');

describeWriting('the tasks of a text', (writing) => {
  let author: FormBrowser;
  let reader: FormBrowser;
  let loom: WrittenProject;
  let at: string;

  beforeAll(async () => {
    const { service } = writing;
    const [dora, rita] = [
      await service.addUser('dora', { password: PASSWORD }),
      await service.addUser('rita', { password: PASSWORD }),
    ];
    [author, reader] = [await signedIn(service, 'dora'), await signedIn(service, 'rita')];
    loom = await writing.newProject({ visibility: 'public' });
    await loom.addMember(dora, 30);
    await loom.addMember(rita, 10);
    await loom.write('main', { 'a.txt': 'one\n' });
    await loom.write('work', { 'b.txt': 'b\n' }, { start_branch: 'main' });
    at = `/${loom.project.path}/-`;
    const mergeRequest = { source_branch: 'work', target_branch: 'main', title: 'Seal', description: TEXT };
    await loom.call('POST', '/issues', { title: 'Leak', description: TEXT }, dora);
    await loom.call('POST', '/merge_requests', mergeRequest, dora);
    await loom.call('POST', '/issues/1/notes', { body: TEXT }, dora);
    await loom.call('POST', '/merge_requests/1/notes', { body: TEXT }, dora);
  });

  /** The button of each task, with the form that it belongs to. */
  const buttonsIn = (html: string) =>
    [
      ...html.matchAll(
        /<button type="submit" class="task" form="([^"]+)" name="task" value="(\d+)" role="checkbox" aria-checked="(\w+)" aria-label="([^"]*)">/g,
      ),
    ].map(([, form = '', line = '', checked, name = '']) => ({ form, line, checked, name: decoded(name) }));
  const formIn = (html: string, id: string) => {
    const [, action = '', inside = ''] =
      new RegExp(`<form hidden method="post" id="${id}" action="([^"]+)">(.*?)</form>`).exec(html) ?? [];
    const fields = [...inside.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    return { action, fields: Object.fromEntries(fields) as Record<string, string> };
  };
  const read = async (who: FormBrowser, page: string): Promise<string> => (await who.get(page)).text();
  /** Presses the button of a task as it stands on a page that was read. */
  const press = async (html: string, isOf: (form: string) => boolean, index: number, who = author) => {
    const button = buttonsIn(html).filter(({ form }) => isOf(form))[index]!;
    const { action, fields } = formIn(html, button.form);
    const answer = await who.post(action, { ...fields, task: button.line });
    const to = answer.headers.get('location') ?? '';
    return { status: answer.status, to, html: await read(who, to.replace(/#.*/, '')) };
  };
  const isDescription = (form: string) => form === 'tasks';
  const isComment = (form: string) => form !== 'tasks';

  describe.each([
    ['an issue', '/issues/1'],
    ['a merge request', '/merge_requests/1'],
  ])('on the page of %s', (_words, path) => {
    const textOf = async () => (await loom.call<{ description: string }>('GET', path)).body.description;
    const commentOf = async () => (await loom.call<{ body: string }[]>('GET', `${path}/notes`)).body.at(-1)?.body;

    it('are ticked, and unticked, one by one, each with one press and without script', async () => {
      const page = await read(author, at + path);
      expect(buttonsIn(page).filter(({ form }) => isDescription(form))).toEqual([
        { form: 'tasks', line: '3', checked: 'false', name: 'Oil <b>' },
        { form: 'tasks', line: '4', checked: 'true', name: 'Find "it"' },
        { form: 'tasks', line: '6', checked: 'false', name: 'Run' },
      ]);
      const ticked = await press(page, isDescription, 2);
      expect([ticked.status, ticked.to]).toEqual([303, `${at}${path}#description`]);
      expect(await textOf()).toBe(TEXT.replace('1. [ ]', '1. [x]'));
      await press(ticked.html, isDescription, 1);
      expect(await textOf()).toBe(TEXT.replace('1. [ ]', '1. [x]').replace('[x] Find', '[ ] Find'));
      const own = await press(page, isComment, 0);
      expect([own.status, own.to]).toEqual([303, expect.stringMatching(/\?note=(\d+)#note_\1$/)]);
      expect(await commentOf()).toBe(TEXT.replace('[ ] Oil', '[x] Oil'));
    });

    it('stay as somebody else has left the text meanwhile, which is said', async () => {
      const page = await read(author, at + path);
      await loom.call('PUT', path, { description: `- [ ] Another\n${TEXT}` });
      const refused = await press(page, isDescription, 0);
      expect(refused.html).toContain('Nothing was ticked: somebody has changed the text since you opened the page.');
      expect(await textOf()).toBe(`- [ ] Another\n${TEXT}`);
    });

    it.each([
      ['the description', isDescription, textOf],
      ['a comment', isComment, commentOf],
    ])('are all kept of %s that two people are told are saved, however they meet', async (_text, isOf, shown) => {
      const owner = await signedIn(writing.service, 'ada');
      for (let round = 0; round < ROUNDS; round += 1) {
        const [before, ...pages] = [(await shown()) ?? '', await read(author, at + path), await read(owner, at + path)];
        const answers = await Promise.all([press(pages[0]!, isOf, 0), press(pages[1]!, isOf, 1, owner)]);
        const saved = answers.filter(({ html }) => html.includes('Saved.'));
        const refused = answers.filter(({ html }) =>
          html.includes('Nothing was ticked: somebody has changed the text'),
        );
        expect([saved.length, refused.length]).toEqual([1, 1]);
        const [now, line] = [(await shown()) ?? '', answers.indexOf(saved[0]!)];
        const changed = now
          .split('\n')
          .flatMap((each, index) => (each === before.split('\n')[index] ? [] : [index + 1]));
        expect(changed).toEqual([Number(buttonsIn(pages[0]!).filter(({ form }) => isOf(form))[line]!.line)]);
      }
    });

    it('are shown, but not to be ticked, to who may not change the text', async () => {
      const page = await read(reader, at + path);
      expect([buttonsIn(page), page.includes('type="checkbox"')]).toEqual([[], true]);
      const form = formIn(await read(author, at + path), 'tasks');
      const before = await textOf();
      const token = await reader.formToken(at + path);
      const answer = await reader.post(form.action, { ...form.fields, authenticity_token: token, task: '1' });
      expect([answer.status, await textOf()]).toEqual([403, before]);
    });
  });
});
