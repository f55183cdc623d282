import { beforeAll, expect, it } from '@jest/globals';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import type { ShownDiscussion } from '../support/reviewed-lines.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const NOTHING = '0'.repeat(40);

describeWriting('comments on the page of a commit', (writing) => {
  let dora: TestUser;
  let person: FormBrowser;

  beforeAll(async () => {
    dora = await writing.service.addUser('dora', { password: PASSWORD });
    person = await signedIn(writing.service, 'dora');
  });

  /** A commit that changes one line. */
  const open = async (fields: object = { visibility: 'public' }) => {
    const loom = await writing.newProject(fields);
    const { id: parent } = await loom.write('main', { 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n' });
    const update = [{ action: 'update', file_path: 'a.txt', content: 'one\nTWO\n' }];
    const { id } = (await loom.commit('main', 'Change it', update)).body;
    const page = `/${loom.project.path}/-/commit/${id}`;
    const position = { base_sha: parent, start_sha: parent, head_sha: id };
    const line = { ...position, old_path: 'a.txt', new_path: 'a.txt', old_line: '', new_line: '2' };
    return { loom, id, page, position, line, lines: `${page}/line_threads?line=1_0_2` };
  };
  const read = async (path: string, who = person): Promise<string> => (await who.get(path)).text();
  const submit = async (page: string, action: string, values: Record<string, string>) => {
    const { status, headers } = await person.submit(page, action, values);
    const location = headers.get('location') ?? '';
    return { sent: [status, location], note: Number(/#note_(\d+)$/.exec(location)?.[1]) };
  };
  const discussionsOf = async (loom: WrittenProject, id: string) =>
    (await loom.call<readonly ShownDiscussion[]>('GET', `/repository/commits/${id}/discussions`)).body;
  /** What stands below the diff. */
  const below = (html: string) => html.slice(html.indexOf('<h2>Comments</h2>'));

  it('are written there, answered, edited and removed, and are those of the API', async () => {
    const { loom, id, page } = await open();
    expect(below(await read(page))).toContain('None yet.');
    const { sent, note } = await submit(page, `${page}/notes`, { body: 'Why **this**, @ada?\n/close' });
    expect(sent).toEqual([303, `${page}#note_${note}`]);
    const shown = below(await read(page));
    expect(shown).toContain(`<article id="note_${note}">`);
    expect(shown).toContain('<strong>this</strong>');
    expect(shown).not.toContain('resolved');
    const thread = `${page}/threads/${note}/notes`;
    const answer = await submit(page, thread, { body: 'Because.' });
    expect(answer.sent).toEqual([303, `${page}#note_${answer.note}`]);
    const [discussion] = await discussionsOf(loom, id);
    expect(discussion!.notes.map(({ body }) => body)).toEqual(['Why **this**, @ada?\n/close', 'Because.']);
    const own = `${page}/notes/${answer.note}`;
    expect((await submit(`${own}/edit`, `${own}/edit`, { body: 'Therefore.' })).sent).toEqual([
      303,
      `${page}?note=${answer.note}#note_${answer.note}`,
    ]);
    expect(below(await read(page))).toContain('Therefore.');
    expect((await submit(`${own}/remove`, `${own}/remove`, {})).sent).toEqual([303, page]);
    expect(below(await read(page))).not.toContain('Therefore.');
    await loom.call('POST', `/repository/commits/${id}/discussions`, { body: 'By the API' });
    expect(below(await read(page))).toContain('By the API');
  });

  it('are begun at a line by a link of its number, and stand there in both views', async () => {
    const { page, line } = await open();
    for (const view of ['', 'view=parallel&']) {
      const kept = view.replace('&', '&amp;');
      const shown = await read(`${page}?${view}`);
      expect(shown).toContain(`href="?${kept}line=1_0_2" aria-label="Comment on line 2"`);
      expect(shown).not.toContain('line_threads');
      const form = await read(`${page}?${view}line=1_0_2`);
      expect(form).toContain(`action="${page}/line_threads?${kept}line=1_0_2"`);
      expect(form).not.toContain('To suggest other lines');
      const action = `${page}/line_threads?${view}line=1_0_2`;
      const { sent, note } = await submit(`${page}?${view}line=1_0_2`, action, { ...line, body: `Seen ${view}` });
      expect(sent).toEqual([303, `${page}${view === '' ? '' : '?view=parallel'}#note_${note}`]);
      const html = await read(`${page}?${view}`);
      expect(html.split(`id="note_${note}"`)).toHaveLength(2);
      expect(html.indexOf(`id="note_${note}"`)).toBeLessThan(html.indexOf('<h2>Comments</h2>'));
    }
    // Where its lines aren't shown, a thread brings them along.
    const hidden = below(await read(`${page}?w=1`));
    expect(hidden).toContain('a.txt, line 2');
    expect(hidden).toContain('<span class="mark">+</span>TWO');
    expect(hidden.split('<section class="thread"')).toHaveLength(3);
  });

  it('of the first commit are about lines that were nowhere before', async () => {
    const loom = await writing.newProject({ visibility: 'public' });
    const { id } = await loom.write('main', { 'a.txt': 'one\n' });
    const page = `/${loom.project.path}/-/commit/${id}`;
    const shown = await read(`${page}?line=1_0_1`);
    expect(shown).toContain(`name="base_sha" value="${NOTHING}"`);
    const position = { base_sha: NOTHING, start_sha: NOTHING, head_sha: id, old_path: 'a.txt', new_path: 'a.txt' };
    const action = `${page}/line_threads?line=1_0_1`;
    const values = { ...position, old_line: '', new_line: '1', body: 'At last' };
    expect((await submit(`${page}?line=1_0_1`, action, values)).sent[0]).toBe(303);
    expect((await discussionsOf(loom, id))[0]!.notes).toMatchObject([{ type: 'DiffNote', position: { new_line: 1 } }]);
  });

  it('say why they are refused, beside what was typed', async () => {
    const { page, line, lines } = await open();
    const blank = await person.submit(page, `${page}/notes`, { body: ' ' });
    expect([blank.status, below(await blank.text())]).toEqual([
      400,
      expect.stringContaining('class="field-problem">The comment can&#39;t be blank'),
    ]);
    const onLine = await person.submit(`${page}?line=1_0_2`, lines, { ...line, body: ' ' });
    const html = await onLine.text();
    expect(onLine.status).toBe(400);
    expect(html.split('class="field-problem">The comment can&#39;t be blank')).toHaveLength(2);
    expect(below(html)).not.toContain('field-problem');
    const elsewhere = await person.submit(page, lines, { ...line, new_line: '700', body: 'Typed' });
    expect([elsewhere.status, await elsewhere.text()]).toEqual([400, expect.stringContaining('Typed</textarea>')]);
    const { note } = await submit(page, `${page}/notes`, { body: 'Why?' });
    const reply = await person.submit(page, `${page}/threads/${note}/notes`, { body: '' });
    expect([reply.status, (await reply.text()).split('class="field-problem"').length]).toEqual([400, 2]);
    expect((await person.submit(page, `${page}/threads/999999/notes`, { body: 'x' })).status).toBe(404);
  });

  it('are written by nobody who may not, and whoever signs in on the way comes to the commit', async () => {
    const { loom, page, lines } = await open();
    const visitor = new FormBrowser(writing.service.url);
    const seen = await read(`${page}?line=1_0_2`, visitor);
    expect([seen.includes('/notes"'), seen.includes('line_threads')]).toEqual([false, false]);
    expect((await person.post(`${page}/notes`, { body: 'x' })).status).toBe(403);
    const ways = [
      [`${page}/notes`, page],
      [lines, `${page}?line=1_0_2`],
      [`${page}/threads/1/notes`, page],
    ] as const;
    for (const [form, to] of ways) {
      const { status, headers } = await person.get(form);
      expect([form, status, headers.get('location')]).toEqual([form, 303, to]);
    }
    const gone = `${page.slice(0, -40)}${'a'.repeat(40)}`;
    expect((await person.submit(page, `${gone}/notes`, { body: 'x' })).status).toBe(404);
    expect((await person.submit(page, `${page.slice(0, -40)}main/notes`, { body: 'x' })).status).toBe(404);
    await loom.call('POST', '/archive');
    const archived = below(await read(page));
    expect(archived).toContain('The project is archived: nobody can comment.');
    expect(archived).not.toContain('<form');
    const { page: secret } = await open({ visibility: 'private' });
    for (const path of [secret, `${secret}/notes`])
      expect([path, (await person.get(path)).status]).toEqual([path, 404]);
    expect((await person.submit(`/${loom.project.path}`, `${secret}/notes`, { body: 'x' })).status).toBe(404);
  });

  it('belong to whoever wrote them, and to maintainers', async () => {
    const { loom, id, page } = await open();
    const { body } = await loom.call<ShownDiscussion>('POST', `/repository/commits/${id}/discussions`, {
      body: 'Mine',
    });
    const [note] = body.notes;
    expect(below(await read(page))).not.toContain(`/notes/${note!.id}/edit`);
    expect((await person.get(`${page}/notes/${note!.id}/edit`)).status).toBe(403);
    await loom.addMember(dora, 40);
    expect(below(await read(page))).toContain(`/notes/${note!.id}/edit`);
  });
});
