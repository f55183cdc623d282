import { beforeAll, describe, expect, it } from '@jest/globals';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type ShownCommit, type WrittenProject } from '../support/written-project.js';

interface Shown {
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
}

describeWriting('reverting and cherry-picking on pages', (writing) => {
  let dora: TestUser;
  let gus: TestUser;
  let owner: FormBrowser;
  let developer: FormBrowser;
  let guest: FormBrowser;
  let stranger: FormBrowser;

  beforeAll(async () => {
    const { service } = writing;
    dora = await service.addUser('dora', { password: PASSWORD });
    gus = await service.addUser('gus', { password: PASSWORD });
    [owner, developer, guest, stranger] = [
      await signedIn(service, 'ada'),
      await signedIn(service, 'dora'),
      await signedIn(service, 'gus'),
      await signedIn(service, 'grace'),
    ];
  });

  /** The protected branch `main`, the branch `topic` from it, and a commit that both have. */
  const prepared = async (fields: object = { visibility: 'public' }) => {
    const loom = await writing.newProject(fields);
    await loom.write('main', { 'a.txt': 'one\n' });
    const commit = await loom.write('main', { 'b.txt': 'b\n' });
    await loom.call('POST', '/repository/branches', { branch: 'topic', ref: 'main' });
    await loom.addMember(dora, 30);
    await loom.addMember(gus, 10);
    return { loom, commit, short: commit.id.slice(0, 8) };
  };
  const at = (of: WrittenProject, rest: string): string => `/${of.project.path}/-/${rest}`;
  const formOf = (of: WrittenProject, id: string, way = 'revert'): string => at(of, `commit/${id}/${way}`);
  const proposalOf = (of: WrittenProject, source_branch: string, target_branch: string): string =>
    at(
      of,
      `merge_requests/new?${new URLSearchParams({ source_branch, target_branch, target_project: of.project.path }).toString()}`,
    );
  const read = async (who: FormBrowser, page: string): Promise<string> => (await who.get(page)).text();
  const send = async (who: FormBrowser, page: string, values: Record<string, string>) => {
    const answer = await who.submit(page, page, values);
    return { status: answer.status, to: answer.headers.get('location') ?? '', html: await answer.text() };
  };
  const tipOf = async (of: WrittenProject, branch: string): Promise<ShownCommit> =>
    (await of.call<ShownCommit>('GET', `/repository/commits/${encodeURIComponent(branch)}`)).body;
  const filesOf = async (of: WrittenProject, branch: string): Promise<readonly string[]> =>
    (await of.call<readonly { name: string }[]>('GET', `/repository/tree?ref=${branch}`)).body.map(({ name }) => name);
  const problemIn = (html: string): string | undefined => /class="problem" role="alert"[^>]*>([^<]*)</.exec(html)?.[1];
  const branchIn = (html: string): string | undefined => /<input id="branch"[^>]* value="([^"]*)"/.exec(html)?.[1];

  describe('of a commit', () => {
    it('reverts at once on the default branch, and leads to the new commit', async () => {
      const { loom, commit, short } = await prepared();
      expect(await read(owner, at(loom, `commit/${commit.id}`))).toContain(`href="${formOf(loom, commit.id)}">Revert<`);
      const html = await read(owner, formOf(loom, commit.id));
      for (const words of [
        `<h1>Revert commit ${short}</h1>`,
        '<bdi>Write b.txt</bdi>',
        'undoes what this commit changed',
      ])
        expect(html).toContain(words);
      expect([branchIn(html), html.includes('is protected')]).toEqual(['main', false]);
      const { status, to } = await send(owner, formOf(loom, commit.id), { branch: 'main' });
      const tip = await tipOf(loom, 'main');
      expect([status, to]).toEqual([303, at(loom, `commit/${tip.id}`)]);
      expect(await read(owner, to)).toContain('“Write b.txt” reverted on main.');
      expect(tip).toMatchObject({
        message: `Revert "Write b.txt"\n\nThis reverts commit ${commit.id}`,
        author_name: 'ada Example',
      });
      expect([await filesOf(loom, 'main'), await filesOf(loom, 'topic')]).toEqual([['a.txt'], ['a.txt', 'b.txt']]);
    });

    it('cherry-picks at once on the branch that is chosen', async () => {
      const { loom } = await prepared();
      const { id } = await loom.write('topic', { 'c.txt': 'c\n' });
      const page = formOf(loom, id, 'cherry_pick');
      expect(await read(owner, at(loom, `commit/${id}`))).toContain(`href="${page}">Cherry-pick<`);
      expect((await send(owner, page, { branch: 'main' })).status).toBe(303);
      expect(await tipOf(loom, 'main')).toMatchObject({
        message: `Write c.txt\n\n(cherry picked from commit ${id})`,
        committer_name: 'ada Example',
      });
      expect(await filesOf(loom, 'main')).toEqual(['a.txt', 'b.txt', 'c.txt']);
    });

    it('does so on a branch of its own, with the form of a merge request next, each time on another one', async () => {
      const { loom, commit, short } = await prepared();
      const main = await loom.head('main');
      for (const name of [`revert-${short}`, `revert-${short}-2`]) {
        const { status, to } = await send(owner, formOf(loom, commit.id), { branch: 'main', own: 'true' });
        expect([status, to]).toEqual([303, proposalOf(loom, name, 'main')]);
        const html = await read(owner, to);
        expect(html).toContain(`“Write b.txt” reverted on ${name}. Open a merge request to bring that to main.`);
        expect(html).toContain('value="Revert &quot;Write b.txt&quot;"');
        expect(await tipOf(loom, name)).toMatchObject({ parent_ids: [main] });
      }
      expect(await loom.head('main')).toBe(main);
      const { to } = await send(owner, formOf(loom, (await loom.write('topic', { c: '' })).id, 'cherry_pick'), {
        branch: 'main',
        own: 'true',
      });
      expect(to).toMatch(/source_branch=cherry-pick-[0-9a-f]{8}&target_branch=main/);
    });

    it('proposes a branch of its own alone where the branch is protected, and at once where another is not', async () => {
      const { loom, commit, short } = await prepared();
      const page = formOf(loom, commit.id);
      const html = await read(developer, page);
      expect(html).toContain('<bdi class="name">main</bdi> is protected, and you may not push there.');
      expect(html).not.toContain('type="checkbox"');
      const refused = await send(developer, page, { branch: 'main' });
      expect([refused.status, problemIn(refused.html)]).toEqual([403, 'You are not allowed to push into this branch']);
      const other = await send(developer, page, { branch: 'topic', own: 'true', look: 'true' });
      expect([other.status, branchIn(other.html), other.html.includes('type="checkbox"')]).toEqual([
        200,
        'topic',
        true,
      ]);
      expect((await send(developer, page, { branch: 'topic' })).status).toBe(303);
      expect(await filesOf(loom, 'topic')).toEqual(['a.txt']);
      const own = await send(developer, page, { branch: 'main', own: 'true' });
      expect([own.status, own.to]).toEqual([303, proposalOf(loom, `revert-${short}`, 'main')]);
      expect(await read(developer, own.to)).toContain('Create merge request');
      expect(await filesOf(loom, 'main')).toEqual(['a.txt', 'b.txt']);
    });

    it('says at the form that it conflicts, or changes nothing, and keeps what was chosen', async () => {
      const { loom, commit } = await prepared();
      const page = formOf(loom, commit.id);
      await loom.commit('topic', 'Say c', [{ action: 'update', file_path: 'b.txt', content: 'c\n' }]);
      const conflict = await send(owner, page, { branch: 'topic', own: 'true' });
      expect([conflict.status, problemIn(conflict.html), branchIn(conflict.html)]).toEqual([
        409,
        'Not reverted: what it changed is different on topic by now. Revert it on your machine, resolve the conflicts, and push.',
        'topic',
      ]);
      expect(conflict.html).toContain('name="own" value="true" checked');
      const empty = await send(owner, formOf(loom, commit.id, 'cherry_pick'), { branch: 'main' });
      expect([empty.status, problemIn(empty.html)]).toEqual([
        409,
        'Not cherry-picked: main has all of its changes already.',
      ]);
      await send(owner, page, { branch: 'main' });
      const again = await send(owner, page, { branch: 'main' });
      expect([again.status, problemIn(again.html)]).toEqual([
        409,
        'Not reverted: main has none of its changes, or they were reverted already.',
      ]);
      const absent = await send(owner, page, { branch: 'no such' });
      expect([absent.status, branchIn(absent.html)]).toEqual([400, 'no such']);
      expect(absent.html).toContain('<a href="#branch">The branch does not exist</a>');
      expect((await loom.call<object[]>('GET', '/repository/branches')).body).toHaveLength(2);
    });

    it('is for who may push: others see no link, and are refused', async () => {
      const { loom, commit } = await prepared();
      const main = await loom.head('main');
      for (const who of [guest, stranger, new FormBrowser(writing.service.url)]) {
        const html = await read(who, at(loom, `commit/${commit.id}`));
        expect([html.includes('Write b.txt'), html.includes(formOf(loom, commit.id))]).toEqual([true, false]);
      }
      for (const who of [guest, stranger]) {
        const page = formOf(loom, commit.id);
        const authenticity_token = await who.formToken('/profile');
        expect((await who.get(page)).status).toBe(403);
        expect((await who.post(page, { branch: 'main', authenticity_token })).status).toBe(403);
      }
      const visitor = new FormBrowser(writing.service.url);
      expect((await visitor.get(formOf(loom, commit.id))).headers.get('location')).toMatch(/^\/users\/sign_in/);
      expect(await loom.head('main')).toBe(main);
    });

    it('is not found where the project is hidden, the commit is another project’s, or nothing came before it', async () => {
      const { loom } = await prepared();
      const hidden = await prepared({ visibility: 'private' });
      const elsewhere = await hidden.loom.write('main', { 'hidden.txt': 'h\n' });
      const first = (await loom.call<ShownCommit[]>('GET', '/repository/commits')).body.at(-1)!;
      for (const [who, page] of [
        [stranger, formOf(hidden.loom, elsewhere.id)],
        [owner, formOf(loom, '1'.repeat(40))],
        [owner, formOf(loom, elsewhere.id)],
        [owner, formOf(loom, first.id)],
      ] as const) {
        const authenticity_token = await who.formToken('/profile');
        expect([page, (await who.get(page)).status]).toEqual([page, 404]);
        expect([page, (await who.post(page, { branch: 'main', authenticity_token })).status]).toEqual([page, 404]);
      }
      expect(await read(owner, at(loom, `commit/${first.id}`))).not.toContain(formOf(loom, first.id));
    });

    it('is not offered in an archived project', async () => {
      const { loom, commit } = await prepared();
      await loom.call('POST', '/archive');
      expect(await read(owner, at(loom, `commit/${commit.id}`))).not.toContain(formOf(loom, commit.id));
      expect((await owner.get(formOf(loom, commit.id))).status).toBe(403);
    });

    it('stays within a fork', async () => {
      const { loom, commit, short } = await prepared();
      const fork = await writing.service.call<{ path_with_namespace: string }>('POST', `/projects/${loom.id}/fork`, {
        token: dora.token,
        json: {},
      });
      const path = fork.body.path_with_namespace;
      await untilCopied(path);
      const page = `/${path}/-/commit/${commit.id}/revert`;
      const { to } = await send(developer, page, { branch: 'main', own: 'true' });
      expect(to).toContain(`/${path}/-/merge_requests/new?source_branch=revert-${short}&target_branch=main`);
      expect(await read(developer, to)).toContain(`<option value="${path}" selected>`);
    });
  });

  const untilCopied = async (path: string): Promise<void> => {
    const { service } = writing;
    await until(async () => {
      const { body } = await service.call<{ import_status: string }>('GET', `/projects/${encodeURIComponent(path)}`, {
        token: dora.token,
      });
      return body.import_status === 'finished';
    });
  };

  describe('of a merge request', () => {
    /** One that is merged, with two commits. */
    const merged = async (settings: object, merge: object = {}) => {
      const { loom } = await prepared();
      await loom.call('PUT', '', settings);
      await loom.write('work', { 'c.txt': 'c\n' }, { start_branch: 'main' });
      await loom.write('work', { 'd.txt': 'd\n' });
      await loom.call('POST', '/merge_requests', { source_branch: 'work', target_branch: 'main', title: 'Weave' });
      const answer = await loom.call<Shown>('PUT', '/merge_requests/1/merge', merge);
      expect(answer.status).toBe(200);
      return { loom, page: at(loom, 'merge_requests/1'), ...answer.body };
    };
    const linkIn = (html: string, words: string): string | undefined =>
      new RegExp(`href="([^"]+)">${words}<`).exec(html)?.[1];

    it('reverts its merge commit against the first parent, with a message that names it', async () => {
      const { loom, page, merge_commit_sha: commit } = await merged({ merge_method: 'merge' });
      await loom.call('PUT', '', { default_branch: 'topic' });
      const link = linkIn(await read(owner, page), 'Revert') ?? '';
      expect(link).toBe(`${formOf(loom, commit!)}?branch=main`);
      const form = await read(owner, link);
      expect([branchIn(form), form.includes('what this merge brought to its first parent')]).toEqual(['main', true]);
      expect((await send(owner, link, { branch: 'main' })).status).toBe(303);
      const { message } = await tipOf(loom, 'main');
      expect(message).toBe(`Revert "Merge branch 'work' into 'main'"\n\nThis reverts merge request !1`);
      expect(await filesOf(loom, 'main')).toEqual(['a.txt', 'b.txt']);
    });

    it('gets the same message from the API', async () => {
      const { loom, merge_commit_sha: commit } = await merged({ merge_method: 'merge' });
      const { status, body } = await loom.call<ShownCommit>('POST', `/repository/commits/${commit}/revert`, {
        branch: 'main',
      });
      expect([status, body.message]).toEqual([
        201,
        `Revert "Merge branch 'work' into 'main'"\n\nThis reverts merge request !1`,
      ]);
    });

    it('cherry-picks its merge commit to another branch', async () => {
      const { loom, page } = await merged({ merge_method: 'merge' });
      const link = linkIn(await read(developer, page), 'Cherry-pick') ?? '';
      expect((await send(developer, link, { branch: 'topic' })).status).toBe(303);
      expect(await filesOf(loom, 'topic')).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
    });

    it('reverts the commit that it was squashed into, where that is all there is', async () => {
      const { loom, page, squash_commit_sha: commit } = await merged({ merge_method: 'ff' }, { squash: true });
      const link = linkIn(await read(owner, page), 'Revert') ?? '';
      expect(link).toBe(`${formOf(loom, commit!)}?branch=main`);
      await send(owner, link, { branch: 'main' });
      expect((await tipOf(loom, 'main')).message).toBe(`Revert "Weave"\n\nThis reverts commit ${commit}`);
      expect(await filesOf(loom, 'main')).toEqual(['a.txt', 'b.txt']);
    });

    it('offers neither where its commits stand alone, nor to who may not push', async () => {
      const { page } = await merged({ merge_method: 'ff' });
      const moved = await read(owner, page);
      expect([linkIn(moved, 'Revert'), linkIn(moved, 'Cherry-pick')]).toEqual([undefined, undefined]);
      const other = await merged({ merge_method: 'merge' });
      const html = await read(stranger, other.page);
      expect([html.includes('Merged'), linkIn(html, 'Revert'), linkIn(html, 'Cherry-pick')]).toEqual([
        true,
        undefined,
        undefined,
      ]);
    });
  });
});
