import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { playRounds } from '../support/rounds.js';
import { TestService, type TestUser } from '../support/test-service.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';

interface IssueBody {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly state: string;
  readonly labels: readonly string[];
  readonly assignees: readonly { readonly username: string }[];
  readonly closed_by: { readonly username: string } | null;
}

interface Counts {
  readonly statistics: { readonly counts: Readonly<Record<'all' | 'closed' | 'opened', number>> };
}

describeEachDatabase('issues', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let guest: TestUser;
  let reporter: TestUser;
  let stranger: TestUser;
  let project: number;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, guest, reporter, stranger] = [
      await service.addUser('ada'),
      await service.addUser('guest'),
      await service.addUser('reporter'),
      await service.addUser('stranger'),
    ];
    project = await addProject('engine', 'private');
    for (const [{ id }, level] of [
      [guest, 10],
      [reporter, 20],
    ] as const) {
      await service.call('POST', `/projects/${project}/members`, {
        token: ada.token,
        json: { user_id: id, access_level: level },
      });
    }
  });

  afterAll(() => service.close());

  const addProject = async (name: string, visibility: string) => {
    const { body } = await service.call<{ id: number }>('POST', '/projects', {
      token: ada.token,
      json: { name, visibility },
    });
    return body.id;
  };
  const open = async (fields: object, who = ada, where = project) =>
    (
      await service.call<IssueBody>('POST', `/projects/${where}/issues`, {
        token: who.token,
        json: { title: 'T', ...fields },
      })
    ).body;
  const list = async (query: string, who = ada, where = `/projects/${project}/issues`) =>
    (await service.call<IssueBody[]>('GET', `${where}?${query}`, { token: who.token })).body;
  const titles = async (query: string, who = ada, where?: string) =>
    (await list(query, who, where)).map(({ title }) => title).sort();

  it('are numbered within their project, without gaps under a race', async () => {
    const where = await addProject('numbered', 'private');
    const opened = await Promise.all(
      Array.from({ length: 12 }, (_, index) => open({ title: `N${index}` }, ada, where)),
    );
    expect(opened.map(({ iid }) => iid).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    expect(opened[0]).toMatchObject({
      state: 'opened',
      type: 'ISSUE',
      author: { username: 'ada' },
      due_date: null,
      milestone: null,
    });
  });

  it('count the tasks of their description, and say where what belongs to them is, in lists, too', async () => {
    const { iid } = await open({ title: 'with tasks', description: '- [ ] one\n- [x] two\n- [ ] three' });
    const self = new RegExp(`/api/v4/projects/${project}/issues/${iid}$`);
    const said = {
      task_completion_status: { count: 3, completed_count: 1 },
      has_tasks: true,
      _links: {
        self: expect.stringMatching(self),
        notes: expect.stringMatching(/\/notes$/),
        award_emoji: expect.stringMatching(/\/award_emoji$/),
        project: expect.stringMatching(new RegExp(`/api/v4/projects/${project}$`)),
      },
    };
    for (const path of [`/${iid}`, `?iids[]=${iid}`]) {
      const { body } = await service.call('GET', `/projects/${project}/issues${path}`, { token: ada.token });
      expect([body].flat()).toMatchObject([said]);
    }
    expect(await open({ title: 'without' })).toMatchObject({ task_completion_status: { count: 0 }, has_tasks: false });
  });

  it('are closed and reopened, and say by whom and when', async () => {
    const { iid } = await open({ title: 'to close' });
    const change = (state_event: string) =>
      service.call<IssueBody>('PUT', `/projects/${project}/issues/${iid}`, {
        token: reporter.token,
        json: { state_event },
      });
    expect((await change('close')).body).toMatchObject({ state: 'closed', closed_by: { username: 'reporter' } });
    expect((await change('reopen')).body).toMatchObject({ state: 'opened', closed_by: null, closed_at: null });
    expect((await change('explode')).body).toEqual({
      error: 'state_event does not have a valid value',
      allowed: ['close', 'reopen'],
    });
  });

  it('are found by all of the labels given, by none, by any, and by number', async () => {
    await open({ title: 'both', labels: 'bug,urgent' });
    await open({ title: 'bug', labels: ['bug'] });
    const plain = await open({ title: 'plain' });
    expect(await titles('labels=bug')).toEqual(['both', 'bug']);
    expect(await titles('labels=bug,urgent')).toEqual(['both']);
    expect(await titles('labels=bug,nonsense')).toEqual([]);
    expect(await titles('labels=Any')).toEqual(['both', 'bug']);
    expect(await titles('labels=None')).toContain('plain');
    expect(await titles(`iids[]=${plain.iid}`)).toEqual(['plain']);
    expect((await list(`iid=${plain.iid}`)).length).toBeGreaterThan(2);
    expect(await titles('search=BOTH')).toEqual(['both']);
  });

  it('that are confidential are there for reporters, author and assignees, and for nobody else', async () => {
    const { iid } = await open({ title: 'secret plan', confidential: true, assignee_ids: [] });
    const path = `/projects/${project}/issues/${iid}`;
    expect((await service.call('GET', path, { token: guest.token })).status).toBe(404);
    expect((await service.call('GET', path, { token: reporter.token })).status).toBe(200);
    expect(await titles('search=secret plan', guest)).toEqual([]);
    await service.call('PUT', path, { token: ada.token, json: { assignee_ids: [guest.id] } });
    expect((await service.call('GET', path, { token: guest.token })).body).toMatchObject({
      assignee: { username: 'guest' },
    });
    expect(await titles('search=secret plan', guest)).toEqual(['secret plan']);
  });

  it('keep their confidentiality from anybody below reporter, who may set it only when they open one', async () => {
    const { iid } = await open({ title: 'quiet', confidential: true }, guest);
    const path = `/projects/${project}/issues/${iid}`;
    const change = (fields: object, who: TestUser) =>
      service.call<{ confidential: boolean; title: string }>('PUT', path, { token: who.token, json: fields });
    const refused = {
      status: 403,
      body: { message: '403 Forbidden - Only members from reporter up may change whether an issue is confidential' },
    };
    expect(await change({ confidential: false, title: 'loud' }, guest)).toEqual(expect.objectContaining(refused));
    // A client that sends the whole issue changes nothing by it.
    expect((await change({ confidential: true, title: 'still quiet' }, guest)).body).toMatchObject({
      confidential: true,
      title: 'still quiet',
    });
    await change({ assignee_ids: [guest.id] }, reporter);
    expect((await change({ confidential: false }, guest)).status).toBe(403);
    expect((await change({ confidential: false }, reporter)).body).toMatchObject({ confidential: false });
    expect((await change({ confidential: true }, guest)).status).toBe(403);
    // What a maintainer hides stays hidden, and its author still reads it.
    await change({ confidential: true }, ada);
    expect((await service.call('GET', `${path}/notes`, { token: guest.token })).status).toBe(200);
    expect((await change({ confidential: false }, guest)).status).toBe(403);
    await change({ assignee_ids: [] }, ada);
  });

  it('that are confidential are assigned by reporters and up alone, since assignees see them', async () => {
    const opened = await open({ title: 'whispered', confidential: true, assignee_ids: [reporter.id] }, guest);
    const path = `/projects/${project}/issues/${opened.iid}`;
    const get = () => service.call<{ assignees: unknown[] }>('GET', path, { token: ada.token });
    expect((await get()).body.assignees).toEqual([]);
    const assign = (who: TestUser, ids: number[]) =>
      service.call('PUT', path, { token: who.token, json: { assignee_ids: ids } });
    expect((await assign(guest, [reporter.id])).status).toBe(403);
    expect((await get()).body.assignees).toEqual([]);
    expect((await assign(reporter, [reporter.id])).status).toBe(200);
    expect((await assign(guest, [reporter.id])).status).toBe(200);
  });

  it('stay confidential in every race of an author with a maintainer', async () => {
    await playRounds(50, async (round) => {
      const { iid } = await open({ title: `contested ${round}` }, guest);
      const set = (confidential: boolean, who: TestUser) =>
        service.call('PUT', `/projects/${project}/issues/${iid}`, { token: who.token, json: { confidential } });
      await Promise.all([set(true, ada), set(false, guest)]);
    });
    expect(await list('search=contested&confidential=false')).toEqual([]);
    await service.service.database.schema('issues').where('title', 'like', 'contested%').delete();
  });

  it('take labels that are there from anybody who may change them, and new ones from reporters up', async () => {
    const where = await addProject('labelled', 'private');
    await service.call('POST', `/projects/${where}/members`, {
      token: ada.token,
      json: { user_id: guest.id, access_level: 10 },
    });
    const labelsOf = async () =>
      (await service.call<{ name: string }[]>('GET', `/projects/${where}/labels`, { token: ada.token })).body.map(
        ({ name }) => name,
      );
    await service.call('POST', `/projects/${where}/labels`, { token: ada.token, json: { name: 'known' } });
    const opened = await open({ title: 'by a guest', labels: 'known,made-up' }, guest, where);
    expect(opened.labels).toEqual(['known']);
    expect((await open({ title: 'unknown alone', labels: 'made-up' }, guest, where)).labels).toEqual([]);
    const edited = await service.call<IssueBody>('PUT', `/projects/${where}/issues/${opened.iid}`, {
      token: guest.token,
      json: { labels: ['another', 'known'] },
    });
    expect(edited.body.labels).toEqual(['known']);
    expect(await labelsOf()).toEqual(['known']);
    expect((await open({ title: 'by the owner', labels: ['fresh', 'two,three'] }, ada, where)).labels).toEqual([
      'fresh',
      'three',
      'two',
    ]);
    expect(await labelsOf()).toEqual(['fresh', 'known', 'three', 'two']);
  });

  it('have labels that clients change and remove by name, without an address of their own', async () => {
    const where = await addProject('relabelled', 'public');
    const call = (method: string, json: object, { token } = ada, id = where) =>
      service.call<object>(method, `/projects/${id}/labels`, { token, json });
    await call('POST', { name: 'old', color: '#FF0000' });
    expect(await call('PUT', { name: 'old', new_name: 'new', description: 'better' })).toMatchObject({
      status: 200,
      body: { name: 'new', color: '#FF0000', description: 'better' },
    });
    expect(await call('PUT', { name: 'old', new_name: 'newer' })).toMatchObject({
      status: 404,
      body: { message: '404 Label Not Found' },
    });
    expect(await call('PUT', { new_name: 'newer' })).toMatchObject({ status: 400, body: { error: 'name is missing' } });
    for (const method of ['PUT', 'DELETE']) {
      expect((await call(method, { name: 'new' }, stranger)).status).toBe(403);
    }
    expect((await call('DELETE', { name: 'new' })).status).toBe(204);
    expect((await call('DELETE', { name: 'new' })).status).toBe(404);
  });

  it('are assigned to people who see their project, and to nobody else', async () => {
    const assigned = async (where: number, ids: readonly number[]) => {
      const { assignees } = await open({ title: 'assigned', assignee_ids: ids }, ada, where);
      return assignees.map(({ username }) => username);
    };
    const root = await service.addUser('root', { admin: true });
    const { body: group } = await service.call<{ id: number }>('POST', '/groups', {
      token: ada.token,
      json: { name: 'Staff', path: 'staff' },
    });
    await service.call('POST', `/groups/${group.id}/members`, {
      token: ada.token,
      json: { user_id: guest.id, access_level: 10 },
    });
    const { body: below } = await service.call<{ id: number }>('POST', '/groups', {
      token: ada.token,
      json: { name: 'Crew', path: 'crew', parent_id: group.id },
    });
    const { body: inGroup } = await service.call<{ id: number }>('POST', '/projects', {
      token: ada.token,
      json: { name: 'In a group', namespace_id: below.id },
    });
    const everybody = [ada.id, guest.id, reporter.id, stranger.id, root.id];
    expect(await assigned(inGroup.id, everybody)).toEqual(['ada', 'guest', 'root']);
    expect(await assigned(await addProject('own', 'private'), everybody)).toEqual(['ada', 'root']);
    const shared = await addProject('shared', 'internal');
    expect(await assigned(shared, everybody)).toEqual(['ada', 'guest', 'reporter', 'stranger', 'root']);
    await service.call('DELETE', `/projects/${shared}`, { token: ada.token });
    await service.service.database.schema('issues').where({ title: 'assigned' }).delete();
  });

  it('may be changed by reporters, author and assignees, and removed by owners', async () => {
    const { iid } = await open({ title: 'theirs' }, guest);
    const path = `/projects/${project}/issues/${iid}`;
    const other = `/projects/${project}/issues/${(await open({ title: 'not his' })).iid}`;
    expect(
      (await service.call('PUT', path, { token: guest.token, json: { title: 'still theirs', due_date: '2026-12-24' } }))
        .body,
    ).toMatchObject({ due_date: '2026-12-24' });
    expect((await service.call('PUT', path, { token: guest.token, form: { due_date: '' } })).body).toMatchObject({
      due_date: null,
    });
    expect((await service.call('PUT', other, { token: guest.token, json: { title: 'mine' } })).status).toBe(403);
    expect((await service.call('DELETE', path, { token: reporter.token })).status).toBe(403);
    expect((await service.call('GET', path, { token: stranger.token })).status).toBe(404);
    expect((await service.call('DELETE', path, { token: ada.token })).status).toBe(204);
    expect((await service.call('GET', path, { token: ada.token })).body).toEqual({ message: '404 Not Found' });
  });

  it('of all projects are listed by scope, as far as the caller sees them', async () => {
    const publicly = await addProject('public', 'public');
    await open({ title: 'for all to see' }, stranger, publicly);
    expect(await titles('', stranger, '/issues')).toEqual(['for all to see']);
    expect(await titles('scope=all', stranger, '/issues')).toEqual(['for all to see']);
    expect(await titles('scope=assigned_to_me', guest, '/issues')).toEqual(['secret plan']);
    expect((await service.call('GET', '/issues')).status).toBe(401);
    expect((await service.call('GET', '/issues?scope=all')).headers.get('x-total')).toBe('1');
    const inPublic = `/projects/${publicly}/issues`;
    expect(await titles('scope=created_by_me', ada, inPublic)).toEqual([]);
    expect(await titles('scope=created-by-me', stranger, inPublic)).toEqual(['for all to see']);
    const { body } = await service.call<readonly unknown[]>('GET', `${inPublic}?scope=assigned_to_me`);
    expect(body).toEqual([]);
  });

  it('are narrowed by people, days, times, reactions and what they do not have, in lists and where they are counted', async () => {
    const of = await addProject('narrowed', 'public');
    const at = `/projects/${of}/issues`;
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const late = await open({ title: 'late', due_date: day(-1), labels: 'bug', assignee_ids: [ada.id] }, ada, of);
    await open({ title: 'bugs of others', description: 'late', due_date: day(400) }, stranger, of);
    await service.call('POST', `${at}/${late.iid}/award_emoji`, { token: guest.token, json: { name: 'thumbsup' } });
    await service.call('PUT', `${at}/${late.iid}`, { token: ada.token, json: { state_event: 'close' } });
    await service.call('POST', `${at}/${late.iid}/notes`, { token: reporter.token, json: { body: 'seen' } });
    const both = ['bugs of others', 'late'];
    const expected: Readonly<Record<string, readonly string[]>> = {
      'author_username=ADA': ['late'],
      'assignee_username[]=ada': ['late'],
      'assignee_username=stranger': [],
      'assignee_id=None': ['bugs of others'],
      'assignee_id=Any': ['late'],
      'due_date=overdue': ['late'],
      'due_date=any': both,
      'due_date=0': [],
      'created_after=2020-01-01T00:00:00Z': both,
      'created_before=2020-01-01T00:00:00Z': [],
      'updated_after=2020-01-01': both,
      'updated_before=2020-01-01': [],
      'my_reaction_emoji=thumbsup': ['late'],
      'my_reaction_emoji=None': ['bugs of others'],
      'search=late&in=title': ['late'],
      'search=late': both,
      'not[labels]=bug': ['bugs of others'],
      'not[author_username]=stranger': ['late'],
      [`not[author_id]=${ada.id}`]: ['bugs of others'],
      [`not[assignee_id]=${ada.id}`]: ['bugs of others'],
      'not[assignee_username][]=ada': ['bugs of others'],
      'not[my_reaction_emoji]=thumbsup': ['bugs of others'],
      'not[milestone]=none': both,
      [`not[iids][]=${late.iid}`]: ['bugs of others'],
    };
    const seen: Record<string, readonly string[]> = {};
    for (const query of Object.keys(expected)) {
      seen[query] = (await titles(query, guest, at)).toSorted();
      const counted = await service.call<Counts>('GET', `/projects/${of}/issues_statistics?${query}`, {
        token: guest.token,
      });
      const closed = seen[query].filter((title) => title === 'late').length;
      const opened = seen[query].length - closed;
      expect([query, counted.body.statistics.counts]).toEqual([query, { all: opened + closed, closed, opened }]);
    }
    expect(seen).toEqual(expected);
    const wrong = await service.call('GET', `${at}?author_id=1&author_username=ada`, { token: ada.token });
    expect(wrong).toMatchObject({ status: 400, body: { error: 'author_id, author_username are mutually exclusive' } });
    for (const query of ['assignee_id=somebody', 'updated_after=yesterday', 'due_date=2026-01-01'])
      expect([query, (await service.call('GET', `${at}?${query}`, { token: ada.token })).status]).toEqual([query, 400]);
    for (const edge of ['0000-01-01', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59', '2016-12-31T23:59:60Z'])
      for (const bound of ['created_after', 'updated_before']) {
        const { status } = await service.call('GET', `${at}?${bound}=${encodeURIComponent(edge)}`, {
          token: ada.token,
        });
        expect([edge, bound, [200, 400].includes(status)]).toEqual([edge, bound, true]);
      }
    const people = await service.call<readonly { username: string }[]>('GET', `${at}/${late.iid}/participants`);
    expect(people.body.map(({ username }) => username)).toEqual(['ada', 'reporter']);
  });

  it('are in the order that is asked for, page by page, and refused in one that there is not', async () => {
    const at = await addProject('ordered', 'private');
    for (const [title, due] of [
      ['b', '2026-05-02'],
      ['c', null],
      ['A', '2026-05-01'],
      ['d', null],
    ])
      await open({ title, due_date: due }, ada, at);
    const pageByPage = async (query: string) => {
      const found: string[] = [];
      let path: string | undefined = `/projects/${at}/issues?per_page=1&${query}`;
      while (path !== undefined) {
        const { body, headers }: { body: IssueBody[]; headers: Headers } = await service.call('GET', path, {
          token: ada.token,
        });
        found.push(...body.map(({ title }) => title));
        path = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      return found;
    };
    expect(await pageByPage('order_by=due_date&sort=asc')).toEqual(['A', 'b', 'c', 'd']);
    expect(await pageByPage('order_by=due_date')).toEqual(['b', 'A', 'd', 'c']);
    expect(await pageByPage('order_by=title&sort=asc')).toEqual(['A', 'b', 'c', 'd']);
    for (const list of [`/projects/${at}/issues`, '/issues', `/projects/${at}/merge_requests`, '/merge_requests']) {
      const { status } = await service.call('GET', `${list}?order_by=title`, { token: ada.token });
      const refused = await service.call('GET', `${list}?order_by=weight`, { token: ada.token });
      expect([list, status, refused.status, refused.body]).toMatchObject([
        ...[list, 200, 400],
        { error: 'order_by does not have a valid value' },
      ]);
    }
  });

  it('of a group and of everything below it are listed and counted, as far as the caller sees them', async () => {
    const make = async (json: object) =>
      (await service.call<{ id: number }>('POST', '/groups', { token: ada.token, json })).body.id;
    const group = await make({ name: 'Looms', path: 'looms', visibility: 'public' });
    const below = await make({ name: 'Below', path: 'below', visibility: 'public', parent_id: group });
    const inside = async (visibility: string) => {
      const json = { name: `in ${visibility}`, namespace_id: below, visibility };
      return (await service.call<{ id: number }>('POST', '/projects', { token: ada.token, json })).body.id;
    };
    await open({ title: 'open to all' }, ada, await inside('public'));
    await open({ title: 'hidden' }, ada, await inside('private'));
    expect((await titles('', ada, `/groups/${group}/issues`)).toSorted()).toEqual(['hidden', 'open to all']);
    expect(await titles('', stranger, `/groups/${group}/issues`)).toEqual(['open to all']);
    const counted = await service.call<Counts>('GET', `/groups/${group}/issues_statistics`);
    expect(counted.body).toEqual({ statistics: { counts: { all: 1, closed: 0, opened: 1 } } });
    expect((await service.call('GET', '/issues_statistics')).status).toBe(401);
  });

  it('are found by their own id by administrators alone', async () => {
    const { id, title } = await open({ title: 'by its id' });
    const { token } = await service.addUser('chief', { admin: true });
    expect(await service.call('GET', `/issues/${id}`, { token })).toMatchObject({ status: 200, body: { id, title } });
    expect((await service.call('GET', '/issues/999999', { token })).status).toBe(404);
    expect((await service.call('GET', `/issues/${id}`, { token: ada.token })).status).toBe(403);
  });

  it('are taken from their assignees, labels and milestone by what clients send for none', async () => {
    const title = `Cleared ${project}`;
    const milestone = await service.call<{ id: number }>('POST', `/projects/${project}/milestones`, {
      token: ada.token,
      json: { title },
    });
    const { iid } = await open({ title });
    const path = `/projects/${project}/issues/${iid}`;
    const edit = async (sent: { json: object } | { form: Record<string, string> }) => {
      const { status, body } = await service.call<IssueBody & { assignees: unknown[]; milestone: unknown }>(
        'PUT',
        path,
        {
          token: ada.token,
          ...sent,
        },
      );
      expect([sent, status]).toEqual([sent, 200]);
      return [body.assignees.length, body.labels.length, body.milestone === null ? 0 : 1];
    };
    const filled = { assignee_ids: [ada.id], labels: 'leak', milestone_id: milestone.body.id };
    const none: Parameters<typeof edit>[0][] = [
      { form: { assignee_ids: '', labels: '', milestone_id: '' } },
      { form: { 'assignee_ids[]': '', 'labels[]': '', milestone_id: '0' } },
      { form: { assignee_id: '', labels: '', milestone_id: '0' } },
      { json: { assignee_ids: [0], labels: [], milestone_id: 0 } },
      { json: { assignee_ids: [], labels: '', milestone_id: null } },
      { json: { assignee_ids: '', labels: [''], milestone_id: '' } },
      { json: { assignee_id: 0, labels: '', milestone_id: 0 } },
    ];
    for (const sent of none) {
      expect(await edit({ json: filled })).toEqual([1, 1, 1]);
      expect([sent, await edit(sent)]).toEqual([sent, [0, 0, 0]]);
    }
    const text = await service.call('PUT', path, { token: ada.token, json: { assignee_ids: 'nobody' } });
    expect(text.status).toBe(400);
  });

  it('take null for not sent where it is no value, as clients send what they were not given', async () => {
    const { iid } = await open({ description: 'Oil', labels: null, assignee_ids: null, confidential: null });
    const edit = async (json: object) =>
      service.call<object>('PUT', `/projects/${project}/issues/${iid}`, { token: ada.token, json });
    const edited = await edit({ title: null, labels: 'leak', state_event: null, due_date: null });
    expect([edited.status, edited.body]).toMatchObject([200, { title: 'T', description: 'Oil', labels: ['leak'] }]);
    expect((await edit({ labels: null, title: 'Leaks' })).body).toMatchObject({ title: 'Leaks', labels: ['leak'] });
    const untitled = await service.call('POST', `/projects/${project}/issues`, {
      token: ada.token,
      json: { title: null },
    });
    expect([untitled.status, untitled.body]).toEqual([400, { error: 'title is invalid' }]);
  });

  it('name every problem, and keep nothing of what was refused', async () => {
    const before = (await list('per_page=100')).length;
    const refused = async (json: object) =>
      (await service.call('POST', `/projects/${project}/issues`, { token: ada.token, json })).body;
    expect(await refused({})).toEqual({ error: 'title is missing' });
    expect(await refused({ title: ' ' })).toEqual({ message: { title: ["can't be blank"] } });
    expect(await refused({ title: 'x'.repeat(256) })).toEqual({
      message: { title: ['is too long (maximum is 255 characters)'] },
    });
    expect(await refused({ title: 'x', due_date: '2026-02-30' })).toEqual({ error: 'due_date is invalid' });
    expect((await list('per_page=100')).length).toBe(before);
  });

  describe('comments', () => {
    it('are written, read, changed and removed by their author, or a maintainer', async () => {
      const { iid } = await open({ title: 'discussed' });
      const base = `/projects/${project}/issues/${iid}/notes`;
      const note = await service.call<{ id: number }>('POST', base, { token: guest.token, json: { body: 'First' } });
      expect(note).toMatchObject({
        status: 201,
        body: { body: 'First', system: false, noteable_iid: iid, author: { username: 'guest' } },
      });
      expect(note.body).not.toHaveProperty('upvote');
      const path = `${base}/${note.body.id}`;
      expect((await service.call('PUT', path, { token: reporter.token, json: { body: 'mine' } })).status).toBe(403);
      expect((await service.call('PUT', path, { token: ada.token, json: { body: 'Moderated' } })).body).toMatchObject({
        body: 'Moderated',
      });
      expect(
        (await service.call('GET', `/projects/${project}/issues/${iid}`, { token: guest.token })).body,
      ).toMatchObject({ user_notes_count: 1 });
      for (const body of ['', ' \n']) {
        const refused = await service.call('POST', base, { token: guest.token, json: { body } });
        expect(refused).toMatchObject({
          status: 400,
          body: { message: `400 Bad request - Note {:note=>["can't be blank"]}` },
        });
      }
      for (const hiding of [{ confidential: true }, { internal: true }]) {
        const json = { body: 'for few', ...hiding };
        expect(await service.call('POST', base, { token: ada.token, json })).toMatchObject({
          status: 400,
          body: { message: expect.stringContaining('there are no confidential ones') },
        });
      }
      expect((await service.call<unknown[]>('GET', base, { token: guest.token })).body).toMatchObject([
        { body: 'Moderated', confidential: false, internal: false },
      ]);
      expect((await service.call('DELETE', path, { token: guest.token })).status).toBe(204);
      expect((await service.call<unknown[]>('GET', base, { token: guest.token })).body).toEqual([]);
      expect((await service.call('GET', base, { token: stranger.token })).status).toBe(404);
    });
  });

  describe('labels', () => {
    it('are objects in lists of issues that ask for it, each with what its own project says of it', async () => {
      const places = [await addProject('detailed', 'public'), await addProject('detailed-too', 'public')];
      const issues: number[] = [];
      for (const [at, where] of places.entries()) {
        const json = { name: 'detail', color: ['#FFFFFF', '#112233'][at], description: `of ${at}` };
        expect((await service.call('POST', `/projects/${where}/labels`, { token: ada.token, json })).status).toBe(201);
        issues.push((await open({ title: 'Detailed', labels: 'detail,zeal' }, ada, where)).iid);
      }
      expect(issues).toEqual([1, 1]);
      const shown = async (path: string) =>
        (await service.call<{ labels: unknown[] }[]>('GET', path, { token: ada.token })).body.map(
          ({ labels }) => labels,
        );
      const label = (name: string, color: string, text_color: string, description: string) => ({
        ...{ id: expect.any(Number), name, color, text_color, description },
      });
      const zeal = label('zeal', '#6699CC', '#FFFFFF', '');
      expect(await shown('/issues?labels=detail&sort=asc&with_labels_details=true')).toEqual([
        [label('detail', '#FFFFFF', '#1F1E24', 'of 0'), zeal],
        [label('detail', '#112233', '#FFFFFF', 'of 1'), zeal],
      ]);
      expect(await shown(`/projects/${places[1]}/issues?with_labels_details=true`)).toEqual([
        [label('detail', '#112233', '#FFFFFF', 'of 1'), zeal],
      ]);
      expect(await shown(`/projects/${places[1]}/issues`)).toEqual([['detail', 'zeal']]);
    });

    it('are searched by name and description, and counted with what the caller may see of what has them', async () => {
      const where = await addProject('counted', 'public');
      for (const json of [{ name: 'Leak', description: 'Water' }, { name: 'noise' }, { name: 'waterproof' }])
        expect((await service.call('POST', `/projects/${where}/labels`, { token: ada.token, json })).status).toBe(201);
      await open({ labels: 'Leak' }, ada, where);
      await open({ labels: 'Leak,noise', confidential: true }, ada, where);
      const { iid } = await open({ labels: 'noise' }, ada, where);
      const closed = { token: ada.token, json: { state_event: 'close' } };
      expect((await service.call('PUT', `/projects/${where}/issues/${iid}`, closed)).status).toBe(200);
      const shown = async (query: string, { token } = stranger) =>
        (await service.call<Record<string, unknown>[]>('GET', `/projects/${where}/labels?${query}`, { token })).body;
      const names = async (query: string) => (await shown(query)).map(({ name }) => name);
      expect(await names('search=WATER')).toEqual(['Leak', 'waterproof']);
      expect(await names('search=r_p')).toEqual([]);
      expect(await names('include_ancestor_groups=false')).toEqual(['Leak', 'noise', 'waterproof']);
      const told = { is_project_label: true, priority: null, subscribed: false };
      const [leak, noise, waterproof] = await shown('with_counts=true');
      expect(leak).toMatchObject({ ...told, open_issues_count: 1, closed_issues_count: 0 });
      expect(noise).toMatchObject({ open_issues_count: 0, closed_issues_count: 1, open_merge_requests_count: 0 });
      expect(waterproof).toMatchObject({ open_issues_count: 0, closed_issues_count: 0, open_merge_requests_count: 0 });
      expect(await shown('with_counts=true', ada)).toMatchObject([
        { open_issues_count: 2 },
        { open_issues_count: 1, closed_issues_count: 1 },
        { open_issues_count: 0 },
      ]);
      const [uncounted] = await shown('');
      expect(uncounted).toMatchObject(told);
      expect(uncounted).not.toHaveProperty('open_issues_count');
    });

    it('have a priority where somebody says so: a number from 0 on, which null takes away', async () => {
      const base = `/projects/${project}/labels`;
      const send = (method: string, path: string, json: object) =>
        service.call<{ id: number; priority: number | null }>(method, path, { token: reporter.token, json });
      const made = await send('POST', base, { name: 'First of all', priority: 0 });
      expect(made).toMatchObject({ status: 201, body: { priority: 0 } });
      const one = `${base}/${made.body.id}`;
      const shown = async () =>
        (await service.call<typeof made.body>('GET', one, { token: guest.token })).body.priority;
      expect((await send('PUT', one, { priority: 2_147_483_647 })).body.priority).toBe(2_147_483_647);
      expect((await send('PUT', one, { color: '#000000' })).body.priority).toBe(2_147_483_647);
      expect(await shown()).toBe(2_147_483_647);
      for (const priority of [-1, 1.5, 2_147_483_648, 'high'])
        expect((await send('PUT', one, { priority })).status).toBe(400);
      expect((await send('PUT', base, { name: 'First of all', priority: null })).body.priority).toBeNull();
      expect(await shown()).toBeNull();
      expect((await send('POST', base, { name: 'As any', priority: null })).body.priority).toBeNull();
      expect((await service.call('DELETE', one, { token: reporter.token })).status).toBe(204);
    });

    it('take a color by its name or with three digits, and tell it with six', async () => {
      const base = `/projects/${project}/labels`;
      const send = async (method: 'POST' | 'PUT', path: string, json: object) => {
        const { status, body } = await service.call<{ color: string }>(method, path, { token: reporter.token, json });
        return [status, body.color];
      };
      const written = { blue: '#0000ff', RebeccaPurple: '#663399', '#fff': '#ffffff', '#aBc': '#aaBBcc' };
      expect(await send('POST', base, { name: 'colored', color: 'lightgoldenrodyellow' })).toEqual([201, '#fafad2']);
      for (const [color, stored] of Object.entries(written))
        expect([color, await send('PUT', `${base}/colored`, { color })]).toEqual([color, [200, stored]]);
      for (const color of ['constructor', '#ff', '#ggg', 'fff', ''])
        expect((await send('PUT', `${base}/colored`, { color }))[0]).toBe(400);
      expect((await service.call('DELETE', `${base}/colored`, { token: reporter.token })).status).toBe(204);
    });

    it('are made, renamed, found by id or name and removed by reporters', async () => {
      const base = `/projects/${project}/labels`;
      const made = await service.call<{ id: number }>('POST', base, {
        token: reporter.token,
        json: { name: 'To do', color: '#FF0000' },
      });
      expect(made).toMatchObject({ status: 201, body: { name: 'To do', color: '#FF0000', description: '' } });
      expect((await service.call('POST', base, { token: reporter.token, json: { name: 'To do' } })).body).toEqual({
        message: 'Label already exists',
      });
      expect(
        (await service.call('POST', base, { token: reporter.token, json: { name: 'a,b', color: 'reddish' } })).body,
      ).toEqual({ message: { title: ['is invalid'], color: ['must be a valid color code'] } });
      expect((await service.call('POST', base, { token: guest.token, json: { name: 'x' } })).status).toBe(403);
      expect(
        (await service.call('PUT', `${base}/To%20do`, { token: reporter.token, json: { new_name: 'Done' } })).body,
      ).toMatchObject({ id: made.body.id, name: 'Done' });
      expect((await service.call('GET', `${base}/${made.body.id}`, { token: guest.token })).body).toMatchObject({
        name: 'Done',
      });
      expect((await service.call('DELETE', `${base}/Done`, { token: reporter.token })).status).toBe(204);
      expect((await service.call('GET', `${base}/Done`, { token: guest.token })).body).toEqual({
        message: '404 Label Not Found',
      });
    });
  });

  describe('pages', () => {
    it('open at every web_url, take comments and changes of state, and show text as text', async () => {
      await service.addUser('browsing', { password: PASSWORD });
      const where = await addProject('paged', 'public');
      const { iid, web_url: url } = (await open(
        { title: '<b>bold</b>', description: 'a\n<script>' },
        ada,
        where,
      )) as IssueBody & { web_url: string };
      const { pathname } = new URL(url);
      const person = await signedIn(service, 'browsing');
      const shown = await (await person.get(pathname)).text();
      expect(shown).toContain('&lt;b&gt;bold&lt;/b&gt;');
      expect(shown).not.toContain('<script>');
      expect(shown).not.toContain('Close</button>');
      const comment = await person.submit(pathname, `${pathname}/notes`, { body: 'From a page' });
      expect([comment.status, comment.headers.get('location')?.split('?')[0]]).toEqual([303, pathname]);
      expect((await person.submit(pathname, `${pathname}/notes`, { body: ' ' })).status).toBe(400);
      expect(await (await person.get(pathname)).text()).toContain('From a page');
      expect((await person.submit(pathname, `${pathname}/state`, { state_event: 'close' })).status).toBe(403);
      const own = (await open({ title: 'own' }, { ...ada, token: await tokenOf('browsing') }, where)).iid;
      const ownPath = pathname.replace(/\d+$/, String(own));
      await person.submit(ownPath, `${ownPath}/state`, { state_event: 'close' });
      expect(await titles('state=closed', ada, `/projects/${where}/issues`)).toEqual(['own']);
      expect(await (await person.get(pathname.replace(/\/\d+$/, ''))).text()).toContain(`#${iid}`);
      expect((await person.get(`/ada/engine/-/issues/1`)).status).toBe(404);
    });
  });

  const tokenOf = async (username: string) => {
    const { body } = await service.call<{ id: number }[]>('GET', `/users?username=${username}`, { token: ada.token });
    return service.addToken((body[0]?.id ?? 0) as UserId, ['api']);
  };

  it('were opened, changed and commented on when owners say so, who are told of it now', async () => {
    const where = await addProject('brought', 'public');
    const root = await service.addUser('bringer', { admin: true });
    const base = `/projects/${where}/issues`;
    const at = '2019-03-01T12:00:00.000Z';
    const send = (method: string, path: string, json: object, { token } = ada) =>
      service.call<Record<string, string> & { iid: number }>(method, path, { token, json });
    const began = service.clock.now();
    const now = expect.stringMatching(new RegExp(`^${began.toISOString().slice(0, 10)}`));
    for (const who of [ada, root]) {
      const opened = await send('POST', base, { title: 'Brought', created_at: at }, who);
      expect(opened).toMatchObject({ status: 201, body: { created_at: at, updated_at: now } });
      const one = `${base}/${opened.body.iid}`;
      expect(
        (await send('POST', `${one}/notes`, { body: 'Long ago', created_at: '2019-03-02' }, who)).body,
      ).toMatchObject({
        created_at: '2019-03-02T00:00:00.000Z',
        updated_at: '2019-03-02T00:00:00.000Z',
      });
      const changed = await send('PUT', one, { title: 'Carried', state_event: 'close', updated_at: at }, who);
      expect(changed.body).toMatchObject({ title: 'Carried', created_at: at, updated_at: at, closed_at: now });
      expect((await send('PUT', one, { title: 'Carried on' }, who)).body).toMatchObject({ updated_at: now });
    }
    const { body: feed } = await service.call<{ created_at: string; action_name: string }[]>(
      'GET',
      `/projects/${where}/events`,
      {
        token: ada.token,
      },
    );
    expect(feed.map(({ action_name }) => action_name)).toEqual(
      expect.arrayContaining(['opened', 'closed', 'commented on']),
    );
    expect(feed.every(({ created_at }) => created_at >= began.toISOString())).toBe(true);
    // Whoever may not say it is not refused: clients send it for everybody.
    const mine = await send('POST', base, { title: 'Mine', created_at: '2400-01-01' }, stranger);
    expect(mine).toMatchObject({ status: 201, body: { created_at: now } });
    const own = `${base}/${mine.body.iid}`;
    expect((await send('PUT', own, { title: 'Still', updated_at: at }, stranger)).body).toMatchObject({
      updated_at: now,
    });
    const said = await send('POST', `${own}/notes`, { body: 'Now', created_at: at }, stranger);
    expect(said.body).toMatchObject({ created_at: now });
    const refused = (attribute: string, problem: string) => ({
      status: 400,
      body: { message: { [attribute]: [problem] } },
    });
    const future = new Date(began.getTime() + 86_400_000).toISOString();
    for (const [time, problem] of [
      [future, 'must not be in the future'],
      ['1969-12-31T23:59:59Z', 'must not be before 1970'],
    ] as const) {
      const created = refused('created_at', problem);
      expect(await send('POST', base, { title: 'No', created_at: time })).toMatchObject(created);
      expect(await send('POST', `${own}/notes`, { body: 'No', created_at: time })).toMatchObject(created);
      expect(await send('PUT', own, { updated_at: time })).toMatchObject(refused('updated_at', problem));
    }
    expect((await send('POST', base, { title: 'No', created_at: 'yesterday' })).status).toBe(400);
  });

  it('are called by what tells them apart where they are asked for', async () => {
    const make = async (kind: 'groups' | 'projects', json: object) =>
      (await service.call<{ id: number; full_path: string }>('POST', `/${kind}`, { token: ada.token, json })).body;
    const top = await make('groups', { name: 'Called', path: 'called' });
    const below = await make('groups', { name: 'Low', path: 'low', parent_id: top.id });
    const near = await make('projects', { name: 'near', namespace_id: top.id });
    const beside = await make('projects', { name: 'beside', namespace_id: top.id });
    const far = await make('projects', { name: 'far', namespace_id: below.id });
    for (const { id } of [near, beside, far]) await open({ title: 'Called' }, ada, id);
    const called = async (path: string) => {
      const { body } = await service.call<{ references: Record<string, string> }[]>('GET', path, { token: ada.token });
      expect([body].flat().map(({ references }) => [references['short'], references['full']])).toEqual(
        [body].flat().map(() => ['#1', expect.stringMatching(/^called\/(near|beside|low\/far)#1$/)]),
      );
      return [body].flat().map(({ references }) => references['relative']);
    };
    const inFull = ['called/near#1', 'called/beside#1', 'called/low/far#1'];
    expect(await called('/issues?search=Called&sort=asc')).toEqual(inFull);
    expect(await called(`/groups/${top.id}/issues?sort=asc`)).toEqual(['near#1', 'beside#1', 'called/low/far#1']);
    expect(await called(`/groups/${below.id}/issues`)).toEqual(['far#1']);
    expect(await called(`/projects/${far.id}/issues`)).toEqual(['#1']);
    expect(await called(`/projects/${far.id}/issues/1`)).toEqual(['#1']);
    expect(await called('/search?scope=issues&search=Called&sort=asc&order_by=created_at')).toEqual(inFull);
    expect(await called(`/projects/${far.id}/search?scope=issues&search=Called`)).toEqual(['#1']);
    for (const target of [beside, far]) {
      const json = { target_project_id: target.id, target_issue_iid: 1 };
      const path = `/projects/${near.id}/issues/1/links`;
      expect((await service.call('POST', path, { token: ada.token, json })).status).toBe(201);
    }
    expect(await called(`/projects/${near.id}/issues/1/links`)).toEqual(['beside#1', 'called/low/far#1']);
  });
});
