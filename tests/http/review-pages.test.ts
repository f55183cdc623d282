import { beforeAll, expect, it } from '@jest/globals';
import { hiddenField, PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { CHANGED_LINE, FILE, FILE_AFTER, ReviewedLines, type ShownDiscussion } from '../support/reviewed-lines.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting } from '../support/written-project.js';

describeWriting('the pages of a review', (writing) => {
  let dora: TestUser;
  let reviewer: FormBrowser;
  let owner: FormBrowser;

  beforeAll(async () => {
    dora = await writing.service.addUser('dora', { password: PASSWORD });
    reviewer = await signedIn(writing.service, 'dora');
    owner = await signedIn(writing.service, 'ada');
  });

  const open = async () => {
    const lines = await ReviewedLines.open(await writing.newProject({ visibility: 'public' }));
    await lines.of.addMember(dora, 30);
    return { lines, page: `/${lines.of.project.path}/-/merge_requests/${lines.iid}` };
  };
  const read = async (path: string, browser = reviewer): Promise<string> => (await browser.get(path)).text();
  const submit = (page: string, action: string, values: Record<string, string>) =>
    reviewer.submit(page, action, values).then(({ status, headers }) => [status, headers.get('location')]);
  const drafts = async (lines: ReviewedLines) =>
    (
      await lines.call<readonly { id: number; note: string; resolve_discussion: boolean }[]>(
        'GET',
        '/draft_notes',
        undefined,
        dora,
      )
    ).body;
  const discussions = async (lines: ReviewedLines) =>
    (await lines.call<readonly ShownDiscussion[]>('GET', '/discussions')).body.map(({ notes }) =>
      notes.map(({ body }) => body),
    );

  it('show an answer whose thread is gone on the conversation, and say that it will stand alone', async () => {
    const { lines, page } = await open();
    const thread = await lines.said('Done?');
    const first = thread.notes[0]!.id;
    await submit(page, `${page}/threads/${first}/notes`, { kind: 'draft', body: 'It is', resolves: 'true' });
    expect(await read(page)).not.toContain('a thread that is gone');
    await lines.call('DELETE', `/notes/${first}`);
    for (const shown of [await read(page), await read(`${page}/review`)]) {
      expect(shown).toMatch(/<article id="draft_\d+" class="pending">[^]*It is/);
      expect(shown).toContain('answers a thread that is gone: it will stand alone');
      expect(shown).not.toContain('resolves the thread');
    }
    await reviewer.post(`${page}/review`, {
      authenticity_token: hiddenField(await read(`${page}/review`), 'authenticity_token'),
      seen: hiddenField(await read(`${page}/review`), 'seen'),
      body: '',
    });
    expect(await discussions(lines)).toEqual([['It is']]);
  });

  it('are there to be read, and nothing more, once the project is archived', async () => {
    const { lines, page } = await open();
    await submit(page, `${page}/notes`, { kind: 'draft', body: 'Left unsaid' });
    await lines.of.call('POST', '/archive');
    for (const path of [page, `${page}/diffs`])
      expect([path, await read(path)]).toEqual([
        path,
        expect.stringContaining('They can’t be published: the project is archived.'),
      ]);
    const shown = await read(page);
    expect(shown).toContain('Left unsaid');
    for (const hidden of ['/draft_notes/', '/review"', '/review/discard"']) expect(shown).not.toContain(hidden);
    expect(await read(page, owner)).not.toContain('Left unsaid');
  });

  it('begin with a comment, an answer or a line that is kept, and shown as pending to its author alone', async () => {
    const { lines, page } = await open();
    const thread = await lines.said('Done?');
    const first = thread.notes[0]!.id;
    expect(await read(page)).toContain('value="draft" class="secondary">Start a review</button>');
    const general = await submit(page, `${page}/notes`, { kind: 'draft', body: 'A **general** one' });
    expect(general).toEqual([303, expect.stringMatching(/\/merge_requests\/1#draft_\d+$/)]);
    const answer = { kind: 'draft', body: 'It is', resolves: 'true' };
    expect(await submit(page, `${page}/threads/${first}/notes`, answer)).toEqual([
      303,
      expect.stringMatching(new RegExp(`\\?note=${first}#draft_\\d+$`)),
    ]);
    const refs = await lines.refs();
    const at = { ...refs, old_path: FILE, new_path: FILE, old_line: '', new_line: '6' };
    for (const view of ['', 'view=parallel&']) {
      const form = `${page}/diffs?${view}line=1_0_6`;
      const placed = { ...at, kind: 'draft', body: `On a line ${view}` };
      expect(await submit(form, `${page}/line_threads?${view}line=1_0_6`, placed)).toEqual([
        303,
        expect.stringMatching(/\/diffs(\?view=parallel)?#draft_\d+$/),
      ]);
    }
    expect((await drafts(lines)).map((each) => [each.note, each.resolve_discussion])).toEqual([
      ['A **general** one', false],
      ['It is', true],
      ['On a line ', false],
      ['On a line view=parallel&', false],
    ]);
    const shown = await read(page);
    for (const words of [
      '<strong>general</strong>',
      'Pending',
      '4 pending comments',
      'Add to review',
      'resolves the thread',
    ])
      expect([words, shown.includes(words)]).toEqual([words, true]);
    for (const view of ['', '?view=parallel']) {
      const changes = await read(`${page}/diffs${view}`);
      expect(changes.match(/<article id="draft_\d+" class="pending">/g)).toHaveLength(3);
      expect(changes).not.toContain('<strong>general</strong>');
    }
    for (const path of [page, `${page}/diffs`]) {
      const others = await read(path, owner);
      expect([path, others.includes('general'), others.includes('class="pending"')]).toEqual([path, false, false]);
      const visitor = await (await fetch(`${writing.service.url}${path}`)).text();
      expect([path, visitor.includes('On a line'), visitor.includes('pending')]).toEqual([path, false, false]);
    }
  });

  it('let their author alone change and delete what is pending', async () => {
    const { lines, page } = await open();
    await submit(page, `${page}/notes`, { kind: 'draft', body: 'Worng' });
    const [{ id } = { id: 0 }] = await drafts(lines);
    const edit = `${page}/draft_notes/${id}/edit`;
    expect(await read(edit)).toContain('<h1>Edit pending comment</h1>');
    const preview = await (await reviewer.submit(edit, edit, { body: '**Bold**', preview: 'true' })).text();
    expect(preview).toContain('<strong>Bold</strong>');
    expect(await submit(edit, edit, { body: ' ' })).toEqual([400, null]);
    expect(await submit(edit, edit, { body: 'Wrong' })).toEqual([303, `${page}#draft_${id}`]);
    expect(await drafts(lines)).toMatchObject([{ note: 'Wrong' }]);
    const remove = `${page}/draft_notes/${id}/remove`;
    for (const path of [edit, remove]) expect([path, (await owner.get(path)).status]).toEqual([path, 404]);
    expect(await read(remove)).toContain('Delete the pending comment?');
    expect(await submit(remove, remove, {})).toEqual([303, page]);
    expect(await drafts(lines)).toEqual([]);
  });

  it('say what was changed in the same moment, and don’t write over it', async () => {
    const { lines, page } = await open();
    await submit(page, `${page}/notes`, { kind: 'draft', body: 'One' });
    const [{ id } = { id: 0 }] = await drafts(lines);
    const edit = `${page}/draft_notes/${id}/edit`;
    const form = await read(edit);
    const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(form) ?? [];
    await lines.call('PUT', `/draft_notes/${id}`, { note: 'Two' }, dora);
    expect(await submit(edit, edit, { body: 'Three', seen })).toEqual([409, null]);
    expect(await drafts(lines)).toMatchObject([{ note: 'Two' }]);
  });

  it('publish all of it, with a summary and an approval where they are asked for', async () => {
    const { lines, page } = await open();
    const thread = await lines.said('Done?');
    const review = `${page}/review`;
    await submit(page, `${page}/notes`, { kind: 'draft', body: 'General' });
    const answer = { kind: 'draft', body: 'It is', resolves: 'true' };
    await submit(page, `${page}/threads/${thread.notes[0]!.id}/notes`, answer);
    const shown = await read(review);
    for (const words of [
      '2 comments are pending',
      'General',
      'It is',
      'Publish 2 comments',
      'Approve the merge request',
    ])
      expect([words, shown.includes(words)]).toEqual([words, true]);
    const preview = await (await reviewer.submit(review, review, { body: '_All good_', preview: 'true' })).text();
    expect(preview).toContain('<em>All good</em>');
    expect((await drafts(lines)).length).toBe(2);
    expect(await submit(review, review, { body: 'All good', approve: 'true' })).toEqual([303, `${page}#comments`]);
    expect(await read(page)).toContain('Review published: 3 comments. Approved.');
    expect(await discussions(lines)).toEqual([
      ['Done?', 'It is'],
      ['approved this merge request'],
      ['General'],
      ['All good'],
    ]);
    expect(await drafts(lines)).toEqual([]);
    expect((await lines.call('GET', '/approvals')).body).toMatchObject({
      approved_by: [{ user: { username: 'dora' } }],
    });
    const again = await reviewer.submit(review, review, {});
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('Nothing is pending')]);
  });

  it('publish nothing where the commits are others than those that the approval is of', async () => {
    const { lines, page } = await open();
    await submit(page, `${page}/notes`, { kind: 'draft', body: 'General' });
    const { head_sha: sha } = await lines.refs();
    await lines.push(`${FILE_AFTER}more\n`);
    await lines.shown(await lines.said('Newer', CHANGED_LINE));
    const answer = await reviewer.submit(`${page}/review`, `${page}/review`, {
      body: 'Kept words',
      approve: 'true',
      sha,
    });
    const text = await answer.text();
    expect(answer.status).toBe(409);
    expect(text).toContain('Other commits are there now');
    expect(text).toContain('Kept words');
    expect(await drafts(lines)).toMatchObject([{ note: 'General' }]);
    expect(await discussions(lines)).not.toContainEqual(['General']);
  });

  it('ask before all of it is thrown away', async () => {
    const { lines, page } = await open();
    for (const body of ['One', 'Two']) await submit(page, `${page}/notes`, { kind: 'draft', body });
    const discard = `${page}/review/discard`;
    expect(await read(discard)).toContain('2 comments that only you see will be gone.');
    expect((await drafts(lines)).length).toBe(2);
    expect(await submit(discard, discard, {})).toEqual([303, page]);
    expect(await drafts(lines)).toEqual([]);
    expect(await discussions(lines)).toEqual([]);
  });

  it('publish and throw away what was shown, and nothing that came since', async () => {
    const { lines, page } = await open();
    const keep = (body: string) => submit(page, `${page}/notes`, { kind: 'draft', body });
    await keep('One');
    for (const form of [`${page}/review`, `${page}/review/discard`]) {
      const seen = hiddenField(await read(form), 'seen');
      await keep('Another');
      const before = await drafts(lines);
      const answer = await reviewer.submit(form, form, { body: 'Kept words', seen });
      expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('Your review has changed')]);
      expect(await drafts(lines)).toEqual(before);
    }
    const seen = hiddenField(await read(`${page}/review`), 'seen');
    expect(await submit(`${page}/review`, `${page}/review`, { seen })).toEqual([303, `${page}#comments`]);
    expect(await discussions(lines)).toEqual([['One'], ['Another'], ['Another']]);
  });

  it('resolve a thread with an ordinary answer, too', async () => {
    const { lines, page } = await open();
    const thread = await lines.said('Done?');
    await submit(page, `${page}/threads/${thread.notes[0]!.id}/notes`, { body: 'Yes', resolves: 'true' });
    expect((await lines.call<ShownDiscussion>('GET', `/discussions/${thread.id}`)).body.notes).toMatchObject([
      { body: 'Done?', resolved: true },
      { body: 'Yes', resolved: true },
    ]);
  });

  it('say why a comment is not kept, with what was typed', async () => {
    const { lines, page } = await open();
    const refused = await reviewer.submit(page, `${page}/notes`, { kind: 'draft', body: '  ' });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('can&#39;t be blank')]);
    const refs = await lines.refs();
    const at = { ...refs, old_path: FILE, new_path: FILE, old_line: '', new_line: '700', kind: 'draft', body: 'Typed' };
    const nowhere = await reviewer.submit(`${page}/diffs?line=1_0_6`, `${page}/line_threads?line=1_0_6`, at);
    expect([nowhere.status, await nowhere.text()]).toEqual([400, expect.stringContaining('Typed')]);
    expect(await drafts(lines)).toEqual([]);
  });

  it('are small, however much is pending', async () => {
    const { lines, page } = await open();
    for (let each = 0; each < 5; each += 1)
      await lines.call('POST', '/draft_notes', { note: 'x'.repeat(100_000) }, dora);
    for (const path of [page, `${page}/review`]) {
      const shown = await read(path);
      expect(shown.length).toBeLessThan(200_000);
      expect(shown).toContain('The page shows the beginning of this comment.');
    }
  });
});
