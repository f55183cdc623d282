import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeAnyDatabase } from '../support/databases.js';
import { FormBrowser, hiddenField, noticeIn, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

describeAnyDatabase('the pages that people write with', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: FormBrowser;
  let grace: FormBrowser;
  let eve: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
    for (const name of ['ada', 'grace', 'eve']) await service.addUser(name, { password: PASSWORD });
    [ada, grace, eve] = [
      await signedIn(service, 'ada'),
      await signedIn(service, 'grace'),
      await signedIn(service, 'eve'),
    ];
  });

  afterAll(() => service.close());

  /** Sends the form of a page to its own address, and reads the page that it leads to. */
  const send = (who: FormBrowser, page: string, values: Record<string, string>) =>
    who.submitAndRead(page, page, values);
  const read = async <Body>(path: string) => (await service.call<Body>('GET', path, { token: root.token })).body;

  it('make a group, a subgroup and a project, each said in its own words', async () => {
    const group = await send(ada, '/groups/-/new', { name: 'Analytical Works', visibility: 'internal' });
    expect([group.status, group.to]).toEqual([303, '/groups/analytical-works']);
    expect(noticeIn(group.html)).toBe('Group “Analytical Works” created.');
    const subgroup = await send(ada, '/groups/-/new?parent=analytical-works', { name: 'Mill', visibility: 'private' });
    expect(subgroup.to).toBe('/groups/analytical-works/mill');
    const { id } = await read<{ id: number }>('/groups/analytical-works%2Fmill');
    const project = await send(ada, '/projects/new', {
      name: 'Engine',
      namespace_id: String(id),
      visibility: 'private',
    });
    expect(project.to).toBe('/analytical-works/mill/engine');
    expect(noticeIn(project.html)).toBe('Project “Engine” created.');
    // It is said once.
    expect(noticeIn(await (await ada.get('/analytical-works/mill/engine')).text())).toBeUndefined();
  });

  it('show a refused form again at its own address, with a summary that leads to its fields and what was typed', async () => {
    const refused = await send(ada, '/groups/-/new', { name: ' ', path: 'b a d', description: 'Kept <b>' });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('role="alert" tabindex="-1" autofocus');
    expect(refused.html).toContain('<a href="#name">Name can&#39;t be blank</a>');
    expect(refused.html).toContain('aria-describedby="path-help path-problem"');
    expect(refused.html).toContain('Kept &lt;b&gt;');
    const taken = await send(ada, '/groups/-/new', { name: 'Again', path: 'analytical-works' });
    expect([taken.status, taken.html.includes('has already been taken')]).toEqual([400, true]);
  });

  it('say nothing of places that are not for somebody to see, and refuse what they may not do', async () => {
    for (const path of ['analytical-works/mill', 'analytical-works/none'])
      for (const page of [`/groups/-/new?parent=${path}`, `/projects/new?namespace=${path}`])
        expect([page, (await eve.get(page)).status]).toEqual([page, 404]);
    expect((await eve.get('/groups/-/new?parent=analytical-works')).status).toBe(403);
    const { id } = await read<{ id: number }>('/groups/analytical-works%2Fmill');
    expect((await send(eve, '/projects/new', { name: 'Spy', namespace_id: String(id) })).status).toBe(404);
    for (const page of ['settings', 'issues/new', 'labels/new', 'milestones/new', 'members/invite', 'settings/remove'])
      expect([page, (await eve.get(`/analytical-works/mill/engine/-/${page}`)).status]).toEqual([page, 404]);
  });

  describe('of members', () => {
    const MEMBERS = '/analytical-works/mill/engine/-/members';

    it('invite by username, change and remove, and let somebody leave', async () => {
      const none = await send(ada, `${MEMBERS}/invite`, { member: 'nobody', access_level: '30' });
      expect([none.status, none.html.includes('is not the username of an account')]).toEqual([400, true]);
      const invited = await send(ada, `${MEMBERS}/invite`, {
        member: 'GRACE',
        access_level: '20',
        expires_at: '2999-01-01',
      });
      expect([invited.to, noticeIn(invited.html)]).toEqual([MEMBERS, 'grace Example is now a Reporter.']);
      const again = await send(ada, `${MEMBERS}/invite`, { member: '@grace', access_level: '20' });
      expect([again.status, again.html.includes('Member already exists')]).toEqual([409, true]);
      expect(again.html).toContain('role="alert" tabindex="-1" autofocus');
      const { id } = (await read<{ id: number }[]>('/users?username=grace'))[0]!;
      expect((await grace.get(`${MEMBERS}/${id}`)).status).toBe(403);
      const changed = await send(ada, `${MEMBERS}/${id}`, { access_level: '10', expires_at: '' });
      expect(noticeIn(changed.html)).toBe('Membership of grace Example saved.');
      expect(changed.html).toMatch(/grace Example[\s\S]*Guest/);
      const past = await send(ada, `${MEMBERS}/${id}`, { access_level: '10', expires_at: '2001-02-30' });
      expect([past.status, past.html.includes('is not a date')]).toEqual([400, true]);
      expect((await send(grace, `${MEMBERS}/${id}/remove`, {})).to).toBe('/');
      expect((await grace.get(MEMBERS)).status).toBe(404);
      await send(ada, `${MEMBERS}/invite`, { member: 'grace', access_level: '10' });
    });

    it('share the project with a group, show its members and where they are from, and end that after asking', async () => {
      await service.call('POST', '/groups', { token: root.token, json: { name: 'Guild', path: 'guild' } });
      const none = await send(ada, `${MEMBERS}/share`, { group: 'guild', group_access: '20' });
      expect([none.status, none.html.includes('is not the path of a group that you can see')]).toEqual([400, true]);
      expect((await grace.get(`${MEMBERS}/share`)).status).toBe(403);
      await send(ada, '/groups/-/new', { name: 'Smiths', path: 'smiths', visibility: 'private' });
      await send(ada, '/groups/smiths/-/members/invite', { member: 'eve', access_level: '40' });
      const bad = await send(ada, `${MEMBERS}/share`, { group: 'smiths', group_access: '50' });
      expect([bad.status, bad.html.includes('is not included in the list')]).toEqual([400, true]);
      const shared = await send(ada, `${MEMBERS}/share`, {
        group: 'smiths',
        group_access: '20',
        expires_at: '2999-01-01',
      });
      expect([shared.to, noticeIn(shared.html)]).toEqual([MEMBERS, 'The project is now shared with Smiths.']);
      expect(shared.html).toMatch(/eve Example[\s\S]*Reporter <small>\(from Smiths\)<\/small>[\s\S]*2999-01-01/);
      const { id: group } = await read<{ id: number }>('/groups/smiths');
      expect(shared.html).toContain(`href="${MEMBERS}/groups/${group}/remove"`);
      expect((await send(ada, `${MEMBERS}/share`, { group: 'smiths', group_access: '20' })).status).toBe(409);
      expect((await eve.get(MEMBERS)).status).toBe(200);
      // Who sees neither the group nor manages its members is told of neither.
      const other = await (await grace.get(MEMBERS)).text();
      expect([other.includes('Smiths'), other.includes('eve Example'), other.includes('groups-heading')]).toEqual([
        false,
        false,
        false,
      ]);
      await service.call('POST', '/projects/analytical-works%2Fmill%2Fengine/share', {
        token: root.token,
        json: {
          group_id: (await service.call<{ id: number }>('GET', '/groups/guild', root)).body.id,
          group_access: 10,
        },
      });
      expect(await (await ada.get(MEMBERS)).text()).toContain('A group that you can’t see');
      expect((await eve.get(`${MEMBERS}/groups/${group}/remove`)).status).toBe(403);
      const question = await (await ada.get(`${MEMBERS}/groups/${group}/remove`)).text();
      expect(question).toContain('Stop sharing Engine with Smiths?');
      const ended = await send(ada, `${MEMBERS}/groups/${group}/remove`, {});
      expect([ended.to, noticeIn(ended.html)]).toEqual([MEMBERS, 'The project is no longer shared with Smiths.']);
      expect((await eve.get(MEMBERS)).status).toBe(404);
      expect((await ada.get(`${MEMBERS}/groups/${group}/remove`)).status).toBe(404);
    });

    it('are of groups as well, which keep their last owner', async () => {
      const page = '/groups/analytical-works/-/members';
      const { id } = (await read<{ id: number }[]>('/users?username=ada'))[0]!;
      const refused = await send(ada, `${page}/${id}/remove`, {});
      expect([refused.status, refused.html.includes('last owner')]).toEqual([400, true]);
    });
  });

  describe('of labels and milestones', () => {
    const PROJECT = '/analytical-works/mill/engine/-';

    it('make, edit and remove a label, after asking', async () => {
      const made = await send(ada, `${PROJECT}/labels/new`, { title: 'bug', color: '#d9534f', description: 'Broken' });
      expect(noticeIn(made.html)).toBe('Label “bug” created.');
      expect(made.html).toContain('fill="#d9534f"');
      const [label] = await read<{ id: number }[]>('/projects/analytical-works%2Fmill%2Fengine/labels');
      const subscription = `${PROJECT}/labels/${label!.id}/subscription`;
      for (const subscribed of [true, false]) {
        const words = `You ${subscribed ? '' : 'no longer '}follow the label “bug”.`;
        const form = await grace.submit(`${PROJECT}/labels`, subscription, { subscribed: String(subscribed) });
        const page = await (await grace.get(form.headers.get('location') ?? '')).text();
        expect(noticeIn(page)).toBe(words);
        expect(page).toContain(`value="${!subscribed}"`);
      }
      const twice = await send(ada, `${PROJECT}/labels/new`, { title: 'bug', color: '#000000' });
      expect([twice.status, twice.html.includes('Label already exists')]).toEqual([409, true]);
      for (const form of ['new', `${label!.id}/edit`]) {
        const refused = await send(ada, `${PROJECT}/labels/${form}`, { title: 'a, b', color: '#d9534f' });
        const words = 'The name can&#39;t have a comma: lists of labels are written with commas';
        expect([form, refused.status, refused.html.includes(words)]).toEqual([form, 400, true]);
      }
      await send(ada, `${PROJECT}/labels/${label!.id}/edit`, { title: 'defect', color: '#d9534f' });
      const question = await (await ada.get(`${PROJECT}/labels/${label!.id}/remove`)).text();
      expect(question).toContain('Remove the label defect?');
      expect(noticeIn((await send(ada, `${PROJECT}/labels/${label!.id}/remove`, {})).html)).toBe(
        'Label “defect” removed.',
      );
      expect((await grace.get(`${PROJECT}/labels/new`)).status).toBe(403);
    });

    it('make, edit, close and remove a milestone, and show how far it is', async () => {
      const made = await send(ada, `${PROJECT}/milestones/new`, { title: 'First light', due_date: '2027-01-01' });
      expect([made.to, noticeIn(made.html)]).toEqual([`${PROJECT}/milestones/1`, 'Milestone “First light” created.']);
      const early = await send(ada, `${PROJECT}/milestones/1/edit`, {
        title: 'First light',
        start_date: '2027-02-01',
        due_date: '2027-01-01',
      });
      expect([early.status, early.html.includes('must be greater than start date')]).toEqual([400, true]);
      const { id } = (await read<{ id: number }[]>('/projects/analytical-works%2Fmill%2Fengine/milestones'))[0]!;
      for (const title of ['One', 'Two']) await send(ada, `${PROJECT}/issues/new`, { title, milestone_id: String(id) });
      await ada.submit(`${PROJECT}/issues/1`, `${PROJECT}/issues/1/state`, { state_event: 'close' });
      expect(await (await ada.get(`${PROJECT}/milestones`)).text()).toContain('1 of 2 issues closed (50 %)');
      const burnUp = await (await ada.get(`${PROJECT}/milestones/1`)).text();
      expect(burnUp).toContain('Issues of the milestone over time. At the end, all issues: 2, closed issues: 1.');
      const day = service.clock.now().toISOString().slice(0, 10);
      expect(burnUp).toContain(`<th scope="row">${day}</th><td>2</td><td>1</td>`);
      const closing = await ada.submit(`${PROJECT}/milestones/1`, `${PROJECT}/milestones/1/state`, {
        state_event: 'close',
      });
      expect(closing.status).toBe(303);
      expect(await (await ada.get(`${PROJECT}/milestones?state=closed`)).text()).toContain('First light');
      expect(noticeIn((await send(ada, `${PROJECT}/milestones/1/remove`, {})).html)).toBe(
        'Milestone “First light” removed.',
      );
    });
  });

  describe('of issues', () => {
    const PROJECT = '/analytical-works/mill/engine/-';

    it('open one with everything, show it beforehand, and keep what was typed', async () => {
      await send(ada, `${PROJECT}/labels/new`, { title: 'leak', color: '#0b6670' });
      const fields = {
        title: 'Oil drips',
        description: '**Much** of it, see #1 and #999 and @grace',
        due_date: '2027-03-01',
      };
      const shown = await send(ada, `${PROJECT}/issues/new`, { ...fields, preview: 'true' });
      expect(shown.status).toBe(200);
      expect(shown.html).toContain('<strong>Much</strong>');
      expect(shown.html).toContain('value="Oil drips"');
      expect(shown.html).toContain(`<a href="${PROJECT}/issues/1">#1</a>`);
      expect(shown.html).toContain('<a href="/grace">@grace</a>');
      expect(shown.html).not.toContain('issues/999');
      const { id } = (await read<{ id: number }[]>('/users?username=grace'))[0]!;
      const made = await send(ada, `${PROJECT}/issues/new`, {
        ...fields,
        labels: 'leak',
        assignee_ids: String(id),
        confidential: 'true',
      });
      expect([made.to, noticeIn(made.html)]).toEqual([`${PROJECT}/issues/3`, 'Issue #3 created.']);
      expect(await read('/projects/analytical-works%2Fmill%2Fengine/issues/3')).toMatchObject({
        title: 'Oil drips',
        labels: ['leak'],
        due_date: '2027-03-01',
        confidential: true,
        assignees: [{ username: 'grace' }],
      });
      const list = await (await ada.get(`${PROJECT}/issues`)).text();
      expect(list).toMatch(
        /#3 · open · opened .* by <bdi>ada Example<\/bdi> · assigned to <bdi>grace Example<\/bdi> · due 2027-03-01</,
      );
    });

    it('edit and close it, and say so', async () => {
      const edited = await send(ada, `${PROJECT}/issues/3/edit`, { title: 'Oil leaks', description: 'Less' });
      expect(noticeIn(edited.html)).toBe('Issue #3 saved.');
      expect(await read('/projects/analytical-works%2Fmill%2Fengine/issues/3')).toMatchObject({
        title: 'Oil leaks',
        labels: [],
        due_date: null,
        confidential: false,
        assignees: [],
      });
      const empty = await send(ada, `${PROJECT}/issues/3/edit`, { title: '', description: 'Typed' });
      expect([empty.status, empty.html.includes('Typed')]).toEqual([400, true]);
      expect((await grace.get(`${PROJECT}/issues/3/edit`)).status).toBe(403);
    });

    it('undo nothing that somebody else has saved since the form was opened, unless it is sent again', async () => {
      const { body } = await service.call<{ iid: number; project_id: number }>(
        'POST',
        `/projects/analytical-works%2Fmill%2Fengine/issues`,
        {
          token: root.token,
          json: { title: 'Two at once' },
        },
      );
      const edit = `${PROJECT}/issues/${body.iid}/edit`;
      const issue = `/projects/${body.project_id}/issues/${body.iid}`;
      const form = await (await ada.get(edit)).text();
      const sent = (html: string) => ({ title: 'Mine', seen: hiddenField(html, 'seen') });
      await service.call('PUT', issue, { token: root.token, json: { description: 'Of somebody else' } });
      await service.call('POST', `${issue}/notes`, { token: root.token, json: { body: 'A comment is no change' } });
      const refused = await send(ada, edit, sent(form));
      expect([refused.status, refused.html.includes('value="Mine"')]).toEqual([409, true]);
      expect(refused.html).toContain('Somebody else has saved something since you opened this form.');
      expect(await read(issue)).toMatchObject({ title: 'Two at once', description: 'Of somebody else' });
      await service.call('POST', `${issue}/notes`, { token: root.token, json: { body: 'A comment is no change' } });
      expect((await send(ada, edit, sent(refused.html))).status).toBe(303);
      expect(await read(issue)).toMatchObject({ title: 'Mine', description: '' });
      await service.call('DELETE', issue, { token: root.token });
    });

    it('let people edit and remove their own comments, and nobody else’s', async () => {
      const said = await ada.submit(`${PROJECT}/issues/3`, `${PROJECT}/issues/3/notes`, { body: 'I see *it*' });
      const note = /#note_(\d+)$/.exec(said.headers.get('location') ?? '')?.[1] ?? '';
      expect(await (await ada.get(`${PROJECT}/issues/3`)).text()).toContain('<em>it</em>');
      for (const act of ['edit', 'remove'])
        expect((await grace.get(`${PROJECT}/issues/3/notes/${note}/${act}`)).status).toBe(403);
      const edited = await send(ada, `${PROJECT}/issues/3/notes/${note}/edit`, { body: 'I saw it' });
      expect([noticeIn(edited.html), edited.html.includes('I saw it')]).toEqual(['Comment saved.', true]);
      const blank = await send(ada, `${PROJECT}/issues/3/notes/${note}/edit`, { body: ' ' });
      expect([blank.status, blank.html.includes('<a href="#body">The comment can&#39;t be blank</a>')]).toEqual([
        400,
        true,
      ]);
      expect(noticeIn((await send(ada, `${PROJECT}/issues/3/notes/${note}/remove`, {})).html)).toBe('Comment removed.');
    });

    it('list them by every filter, twenty a page, incidents apart', async () => {
      const titles = async (query: string) => {
        const html = await (await ada.get(`${PROJECT}/issues?${query}`)).text();
        return [...html.matchAll(/issues\/\d+"><strong>([^<]*)</g)].map(([, title]) => title);
      };
      expect(await titles('')).toEqual(['Oil leaks', 'Two']);
      expect(await titles('sort=created_asc')).toEqual(['Two', 'Oil leaks']);
      expect(await titles('state=closed')).toEqual(['One']);
      expect(await titles('state=all&search=o')).toEqual(['Oil leaks', 'Two', 'One']);
      expect(await titles('author=ada&search=leak')).toEqual(['Oil leaks']);
      expect(await titles('author=nobody')).toEqual([]);
      expect(await titles('assignee=grace')).toEqual([]);
      expect(await titles('label=leak')).toEqual([]);
      expect(await titles('milestone=Unknown')).toEqual([]);
      expect(await titles('kind=incident')).toEqual([]);
    });

    it('remove one for its owners alone, after asking', async () => {
      expect((await grace.get(`${PROJECT}/issues/3/remove`)).status).toBe(403);
      expect(noticeIn((await send(ada, `${PROJECT}/issues/3/remove`, {})).html)).toBe('Issue #3 removed.');
      expect((await ada.get(`${PROJECT}/issues/3`)).status).toBe(404);
    });
  });

  it('undo nothing in settings and milestones that somebody else has saved meanwhile, unless they are sent again', async () => {
    const project = 'analytical-works%2Fmill%2Fengine';
    const pages = '/analytical-works/mill/engine/-';
    const by = (method: string, path: string, json: object) =>
      service.call<{ iid: number; id: number }>(method, `/projects/${project}${path}`, { token: root.token, json });
    const { body: milestone } = await by('POST', '/milestones', { title: 'Later' });
    const forms = [
      {
        page: `${pages}/milestones/${milestone.iid}/edit`,
        values: { title: 'Later', description: 'Mine', start_date: '', due_date: '' },
        change: () => by('PUT', `/milestones/${milestone.id}`, { description: 'Of somebody else' }),
        saved: () => read<{ description: string }>(`/projects/${project}/milestones/${milestone.id}`),
      },
      {
        page: `${pages}/settings`,
        values: { name: 'Engine', path: 'engine', description: 'Mine', topics: '', visibility: 'private' },
        change: () => by('PUT', '', { description: 'Of somebody else' }),
        saved: () => read<{ description: string }>(`/projects/${project}`),
      },
    ];
    for (const { page, values, change, saved } of forms) {
      const seen = hiddenField(await (await ada.get(page)).text(), 'seen');
      await change();
      const refused = await send(ada, page, { ...values, seen });
      expect([refused.status, (await saved()).description]).toEqual([409, 'Of somebody else']);
      expect(refused.html).toContain('Somebody else has saved something since you opened this form.');
      expect((await send(ada, page, { ...values, seen: hiddenField(refused.html, 'seen') })).status).toBe(303);
      expect((await saved()).description).toBe('Mine');
    }
    await by('DELETE', `/milestones/${milestone.id}`, {});
    await by('PUT', '', { description: '' });
  });

  it('lead from a search that finds nothing to the kinds that have it, as far as somebody may see them', async () => {
    const elsewhere = async (who: FormBrowser, query: string) => {
      const html = await (await who.get(`/search?${query}`)).text();
      const [, said = ''] = /<p id="elsewhere">([^]*?)<\/p>/.exec(html) ?? [];
      return [...said.matchAll(/<a href="([^"]*)">/g)].map(([, address]) => address!.replaceAll('&amp;', '&'));
    };
    expect(await elsewhere(ada, 'search=two')).toEqual(['/search?kind=issues&search=two']);
    expect(await elsewhere(ada, 'search=two&kind=people')).toEqual(['/search?kind=issues&search=two']);
    expect(await elsewhere(eve, 'search=two')).toEqual([]);
    expect(await elsewhere(new FormBrowser(service.url), 'search=grace')).toEqual([]);
    expect(await elsewhere(ada, 'search=two&kind=issues')).toEqual([]);
  });

  it('find a group at its bare path, too, for whoever may see it', async () => {
    const leadsTo = async (who: FormBrowser, path: string) => {
      const { status, headers } = await who.get(path);
      return [status, headers.get('location')];
    };
    const group = '/analytical-works/mill';
    expect(await leadsTo(ada, `${group}?page=1`)).toEqual([302, `/groups${group}?page=1`]);
    expect(await leadsTo(eve, group)).toEqual([404, null]);
    expect(await leadsTo(ada, `${group}/-/none`)).toEqual([404, null]);
    expect(await leadsTo(ada, '/1')).toEqual([404, null]);
  });

  it('find groups, people and issues by name or number, as far as somebody may see them', async () => {
    const found = async (who: FormBrowser, query: string) => (await who.get(`/search?${query}`)).text();
    expect(await found(ada, 'search=mill&kind=groups')).toContain('/groups/analytical-works/mill');
    expect(await found(eve, 'search=mill&kind=groups')).not.toContain('/groups/analytical-works/mill"');
    expect(await found(ada, 'search=%231')).toContain('/analytical-works/mill/engine/-/issues/1"');
    expect(await found(eve, 'search=%231')).not.toContain('/analytical-works/mill/engine');
    expect(await found(ada, 'search=grace&kind=people')).toContain('href="/grace"');
    const project = '/projects/analytical-works%2Fmill%2Fengine';
    const write = (path: string, json: object) =>
      service.call('POST', `${project}${path}`, { token: root.token, json });
    await write('/milestones', { title: 'Second light' });
    const action = { action: 'create', file_path: 'a', content: 'a' };
    await write('/repository/commits', { branch: 'main', commit_message: 'Begin', actions: [action] });
    const change = { ...action, action: 'update', content: 'b' };
    await write('/repository/commits', {
      branch: 'pumps',
      start_branch: 'main',
      commit_message: 'Pump',
      actions: [change],
    });
    await write('/merge_requests', { source_branch: 'pumps', target_branch: 'main', title: 'Build the pumps' });
    const mergeRequest = '/analytical-works/mill/engine/-/merge_requests/1"';
    for (const query of ['search=pumps&kind=mergeRequests', 'search=!1'])
      expect([
        (await found(ada, query)).includes(mergeRequest),
        (await found(eve, query)).includes(mergeRequest),
      ]).toEqual([true, false]);
    const milestone = '>Second light<';
    const query = 'search=second&kind=milestones';
    expect([(await found(ada, query)).includes(milestone), (await found(eve, query)).includes(milestone)]).toEqual([
      true,
      false,
    ]);
  });

  it('say who may change which branches and tags, and choose the default branch', async () => {
    const page = '/analytical-works/mill/engine/-/settings/repository';
    const project = '/projects/analytical-works%2Fmill%2Fengine';
    const act = (values: Record<string, string>) => send(ada, page, values);
    const rules = async (kind: 'branches' | 'tags') =>
      (await read<{ name: string }[]>(`${project}/protected_${kind}`)).map(({ name }) => name);
    const levels = { merge_level: '30', push_level: '0' };
    const made = await act({ act: 'protect_branch', name: 'release/*', ...levels, allow_force_push: 'true' });
    expect([made.to, noticeIn(made.html)]).toEqual([page, '“release/*” is protected.']);
    expect(await read(`${project}/protected_branches/release%2F*`)).toMatchObject({
      merge_access_levels: [{ access_level: 30 }],
      push_access_levels: [{ access_level: 0 }],
      allow_force_push: true,
    });
    const again = await act({ act: 'protect_branch', name: 'release/*', ...levels });
    expect(again.status).toBe(409);
    // What was typed is there, in a form that is open.
    expect(again.html).toMatch(/<details open>\s*<summary>Protect a branch/);
    expect(again.html).toContain('<input name="name" value="release/*"');
    await act({ act: 'change_branch', name: 'release/*', merge_level: '40', push_level: '60' });
    expect(await read(`${project}/protected_branches/release%2F*`)).toMatchObject({
      merge_access_levels: [{ access_level: 40 }],
      push_access_levels: [{ access_level: 60 }],
      allow_force_push: false,
    });
    await act({ act: 'protect_tag', name: 'v*', create_level: '30' });
    expect([await rules('branches'), await rules('tags')]).toEqual([['main', 'release/*'], ['v*']]);
    const unprotect = (kind: string, name: string, who = ada) =>
      send(who, `${page}/unprotect_${kind}?name=${encodeURIComponent(name)}`, { name });
    expect((await unprotect('branch', 'main', grace)).status).toBe(403);
    expect((await unprotect('branch', 'main', eve)).status).toBe(404);
    const asked = await (await ada.get(`${page}/unprotect_branch?name=release%2F*`)).text();
    expect(asked).toContain('Unprotect “release/*”?');
    expect(await rules('branches')).toEqual(['main', 'release/*']);
    const freed = await unprotect('branch', 'release/*');
    expect([freed.to, noticeIn(freed.html)]).toEqual([page, '“release/*” is no longer protected.']);
    await unprotect('branch', 'main');
    await unprotect('tag', 'v*');
    expect([await rules('branches'), await rules('tags')]).toEqual([[], []]);
    const chosen = await act({ act: 'choose_default_branch', default_branch: 'pumps' });
    expect(noticeIn(chosen.html)).toBe('“pumps” is the default branch.');
    const missing = await act({ act: 'choose_default_branch', default_branch: 'none' });
    expect([missing.status, missing.html.includes('The branch is not a branch of this project')]).toEqual([400, true]);
    for (const values of [
      { act: 'protect_branch', name: '../x', ...levels },
      { act: 'protect_branch', name: 'x', merge_level: '30', push_level: '50' },
      { act: 'protect_branch', name: 'x', merge_level: '30' },
      { act: 'protect_tag', name: '', create_level: '40' },
      { act: 'constructor', name: 'x' },
      { name: 'x' },
    ])
      expect([values, (await act(values)).status]).toEqual([values, 400]);
    for (const kind of ['branch', 'tag']) expect((await unprotect(kind, 'none')).status).toBe(404);
    expect([(await grace.get(page)).status, (await eve.get(page)).status]).toEqual([403, 404]);
  });

  it('say how a project takes changes, and change nothing where one of them can’t be', async () => {
    const page = '/analytical-works/mill/engine/-/settings/merge_requests';
    const settings = () => read('/projects/analytical-works%2Fmill%2Fengine');
    const whole = { method: 'ff', squash: 'default_on', approvals: '2', discussionsMustBeResolved: 'true' };
    const saved = await send(ada, page, whole);
    expect([saved.to, noticeIn(saved.html)]).toEqual([page, 'Settings of merge requests saved.']);
    const kept = {
      merge_method: 'ff',
      squash_option: 'default_on',
      approvals_before_merge: 2,
      only_allow_merge_if_all_discussions_are_resolved: true,
      remove_source_branch_after_merge: false,
      autoclose_referenced_issues: false,
    };
    expect(await settings()).toMatchObject(kept);
    for (const wrong of [{ approvals: '101' }, { approvals: '-1' }, { method: 'octopus' }, { squash: '' }])
      expect([wrong, (await send(ada, page, { ...whole, squash: 'never', ...wrong })).status]).toEqual([wrong, 400]);
    expect((await send(ada, page, { ...whole, approvals: 'many' })).html).toContain('value="many"');
    expect(await settings()).toMatchObject(kept);
    expect([(await grace.get(page)).status, (await eve.get(page)).status]).toEqual([403, 404]);
  });

  it('keep no more rules for branches than a push can be held against', async () => {
    const project = '/projects/analytical-works%2Fmill%2Fengine';
    const { id } = await read<{ id: ProjectId }>(project);
    await service.service.container.get(TOKENS.unitOfWork).execute(async ({ protectedRefs }) => {
      const rule = { pushLevel: 40, mergeLevel: 40, allowForcePush: false } as const;
      for (let number = 1; number <= 1_000; number += 1)
        await protectedRefs.addBranch(id, { name: `r${number}`, ...rule }, service.clock.now());
    });
    const protect = (name: string) =>
      service.call('POST', `${project}/protected_branches?name=${name}`, { token: root.token });
    expect(await protect('r1001')).toMatchObject({ status: 422 });
    await service.call('DELETE', `${project}/protected_branches/r1`, { token: root.token });
    expect(await protect('r1001')).toMatchObject({ status: 201 });
  });

  it('of a group list the issues and merge requests of all projects in it that the viewer may see, with the colors of each label', async () => {
    const at = '/groups/analytical-works/-';
    const call = async <Body>(method: string, path: string, json: object) =>
      (await service.call<Body>(method, path, { token: root.token, json })).body;
    const { id: namespace_id } = await read<{ id: number }>('/groups/analytical-works');
    const add = async (name: string, color: string, visibility: string) => {
      const { id } = await call<{ id: number }>('POST', '/projects', { name, namespace_id, visibility });
      await call('POST', `/projects/${id}/labels`, { name: 'urgent', color });
      await call('POST', `/projects/${id}/issues`, { title: `Oil the ${name}`, labels: 'urgent' });
      return id;
    };
    const [pump, valve] = [await add('Pump', '#112233', 'internal'), await add('Valve', '#445566', 'private')];
    const commit = { branch: 'main', commit_message: 'Begin' };
    const write = (branch: string, file_path: string) => ({
      ...commit,
      ...(branch === 'main' ? {} : { branch, start_branch: 'main' }),
      actions: [{ action: 'create', file_path, content: 'one' }],
    });
    await call('POST', `/projects/${pump}/repository/commits`, write('main', 'a'));
    await call('POST', `/projects/${pump}/repository/commits`, write('next', 'b'));
    const merge = { source_branch: 'next', target_branch: 'main', title: 'Pump faster', labels: 'urgent' };
    await call('POST', `/projects/${pump}/merge_requests`, merge);
    const pageOf = async (who: FormBrowser, path: string) => (await who.get(`${at}/${path}`)).text();
    const issues = await pageOf(ada, 'issues');
    expect(issues).toMatch(/Oil the Valve[\s\S]*fill="#445566"[\s\S]*Oil the Pump[\s\S]*fill="#112233"/);
    expect(issues).toContain('<small>analytical-works/pump#1 ');
    expect(await pageOf(ada, 'issues?search=valve')).not.toContain('Oil the Pump');
    expect(await pageOf(ada, 'merge_requests')).toMatch(/Pump faster[\s\S]*fill="#112233"[\s\S]*pump!1/);
    expect(await pageOf(ada, 'merge_requests?state=merged')).not.toContain('Pump faster');
    // Who sees the group sees of it what they may.
    const others = await pageOf(eve, 'issues');
    expect([others.includes('Oil the Pump'), others.includes('Oil the Valve')]).toEqual([true, false]);
    expect((await new FormBrowser(service.url).get(`${at}/issues`)).status).toBe(404);
    // What is put away is left out, as in lists of the API.
    await call('POST', `/projects/${pump}/archive`, {});
    expect(await pageOf(ada, 'issues')).not.toContain('Oil the Pump');
    expect(await pageOf(ada, 'merge_requests')).not.toContain('Pump faster');
    for (const id of [pump, valve]) await service.call('DELETE', `/projects/${id}`, { token: root.token });
  });

  it('move, rename and remove a project, whose path must be typed', async () => {
    const at = '/analytical-works/mill/engine/-/settings';
    const changes = { name: 'Difference engine', path: 'engine-1', topics: 'mills, <steam>', visibility: 'private' };
    const saved = await send(ada, at, changes);
    expect(saved.to).toBe('/analytical-works/mill/engine-1/-/settings');
    expect(saved.html).toContain('value="mills, &lt;steam&gt;"');
    const overview = await (await ada.get('/analytical-works/mill/engine-1')).text();
    const [, topic = ''] = /href="(\/explore\/projects\?topic=[^"]*)">&lt;steam&gt;</.exec(overview) ?? [];
    const about = await (await ada.get(topic)).text();
    expect([about.includes('/analytical-works/mill/engine-1'), about.includes('<strong>&lt;steam&gt;<')]).toEqual([
      true,
      true,
    ]);
    expect(about).toContain('<input type="hidden" name="topic" value="&lt;steam&gt;">');
    const visitor = await new FormBrowser(service.url).get(topic);
    expect(await visitor.text()).not.toContain('engine-1');
    const settings = '/analytical-works/mill/engine-1/-/settings';
    const wide = await send(ada, settings, { name: 'E', path: 'engine-1', visibility: 'public' });
    expect([wide.status, wide.html.includes('id="visibility-problem"')]).toEqual([400, true]);
    const move = (namespace: string) =>
      send(ada, `${settings}/transfer`, { namespace, confirmation: 'analytical-works/mill/engine-1' });
    await send(grace, '/groups/-/new', { name: 'Unseen', visibility: 'private' });
    for (const namespace of ['unseen', 'nowhere']) {
      const lost = await move(namespace);
      expect([lost.status, lost.html.includes('is not the path of a group, or your own')]).toEqual([400, true]);
    }
    const moved = await move('ada');
    expect([moved.to, noticeIn(moved.html)]).toEqual(['/ada/engine-1', 'Project moved to ada.']);
    const typo = await send(ada, '/ada/engine-1/-/settings/remove', { confirmation: 'engine-1' });
    expect([typo.status, typo.html.includes('is not ada/engine-1')]).toEqual([400, true]);
    const removed = await send(ada, '/ada/engine-1/-/settings/remove', { confirmation: 'ada/engine-1' });
    expect([removed.to, noticeIn(removed.html)]).toEqual(['/', 'Project “Difference engine” removed.']);
    expect((await ada.get('/ada/engine-1')).status).toBe(404);
    const group = await send(ada, '/groups/analytical-works/-/settings/remove', { confirmation: 'analytical-works' });
    expect(noticeIn(group.html)).toBe('Group “Analytical Works” removed.');
  });
});
