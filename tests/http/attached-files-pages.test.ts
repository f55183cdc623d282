import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MAX_PROJECT_BYTES } from '../../src/domain/uploads/upload.js';
import type { FormBrowser } from '../support/form-browser.js';
import { storeOf } from '../support/git-service.js';
import { signedIn } from '../support/oauth-client.js';
import { ReviewedLines } from '../support/reviewed-lines.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

interface ShownForm {
  readonly action: string;
  readonly opening: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');

/** The forms of a page that take files, with what they would send by themselves. */
const formsIn = (html: string, page: string): readonly ShownForm[] =>
  [...html.matchAll(/(<form method="post"[^>]*>)([\s\S]*?)<\/form>/g)]
    .filter(([, , inside = '']) => inside.includes('name="attachments" type="file" multiple'))
    .map(([, opening = '', inside = '']) => ({
      opening,
      action: attribute(opening, 'action') ?? page,
      fields: [...inside.matchAll(/<(?:input|textarea)[^>]*>/g)].flatMap(([tag]) => {
        const [name, type] = [attribute(tag, 'name'), attribute(tag, 'type')];
        const isLeftOut = name === undefined || type === 'file' || (type === 'checkbox' && !tag.includes(' checked'));
        return isLeftOut ? [] : [[name, attribute(tag, 'value') ?? ''] as const];
      }),
    }));

describeWriting('forms that take files', (writing) => {
  const FILES = [
    ['plan [1].txt', 'a plan'],
    ['picture.png', PNG],
  ] as const;
  type Files = readonly (readonly [name: string, content: string | Uint8Array<ArrayBuffer>])[];

  /** As a browser without scripts sends the form that a page has. */
  const send = async (
    browser: FormBrowser,
    page: string,
    {
      to = '',
      values,
      files = FILES as unknown as Files,
    }: { readonly to?: string; readonly values: Readonly<Record<string, string>>; readonly files?: Files },
  ): Promise<Response> => {
    const html = await (await browser.get(page)).text();
    const form = formsIn(html, page).find(({ action }) => action.split('?')[0]?.endsWith(to));
    if (form === undefined) throw new Error(`No form of ${page} that is sent to ${to} takes files.`);
    expect(form.opening).toContain('enctype="multipart/form-data"');
    const body = new FormData();
    for (const [name, value] of form.fields) body.append(name, value);
    for (const [name, value] of Object.entries(values)) body.set(name, value);
    for (const [name, content] of files) body.append('attachments', new File([content], name));
    return browser.send(form.action, { method: 'POST', body });
  };

  const open = async () => {
    const browser = await signedIn(writing.service, 'ada');
    const lines = await ReviewedLines.open(await writing.newProject({ visibility: 'public' }));
    const project = lines.of;
    const at = `/${project.project.path}/-`;
    const { body: issue } = await project.call<{ iid: number }>('POST', '/issues', { title: 'One' });
    return {
      browser,
      lines,
      project,
      at,
      issue: `${at}/issues/${issue.iid}`,
      review: `${at}/merge_requests/${lines.iid}`,
    };
  };
  const kept = async (project: WrittenProject) =>
    (await project.call<readonly { filename: string }[]>('GET', '/uploads')).body.map(({ filename }) => filename);
  /** Where the page that a form led to says that the files are. */
  const expectShown = async (browser: FormBrowser, project: WrittenProject, answer: Response): Promise<void> => {
    expect(answer.status).toBe(303);
    const html = await (await browser.get(answer.headers.get('location') ?? '')).text();
    const address = `/${project.project.path}/uploads/[0-9a-f]{32}`;
    const [, file = ''] =
      new RegExp(`<a href="(${address}/plan%20%5B1%5D\\.txt)">plan \\[1\\]\\.txt</a>`).exec(html) ?? [];
    const [, picture = ''] = new RegExp(`<img src="(${address}/picture\\.png)" alt="picture\\.png"`).exec(html) ?? [];
    expect(await (await browser.get(file)).text()).toBe('a plan');
    expect(Buffer.from(await (await browser.get(picture)).arrayBuffer()).equals(PNG)).toBe(true);
    expect(await kept(project)).toEqual(['picture.png', 'plan [1].txt']);
  };

  describe('keep them with the text, which leads to them:', () => {
    it.each([
      ['a new issue', 'issues/new', { title: 'Two', description: 'Text' }],
      ['an issue that is edited', 'issues/1/edit', { description: 'Text' }],
      ['an edited merge request', 'merge_requests/1/edit', { description: 'Text' }],
    ])('%s', async (_words, path, values) => {
      const { browser, project, at } = await open();
      await expectShown(browser, project, await send(browser, `${at}/${path}`, { values }));
    });

    it('a new merge request', async () => {
      const { browser, project, at } = await open();
      await project.write('another', { 'fresh.txt': 'a\n' }, { start_branch: 'main' });
      const page = `${at}/merge_requests/new?source_branch=another&target_branch=main`;
      await expectShown(browser, project, await send(browser, page, { values: { description: 'Text' } }));
    });

    it.each([
      ['an issue', 'issue'],
      ['a merge request', 'review'],
    ] as const)('a comment on %s, and one that is edited', async (_words, kind) => {
      const { browser, project, ...pages } = await open();
      const answer = await send(browser, pages[kind], { to: '/notes', values: { body: 'Text' } });
      await expectShown(browser, project, answer);
      const [, note] = /#note_(\d+)$/.exec(answer.headers.get('location') ?? '') ?? [];
      const edit = `${pages[kind]}/notes/${note}/edit`;
      const edited = await send(browser, edit, { values: { body: 'Other' }, files: [['b.txt', 'b']] });
      expect(edited.status).toBe(303);
      expect(await (await browser.get(edited.headers.get('location') ?? '')).text()).toMatch(
        /Other<\/p>\n<p><a href="[^"]*b\.txt"/,
      );
    });

    it('a thread of a merge request, and a reply', async () => {
      const { browser, project, lines, review } = await open();
      const { notes } = await lines.said('Why?');
      const reply = `/threads/${notes[0]!.id}/notes`;
      await expectShown(browser, project, await send(browser, review, { to: reply, values: { body: 'Because' } }));
    });

    it('a thread on a line of a merge request', async () => {
      const { browser, project, review } = await open();
      const page = `${review}/diffs?line=1_0_6`;
      await expectShown(browser, project, await send(browser, page, { to: '/line_threads', values: { body: 'Text' } }));
    });

    it('a comment on a snippet', async () => {
      const { browser, project, at } = await open();
      const snippet = { title: 'Plan', file_name: 'a.txt', content: 'a', visibility: 'public' };
      const { body } = await project.call<{ id: number }>('POST', '/snippets', snippet);
      const page = `${at}/snippets/${body.id}`;
      await expectShown(browser, project, await send(browser, page, { to: '/notes', values: { body: 'Text' } }));
    });

    it.each([
      ['', '/notes'],
      ['?line=1_0_2', '/line_threads'],
    ])('a comment on a commit%s', async (query, to) => {
      const { browser, project, at } = await open();
      await project.write('notes', { 'n.txt': 'one\ntwo\n' }, { start_branch: 'main' });
      const update = [{ action: 'update', file_path: 'n.txt', content: 'one\nTWO\n' }];
      const { id } = (await project.commit('notes', 'Change it', update)).body;
      const page = `${at}/commit/${id}${query}`;
      await expectShown(browser, project, await send(browser, page, { to, values: { body: 'Text' } }));
    });
  });

  it('append to what was typed, after a blank line, and say it alone where nothing was', async () => {
    const { browser, project, issue } = await open();
    const files = [['a.txt', 'a'] as const];
    for (const body of ['Text\n', ' ']) await send(browser, issue, { to: '/notes', values: { body }, files });
    const { body } = await project.call<readonly { body: string }[]>('GET', '/issues/1/notes?sort=asc');
    const link = expect.stringMatching(/^\[a\.txt]\(\/uploads\/[0-9a-f]{32}\/a\.txt\)$/);
    expect(body.map((note) => note.body.split('\n'))).toEqual([['Text', '', link], [link]]);
  });

  it('without a file are what they ever were', async () => {
    const { browser, project, issue } = await open();
    expect((await send(browser, issue, { to: '/notes', values: { body: 'Text' }, files: [] })).status).toBe(303);
    const chosenNone = await send(browser, issue, { to: '/notes', values: { body: 'Text' }, files: [['', '']] });
    expect(chosenNone.status).toBe(303);
    const { body } = await project.call<readonly { body: string }[]>('GET', '/issues/1/notes');
    expect(body.map((note) => note.body)).toEqual(['Text', 'Text']);
    expect(await kept(project)).toEqual([]);
  });

  it('that are refused keep the text as it was typed, and none of the files', async () => {
    const { browser, project, at } = await open();
    const values = { title: ' ', description: 'Typed', due_date: '' };
    for (const more of [{}, { title: 'Two', due_date: 'never' }]) {
      const answer = await send(browser, `${at}/issues/new`, { values: { ...values, ...more } });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toMatch(/<textarea id="description"[^>]*>\nTyped<\/textarea>/);
    }
    expect(await kept(project)).toEqual([]);
  });

  it('that are saved before something else fails keep the files, too', async () => {
    const { browser, project, review } = await open();
    const token = await browser.formToken(review);
    const body = new FormData();
    body.set('authenticity_token', token);
    body.set('body', 'Text\n/merge');
    body.append('attachments', new File(['a'], 'a.txt'));
    const objects = join(await storeOf(writing.service, project.id), 'objects');
    renameSync(objects, `${objects}-elsewhere`);
    const answer = await browser.send(`${review}/notes`, { method: 'POST', body });
    renameSync(`${objects}-elsewhere`, objects);
    expect(answer.status).toBe(503);
    const notes = await project.call<readonly { body: string; system: boolean }[]>('GET', '/merge_requests/1/notes');
    const [said] = notes.body.filter(({ system }) => !system);
    expect(said?.body).toMatch(/^Text\n\n\[a\.txt]\(/);
    expect(await kept(project)).toEqual(['a.txt']);
  });

  it('say beside the files why these are refused', async () => {
    const { browser, project, issue, review } = await open();
    const many = Array.from({ length: 11 }, (_, index) => [`${index}.txt`, 'a'] as const);
    for (const page of [issue, review]) {
      const answer = await send(browser, page, { to: '/notes', values: { body: 'Typed' }, files: many });
      const html = await answer.text();
      expect(answer.status).toBe(400);
      expect(html).toContain('<a href="#attachments">The attached files are more than 10</a>');
      expect(html).toContain('class="field-problem">The attached files are more than 10</small>');
      expect(html).toContain('Typed</textarea>');
    }
    const large = [['a.bin', Buffer.alloc(10 * 1_048_576 + 1)] as const];
    const tooLarge = await send(browser, issue, { to: '/notes', values: { body: 'Typed' }, files: large });
    expect([tooLarge.status, await tooLarge.text()]).toEqual([
      400,
      expect.stringContaining('are too large (at most 10 MiB)'),
    ]);
    const first = [['a.txt', 'a'] as const];
    await send(browser, issue, { to: '/notes', values: { body: 'Kept' }, files: first });
    const row = writing.service.service.database.schema('uploads').where('project_id', project.id);
    await row.update({ size: MAX_PROJECT_BYTES });
    const full = await send(browser, issue, { to: '/notes', values: { body: 'Typed' }, files: first });
    expect([full.status, await full.text()]).toEqual([400, expect.stringContaining('1 GiB at most')]);
    expect(await kept(project)).toEqual(['a.txt']);
  });

  it('are read of nobody who has no session, and keep nothing without the token of the form', async () => {
    const { browser, project, issue } = await open();
    const body = new FormData();
    body.set('body', 'Text');
    body.append('attachments', new File(['a'], 'a.txt'));
    const stranger = await fetch(`${writing.service.url}${issue}/notes`, { method: 'POST', body, redirect: 'manual' });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/users/sign_in'),
    ]);
    expect((await browser.send(`${issue}/notes`, { method: 'POST', body })).status).toBe(403);
    expect(await kept(project)).toEqual([]);
  });
});
