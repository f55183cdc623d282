import { beforeAll, expect, it } from '@jest/globals';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { CHANGED_LINE, FILE, FILE_AFTER, ReviewedLines, type ShownDiscussion } from '../support/reviewed-lines.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting } from '../support/written-project.js';

describeWriting('the pages of threads on lines', (writing) => {
  let dora: TestUser;
  let developer: FormBrowser;

  beforeAll(async () => {
    dora = await writing.service.addUser('dora', { password: PASSWORD });
    developer = await signedIn(writing.service, 'dora');
  });

  const open = async () => {
    const lines = await ReviewedLines.open(await writing.newProject({ visibility: 'public' }));
    await lines.of.addMember(dora, 30);
    return { lines, page: `/${lines.of.project.path}/-/merge_requests/${lines.iid}` };
  };
  const read = async (path: string): Promise<string> => (await developer.get(path)).text();
  const submit = (page: string, action: string, values: Record<string, string>) =>
    developer.submit(page, action, values).then(({ status, headers }) => [status, headers.get('location')]);

  it('are begun at a line, which a link of its number opens a form at, in both views', async () => {
    const { lines, page } = await open();
    const refs = await lines.refs();
    for (const view of ['', 'view=parallel&']) {
      const shown = await read(`${page}/diffs?${view}`);
      expect(shown).toContain(`href="?${view.replace('&', '&amp;')}line=1_0_6" aria-label="Comment on line 6"`);
      expect(shown).not.toContain('line_threads');
      const form = await read(`${page}/diffs?${view}line=1_0_6`);
      expect(form).toContain(`action="${page}/line_threads?${view.replace('&', '&amp;')}line=1_0_6"`);
      const values = { ...refs, old_path: FILE, new_path: FILE, old_line: '', new_line: '6', body: `Why ${view}?` };
      const sent = await submit(`${page}/diffs?${view}line=1_0_6`, `${page}/line_threads?${view}line=1_0_6`, values);
      expect(sent).toEqual([303, expect.stringMatching(/\/diffs(\?view=parallel)?#note_\d+$/)]);
      expect(await read(`${page}/diffs?${view}`)).toContain(`Why ${view.replace('&', '&amp;')}?`);
    }
    const visitor = await fetch(`${writing.service.url}${page}/diffs?line=1_0_6`);
    expect(await visitor.text()).not.toContain('line_threads');
  });

  it('say why a comment is refused, beside what was typed', async () => {
    const { lines, page } = await open();
    const values = { ...(await lines.refs()), old_path: FILE, new_path: FILE, old_line: '', new_line: '6' };
    const action = `${page}/line_threads?line=1_0_6`;
    const blank = await developer.submit(`${page}/diffs?line=1_0_6`, action, { ...values, body: ' ' });
    expect(blank.status).toBe(400);
    expect(await blank.text()).toContain('class="field-problem">The comment can&#39;t be blank');
    const elsewhere = await developer.submit(`${page}/diffs`, action, { ...values, new_line: '700', body: 'Typed' });
    expect(elsewhere.status).toBe(400);
    expect(await elsewhere.text()).toContain('Typed</textarea>');
  });

  it('are answered and resolved there, and shown as outdated with their lines once those have changed', async () => {
    const { lines, page } = await open();
    const { notes } = await lines.said('Please change it');
    const thread = `${page}/threads/${notes[0]!.id}`;
    expect(await read(page)).toContain(`href="${page}/diffs#note_${notes[0]!.id}"><bdi>${FILE}</bdi>, line 6</a>`);
    expect(await submit(`${page}/diffs`, `${thread}/notes`, { body: 'Why?', on: 'changes' })).toEqual([
      303,
      expect.stringContaining(`${page}/diffs#note_`),
    ]);
    expect(await submit(`${page}/diffs`, `${thread}/resolution`, { resolved: 'true', on: 'changes' })).toEqual([
      303,
      `${page}/diffs#note_${notes[0]!.id}`,
    ]);
    expect(await read(`${page}/diffs`)).toContain('Reopen thread');
    await lines.push(FILE_AFTER.replace('SIX', 'Six'));
    const overview = await read(page);
    expect(overview).toContain(`<span class="badge medium">outdated</span> <span class="name">${FILE}</span>`);
    expect(overview).toContain('SIX');
    expect(await read(`${page}/diffs`)).not.toContain('Please change it');
    const { body: versions } = await lines.call<readonly { id: number }[]>('GET', '/versions');
    expect(await read(`${page}/diffs?version=${versions[1]!.id}`)).toContain('Please change it');
  });

  it('show a suggestion as lines that go and come, and apply it with one press', async () => {
    const { lines, page } = await open();
    const { notes } = await lines.said('Better:\n\n```suggestion\n<b>Six</b>\n```\nAgreed?');
    const [suggestion] = notes[0]!.suggestions!;
    const apply = `${page}/suggestions/${suggestion!.id}/apply`;
    const shown = await read(`${page}/diffs`);
    expect(shown).toContain('<tr class="deleted"><td class="text"><span class="mark">-</span>SIX</td></tr>');
    expect(shown).toContain('<span class="mark">+</span>&lt;b&gt;Six&lt;/b&gt;</td></tr>');
    expect(shown).toContain(`action="${apply}"`);
    expect(await submit(page, apply, {})).toEqual([303, `${page}?note=${notes[0]!.id}#note_${notes[0]!.id}`]);
    const { body } = await lines.call<readonly ShownDiscussion[]>('GET', '/discussions');
    expect(body[0]!.notes[0]).toMatchObject({ resolved: true, suggestions: [{ applied: true }] });
    expect(await read(page)).toContain('<span class="badge on">applied</span>');
    const again = await developer.submit(page, apply, {});
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('has been applied already')]);
  });

  it('are so many on one page that it stays small', async () => {
    const { lines, page } = await open();
    for (let each = 0; each < 3; each += 1) await lines.said('x'.repeat(200_000), CHANGED_LINE);
    const shown = await read(`${page}/diffs`);
    expect(shown.length).toBeLessThan(300_000);
    expect(await read(page)).toContain('The page shows the beginning of this comment.');
  });
});
