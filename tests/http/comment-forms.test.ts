import { beforeAll, describe, expect, it } from '@jest/globals';
import { hiddenField, PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const TEXT = 'It **leaks** <script>alert(1)</script>';

const ROUNDS = 5;

describeWriting('the forms of comments', (writing) => {
  let dora: TestUser;
  let browser: FormBrowser;
  let loom: WrittenProject;
  let at: string;
  let commit: string;
  let parent: string;

  beforeAll(async () => {
    dora = await writing.service.addUser('dora', { password: PASSWORD });
    browser = await signedIn(writing.service, 'dora');
    loom = await writing.newProject({});
    await loom.addMember(dora, 40);
    ({ id: parent } = await loom.write('main', { 'a.txt': 'one\n' }));
    ({ id: commit } = await loom.write('work', { 'b.txt': 'b\n' }, { start_branch: 'main' }));
    await loom.call('POST', '/issues', { title: 'Leak' });
    await loom.call('POST', '/merge_requests', { source_branch: 'work', target_branch: 'main', title: 'Seal' });
    await loom.call('POST', '/snippets', {
      title: 'Seal',
      visibility: 'public',
      files: [{ file_path: 's.sh', content: 's\n' }],
    });
    at = `/${loom.project.path}/-`;
  });

  const send = async (page: string, action: string, values: Record<string, string>) => {
    const answer = await browser.submit(page, action, values);
    return { status: answer.status, to: answer.headers.get('location') ?? '', html: await answer.text() };
  };
  const comment = async (page: string, body: string): Promise<string> => {
    const { to } = await send(page, `${page}/notes`, { body });
    return /#note_(\d+)$/.exec(to)?.[1] ?? '';
  };
  const pages = (): Readonly<Record<string, string>> => ({
    issue: `${at}/issues/1`,
    'merge request': `${at}/merge_requests/1`,
    commit: `${at}/commit/${commit}`,
    snippet: `${at}/snippets/1`,
  });

  it('close and reopen an issue with a word why, for who may change it', async () => {
    const page = pages()['issue']!;
    const state = async () => (await loom.call<{ state: string }>('GET', '/issues/1')).body.state;
    const html = async (who = browser) => (await who.get(page)).text();
    expect(await html()).toContain('name="state_event" value="close" class="secondary">Comment and close<');
    await send(page, `${page}/notes`, { body: 'Sealed', state_event: 'close' });
    const closed = await html();
    for (const part of ['Comment added. Closed this issue.', 'Sealed', 'Comment and reopen<'])
      expect(closed).toContain(part);
    expect(await state()).toBe('closed');
    const refused = await send(page, `${page}/notes`, { body: ' ', state_event: 'reopen' });
    expect([refused.status, await state()]).toEqual([400, 'closed']);
    await send(page, `${page}/notes`, { body: 'Open it again', state_event: 'reopen' });
    expect(await state()).toBe('opened');
    await loom.addMember(await writing.service.addUser('passer-by', { password: PASSWORD }), 10);
    const other = await signedIn(writing.service, 'passer-by');
    const values = { body: 'Spam', state_event: 'close' };
    expect((await other.submit(page, `${page}/notes`, values)).status).toBe(403);
    expect([await html(other), await state()]).toEqual([expect.not.stringMatching(/Comment and close|Spam/), 'opened']);
  });

  it('close and reopen a merge request with a word why, for who may change it', async () => {
    const page = pages()['merge request']!;
    const state = async () => (await loom.call<{ state: string }>('GET', '/merge_requests/1')).body.state;
    const html = async (who = browser) => (await who.get(page)).text();
    expect(await html()).toContain('name="state_event" value="close" class="secondary">Comment and close<');
    await send(page, `${page}/notes`, { body: 'Sealed by others', state_event: 'close' });
    const closed = await html();
    for (const part of ['Comment added. Closed this merge request.', 'Sealed by others', 'Comment and reopen<'])
      expect(closed).toContain(part);
    expect(await state()).toBe('closed');
    await send(page, `${page}/notes`, { body: 'Open it again', state_event: 'reopen' });
    expect(await state()).toBe('opened');
    await loom.addMember(await writing.service.addUser('reporter', { password: PASSWORD }), 20);
    const other = await signedIn(writing.service, 'reporter');
    const values = { body: 'Spam', state_event: 'close' };
    expect((await other.submit(page, `${page}/notes`, values)).status).toBe(403);
    expect([await html(other), await state()]).toEqual([expect.not.stringMatching(/Comment and close|Spam/), 'opened']);
  });

  it('keep no comment where what it closes or reopens can’t be, and show the text again', async () => {
    await loom.write('gone', { 'c.txt': 'c\n' }, { start_branch: 'main' });
    const request = { source_branch: 'gone', target_branch: 'main', title: 'Of a branch that goes' };
    const { iid } = (await loom.call<{ iid: number }>('POST', '/merge_requests', request)).body;
    await loom.call('PUT', `/merge_requests/${iid}`, { state_event: 'close' });
    await loom.call('DELETE', '/repository/branches/gone');
    await loom.call('POST', '/issues', { title: 'Open already' });
    const issue = (await loom.call<readonly { iid: number }[]>('GET', '/issues')).body[0]!.iid;
    for (const [at, why] of [
      [`merge_requests/${iid}`, 'The source branch &#39;gone&#39; is gone'],
      [`issues/${issue}`, 'this issue is open.'],
    ] as const) {
      const page = `/${loom.project.path}/-/${at}`;
      const refused = await send(page, `${page}/notes`, { body: 'Once more, please', state_event: 'reopen' });
      expect([at, refused.status, refused.html]).toEqual([
        at,
        400,
        expect.stringContaining(`Nothing was saved: ${why}`),
      ]);
      expect(refused.html).toContain('Once more, please</textarea>');
      expect((await loom.call('GET', `/${at}/notes`)).body).toEqual([]);
    }
  });

  it('lead from the time of each comment to itself', async () => {
    for (const [kind, page] of Object.entries(pages())) {
      const id = await comment(page, 'Look here');
      const html = await (await browser.get(page)).text();
      expect([kind, html]).toEqual([kind, expect.stringMatching(new RegExp(`<a href="#note_${id}"><time `))]);
      expect([kind, html]).toEqual([kind, expect.stringContaining(`id="note_${id}"`)]);
    }
  });

  describe('show beforehand what a comment will look like, and save nothing:', () => {
    const preview = (page: string, action: string, more: Record<string, string> = {}) =>
      send(page, action, { body: TEXT, preview: 'true', ...more });
    const previewIn = (html: string): string =>
      /<h2 id="preview-heading"[^>]*>Preview<\/h2>([^]*?)<\/section>/.exec(html)?.[1] ?? '';
    const expectPreview = ({ status, html }: { readonly status: number; readonly html: string }): void => {
      expect([status, previewIn(html)]).toEqual([
        200,
        expect.stringContaining('<strong>leaks</strong> &lt;script&gt;'),
      ]);
      expect(html.split('id="preview-heading"')).toHaveLength(2);
      // What was typed is still in the form.
      expect(html).toContain('>\nIt **leaks** &lt;script&gt;alert(1)&lt;/script&gt;</textarea>');
    };

    it.each(['issue', 'merge request', 'commit', 'snippet'])('a new one of %s', async (kind) => {
      const page = pages()[kind]!;
      const before = await (await browser.get(page)).text();
      expect(before).toContain('name="preview" value="true"');
      expectPreview(await preview(page, `${page}/notes`));
      expect(await (await browser.get(page)).text()).not.toContain('leaks');
    });

    it('one that is edited', async () => {
      const page = pages()['issue']!;
      const edit = `${page}/notes/${await comment(page, 'Dry')}/edit`;
      expectPreview(await preview(edit, edit));
      expect(await (await browser.get(edit)).text()).toContain('>\nDry</textarea>');
    });

    it.each(['merge request', 'commit'])('a reply of %s', async (kind) => {
      const page = pages()[kind]!;
      const note = await comment(page, 'Begun');
      const shown = await preview(page, `${page}/threads/${note}/notes`);
      expectPreview(shown);
      expect(shown.html).toContain('<details class="reply" open>');
    });

    it.each([
      ['a merge request', 'merge request', '/diffs'],
      ['a commit', 'commit', ''],
    ])('one on a line of %s', async (_words, kind, below) => {
      const page = pages()[kind]!;
      const position = { base_sha: parent, start_sha: parent, head_sha: commit, new_path: 'b.txt', new_line: '1' };
      expectPreview(await preview(page + below, `${page}/line_threads?line=1_0_1`, position));
    });
  });

  describe('of two who edit a comment at once', () => {
    it('tell the second, show them what is there now, and keep what they typed until they save again', async () => {
      const page = pages()['merge request']!;
      const note = await comment(page, 'Dry');
      const edit = `${page}/notes/${note}/edit`;
      const seenIn = (html: string) => hiddenField(html, 'seen');
      const first = await (await browser.get(edit)).text();
      const saved = await send(edit, edit, { body: 'Of **somebody** else', seen: seenIn(first) });
      expect(saved.status).toBe(303);
      const refused = await send(edit, edit, { body: 'Mine', seen: seenIn(first) });
      expect([refused.status, refused.html.includes('>\nMine</textarea>')]).toEqual([409, true]);
      expect(refused.html).toContain('Somebody else has saved something since you opened this form.');
      expect(refused.html).toContain('What others have saved</h2>');
      expect(refused.html).toContain('Of <strong>somebody</strong> else');
      const body = async () => (await loom.call<{ body: string }>('GET', `/merge_requests/1/notes/${note}`)).body.body;
      expect(await body()).toBe('Of **somebody** else');
      // A preview doesn't count as having seen theirs.
      const previewed = await send(edit, edit, { body: 'Mine', seen: seenIn(first), preview: 'true' });
      expect((await send(edit, edit, { body: 'Mine', seen: seenIn(previewed.html) })).status).toBe(409);
      expect((await send(edit, edit, { body: 'Mine', seen: seenIn(refused.html) })).status).toBe(303);
      expect(await body()).toBe('Mine');
    });

    it.each(['comment', 'issue', 'merge request'] as const)(
      'save what one has written in the same moment, and show the other what they typed again (%s)',
      async (kind) => {
        const page = pages()[kind === 'comment' ? 'issue' : kind]!;
        const edit = kind === 'comment' ? `${page}/notes/${await comment(page, 'Dry')}/edit` : `${page}/edit`;
        const name = kind === 'comment' ? 'body' : 'description';
        for (let round = 0; round < ROUNDS; round += 1) {
          const seen = hiddenField(await (await browser.get(edit)).text(), 'seen');
          const texts = [`One of ${round}`, `Other of ${round}`];
          const both = texts.map((text) => send(edit, edit, { title: 'Pumps', [name]: text, seen }));
          const answers = await Promise.all(both);
          const statuses = answers.map(({ status }) => status);
          expect([...statuses].sort()).toEqual([303, 409]);
          const lost = statuses.indexOf(409);
          expect(answers[lost]!.html).toContain(`>\n${texts[lost]}</textarea>`);
          expect(await (await browser.get(edit)).text()).toContain(`>\n${texts[1 - lost]}</textarea>`);
        }
      },
    );
  });
});
