import { beforeAll, describe, expect, it } from '@jest/globals';
import { FormBrowser, hiddenField, noticeIn, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { seedNotes } from '../support/seed-notes.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Shown {
  readonly iid: number;
  readonly state: string;
  readonly title: string;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
  readonly [field: string]: unknown;
}

describeWriting('the pages of merge requests', (writing) => {
  let owner: TestUser;
  let maintainer: FormBrowser;
  let reporter: FormBrowser;
  let stranger: FormBrowser;
  let people: Readonly<Record<string, TestUser>>;

  beforeAll(async () => {
    const { service } = writing;
    people = {
      dora: await service.addUser('dora', { password: PASSWORD }),
      rita: await service.addUser('rita', { password: PASSWORD }),
      eve: await service.addUser('eve', { password: PASSWORD }),
    };
    owner = writing.ada;
    [maintainer, reporter, stranger] = [
      await signedIn(service, 'dora'),
      await signedIn(service, 'rita'),
      await signedIn(service, 'eve'),
    ];
  });

  /** A project with a branch that adds a file. */
  const project = async (fields: object = {}): Promise<WrittenProject> => {
    const made = await writing.newProject(fields);
    await made.write('main', { 'README.md': '# Loom\n', 'a.txt': 'one\n' });
    await made.addMember(people['dora']!, 40);
    await made.addMember(people['rita']!, 20);
    await made.write('work/pumps', { 'pump.c': 'int pump;\n' }, { start_branch: 'main' });
    return made;
  };
  const open = async (of: WrittenProject, more: object = {}): Promise<Shown> => {
    const fields = { source_branch: 'work/pumps', target_branch: 'main', title: 'Add the pumps', ...more };
    return (await of.call<Shown>('POST', '/merge_requests', fields)).body;
  };
  const one = async (of: WrittenProject, iid = 1): Promise<Shown> =>
    (await of.call<Shown>('GET', `/merge_requests/${iid}`)).body;
  const pageOf = (of: WrittenProject, rest = ''): string => `/${of.project.path}/-/merge_requests${rest}`;

  const read = async (who: FormBrowser, page: string): Promise<string> => (await who.get(page)).text();
  /** Sends a form of a page, and reads what it leads to. */
  const send = (who: FormBrowser, page: string, action: string, values: Record<string, string>) =>
    who.submitAndRead(page, action, values);
  const act = (who: FormBrowser, of: WrittenProject, name: string, values: Record<string, string>, iid = 1) =>
    send(who, pageOf(of, `/${iid}`), pageOf(of, `/${iid}/${name}`), values);
  const problemIn = (html: string): string | undefined => /class="problem" role="alert"[^>]*>([^<]*)</.exec(html)?.[1];
  const boxOf = (html: string): string =>
    (/<section class="merge-box"[^]*?<\/section>/.exec(html)?.[0] ?? '').replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

  it('list those of a project, narrowed by what the address says', async () => {
    const loom = await project();
    await loom.call('POST', '/labels', { name: 'bug', color: '#d9534f' });
    await open(loom, { labels: 'bug', reviewer_ids: [people['dora']!.id], title: 'Draft: Add the pumps' });
    await loom.write('other', { 'b.txt': 'b\n' }, { start_branch: 'main' });
    await open(loom, { source_branch: 'other', title: 'Say b', assignee_id: people['rita']!.id });
    const titles = async (query: string) =>
      [...(await read(maintainer, pageOf(loom, query))).matchAll(/<strong>([^<]+)<\/strong><\/a>/g)].map(([, t]) => t);
    expect(await titles('')).toEqual(['Say b', 'Draft: Add the pumps']);
    expect(await titles('?sort=created_asc')).toEqual(['Draft: Add the pumps', 'Say b']);
    for (const query of ['label=bug', 'reviewer=dora', 'source=work/pumps', 'search=pumps'])
      expect([query, await titles(`?${query}`)]).toEqual([query, ['Draft: Add the pumps']]);
    expect(await titles('?assignee=@rita')).toEqual(['Say b']);
    for (const query of ['author=rita', 'assignee=nobody', 'target=other', 'milestone=None such', 'state=merged'])
      expect([query, await titles(`?${query}`)]).toEqual([query, []]);
    const html = await read(maintainer, pageOf(loom));
    expect(html).toContain('aria-current="page">Merge requests</a>');
    expect(html).toContain('<span class="badge medium">draft</span>');
    for (const words of [' · review by <bdi>dora Example</bdi>', ' · assigned to <bdi>rita Example</bdi>'])
      expect(html).toContain(words);
    const mine = await read(maintainer, '/dashboard/merge_requests?scope=reviews');
    expect(mine).toContain('Draft: Add the pumps');
    expect(await read(reporter, '/dashboard/merge_requests')).toContain('Say b');
  });

  it('show nothing of a private project to who is not a member, nor to guests', async () => {
    const loom = await project();
    await open(loom);
    await writing.service.addUser('gus', { password: PASSWORD }).then((gus) => loom.addMember(gus, 10));
    const guest = await signedIn(writing.service, 'gus');
    for (const page of ['', '/new', '/1', '/1/commits', '/1/diffs', '/1/edit', '/1/remove']) {
      expect([page, (await stranger.get(pageOf(loom, page))).status]).toEqual([page, 404]);
      expect([page, (await guest.get(pageOf(loom, page))).status]).toEqual([page, 403]);
    }
    expect(await read(guest, `/${loom.project.path}`)).not.toContain('/-/merge_requests');
    await loom.call('POST', '/issues', { title: 'Names it', description: 'After !1.' });
    for (const page of ['issues/1', 'activity'])
      expect(await read(guest, `/${loom.project.path}/-/${page}`)).not.toContain('/-/merge_requests/1');
    expect(await read(maintainer, `/${loom.project.path}/-/activity`)).toContain(`href="${pageOf(loom, '/1')}"`);
    expect(await read(maintainer, `/${loom.project.path}/-/issues/1`)).toContain(`href="${pageOf(loom, '/1')}"`);
  });

  it('open one from two branches that are compared first, with everything that the form asks for', async () => {
    const loom = await project();
    await loom.call('POST', '/labels', { name: 'bug', color: '#d9534f' });
    const bare = await read(maintainer, pageOf(loom, '/new'));
    expect(bare).toContain('<option value="work/pumps">');
    expect(bare).not.toContain('Create merge request');
    const page = pageOf(loom, '/new?source_branch=work%2Fpumps&target_branch=main');
    const compared = await read(maintainer, page);
    expect(compared).toContain('value="Write pump.c"');
    expect(compared).toContain('int pump;');
    const preview = await send(maintainer, page, page, { title: 'Pumps', description: '**Hot**', preview: 'true' });
    expect(preview.html).toContain('<strong>Hot</strong>');
    expect(preview.html).toContain('value="Pumps"');
    for (const title of [' ', 'Draft:', 'draft: [Draft] ']) {
      const blank = await send(maintainer, page, page, { title, description: 'Kept' });
      const words = '<a href="#title">The title can&#39;t be blank</a>';
      expect([title, blank.status, blank.html.includes(words)]).toEqual([title, 400, true]);
      expect(blank.html).toContain('Kept');
    }
    const made = await send(maintainer, page, page, {
      title: 'Pumps',
      description: 'See #1',
      labels: 'bug',
      reviewer_ids: String(owner.id),
      assignee_ids: String(people['dora']!.id),
      draft: 'true',
      squash: 'true',
      remove_source_branch: 'true',
    });
    expect([made.status, made.to, noticeIn(made.html)]).toEqual([303, pageOf(loom, '/1'), 'Merge request !1 created.']);
    expect(await one(loom)).toMatchObject({
      title: 'Draft: Pumps',
      description: 'See #1',
      labels: ['bug'],
      squash: true,
      force_remove_source_branch: true,
      assignees: [{ username: 'dora' }],
      reviewers: [{ username: 'ada' }],
    });
    const edit = pageOf(loom, '/1/edit');
    await send(maintainer, edit, edit, { title: 'Pumps', description: 'See #1' });
    expect(await one(loom)).toMatchObject({ title: 'Pumps' });
    await send(maintainer, edit, edit, { title: 'draft: Pumps', description: 'See #1' });
    expect(await one(loom)).toMatchObject({ title: 'Draft: Pumps' });
    // Enter in the title sends the form: it presses the first button.
    const [, form = ''] = (await read(maintainer, edit)).split('class="form"');
    expect(/<button[^>]*>([^<]*)/.exec(form)?.[1]).toBe('Save changes');
    // Whoever follows the link that git prints after a push is told of it.
    const again = await read(maintainer, pageOf(loom, '/new?merge_request%5Bsource_branch%5D=work%2Fpumps'));
    expect(again).toContain('There is an open merge request for these branches already');
    const twin = await send(maintainer, page, page, { title: 'Twice' });
    expect([twin.status, twin.html.includes('already exists')]).toEqual([409, true]);
  });

  describe('keep what was typed when other branches are compared', () => {
    const words = { title: 'Pumps & valves', description: 'It "leaks"\r\n', labels: 'bug', draft: 'true' };
    const compared = { source_branch: '12-valves', target_branch: 'main' };
    const begun = async () => {
      const loom = await project();
      await loom.call('POST', '/labels', { name: 'bug', color: '#d9534f' });
      await loom.write('12-valves', { 'valve.c': 'int valve;\n' }, { start_branch: 'main' });
      await loom.write('12-valves', { 'seat.c': 'int seat;\n' });
      const page = pageOf(loom, '/new?source_branch=work%2Fpumps&target_branch=main');
      const html = await read(maintainer, page);
      const proposed_title = hiddenField(html, 'proposed_title');
      const proposed_description = hiddenField(html, 'proposed_description');
      return { loom, page, proposed: { proposed_title, proposed_description } };
    };
    const textIn = (html: string) => /<textarea id="description"[^>]*>\n([^<]*)</.exec(html)?.[1];
    const titleIn = (html: string) => /<input id="title"[^>]* value="([^"]*)"/.exec(html)?.[1];

    it.each([
      ['by its button', { compare: 'true' }],
      ['by whatever button sends the form with branches that nobody has compared', {}],
    ])('%s', async (_how, button) => {
      const { loom, page, proposed } = await begun();
      const { status, html } = await send(maintainer, page, page, { ...words, ...proposed, ...compared, ...button });
      expect([status, titleIn(html), textIn(html)]).toEqual([200, 'Pumps &amp; valves', 'It &quot;leaks&quot;\r\n']);
      expect(html).toContain('name="labels" value="bug" checked');
      expect(html).toContain('int valve;');
      expect((await loom.call<unknown[]>('GET', '/merge_requests')).body).toEqual([]);
      const action = /<form method="post" id="merge-request" action="([^"]*)"/
        .exec(html)?.[1]
        ?.replaceAll('&amp;', '&');
      const sent = { ...words, ...compared };
      const made = await send(maintainer, page, action ?? '', sent);
      expect([made.to, await one(loom)]).toEqual([
        pageOf(loom, '/1'),
        expect.objectContaining({ source_branch: '12-valves', title: 'Draft: Pumps & valves' }),
      ]);
    });

    it('and propose the words of the other branch where nothing was typed', async () => {
      const { page, proposed } = await begun();
      const untouched = { title: 'Write pump.c', description: '', ...proposed, ...compared, compare: 'true' };
      const { html } = await send(maintainer, page, page, untouched);
      expect([titleIn(html), textIn(html)]).toEqual(['Valves', 'Closes #12']);
    });

    it('also where a branch is not there', async () => {
      const { page, proposed } = await begun();
      const nowhere = { ...words, ...proposed, source_branch: 'nowhere', compare: 'true' };
      const { html } = await send(maintainer, page, page, nowhere);
      expect(html).toContain('The source branch does not exist');
      expect([titleIn(html), textIn(html)]).toEqual(['Pumps &amp; valves', 'It &quot;leaks&quot;\r\n']);
    });
  });

  it('offer the owner of a personal project to be chosen, as the form of its issues does', async () => {
    const loom = await project();
    const form = await read(maintainer, pageOf(loom, '/new?source_branch=work%2Fpumps&target_branch=main'));
    for (const name of ['assignee_ids', 'reviewer_ids'])
      expect(form.split(`name="${name}" value="${owner.id}"`)).toHaveLength(2);
    const ofIssues = await read(maintainer, `/${loom.project.path}/-/issues/new`);
    expect(ofIssues.split(`name="assignee_ids" value="${owner.id}"`)).toHaveLength(2);
  });

  it('say which branch is not there, and who may push nowhere is told what to do', async () => {
    const loom = await project();
    const html = await read(maintainer, pageOf(loom, '/new?source_branch=nowhere&target_branch=gone'));
    expect(html).toContain('The source branch does not exist');
    expect(html).toContain('The target branch does not exist');
    expect(await read(reporter, pageOf(loom, '/new'))).toContain('you are below Developer');
  });

  it('open one from a fork into the project that it was forked from', async () => {
    const loom = await project();
    const fork = await loom.call<{ id: number; path_with_namespace: string }>('POST', '/fork', {}, people['rita']);
    const path = fork.body.path_with_namespace;
    const token = { token: people['rita']!.token };
    await until(async () => {
      const of = await writing.service.call<{ import_status: string }>('GET', `/projects/${fork.body.id}`, token);
      return of.body.import_status === 'finished';
    });
    const commit = {
      branch: 'mine',
      start_branch: 'main',
      commit_message: 'Mine',
      actions: [{ action: 'create', file_path: 'm.txt', content: 'm\n' }],
    };
    await writing.service.call('POST', `/projects/${fork.body.id}/repository/commits`, { ...token, json: commit });
    await loom.write('main', { 'later.txt': 'later\n' });
    const { id: later } = (await loom.call<{ id: string }>('GET', '/repository/commits/main')).body;
    const page = `/${path}/-/merge_requests/new?source_branch=mine`;
    const html = await read(reporter, page);
    expect(html).toContain(`<option value="${loom.project.path}" selected>`);
    expect(html).toContain('m.txt');
    expect(html).not.toContain('later.txt');
    // What the fork has not is looked at where it is.
    const brought = `/projects/${fork.body.id}/repository/commits/${later}`;
    expect((await writing.service.call('GET', brought, token)).status).toBe(404);
    const made = await send(reporter, page, page, { title: 'Mine' });
    expect(made.to).toBe(pageOf(loom, '/1'));
    expect(made.html).toContain(`${path}:<bdi>mine</bdi>`);
    expect(await read(reporter, pageOf(loom, '/1/diffs'))).toContain('m.txt');
    // The fork is Rita's own: others see its name nowhere.
    expect(await read(maintainer, pageOf(loom, '/1'))).not.toContain(path);
  });

  it('offer the people, labels and milestones of the project to narrow the list by', async () => {
    const loom = await project({ visibility: 'public' });
    await loom.call('POST', '/labels', { name: 'bug <b>', color: '#d9534f' });
    await loom.call('POST', '/milestones', { title: '1.0' });
    for (const page of [pageOf(loom), `/${loom.project.path}/-/issues`]) {
      const html = await read(maintainer, page);
      const offered = (name: string) => {
        expect(html).toContain(`name="${name}" value="" list="${name}-offered"`);
        const [, options = ''] = new RegExp(`<datalist id="${name}-offered">(.*?)</datalist>`).exec(html) ?? [];
        return [...options.matchAll(/value="([^"]*)"/g)].map(([, value]) => value);
      };
      for (const name of ['author', 'assignee'])
        expect(offered(name)).toEqual(expect.arrayContaining(['ada', 'dora', 'rita']));
      expect([offered('label'), offered('milestone')]).toEqual([['bug &lt;b&gt;'], ['1.0']]);
    }
  });

  it('offer those of a group what its members are called, and labels and milestones of the projects below it that the reader sees', async () => {
    const { service } = writing;
    const make = async (path: string, json: object) =>
      (await service.call<{ id: number }>('POST', path, { token: owner.token, json })).body.id;
    const group = await make('/groups', { name: 'Mills', path: 'mills', visibility: 'public' });
    const below = await make('/groups', { name: 'Wind', path: 'wind', visibility: 'public', parent_id: group });
    await make(`/groups/${group}/members`, { user_id: people['dora']!.id, access_level: 20 });
    const told = async (fields: object, label: string, title: string) => {
      const made = await writing.newProject(fields);
      await made.call('POST', '/labels', { name: label, color: '#d9534f' });
      await made.call('POST', '/milestones', { title, due_date: title === 'soon' ? '2030-01-01' : null });
      return made;
    };
    await told({ visibility: 'public', namespace_id: group }, 'bug <b>', 'later');
    await told({ visibility: 'public', namespace_id: below }, 'bug <b>', 'soon');
    await told({ visibility: 'private', namespace_id: below }, 'secret', 'hush');
    const old = await told({ visibility: 'public', namespace_id: group }, 'old', 'past');
    await old.call('POST', '/archive');
    const visitor = new FormBrowser(service.url);
    for (const [who, names, label, milestone] of [
      [maintainer, ['ada', 'dora'], ['bug &lt;b&gt;', 'secret'], ['soon', 'hush', 'later']],
      [stranger, ['ada', 'dora'], ['bug &lt;b&gt;'], ['soon', 'later']],
      [visitor, [], ['bug &lt;b&gt;'], ['soon', 'later']],
    ] as const)
      for (const page of ['/groups/mills/-/issues', '/groups/mills/-/merge_requests']) {
        const html = await read(who, page);
        const offered = (name: string) => {
          const [, options = ''] = new RegExp(`<datalist id="${name}-offered">(.*?)</datalist>`).exec(html) ?? [];
          return [...options.matchAll(/value="([^"]*)"/g)].map(([, value]) => value);
        };
        expect([offered('assignee').toSorted(), offered('label'), offered('milestone')]).toEqual([
          names,
          label,
          milestone,
        ]);
      }
  });

  it('tell how long it will take, and took, where somebody said so', async () => {
    const loom = await project();
    await open(loom);
    await loom.call('POST', '/issues', { title: 'Leak' });
    for (const [page, path] of [
      [pageOf(loom, '/1'), '/merge_requests/1'],
      [`/${loom.project.path}/-/issues/1`, '/issues/1'],
    ] as const) {
      expect(await read(maintainer, page)).not.toContain('<dt>Time</dt>');
      await loom.call('POST', `${path}/add_spent_time?duration=1h30m`);
      expect(await read(maintainer, page)).toContain('<dt>Time</dt><dd>1h 30m spent</dd>');
      await loom.call('POST', `${path}/time_estimate?duration=2d`);
      expect(await read(maintainer, page)).toContain('<dt>Time</dt><dd>1h 30m spent, 2d estimated</dd>');
    }
  });

  describe('show one', () => {
    it('with its text, people, branches, commits and changes', async () => {
      const loom = await project();
      await loom.call('POST', '/issues', { title: 'Leak' });
      await open(loom, { description: 'Closes #1. **Hot**, <b>not</b>', reviewer_ids: [people['rita']!.id] });
      const html = await read(maintainer, pageOf(loom, '/1'));
      expect(html).toContain('<strong>Hot</strong>, &lt;b&gt;not&lt;/b&gt;');
      expect(html).toContain('Closes when it is merged');
      expect(html).toContain('<a href="/rita">');
      expect(html).toContain('Changes (1)');
      const titleOf = (page: string) => /<title>([^<]*) · Gatehouse</.exec(page)?.[1];
      const commits = await read(maintainer, pageOf(loom, '/1/commits'));
      expect(commits).toContain('Write pump.c');
      const changes = await read(maintainer, pageOf(loom, '/1/diffs'));
      expect([html, commits, changes].map(titleOf)).toEqual([
        'Add the pumps (!1)',
        'Commits of Add the pumps (!1)',
        'Changes of Add the pumps (!1)',
      ]);
      expect(changes).toContain('int pump;');
      expect(changes).not.toContain('<select name="version">');
      await loom.write('work/pumps', { 'valve.c': 'int valve;\n' });
      const after = await read(maintainer, pageOf(loom, '/1/diffs?view=parallel'));
      const [, oldest] = /<option value="(\d+)">1: /.exec(after) ?? [];
      expect(after).toContain('int valve;');
      const before = await read(maintainer, pageOf(loom, `/1/diffs?version=${oldest}`));
      expect(before).not.toContain('int valve;');
      expect(before).toContain(`?version=${oldest}&amp;view=parallel`);
      expect((await maintainer.get(pageOf(loom, '/1/diffs?version=999999'))).status).toBe(404);
      for (const page of ['/2', '/2/diffs', '/x', '/2/commits'])
        expect([page, (await maintainer.get(pageOf(loom, page))).status]).toEqual([page, 404]);
    });

    it('with what was done before and after each comment', async () => {
      const loom = await project();
      await open(loom, { labels: 'bug' });
      writing.service.clock.advance(1_000);
      await loom.call('POST', '/merge_requests/1/notes', { body: 'Please don’t' });
      writing.service.clock.advance(1_000);
      await loom.call('PUT', '/merge_requests/1', { state_event: 'close' });
      const [, story = ''] = (await read(maintainer, pageOf(loom, '/1'))).split('>Comments</h2>');
      const places = ['added label', 'Please don’t', 'closed it'].map((words) => story.indexOf(words));
      expect(places).toEqual([...places].sort((one, other) => one - other));
      expect(places).not.toContain(-1);
    });

    it('with who was assigned or asked to review, and what its title and target branch were', async () => {
      const loom = await project();
      const [dora, rita] = [people['dora']!.id, people['rita']!.id];
      await loom.write('stable', { 'old.txt': 'old\n' }, { start_branch: 'main' });
      await open(loom, { assignee_ids: [dora], reviewer_ids: [rita] });
      const change = async (json: object) => {
        writing.service.clock.advance(1_000);
        expect((await loom.call('PUT', '/merge_requests/1', json)).status).toBe(200);
      };
      await change({ assignee_ids: [rita], reviewer_ids: [] });
      await change({ title: 'Add <pumps>', target_branch: 'stable' });
      await change({ title: 'Add pumps' });
      const html = await read(maintainer, pageOf(loom, '/1'));
      const lines = [...html.matchAll(/<p class="change">[^]*?<\/p>/g)].map(([line]) =>
        line
          .replaceAll(/<span[^>]* aria-hidden="true">[^<]*<\/span>|<[^>]+>/g, '')
          .replace(/ · .*$/, '')
          .trim(),
      );
      expect(lines).toEqual([
        'ada Example assigned dora Example, asked for a review by rita Example',
        'ada Example assigned rita Example, unassigned dora Example, no longer asks for a review by rita Example',
        'ada Example changed the title from “Add the pumps”, changed the target branch from main',
        'ada Example changed the title from “Add &lt;pumps&gt;”',
      ]);
    });

    it('with what the service wrote by itself in one line, which takes no reply', async () => {
      const loom = await project();
      await open(loom);
      await loom.call('POST', '/merge_requests/1/add_spent_time?duration=1h');
      const html = await read(maintainer, pageOf(loom, '/1'));
      expect(html).toMatch(
        /<div class="change" id="note_\d+">[^]*ada Example[^]*added 1h of time spent[^]*<time [^]*<\/div>/,
      );
      expect(html).not.toContain('<article id="note_');
      expect(html).not.toContain('class="reply"');
    });

    it('with how many comments there are on the tab of the conversation', async () => {
      const loom = await project();
      await open(loom);
      const tab = async () =>
        /aria-current="page">(Conversation[^<]*)</.exec(await read(maintainer, pageOf(loom, '/1')))?.[1];
      expect(await tab()).toBe('Conversation');
      await loom.call('POST', '/merge_requests/1/notes', { body: 'Hm' });
      await loom.call('POST', '/merge_requests/1/discussions', { body: 'Why?' });
      expect(await tab()).toBe('Conversation (2)');
    });

    it('with buttons for who may press them alone', async () => {
      const loom = await project({ visibility: 'public' });
      await open(loom);
      const forms = (html: string) =>
        [...html.matchAll(/action="[^"]*\/-\/merge_requests\/1\/([a-z]+)"/g)].map(([, name]) => name);
      expect(forms(await read(maintainer, pageOf(loom, '/1')))).toEqual([
        'draft',
        'state',
        'reactions',
        'approval',
        'merge',
        'subscription',
        'notes',
      ]);
      expect(forms(await read(reporter, pageOf(loom, '/1')))).toEqual(['reactions', 'subscription', 'notes']);
      const visitor = await (await fetch(writing.service.url + pageOf(loom, '/1'))).text();
      expect(forms(visitor)).toEqual([]);
      for (const [name, values] of Object.entries({
        merge: {},
        state: { state_event: 'close' },
        draft: { draft: 'true' },
        approval: { approved: 'true' },
        rebase: {},
      })) {
        expect([name, (await act(stranger, loom, name, values as Record<string, string>)).status]).toEqual([name, 403]);
      }
      expect(await one(loom)).toMatchObject({ state: 'opened', title: 'Add the pumps' });
      await loom.call('POST', '/archive');
      expect(forms(await read(maintainer, pageOf(loom, '/1')))).toEqual(['subscription']);
      await loom.call('POST', '/unarchive');
    });
  });

  it('show a change of thousands of files, or of a megabyte in one, bounded and folded', async () => {
    const loom = await project();
    const content = 'x'.repeat(99).concat('\n').repeat(10_486);
    await loom.write('large', { 'a-large.txt': content, 'a-long.txt': 'line\n'.repeat(500) }, { start_branch: 'main' });
    for (const folder of ['many', 'more', 'most']) {
      const files = Array.from({ length: 400 }, (_, index) => `${folder}/${index}.txt`);
      const actions = files.map((file_path) => ({ action: 'create', file_path, content: file_path }));
      expect((await loom.commit('large', 'Many', actions)).status).toBe(201);
    }
    await open(loom, { source_branch: 'large' });
    const changes = await read(maintainer, pageOf(loom, '/1/diffs'));
    const page = pageOf(loom, '/new?source_branch=large');
    for (const html of [changes, await read(maintainer, page)]) {
      expect(html.length).toBeLessThan(1_000_000);
      expect(html).toContain('The changes are too large to be shown here.');
      expect(html).toContain('The page lists the first 300 files.');
      // What is long is there, and folded.
      expect(html).toMatch(/<details class="diff" id="file-2">/);
    }
    expect(changes).toContain('Changes (1000+)');
  });

  describe('change one', () => {
    it('close, reopen, mark as draft and as ready, edit and remove it', async () => {
      const loom = await project();
      await open(loom);
      expect(noticeIn((await act(maintainer, loom, 'state', { state_event: 'close' })).html)).toBe(
        'Merge request !1 closed.',
      );
      expect((await one(loom)).state).toBe('closed');
      const reopened = await act(maintainer, loom, 'state', { state_event: 'reopen' });
      expect([reopened.to, noticeIn(reopened.html)]).toEqual([pageOf(loom, '/1'), 'Merge request !1 reopened.']);
      expect(boxOf((await act(maintainer, loom, 'draft', { draft: 'true' })).html)).toContain(
        'It is a draft. Mark it as ready',
      );
      expect((await one(loom)).title).toBe('Draft: Add the pumps');
      await act(maintainer, loom, 'draft', { draft: 'false' });
      expect((await one(loom)).title).toBe('Add the pumps');
      const edit = pageOf(loom, '/1/edit');
      const gone = await send(maintainer, edit, edit, { title: 'Pumps', target_branch: 'gone' });
      expect([gone.status, gone.html.includes('The target branch does not exist')]).toEqual([400, true]);
      const saved = await send(maintainer, edit, edit, {
        title: 'Pumps',
        target_branch: 'main',
        reviewer_ids: String(people['rita']!.id),
        squash: 'true',
      });
      expect(saved.to).toBe(pageOf(loom, '/1'));
      expect(await one(loom)).toMatchObject({ title: 'Pumps', squash: true, reviewers: [{ username: 'rita' }] });
      expect((await reporter.get(edit)).status).toBe(403);
      expect((await maintainer.get(pageOf(loom, '/1/remove'))).status).toBe(403);
    });

    it('undo nothing that somebody else has saved since the form was opened, unless it is sent again', async () => {
      const loom = await project();
      await open(loom);
      const edit = pageOf(loom, '/1/edit');
      const sent = (html: string, more: Record<string, string> = {}) => ({
        ...{ title: 'Mine', target_branch: 'main', seen: hiddenField(html, 'seen'), ...more },
      });
      const form = await read(maintainer, edit);
      await loom.call('PUT', '/merge_requests/1', { description: 'Of somebody else', labels: 'urgent' });
      const previewed = await send(maintainer, edit, edit, sent(form, { preview: 'true' }));
      const refused = await send(maintainer, edit, edit, sent(previewed.html));
      expect([refused.status, refused.html.includes('value="Mine"')]).toEqual([409, true]);
      expect(refused.html).toContain('Somebody else has saved something since you opened this form.');
      expect(await one(loom)).toMatchObject({ description: 'Of somebody else', labels: ['urgent'] });
      expect((await send(maintainer, edit, edit, sent(refused.html))).status).toBe(303);
      expect(await one(loom)).toMatchObject({ title: 'Mine', description: '' });
    });

    it('talk about it: comments, threads, replies, and whether what they ask for is done', async () => {
      const loom = await project();
      await open(loom);
      const commented = await act(reporter, loom, 'notes', { body: 'Nice **work**', kind: 'comment' });
      expect(noticeIn(commented.html)).toBe('Comment added.');
      expect(commented.html).toContain('Nice <strong>work</strong>');
      const begun = await act(reporter, loom, 'notes', { body: 'Test it?', kind: 'thread' });
      const [, thread] = /#note_(\d+)$/.exec(begun.to ?? '') ?? [];
      expect(begun.html).toContain('not resolved');
      const replied = await act(maintainer, loom, `threads/${thread}/notes`, { body: 'Done' });
      expect(noticeIn(replied.html)).toBe('Reply added.');
      const blank = await act(maintainer, loom, `threads/${thread}/notes`, { body: ' ' });
      expect([blank.status, blank.html.includes('<details class="reply" open>')]).toEqual([400, true]);
      expect((await act(reporter, loom, `threads/${thread}/resolution`, { resolved: 'true' })).status).toBe(403);
      const resolved = await act(maintainer, loom, `threads/${thread}/resolution`, { resolved: 'true' });
      expect(noticeIn(resolved.html)).toBe('Thread resolved.');
      expect(resolved.html).toContain('<span class="badge on">resolved</span>');
      expect((await act(maintainer, loom, 'threads/999999/notes', { body: 'x' })).status).toBe(404);
      const edit = pageOf(loom, `/1/notes/${thread}/edit`);
      expect((await send(reporter, edit, edit, { body: 'Tested?' })).html).toContain('Tested?');
      const [, reply] = /#note_(\d+)$/.exec(replied.to ?? '') ?? [];
      expect((await reporter.get(pageOf(loom, `/1/notes/${reply}/edit`))).status).toBe(403);
      const tooLong = await act(reporter, loom, 'notes', { body: 'x'.repeat(1_000_001), kind: 'comment' });
      expect(tooLong.status).toBe(400);
    });
  });

  describe('of a conversation of 250 comments', () => {
    const notesIn = (html: string): readonly number[] =>
      [...html.matchAll(/<article id="note_(\d+)"/g)].map(([, id]) => Number(id));
    const linkIn = (html: string, words: string): string =>
      (new RegExp(`href="([^"]+)">${words}<`).exec(html)?.[1] ?? '').replace(/#.*/, '');
    const BODIES = Array.from({ length: 250 }, (_, index) => `Comment ${index + 1}.`);

    it('lead through all of it and back, and from a link to a comment to the page that holds it', async () => {
      const loom = await project();
      const { id } = await open(loom);
      const issue = (await loom.call<{ id: number }>('POST', '/issues', { title: 'Long' })).body;
      for (const [subject, page] of [
        [Number(id), pageOf(loom, '/1')],
        [issue.id, `/${loom.project.path}/-/issues/1`],
      ] as const) {
        const ids = await seedNotes(writing.service, subject, BODIES);
        await loom.call('PUT', page.replace(/.*\/-/, ''), { state_event: 'close' });
        const first = await read(reporter, page);
        expect(linkIn(first, 'Earlier comments')).toBe('');
        const second = await read(reporter, linkIn(first, 'Later comments'));
        const third = await read(reporter, linkIn(second, 'Later comments'));
        expect([first, second, third].flatMap(notesIn)).toEqual(ids);
        expect(linkIn(third, 'Later comments')).toBe('');
        // What was done stands among the comments of its time alone.
        expect([first, second, third].map((html) => html.includes('closed it'))).toEqual([false, false, true]);
        expect(notesIn(await read(reporter, linkIn(third, 'Earlier comments')))).toEqual(notesIn(second));
        expect(linkIn(second, 'Earlier comments')).toBe(page);
        expect(notesIn(await read(reporter, `${page}?note=${ids[99]}`))).toEqual(notesIn(first));
        expect(notesIn(await read(reporter, `${page}?note=${ids[249]}`))).toEqual(notesIn(third));
        // Of another place, or none at all: the beginning.
        for (const other of ['0', 'x', '-1', '1&note=2'])
          expect(notesIn(await read(reporter, `${page}?note=${other}`))).toEqual(notesIn(first));
      }
    });

    it('of a long thread lead to each of its replies, however long they are', async () => {
      const loom = await project();
      const { id } = await open(loom);
      const page = pageOf(loom, '/1');
      const [, begun] =
        /#note_(\d+)$/.exec((await act(reporter, loom, 'notes', { body: 'Begin', kind: 'thread' })).to ?? '') ?? [];
      const replies: string[] = [];
      for (let number = 0; number < 12; number += 1) {
        const reply = await act(reporter, loom, `threads/${begun}/notes`, {
          body: `Reply ${number} ${'x'.repeat(8_000)}`,
        });
        replies.push(/#note_(\d+)$/.exec(reply.to ?? '')?.[1] ?? '');
        // Whoever writes one sees it.
        expect(reply.html).toContain(`Reply ${number} `);
      }
      const html = await read(reporter, page);
      expect(html).not.toContain('Reply 11 ');
      const rest = await read(reporter, linkIn(html, 'More of this thread'));
      expect(notesIn(rest).map(String)).toEqual(replies.slice(-notesIn(rest).length));
      expect(notesIn(await read(reporter, linkIn(rest, 'Earlier in this thread')))[0]).toBe(Number(begun));
      expect(Number(id)).toBeGreaterThan(0);
    });
  });

  describe('the merge box', () => {
    it('says why one can’t be merged yet, and what to do', async () => {
      const loom = await project();
      await open(loom);
      await loom.call('PUT', '', { approvals_before_merge: 1 });
      expect(boxOf(await read(maintainer, pageOf(loom, '/1')))).toContain(
        'It can’t be merged yet 1 more approval is needed. Ask a Developer or above who did not open it to approve it.',
      );
      const refused = await act(maintainer, loom, 'merge', {});
      expect([refused.status, problemIn(refused.html)]).toEqual([
        400,
        'Not merged. 1 more approval is needed. Ask a Developer or above who did not open it to approve it.',
      ]);
      expect(noticeIn((await act(maintainer, loom, 'approval', { approved: 'true' })).html)).toBe('Approved.');
      const approved = await read(maintainer, pageOf(loom, '/1'));
      expect(approved).toContain('Ready to be merged');
      expect(approved).toContain('Take approval back');
      expect((await act(maintainer, loom, 'approval', { approved: 'true' })).status).toBe(403);
      await act(maintainer, loom, 'approval', { approved: 'false' });
      expect(boxOf(await read(maintainer, pageOf(loom, '/1')))).toContain('1 more approval is needed');
    });

    it('names the files that conflict, and a rebase puts the commits upon the target', async () => {
      const loom = await project();
      await loom.write('clash', { 'c.txt': 'theirs\n' }, { start_branch: 'main' });
      await open(loom, { source_branch: 'clash' });
      await open(loom);
      await loom.write('main', { 'c.txt': 'ours\n' });
      const box = boxOf(await read(maintainer, pageOf(loom, '/1')));
      expect(box).toContain('The same lines were changed on both branches, in the files below.');
      expect(box).toContain('c.txt');
      const failed = await act(maintainer, loom, 'rebase', {}, 1);
      expect([failed.status, problemIn(failed.html)]).toEqual([400, expect.stringContaining('Rebase failed')]);
      await loom.call('PUT', '', { merge_method: 'ff' });
      expect(boxOf(await read(maintainer, pageOf(loom, '/2')))).toContain(
        'main has 1 commit that the source branch lacks',
      );
      expect(noticeIn((await act(maintainer, loom, 'rebase', {}, 2)).html)).toBe('work/pumps stands upon main now.');
      expect(boxOf(await read(maintainer, pageOf(loom, '/2')))).toContain('Ready to be merged');
    });

    it('merges with the message, as one commit, and takes the source branch away', async () => {
      const loom = await project();
      await loom.write('work/pumps', { 'valve.c': 'int valve;\n' });
      const { sha } = (await open(loom)) as Shown & { sha: string };
      const stale = await act(maintainer, loom, 'merge', { sha: 'f'.repeat(40) });
      expect([stale.status, problemIn(stale.html)]).toEqual([
        409,
        expect.stringContaining('Other commits are there now'),
      ]);
      const merged = await act(maintainer, loom, 'merge', {
        sha,
        squash: 'true',
        remove_source_branch: 'true',
        message: 'Bring pumps\r\n\r\nAt last.',
        squash_message: 'Pumps and valves',
      });
      expect([merged.status, noticeIn(merged.html)]).toEqual([303, 'Merged into main.']);
      const twice = await act(maintainer, loom, 'merge', { sha });
      expect(problemIn(twice.html)).toBe('Not merged. Somebody has merged it already. There is nothing left to do.');
      expect(boxOf(merged.html)).toContain('The source branch was removed.');
      expect(boxOf(merged.html)).not.toContain('Delete source branch');
      const { state, merge_commit_sha, squash_commit_sha } = await one(loom);
      expect(state).toBe('merged');
      const message = async (id: string | null) =>
        (await loom.call<{ message: string }>('GET', `/repository/commits/${id}`)).body.message;
      expect(await message(merge_commit_sha)).toBe('Bring pumps\n\nAt last.');
      expect(await message(squash_commit_sha)).toBe('Pumps and valves');
      // It is there again: who may delete it is led to the page that asks, and it is not called removed.
      await loom.write('work/pumps', { 'again.c': '' }, { start_branch: 'main' });
      const again = await read(maintainer, pageOf(loom, '/1'));
      const [, question = ''] = /href="([^"]+)">Delete source branch</.exec(again) ?? [];
      expect([boxOf(again).includes('was removed'), (await maintainer.get(question)).status]).toEqual([false, 200]);
      expect(boxOf(await read(reporter, pageOf(loom, '/1')))).not.toContain('Delete source branch');
      await loom.call('POST', '/protected_branches', { name: 'work/*' });
      expect(boxOf(await read(maintainer, pageOf(loom, '/1')))).not.toContain('Delete source branch');
      // What a form led to can be loaded again.
      expect((await maintainer.get(pageOf(loom, '/1/merge'))).headers.get('location')).toBe(pageOf(loom, '/1'));
      expect(await read(maintainer, pageOf(loom, '/1/diffs'))).toContain('int valve;');
    });
  });

  it('shows the pipeline of its newest commit, and has it merged once that succeeds', async () => {
    const loom = await project();
    const { iid } = await open(loom);
    const page = pageOf(loom, `/${iid}`);
    const tell = async (state: string, more: object = {}) => {
      const { status } = await loom.call('POST', '/statuses/work%2Fpumps', { state, name: 'unit tests', ...more });
      expect([state, status]).toEqual([state, 201]);
    };
    expect(await read(maintainer, page)).not.toContain('Pipeline #');
    await tell('running', { description: 'One of two', target_url: 'https://builds.example/7' });
    const shown = await read(maintainer, page);
    for (const words of [
      'Pipeline #1',
      '<a href="https://builds.example/7" rel="nofollow noopener',
      'One of two',
      'Merge now',
    ])
      expect(shown).toContain(words);
    expect(await read(reporter, page)).not.toContain('Merge when the pipeline succeeds');
    const when = { when: 'pipeline_succeeds', remove_source_branch: 'true' };
    const begun = await act(maintainer, loom, 'merge', when);
    expect(noticeIn(begun.html)).toBe('It is merged once its pipeline succeeds.');
    expect(await read(reporter, page)).toContain('It waits for its pipeline');
    const ended = await act(maintainer, loom, 'cancel_merge', {});
    expect(noticeIn(ended.html)).toBe('It is not merged by itself any more.');
    await act(maintainer, loom, 'merge', when);
    expect(await read(maintainer, pageOf(loom))).toContain('<span class="badge medium">running</span>');
    await tell('failed');
    const [code, commits] = [`/${loom.project.path}/-`, await read(stranger, `/${loom.project.path}/-/commits/main`)];
    expect(commits).not.toContain('badge');
    for (const [where, words] of [
      [`${code}/commits/work/pumps`, 'failed'],
      [`${code}/commit/${String((await one(loom)).sha)}`, 'unit tests'],
      [`${code}/pipelines`, '>#1</strong>'],
      [`${page}/commits`, 'failed'],
    ] as const)
      expect([where, await read(maintainer, where)]).toEqual([where, expect.stringContaining(words)]);
    await tell('success');
    await until(async () => (await one(loom)).state === 'merged');
    expect(await read(maintainer, page)).toContain('The source branch was removed.');
    expect((await maintainer.get(`${code}/pipelines/999999`)).status).toBe(404);
  });
});
