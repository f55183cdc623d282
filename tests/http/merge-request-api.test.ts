import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { WorkTree } from '../support/git-service.js';
import { git } from '../support/git.js';
import { until } from '../support/until.js';
import type { WrittenProject } from '../support/written-project.js';
import { describeWriting } from '../support/written-project.js';
import type { TestUser } from '../support/test-service.js';

interface Shown {
  readonly iid: number;
  readonly title: string;
  readonly sha: string;
  readonly squash: boolean;
  readonly squash_on_merge: boolean;
  readonly squash_commit_sha: string | null;
  readonly merge_status: string;
}

describeWriting('the rest of the API of merge requests', (writing) => {
  const project = async (fields: object = {}): Promise<WrittenProject> => {
    const made = await writing.newProject(fields);
    await made.write('main', { 'README.md': '# Loom\n' });
    return made;
  };

  const open = async (of: WrittenProject, source: string, more: object = {}, user?: TestUser): Promise<Shown> => {
    await of.write(source, { [source]: `${source}\n` }, { start_branch: 'main' });
    const json = { source_branch: source, target_branch: 'main', title: source, ...more };
    const { status, body } = await of.call<Shown>('POST', '/merge_requests', json, user);
    expect([status, body]).toEqual([201, expect.objectContaining({ iid: expect.any(Number) })]);
    return body;
  };

  const titles = async (of: WrittenProject, query: string, user?: TestUser) => {
    const { status, body } = await of.call<Shown[]>('GET', `/merge_requests?${query}`, undefined, user);
    expect([query, status]).toEqual([query, 200]);
    return body.map(({ title }) => title).sort();
  };

  it('is looked at again where nobody could find out whether it can be merged, by whoever reads or merges it', async () => {
    const loom = await project();
    const { schema } = writing.service.service.database;
    const giveUp = async ({ iid }: Shown) => {
      const found = schema('merge_requests').where({ project_id: loom.id, iid });
      expect(await found.update({ status: 'cannot_be_merged', conflicts: '[]' })).toBe(1);
    };
    const [read, merged] = [await open(loom, 'one'), await open(loom, 'two')];
    await giveUp(read);
    await giveUp(merged);
    expect((await loom.call<Shown>('GET', `/merge_requests/${read.iid}`)).body.merge_status).toBe('can_be_merged');
    expect((await loom.call('PUT', `/merge_requests/${merged.iid}/merge`, {})).status).toBe(200);
  });

  it('has comments that owners say the time of, listed by it', async () => {
    const { grace } = writing;
    const loom = await project();
    await loom.addMember(grace, 40);
    const { iid } = await open(loom, 'brought');
    const notes = `/merge_requests/${iid}/notes`;
    await loom.call('POST', notes, { body: 'Now' });
    const old = await loom.call('POST', notes, { body: 'Before', created_at: '2019-03-02T10:00:00+02:00' });
    expect(old).toMatchObject({ status: 201, body: { created_at: '2019-03-02T08:00:00.000Z' } });
    await loom.call('POST', notes, { body: 'A maintainer', created_at: '2018-03-02' }, grace);
    const { body } = await loom.call<{ body: string; system: boolean }[]>('GET', `${notes}?sort=asc`);
    const written = ['Before', 'Now', 'A maintainer'];
    expect(body.filter(({ system }) => !system).map((note) => note.body)).toEqual(written);
    await loom.call('POST', `/merge_requests/${iid}/add_spent_time`, { duration: '1h' });
    const shown = async (filter: string) =>
      (await loom.call<{ body: string }[]>('GET', `${notes}?sort=asc&activity_filter=${filter}`)).body.map(
        (note) => note.body,
      );
    expect(await shown('only_comments')).toEqual(written);
    const time = '2019-03-01T08:00:00.000Z';
    const threads = `/merge_requests/${iid}/discussions`;
    const begun = await loom.call<{ id: string }>('POST', threads, { body: 'Earlier', created_at: time });
    expect(begun.body).toMatchObject({ notes: [{ body: 'Earlier', created_at: time }] });
    const answered = await loom.call('POST', `${threads}/${begun.body.id}/notes`, { body: 'So', created_at: time });
    expect(answered.body).toMatchObject({ body: 'So', created_at: time });
    written.unshift('Earlier', 'So');
    expect(await shown('only_activity')).toContain('added 1h of time spent');
    expect((await shown('all_notes')).sort()).toEqual([...(await shown('only_activity')), ...written].sort());
  });

  it('takes assignees and reviewers away by what clients send for nobody', async () => {
    const { ada, grace } = writing;
    const loom = await project();
    await loom.addMember(grace, 40);
    await open(loom, 'cleared');
    const edit = async (json: object) => {
      const { status, body } = await loom.call<{ assignees: unknown[]; reviewers: unknown[] }>(
        ...(['PUT', '/merge_requests/1', json] as const),
      );
      expect([json, status]).toEqual([json, 200]);
      return [body.assignees.length, body.reviewers.length];
    };
    for (const nobody of ['', [''], [0], ['0'], 0, []]) {
      expect(await edit({ assignee_ids: [ada.id], reviewer_ids: [grace.id] })).toEqual([1, 1]);
      expect([nobody, await edit({ assignee_ids: nobody, reviewer_ids: nobody })]).toEqual([nobody, [0, 0]]);
    }
    expect(await edit({ assignee_id: ada.id })).toEqual([1, 0]);
    expect(await edit({ assignee_id: '' })).toEqual([0, 0]);
  });

  it('narrows lists by who approved, merged and reacted, by where a text is, and by what is left out', async () => {
    const { ada, grace } = writing;
    const loom = await project();
    await loom.addMember(grace, 40);
    const one = await open(loom, 'one', { description: 'about two', labels: 'bug', assignee_id: grace.id });
    const planned = await loom.call<{ id: number }>('POST', '/milestones', { title: 'v0', start_date: '2020-01-01' });
    await open(loom, 'two', { labels: 'bug,fast', reviewer_ids: [grace.id], milestone_id: planned.body.id });
    const three = await open(loom, 'three', { description: 'more', labels: 'slow' }, grace);
    await loom.call('POST', '/merge_requests/1/approve', {}, grace);
    await loom.call('POST', '/merge_requests/1/award_emoji', { name: 'tada' }, grace);
    await loom.call('PUT', `/merge_requests/${three.iid}/merge`, {}, grace);
    expect(one.iid).toBe(1);
    const detailed = await loom.call('GET', '/merge_requests?with_labels_details=true&labels=fast');
    expect(detailed.body).toMatchObject([
      {
        labels: [
          { name: 'bug', color: '#6699CC' },
          { name: 'fast', description: '' },
        ],
      },
    ]);
    const expected: Readonly<Record<string, readonly string[]>> = {
      'search=two': ['one', 'two'],
      'search=two&in=title': ['two'],
      'search=TWO&in=description': ['one'],
      'search=two&in=title,description': ['one', 'two'],
      [`approved_by_ids[]=${grace.id}`]: ['one'],
      [`approved_by_ids=${ada.id}`]: [],
      'approved_by_ids=Any': ['one'],
      'approved_by_ids=None': ['three', 'two'],
      'approved_by_usernames=grace': ['one'],
      'approved=yes': ['one'],
      'approved=no': ['three', 'two'],
      [`merge_user_id=${grace.id}`]: ['three'],
      'merge_user_username=ada': [],
      'assignee_username=grace': ['one'],
      'reviewer_username=grace': ['two'],
      'my_reaction_emoji=tada': ['one'],
      'my_reaction_emoji=Any': ['one'],
      'my_reaction_emoji=None': ['three', 'two'],
      'not[my_reaction_emoji]=tada': ['three', 'two'],
      'not[labels]=fast,slow': ['one'],
      'not[author_username]=ada': ['three'],
      [`not[author_id]=${grace.id}`]: ['one', 'two'],
      [`not[assignee_id]=${grace.id}`]: ['three', 'two'],
      'not[reviewer_username]=grace': ['one', 'three'],
      'not[source_branch]=one': ['three', 'two'],
      'not[target_branch]=main': [],
      'not[milestone]=v1': ['one', 'three', 'two'],
      'not[milestone]=v0': ['one', 'three'],
      'not[milestone_id]=None': ['two'],
      'not[milestone_id]=Any': ['one', 'three'],
      'not[milestone_id]=Started': ['one', 'three'],
      'not[milestone_id]=Upcoming': ['one', 'three', 'two'],
      'approver_ids[]=1': [],
      'environment=production': [],
      'deployed_after=2020-01-01T00:00:00Z': [],
    };
    for (const [query, found] of Object.entries(expected))
      expect([query, await titles(loom, query, grace)]).toEqual([query, found]);
    const both = await loom.call('GET', `/merge_requests?merge_user_id=1&merge_user_username=ada`);
    expect([both.status, both.body]).toEqual([
      400,
      { error: 'merge_user_id, merge_user_username are mutually exclusive' },
    ]);
    const { status } = await loom.call('GET', '/merge_requests?approved_by_ids[]=somebody');
    expect(status).toBe(400);
  });

  it('narrows lists by several people at once to whom they are all assigned, or none of whom they are', async () => {
    const { ada, grace } = writing;
    const loom = await project();
    await loom.addMember(grace, 40);
    await open(loom, 'both', { assignee_ids: [ada.id, grace.id] });
    await open(loom, 'hers', { assignee_ids: [grace.id] }, grace);
    await open(loom, 'nobody');
    const expected: Readonly<Record<string, readonly string[]>> = {
      'assignee_username=grace': ['both', 'hers'],
      'assignee_username[]=ada': ['both'],
      'assignee_username[]=ada&assignee_username[]=grace': ['both'],
      'not[assignee_username]=ada': ['hers', 'nobody'],
      'not[assignee_username][]=ada&not[assignee_username][]=grace': ['nobody'],
    };
    for (const [query, found] of Object.entries(expected))
      expect([query, await titles(loom, query)]).toEqual([query, found]);
    const six = 'abcdef'.split('').map((name) => `assignee_username[]=${name}`);
    expect((await loom.call('GET', `/merge_requests?${six.join('&')}`)).status).toBe(400);
  });

  it('finds out in a list how those stand whose branches have moved, where it is asked to', async () => {
    const loom = await project();
    await open(loom, 'one');
    await loom.write('main', { later: 'later' });
    const { body } = await loom.call<Shown[]>('GET', '/merge_requests?with_merge_status_recheck=true');
    expect(body).toMatchObject([{ merge_status: 'can_be_merged' }]);
  });

  it('makes the commit that merging would give, and names it by a ref', async () => {
    const loom = await project();
    await open(loom, 'one');
    await loom.write('main', { later: 'later' });
    const path = '/merge_requests/1/merge_ref';
    const { status, body } = await loom.call<{ commit_id: string }>('GET', path);
    expect(status).toBe(200);
    const listed = await git(['ls-remote', loom.remote(), 'refs/merge-requests/1/merge']);
    expect(listed).toContain(body.commit_id);
    const commit = await loom.call<{ parent_ids: string[] }>('GET', `/repository/commits/${body.commit_id}`);
    expect(commit.body.parent_ids).toEqual([await loom.head('main'), await loom.head('one')]);
    // As long as nothing moves it stays, and an older client's method gives the same.
    expect((await loom.call('PUT', path)).body).toEqual(body);
    await loom.write('one', { more: 'more' });
    expect((await loom.call<{ commit_id: string }>('GET', path)).body.commit_id).not.toBe(body.commit_id);
    await loom.commit('main', 'Clash', [{ action: 'create', file_path: 'one', content: 'other' }]);
    const refused = await loom.call('GET', path);
    expect([refused.status, refused.body]).toEqual([400, { message: 'Merge ref cannot be updated' }]);
    expect((await loom.call('GET', path, undefined, writing.grace)).status).toBe(404);
  });

  it('calls them by what tells them apart where they are asked for', async () => {
    const { service, ada } = writing;
    const json = { name: 'Named here', path: 'named-here' };
    const { body: group } = await service.call<{ id: number }>('POST', '/groups', { token: ada.token, json });
    const loom = await project({ namespace_id: group.id });
    const { body: issue } = await loom.call<{ iid: number }>('POST', '/issues', { title: 'Broken' });
    await open(loom, 'one', { description: `Closes #${issue.iid}` });
    const called = async (path: string) => {
      const { body } = await service.call<{ references: object }[]>('GET', path, { token: ada.token });
      return [body].flat().map(({ references }) => references);
    };
    const of = `/projects/${loom.id}`;
    const full = `${loom.project.path}!1`;
    const as = (relative: string) => [{ short: '!1', relative, full }];
    expect(await called(`/groups/${group.id}/merge_requests`)).toEqual(as(full.replace('named-here/', '')));
    expect(await called('/merge_requests?search=one&order_by=created_at&per_page=1')).toEqual(as(full));
    for (const path of ['/merge_requests', '/merge_requests/1', `/issues/${issue.iid}/closed_by`])
      expect(await called(of + path)).toEqual(as('!1'));
    expect(await called(`${of}/merge_requests/1/closes_issues`)).toMatchObject([{ relative: '#1' }]);
  });

  it('tells its texts as HTML where that is asked for, with links to what the reader may see', async () => {
    const { grace } = writing;
    const loom = await project({ visibility: 'public' });
    const { body: issue } = await loom.call<{ iid: number }>('POST', '/issues', { title: 'Leak', confidential: true });
    const texts = { title: `Mend #${issue.iid} <b> & "all"`, description: `Mends **#${issue.iid}** <b>` };
    const [told, silent] = [await open(loom, 'mend', texts), await open(loom, 'none', { description: '' })];
    const htmlOf = async ({ iid }: Shown, user?: TestUser) => {
      const path = `/merge_requests/${iid}?render_html=true`;
      const { body } = await loom.call<Record<'title_html' | 'description_html', string>>('GET', path, undefined, user);
      return [body.title_html, body.description_html];
    };
    const href = `/${loom.project.path}/-/issues/${issue.iid}`;
    expect(await htmlOf(told)).toEqual([
      `Mend <a href="${href}">#${issue.iid}</a> &lt;b&gt; &amp; &quot;all&quot;`,
      expect.stringMatching(new RegExp(`<strong><a [^>]*href="${href}"[^>]*>#${issue.iid}</a></strong> &lt;b&gt;`)),
    ]);
    expect(await htmlOf(told, grace)).toEqual([
      `Mend #${issue.iid} &lt;b&gt; &amp; &quot;all&quot;`,
      expect.stringContaining(`<strong>#${issue.iid}</strong>`),
    ]);
    expect(await htmlOf(silent)).toEqual(['none', '']);
    expect((await loom.call<object>('GET', `/merge_requests/${told.iid}`)).body).not.toHaveProperty('title_html');
  });

  it('lists those that are planned for a milestone to whoever may read them', async () => {
    const loom = await project();
    const planned = await loom.call<{ id: number }>('POST', '/milestones', { title: 'v1' });
    const { id } = planned.body;
    await open(loom, 'one');
    await open(loom, 'two');
    expect((await loom.call('PUT', '/merge_requests/1', { milestone_id: id })).status).toBe(200);
    const path = `/milestones/${id}/merge_requests`;
    const { body } = await loom.call<Shown[]>('GET', path);
    expect(body).toMatchObject([{ iid: 1, milestone: { title: 'v1' }, references: { relative: '!1' } }]);
    const none = await loom.call('GET', '/milestones/999999/merge_requests');
    expect([none.status, none.body]).toEqual([404, { message: '404 Milestone Not Found' }]);
    expect((await loom.call('GET', path, undefined, writing.grace)).status).toBe(404);
  });

  it('lists those that brought a commit, however it is named', async () => {
    const loom = await project();
    await open(loom, 'one');
    const { body } = await loom.call<{ commit: { id: string } }>('GET', '/repository/branches/one');
    const { id } = body.commit;
    const those = async (name: string) => {
      const answer = await loom.call<Shown[]>('GET', `/repository/commits/${name}/merge_requests`);
      return answer.status === 200 ? answer.body.map(({ title }) => title) : [answer.status, answer.body];
    };
    for (const name of [id, id.slice(0, 8), 'one']) expect([name, await those(name)]).toEqual([name, ['one']]);
    expect(await those('nowhere')).toEqual([404, { message: '404 Commit Not Found' }]);
  });

  it('makes that commit for who may push, and stores nothing for who may only read', async () => {
    const { ada, grace, service } = writing;
    const loom = await project({ visibility: 'public' });
    await open(loom, 'one');
    const path = '/merge_requests/1/merge_ref';
    const reading = { ...ada, token: await service.addToken(ada.id, ['read_api']) };
    const refused = { status: 403, body: { message: '403 Forbidden' } };
    for (const reader of [reading, grace])
      expect(await loom.call('GET', path, undefined, reader)).toMatchObject(refused);
    expect(await loom.call('PUT', path, undefined, grace)).toMatchObject(refused);
    expect(await git(['ls-remote', loom.remote(), 'refs/merge-requests/1/merge'])).toBe('');
    await loom.addMember(grace, 20);
    expect(await loom.call('GET', path, undefined, grace)).toMatchObject(refused);
    const { body } = await loom.call('GET', path);
    for (const reader of [reading, grace])
      expect(await loom.call('GET', path, undefined, reader)).toMatchObject({ status: 200, body });
    await loom.write('one', { more: 'more' });
    expect(await loom.call('GET', path, undefined, reading)).toMatchObject(refused);
    expect((await loom.call('GET', path)).status).toBe(200);
  });

  it('tells by which rule merge requests are approved, and lets maintainers change it', async () => {
    const { grace } = writing;
    const loom = await project();
    await loom.addMember(grace, 30);
    await open(loom, 'one');
    const settings = { approvals_before_merge: 1, reset_approvals_on_push: false };
    const changed = await loom.call('POST', '/approvals', settings);
    expect([changed.status, changed.body]).toEqual([201, expect.objectContaining(settings)]);
    expect((await loom.call('GET', '/approvals', undefined, grace)).body).toMatchObject(settings);
    expect((await loom.call('POST', '/approvals', settings, grace)).status).toBe(403);
    for (const path of ['/approval_rules', '/merge_requests/1/approval_rules']) {
      const { body } = await loom.call('GET', path);
      expect([path, body]).toMatchObject([path, [{ rule_type: 'any_approver', approvals_required: 1 }]]);
    }
    expect((await loom.call('PUT', '/merge_requests/1/merge')).body).toMatchObject({ reason: 'not_approved' });
    await loom.call('POST', '/merge_requests/1/approve', {}, grace);
    // Accounts of programs alone may, and nobody has one.
    expect((await loom.call('PUT', '/merge_requests/1/reset_approvals')).status).toBe(401);
    await loom.write('one', { more: 'more' });
    const { body } = await loom.call<{ approved: boolean }>('GET', '/merge_requests/1/approvals');
    expect(body.approved).toBe(true);
  });

  it('names the issues that its text names, and refuses to run a pipeline', async () => {
    const loom = await project();
    for (const title of ['First', 'Second']) await loom.call('POST', '/issues', { title });
    await open(loom, 'one', { description: 'Closes #1, see #2' });
    const iids = async (path: string) =>
      (await loom.call<{ iid: number }[]>('GET', `/merge_requests/1/${path}`)).body.map(({ iid }) => iid);
    expect([await iids('closes_issues'), await iids('related_issues')]).toEqual([[1], [1, 2]]);
    expect((await loom.call('POST', '/merge_requests/1/pipelines')).status).toBe(405);
  });

  it('tells what it changes as a patch that git applies, whatever kind of change it is', async () => {
    const loom = await project();
    const tree = await WorkTree.init();
    const write = (name: string, content: string | Buffer) => writeFileSync(join(tree.folder, name), content);
    await tree.git('pull', '--quiet', loom.remote(), 'main');
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
    write('moved', lines);
    for (const name of ['gone', 'run.sh', 'link', 'unended', 'ümläut "name"']) write(name, `${name}\n`);
    write('picture', Buffer.from([0, 1, 2, 255]));
    write('latin', Buffer.from('caf\u00e9\n', 'latin1'));
    await tree.git('add', '.');
    await tree.git('commit', '--quiet', '-m', 'Before');
    const before = await tree.head();
    await tree.git('mv', 'moved', 'elsewhere');
    await tree.git('rm', '--quiet', 'gone', 'link');
    write('elsewhere', `${lines}one more\n`);
    write('ümläut "name"', 'other\r\n');
    write('unended', 'no newline');
    write('picture', Buffer.from([0, 9, 9, 255]));
    write('latin', Buffer.from('caf\u00e9s\n', 'latin1'));
    write('new', '');
    symlinkSync('new', join(tree.folder, 'link'));
    chmodSync(join(tree.folder, 'run.sh'), 0o755);
    await tree.git('add', '.');
    await tree.git('commit', '--quiet', '-m', 'After');
    const after = (await tree.git('rev-parse', 'HEAD^{tree}')).trim();
    await tree.git('push', '--quiet', loom.remote(), `${before}:refs/heads/main`, 'HEAD:refs/heads/feature');
    const { body } = await loom.call<Shown>('POST', '/merge_requests', {
      ...{ source_branch: 'feature', target_branch: 'main', title: 'Change' },
    });
    const address = `${writing.service.url}/api/v4/projects/${loom.id}/merge_requests/${body.iid}/raw_diffs`;
    const answer = await fetch(address, { headers: { 'PRIVATE-TOKEN': loom.owner.token } });
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    const input = Buffer.from(await answer.arrayBuffer());
    await tree.git('reset', '--quiet', '--hard', before);
    await git(['apply', '--index', '-'], { cwd: tree.folder, input });
    expect((await tree.git('write-tree')).trim()).toBe(after);
  });

  describe('makes one commit of all', () => {
    const OPTIONS = [
      ['never', { squash: true }, false],
      ['always', { squash: false }, true],
      ['default_on', {}, true],
      ['default_on', { squash: false }, false],
      ['default_off', {}, false],
      ['default_off', { squash: true }, true],
    ] as const;

    it.each(OPTIONS)('as the project has it: %s, asked with %j', async (option, sent, squashed) => {
      const loom = await project();
      const { body } = await loom.call('PUT', '', { squash_option: option });
      expect(body).toMatchObject({ squash_option: option });
      const { iid, squash_on_merge: told } = await open(loom, 'one', sent);
      await loom.write('one', { more: 'more' });
      const merged = await loom.call<Shown>('PUT', `/merge_requests/${iid}/merge`);
      expect([told, merged.status, merged.body.squash_commit_sha !== null]).toEqual([squashed, 200, squashed]);
    });

    it('but refuses an option that there isn’t', async () => {
      const loom = await project();
      expect((await loom.call('PUT', '', { squash_option: 'sometimes' })).status).toBe(400);
    });
  });

  describe('after a push', () => {
    it('tells where to make a merge request for a branch, and where it is once there is one', async () => {
      const loom = await project();
      const tree = await WorkTree.init();
      await tree.git('pull', '--quiet', loom.remote(), 'main');
      const push = async (...refs: string[]) => {
        await tree.commit('file', `${refs.join()} ${Math.random()}`);
        return (await tree.try('push', loom.remote(), ...refs.map((ref) => `HEAD:refs/heads/${ref}`))).stderr;
      };
      const page = `/${loom.project.path}/-/merge_requests`;
      const first = await push('a/b');
      expect(first).toMatch(/remote: *\nremote: To create a merge request for a\/b, visit: *\n/);
      expect(first).toContain(`${page}/new?merge_request%5Bsource_branch%5D=a%2Fb`);
      await loom.call('POST', '/merge_requests', { source_branch: 'a/b', target_branch: 'main', title: 'Take it' });
      const second = await push('a/b', 'other');
      expect(second).toMatch(/remote: View merge request for a\/b: *\nremote: {3}http\S+\/-\/merge_requests\/1 *\n/);
      expect(second).toContain('To create a merge request for other, visit:');
      expect(await push('main')).not.toContain('merge request');
      const removed = await tree.try('push', loom.remote(), ':refs/heads/other');
      expect(removed.stderr).not.toContain('merge request');
      await loom.call('PUT', '', { printing_merge_request_link_enabled: false });
      expect(await push('a/b')).not.toContain('merge request');
    });
  });

  describe('push options', () => {
    const prepare = async () => {
      const loom = await project();
      const tree = await WorkTree.init();
      await tree.git('pull', '--quiet', loom.remote(), 'main');
      const push = async (refs: readonly string[], options: readonly string[]) => {
        await tree.commit('file', `${Math.random()}`, 'Change it\r\n\r\nAt last');
        const sent = options.flatMap((option) => ['-o', option]);
        const { code, stderr } = await tree.try(
          'push',
          ...sent,
          loom.remote(),
          ...refs.map((ref) => `HEAD:refs/heads/${ref}`),
        );
        expect([code, stderr]).toEqual([0, expect.any(String)]);
        return stderr;
      };
      return { loom, push, one: async () => (await loom.call('GET', '/merge_requests/1')).body };
    };

    it('open a merge request, and change the one that is open', async () => {
      const { loom, push, one } = await prepare();
      await loom.addMember(writing.grace, 30);
      await loom.write('release', { notes: 'n' }, { start_branch: 'main' });
      const first = await push(['feature'], ['merge_request.create', 'mr.draft', 'merge_request.label=bug']);
      expect(first).toContain('View merge request for feature:');
      expect(first).not.toContain('WARNINGS');
      expect(await one()).toMatchObject({ title: 'Draft: Change it', target_branch: 'main', labels: ['bug'] });
      const second = await push(
        ['feature'],
        [
          ...['merge_request.title=Take it', 'merge_request.description=One\\ntwo', 'merge_request.target=release'],
          ...['merge_request.label=loom', 'merge_request.unlabel=bug', 'merge_request.assign=@Grace'],
          ...['merge_request.remove_source_branch', 'merge_request.squash', 'ci.skip'],
        ],
      );
      expect(second).not.toContain('WARNINGS');
      expect(await one()).toMatchObject({
        ...{ title: 'Take it', description: 'One\ntwo', target_branch: 'release', labels: ['loom'], squash: true },
        ...{ force_remove_source_branch: true, assignees: [{ username: 'grace' }] },
      });
      await push(['feature'], ['merge_request.draft', 'merge_request.unassign=grace', 'merge_request.create']);
      expect(await one()).toMatchObject({ title: 'Draft: Take it', assignees: [], labels: ['loom'], state: 'opened' });
    });

    it('that are unknown or wrong are warned about, and fail no push', async () => {
      const { loom, push } = await prepare();
      const none = await push(['feature'], ['merge_request.title=Take it']);
      expect(none).toMatch(/WARNINGS: *\nremote: There is no open merge request for feature: push with/);
      const wrong = await push(
        ['feature'],
        ['mr.create', 'mr.\u001b[31m', 'mr.label', 'mr.draft=x', 'mr.auto_merge', 'mr.assign=x', 'mr.target=nowhere'],
      );
      for (const warning of [
        "Push option 'merge_request.?[31m' is unknown, and was ignored.",
        "Push option 'merge_request.label' needs a value, and was ignored.",
        "Push option 'merge_request.draft' takes no value, and was ignored.",
        "Push option 'merge_request.auto_merge' has no effect: no pipeline of what is pushed has begun yet.",
        'Push options could not be applied to the merge request of feature: target_branch does not exist',
      ])
        expect(wrong).toContain(warning);
      expect((await loom.call('GET', '/merge_requests')).body).toEqual([]);
      expect(await push(['other'], ['mr.create', 'mr.assign=x', 'mr.milestone=y'])).toMatch(
        /Not everybody who was named[^]*The milestone of the push options was not found/,
      );
      expect((await loom.call<unknown[]>('GET', '/merge_requests')).body).toHaveLength(1);
    });
  });

  describe('collaboration', () => {
    const forkOf = async (loom: WrittenProject, user: TestUser, json: object = {}) => {
      const { body } = await loom.call<{ id: number; path_with_namespace: string }>('POST', '/fork', json, user);
      const call = <Body = unknown>(method: string, path: string, sent?: object) =>
        writing.service.call<Body>(method, `/projects/${body.id}${path}`, {
          token: user.token,
          ...(sent === undefined ? {} : { json: sent }),
        });
      await until(async () => (await call<{ import_status: string }>('GET', '')).body.import_status === 'finished');
      const write = (branch: string, file: string) =>
        call('POST', '/repository/commits', {
          branch,
          start_branch: 'main',
          commit_message: file,
          actions: [{ action: 'create', file_path: file, content: file }],
        });
      return { ...body, call, write };
    };

    const pushBy = async (user: TestUser, path: string, refs: readonly string[], branch = 'feature') => {
      const url = new URL(`${writing.service.nodeUrl}/${path}.git`);
      [url.username, url.password] = ['oauth2', user.token];
      const tree = await WorkTree.init();
      await tree.git('pull', '--quiet', url.href, branch);
      await tree.commit('help', `${Math.random()}`);
      return tree.try('push', url.href, ...refs);
    };

    it('lets members of the target push to the branch of a fork, to it alone, and only while it is open', async () => {
      const { service, ada, grace } = writing;
      const loom = await project({ visibility: 'public' });
      const [hedy, reporter] = [await service.addUser('hedy'), await service.addUser('reporter')];
      await loom.addMember(hedy, 40);
      await loom.addMember(reporter, 20);
      const fork = await forkOf(loom, grace);
      await fork.write('feature', 'feature');
      await fork.write('private-matters', 'other');
      const path = fork.path_with_namespace;
      const refused = 'You are not allowed to push code to this project.';
      const feature = ['HEAD:refs/heads/feature'];
      expect((await pushBy(hedy, path, feature)).stderr).toContain(refused);
      const json = { source_branch: 'feature', target_branch: 'main', target_project_id: loom.id, title: 'Take it' };
      const opened = await fork.call<Shown>('POST', '/merge_requests', json);
      const request = `/merge_requests/${opened.body.iid}`;
      expect((await pushBy(hedy, path, feature)).stderr).toContain(refused);
      // Nobody invites themselves.
      const own = await loom.call('PUT', request, { allow_collaboration: true }, hedy);
      expect([own.status, own.body]).toEqual([
        403,
        { message: '403 Forbidden - Only who may push to the source branch lets others push to it' },
      ]);
      expect((await loom.call('PUT', request, { allow_collaboration: false, title: 'Take it!' }, hedy)).status).toBe(
        200,
      );
      await loom.call('PUT', request, { allow_collaboration: true }, grace);
      const pushed = await pushBy(hedy, path, feature);
      expect([pushed.code, pushed.stderr]).toEqual([0, expect.stringContaining('View merge request for feature')]);
      const head = (await fork.call<{ commit: { id: string } }>('GET', '/repository/branches/feature')).body.commit.id;
      expect((await loom.call<Shown>('GET', request)).body.sha).toBe(head);
      // Who may not merge it isn't invited.
      expect((await pushBy(reporter, path, feature)).stderr).toContain(refused);
      const OTHERS = [
        ['HEAD:refs/heads/private-matters', '--force'],
        ['HEAD:refs/heads/new'],
        ['HEAD:refs/tags/v1'],
        ['HEAD:refs/heads/main'],
        [':refs/heads/feature'],
        ['HEAD:refs/heads/feature', 'HEAD:refs/heads/new'],
      ];
      for (const refs of OTHERS) {
        const { code, stderr } = await pushBy(hedy, path, refs);
        expect([refs, code === 0, stderr]).toEqual([refs, false, expect.stringContaining('not allowed to push code')]);
      }
      const byApi = await service.call('POST', `/projects/${fork.id}/repository/branches`, {
        token: hedy.token,
        json: { branch: 'b', ref: 'main' },
      });
      expect(byApi.status).toBe(403);
      await fork.call('POST', '/protected_branches', { name: 'feature' });
      expect((await pushBy(hedy, path, feature)).stderr).toContain(refused);
      await fork.call('DELETE', '/protected_branches/feature');
      expect((await pushBy(hedy, path, feature)).code).toBe(0);
      await loom.call('PUT', request, { state_event: 'close' }, ada);
      expect((await pushBy(hedy, path, feature)).stderr).toContain(refused);
    });

    it('invites by a merge request only to the fork that it comes from, and nobody who may no longer push there', async () => {
      const { service, grace } = writing;
      const loom = await project({ visibility: 'public' });
      await loom.write('release', { release: 'release' }, { start_branch: 'main' });
      const carol = await service.addUser('carol');
      await loom.addMember(carol, 30);
      const fork = await forkOf(loom, carol);
      const json = { source_branch: 'release', target_branch: 'main', title: 'Take it', allow_collaboration: true };
      // From where it was forked into the fork.
      const back = await loom.call('POST', '/merge_requests', { ...json, target_project_id: fork.id }, carol);
      expect(back.status).toBe(201);
      const push = () => pushBy(carol, loom.project.path, ['HEAD:refs/heads/release'], 'release');
      expect((await push()).code).toBe(0);
      await loom.call('DELETE', `/members/${carol.id}`);
      expect((await push()).stderr).toContain('You are not allowed to push code to this project.');
      const owners = { ...json, target_branch: 'release', target_project_id: fork.id };
      expect((await loom.call('POST', '/merge_requests', owners)).status).toBe(201);
      expect((await push()).stderr).toContain('You are not allowed to push code to this project.');
      // Whoever gave the invitation must have what they give.
      const [hedwig, member] = [await service.addUser('hedwig'), await service.addUser('weaver')];
      await loom.addMember(hedwig, 40);
      const graces = await forkOf(loom, grace, { path: 'graces' });
      await graces.write('feature', 'feature');
      const members = `/projects/${graces.id}/members`;
      const invited = { user_id: member.id, access_level: 30 };
      await service.call('POST', members, { token: grace.token, json: invited });
      const opened = await service.call('POST', `/projects/${graces.id}/merge_requests`, {
        token: member.token,
        json: { ...json, source_branch: 'feature', target_project_id: loom.id },
      });
      expect(opened.status).toBe(201);
      const pushFeature = () => pushBy(hedwig, graces.path_with_namespace, ['HEAD:refs/heads/feature']);
      expect((await pushFeature()).code).toBe(0);
      await service.call('DELETE', `${members}/${member.id}`, { token: grace.token });
      expect((await pushFeature()).stderr).toContain('You are not allowed to push code to this project.');
    });

    it('stays closed to others where somebody else than its author reopens it', async () => {
      const { service, grace } = writing;
      const loom = await project({ visibility: 'public' });
      const trudy = await service.addUser('trudy');
      await loom.addMember(trudy, 40);
      const fork = await forkOf(loom, grace, { path: 'reopened' });
      await fork.write('feature', 'feature');
      const json = { source_branch: 'feature', target_branch: 'main', target_project_id: loom.id, title: 'Take it' };
      const opened = await fork.call<Shown>('POST', '/merge_requests', { ...json, allow_collaboration: true });
      const request = `/merge_requests/${opened.body.iid}`;
      const change = (user: TestUser, sent: object) => loom.call<object>('PUT', request, sent, user);
      const push = () => pushBy(trudy, fork.path_with_namespace, ['HEAD:refs/heads/feature']);
      await change(grace, { state_event: 'close' });
      expect((await change(grace, { state_event: 'reopen' })).body).toMatchObject({ allow_collaboration: true });
      expect((await push()).code).toBe(0);
      const reopenings = [
        () => change(trudy, { state_event: 'reopen' }),
        () => change(trudy, { state_event: 'reopen', allow_collaboration: true }),
        () => loom.call('POST', `${request}/notes`, { body: '/reopen' }, trudy),
      ];
      for (const reopen of reopenings) {
        await change(grace, { allow_collaboration: true });
        await change(grace, { state_event: 'close' });
        expect((await reopen()).status).toBeLessThan(300);
        const { body } = await loom.call<object>('GET', request);
        expect(body).toMatchObject({ state: 'opened', allow_collaboration: false });
        expect((await push()).stderr).toContain('You are not allowed to push code to this project.');
      }
    });

    it('invites nobody to a private fork', async () => {
      const { service, grace } = writing;
      const loom = await project({ visibility: 'public' });
      const member = await service.addUser('member');
      await loom.addMember(member, 40);
      const fork = await forkOf(loom, grace, { visibility: 'private', path: 'hidden' });
      await fork.write('feature', 'feature');
      const json = { source_branch: 'feature', target_branch: 'main', target_project_id: loom.id, title: 'Take it' };
      const opened = await fork.call('POST', '/merge_requests', { ...json, allow_collaboration: true });
      expect(opened.status).toBe(201);
      const url = new URL(`${service.nodeUrl}/${fork.path_with_namespace}.git`);
      [url.username, url.password] = ['oauth2', member.token];
      const tree = await WorkTree.init();
      await tree.commit('a', 'a');
      const { stderr } = await tree.try('push', url.href, 'HEAD:refs/heads/feature');
      expect(stderr).toContain("The project you were looking for could not be found or you don't have permission");
    });
  });
});
