import { beforeAll, expect, it } from '@jest/globals';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Award {
  readonly name: string;
  readonly user: { readonly username: string };
}

interface Reacted {
  readonly page: string;
  /** At the API, below the project. */
  readonly path: string;
}

describeWriting('reactions on pages', (writing) => {
  let dora: FormBrowser;
  let eve: FormBrowser;
  let loom: WrittenProject;
  let things: Readonly<Record<string, Reacted>>;

  /** A comment, and what it is a comment on. */
  const withComment = async (at: string): Promise<readonly [Reacted, Reacted]> => {
    const page = `/${loom.project.path}/-/${at}`;
    const { id } = (await loom.call<{ id: number }>('POST', `/${at}/notes`, { body: 'Hm' })).body;
    return [
      { page, path: `/${at}` },
      { page: `${page}/notes/${id}`, path: `/${at}/notes/${id}` },
    ];
  };

  beforeAll(async () => {
    await writing.service.addUser('dora', { password: PASSWORD });
    await writing.service.addUser('eve', { password: PASSWORD });
    [dora, eve] = [await signedIn(writing.service, 'dora'), await signedIn(writing.service, 'eve')];
    loom = await writing.newProject({ visibility: 'public' });
    await loom.write('main', { 'a.txt': 'one\n' });
    const { id } = await loom.write('work', { 'b.txt': 'b\n' }, { start_branch: 'main' });
    await loom.call('POST', '/issues', { title: 'Leak' });
    await loom.call('POST', '/merge_requests', { source_branch: 'work', target_branch: 'main', title: 'Seal' });
    const files = [{ file_path: 's.sh', content: 's\n' }];
    const snippet = await loom.call<{ id: number }>('POST', '/snippets', { title: 'S', visibility: 'public', files });
    const [issue, issueNote] = await withComment('issues/1');
    const [request, requestNote] = await withComment('merge_requests/1');
    const [code, codeNote] = await withComment(`snippets/${snippet.body.id}`);
    const discussion = await loom.call<{ notes: readonly { id: number }[] }>(
      'POST',
      `/repository/commits/${id}/discussions`,
      { body: 'Hm' },
    );
    const note = discussion.body.notes[0]!.id;
    const commitNote = {
      page: `/${loom.project.path}/-/commit/${id}/notes/${note}`,
      path: `/repository/commits/${id}/notes/${note}`,
    };
    things = { issue, issueNote, request, requestNote, code, codeNote, commitNote };
  });

  const pageOf = ({ page }: Reacted): string => page.replace(/\/notes\/\d+$/, '');
  const react = (who: FormBrowser, thing: Reacted, values: Record<string, string>) =>
    who.submit(pageOf(thing), `${thing.page}/reactions`, values);
  const given = async ({ path }: Reacted): Promise<readonly string[]> =>
    (await loom.call<readonly Award[]>('GET', `${path}/award_emoji`)).body.map(
      ({ name, user }) => `${name} of ${user.username}`,
    );
  const read = async (who: FormBrowser, thing: Reacted): Promise<string> => (await who.get(pageOf(thing))).text();
  /** What stands at one thing: emoji, counts, and who gave them. */
  const shownAt = (html: string, { page }: Reacted): readonly string[] => {
    const form = html.split(`action="${page}/reactions"`)[1]?.split('<details>')[0] ?? '';
    return [
      ...form.matchAll(/name="(give|take)" value="(\w+)" aria-pressed="\w+" title="([^"]+)">[^]*?(\d+)<\/b/g),
    ].map(([, act, name, title, count]) => `${act} ${name} ${count} (${title})`);
  };

  it('are given with one press and taken back with another, on everything that people talk about', async () => {
    for (const [kind, thing] of Object.entries(things)) {
      const answer = await react(dora, thing, { give: 'tada' });
      expect([kind, answer.status, answer.headers.get('location')]).toEqual([
        kind,
        303,
        expect.stringMatching(/#(reactions|note_\d+)$/),
      ]);
      expect([kind, await given(thing)]).toEqual([kind, ['tada of dora']]);
      await react(eve, thing, { give: 'tada' });
      expect([kind, shownAt(await read(dora, thing), thing)]).toEqual([
        kind,
        ['take tada 2 (tada: dora Example and eve Example)'],
      ]);
      await react(dora, thing, { take: 'tada' });
      expect([kind, await given(thing)]).toEqual([kind, ['tada of eve']]);
      expect(shownAt(await read(dora, thing), thing)).toEqual(['give tada 1 (tada: eve Example)']);
    }
  });

  it('stand as they were asked for, however often they are', async () => {
    const { issue } = things;
    for (let press = 0; press < 2; press += 1)
      expect((await react(dora, issue!, { give: 'thumbsup' })).status).toBe(303);
    expect(await given(issue!)).toContain('thumbsup of dora');
    for (let press = 0; press < 2; press += 1) expect((await react(dora, issue!, { take: '+1' })).status).toBe(303);
    expect(await given(issue!)).not.toContain('thumbsup of dora');
  });

  it('are emoji that there are: any other is refused, and so is what is no comment of the page', async () => {
    const { issue, issueNote, requestNote } = things;
    for (const give of ['', 'no_such_emoji', 'x'.repeat(5_000)])
      expect((await react(dora, issueNote!, { give })).status).toBe(404);
    const elsewhere = { ...issue!, page: `${issue!.page}${/\/notes\/\d+$/.exec(requestNote!.page)![0]}` };
    expect((await react(dora, elsewhere, { give: 'tada' })).status).toBe(404);
  });

  it('offer to each reader what they have not given, and count for visitors, who are offered nothing', async () => {
    const { requestNote } = things;
    await react(dora, requestNote!, { give: 'rocket' });
    const offered = (html: string) =>
      [
        ...(html.split(`action="${requestNote!.page}/reactions"`)[1]?.split('</details>')[0] ?? '').matchAll(
          /value="(\w+)" title="[^"]+" aria-label/g,
        ),
      ].map(([, name]) => name);
    expect(offered(await read(dora, requestNote!))).not.toContain('rocket');
    expect(offered(await read(eve, requestNote!))).toContain('rocket');
    const seen = await (await fetch(`${writing.service.url}${pageOf(requestNote!)}`)).text();
    expect(seen).not.toContain('/reactions"');
    expect(seen).toMatch(/<span title="rocket: dora Example">[^]*?🚀<\/span> 1<\/span>/);
  });

  it('name the first ten, and count the others', async () => {
    const { issueNote } = things;
    for (let n = 0; n < 12; n += 1) {
      const { token } = await writing.service.addUser(`fan${n}`);
      await writing.service.call('POST', `/projects/${loom.project.id}${issueNote!.path}/award_emoji`, {
        token,
        json: { name: 'heart' },
      });
    }
    expect(shownAt(await read(dora, issueNote!), issueNote!).find((each) => each.includes('heart'))).toMatch(
      /^give heart 12 \(heart: fan0 Example, .*fan9 Example and 2 more\)$/,
    );
  });

  it.each([
    { visibility: 'private', archived: false, member: 0, status: 404 },
    { visibility: 'private', archived: false, member: 10, status: { issue: 303, request: 403 } },
    { visibility: 'public', archived: true, member: 40, status: 403 },
  ])('of a $visibility project (archived: $archived) are for members of level $member: $status', async (of) => {
    const made = await writing.newProject({ visibility: of.visibility });
    await made.write('main', { 'a.txt': 'one\n' });
    await made.write('work', { 'b.txt': 'b\n' }, { start_branch: 'main' });
    await made.call('POST', '/issues', { title: 'Leak' });
    await made.call('POST', '/merge_requests', { source_branch: 'work', target_branch: 'main', title: 'Seal' });
    const name = `m${made.project.id}`;
    const user = await writing.service.addUser(name, { password: PASSWORD });
    if (of.member > 0) await made.addMember(user, of.member);
    if (of.archived) await made.call('POST', '/archive');
    const browser = await signedIn(writing.service, name);
    const statuses = typeof of.status === 'number' ? { issue: of.status, request: of.status } : of.status;
    for (const [at, status] of [
      ['issues/1', statuses.issue],
      ['merge_requests/1', statuses.request],
    ] as const) {
      const page = `/${made.project.path}/-/${at}`;
      const form = await browser.submit('/', `${page}/reactions`, { give: 'tada' });
      expect([at, form.status]).toEqual([at, status]);
      const html = await (await browser.get(page)).text();
      expect([at, html.includes(`${page}/reactions"`)]).toEqual([at, status === 303]);
    }
  });
});
