import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

interface TodoBody {
  readonly id: number;
  readonly action_name: string;
  readonly state: string;
  readonly body: string;
  readonly target_url: string;
  readonly target: { readonly iid: number; readonly title: string };
}

describeEachDatabase('to-dos', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let stranger: TestUser;
  let project: number;
  let secret: number;

  const addProject = async (name: string, visibility: string, rest: object = {}) => {
    const json = { name, visibility, ...rest };
    return (await service.call<{ id: number }>('POST', '/projects', { token: ada.token, json })).body.id;
  };
  const open = async (fields: object, where = project) => {
    const json = { title: 'T', ...fields };
    const { body } = await service.call<{ iid: number }>('POST', `/projects/${where}/issues`, {
      token: ada.token,
      json,
    });
    return `/projects/${where}/issues/${body.iid}`;
  };
  const comment = (issue: string, who: TestUser, body: string) =>
    service.call<{ id: number }>('POST', `${issue}/notes`, { token: who.token, json: { body } });
  const todos = async ({ token }: TestUser, query = '') =>
    (await service.call<readonly TodoBody[]>('GET', `/todos${query}`, { token })).body;
  const actions = async (who: TestUser, query = '') => (await todos(who, query)).map((todo) => todo.action_name);
  const settle = async () => {
    const { schema } = service.service.database;
    await service.service.container.get(TOKENS.jobRunner).runDue();
    await until(async () => (await schema('jobs').where({ kind: 'tell_people' })).length === 0);
  };

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    // Who is asked depends on how things stand when people are told: when a test settles, and not before.
    await service.service.container.get(TOKENS.jobLoop).stop();
    [ada, grace, stranger] = [
      await service.addUser('ada'),
      await service.addUser('grace'),
      await service.addUser('stranger'),
    ];
    project = await addProject('engine', 'public');
    secret = await addProject('secret', 'private');
    for (const where of [project, secret])
      await service.call('POST', `/projects/${where}/members`, {
        token: ada.token,
        json: { user_id: grace.id, access_level: 20 },
      });
  });

  afterEach(async () => {
    await settle();
    for (const who of [ada, grace, stranger]) await service.call('POST', '/todos/mark_as_done', { token: who.token });
  });

  afterAll(() => service.close());

  it('come of being assigned, mentioned and addressed, and say where and by whom', async () => {
    const issue = await open({ title: 'Leak', assignee_ids: [grace.id, ada.id] });
    await settle();
    const note = await comment(issue, ada, 'Do you know this, @grace?');
    await comment(issue, ada, '@grace please');
    await settle();
    const list = await todos(grace);
    expect(list.map((todo) => [todo.action_name, todo.body])).toEqual([
      ['directly_addressed', '@grace please'],
      ['mentioned', 'Do you know this, @grace?'],
      ['assigned', 'Leak'],
    ]);
    expect(list[1]).toMatchObject({
      author: { username: 'ada' },
      state: 'pending',
      target_type: 'Issue',
      target: { title: 'Leak' },
      project: { id: project, path_with_namespace: 'ada/engine', name_with_namespace: 'ada Example / engine' },
      target_url: expect.stringMatching(new RegExp(`/ada/engine/-/issues/\\d+#note_${note.body.id}$`)) as unknown,
    });
    // Who assigns themselves is asked; who then comments has acted.
    expect(await actions(ada)).toEqual([]);
    expect(await actions(ada, '?state=done')).toEqual(['assigned']);
  });

  it('ask nobody who names themselves, nobody twice, and nobody who is named in code', async () => {
    const issue = await open({ description: 'Me: @ada, you: `@grace`' });
    await service.call('PUT', issue, { token: ada.token, json: { assignee_ids: [grace.id] } });
    await service.call('PUT', issue, { token: ada.token, json: { assignee_ids: [] } });
    await settle();
    expect([await actions(ada), await actions(grace)]).toEqual([[], []]);
    for (const assignee_ids of [[grace.id], [], [grace.id]])
      await service.call('PUT', issue, { token: ada.token, json: { assignee_ids } });
    await settle();
    expect(await actions(grace)).toEqual(['assigned']);
  });

  it('are done by who acts: comments, closes, awards', async () => {
    const acts: readonly ((issue: string) => Promise<unknown>)[] = [
      (issue) => comment(issue, grace, 'Done'),
      (issue) => service.call('PUT', issue, { token: grace.token, json: { state_event: 'close' } }),
      (issue) => service.call('POST', `${issue}/award_emoji`, { token: grace.token, json: { name: 'thumbsup' } }),
    ];
    for (const act of acts) {
      const issue = await open({ assignee_ids: [grace.id] });
      await settle();
      expect(await actions(grace)).toEqual(['assigned']);
      await act(issue);
      expect(await actions(grace)).toEqual([]);
    }
  });

  it('are never made, and no longer shown, where somebody may not read', async () => {
    await open({ description: '@stranger @grace' }, secret);
    await open({ description: '@stranger', confidential: true });
    await settle();
    expect(await actions(stranger)).toEqual([]);
    expect((await service.service.database.schema('todos').where({ user_id: stranger.id })).length).toBe(0);
    const [todo] = await todos(grace);
    expect(todo).toMatchObject({ action_name: 'directly_addressed' });
    await service.call('DELETE', `/projects/${secret}/members/${grace.id}`, { token: ada.token });
    expect(await actions(grace)).toEqual([]);
    const done = await service.call('POST', `/todos/${todo!.id}/mark_as_done`, { token: grace.token });
    expect(done).toMatchObject({ status: 404, body: { message: '404 Not Found' } });

    const shown = await open({ description: '@stranger' });
    await settle();
    expect(await actions(stranger)).toEqual(['directly_addressed']);
    await service.call('PUT', shown, { token: ada.token, json: { confidential: true } });
    expect(await actions(stranger)).toEqual([]);
  });

  it('make whoever is mentioned take part in what it is about, unless they may not read it', async () => {
    const participants = async (issue: string) => {
      const path = `${issue}/participants`;
      const people = await service.call<readonly { username: string }[]>('GET', path, { token: ada.token });
      return people.body.map(({ username }) => username);
    };
    const [issue, hidden] = [
      await open({ description: 'See @grace' }),
      await open({ description: '@stranger' }, secret),
    ];
    await service.call('POST', `${issue}/todo`, { token: stranger.token });
    await settle();
    expect([await participants(issue), await participants(hidden)]).toEqual([['ada', 'grace'], ['ada']]);
    await comment(issue, ada, 'And you, @stranger, and @nobody?');
    await settle();
    await service.call('POST', '/todos/mark_as_done', { token: stranger.token });
    expect(await participants(issue)).toEqual(['ada', 'grace', 'stranger']);
  });

  it('come of a mention that is added later, which makes somebody take part, and not again of one that was there', async () => {
    const participants = async (issue: string) => {
      const { body } = await service.call<readonly TodoBody[]>('GET', `${issue}/participants`, { token: ada.token });
      return body.map((person) => (person as unknown as { username: string }).username);
    };
    const change = async (path: string, json: object) => {
      expect((await service.call('PUT', path, { token: ada.token, json })).status).toBe(200);
      await settle();
    };
    const issue = await open({ description: 'See @grace' });
    const { id } = (await comment(issue, ada, 'Hm')).body;
    await settle();
    await service.call('POST', '/todos/mark_as_done', { token: grace.token });
    await change(issue, { description: 'See @grace and @stranger' });
    await change(issue, { title: 'Another', description: '@stranger, see @grace' });
    expect([await actions(grace), await actions(stranger)]).toEqual([[], ['mentioned']]);
    expect(await participants(issue)).toEqual(['ada', 'grace', 'stranger']);
    await change(`${issue}/notes/${id}`, { body: '@grace, look, and `@stranger`' });
    await change(`${issue}/notes/${id}`, { body: '@grace, look there' });
    expect((await todos(grace)).map((todo) => [todo.action_name, todo.body])).toEqual([
      ['directly_addressed', '@grace, look there'],
    ]);
    expect(await actions(stranger)).toEqual(['mentioned']);
    // Who may not read it is not asked, and takes no part.
    const hidden = await open({ description: 'Hush' }, secret);
    await change(hidden, { description: '@stranger' });
    const said = (await comment(hidden, ada, 'Hm')).body.id;
    await change(`${hidden}/notes/${said}`, { body: 'Hm, @stranger' });
    expect(await actions(stranger)).toEqual(['mentioned']);
    expect(await participants(hidden)).toEqual(['ada']);
  });

  it('are put on one’s own list once, however many ask at once', async () => {
    const issue = await open({ title: 'Later' });
    const all = await Promise.all(
      [1, 2, 3, 4].map(() => service.call<TodoBody>('POST', `${issue}/todo`, { token: stranger.token })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, 304, 304, 304]);
    const made = all.find(({ status }) => status === 201)!.body;
    expect(made).toMatchObject({ action_name: 'marked', body: 'Later', state: 'pending' });
    expect(await todos(stranger)).toEqual([made]);
    expect((await service.call('POST', `${issue}/todo`)).status).toBe(401);
    const hidden = await open({ confidential: true });
    expect((await service.call('POST', `${hidden}/todo`, { token: stranger.token })).status).toBe(404);
    const done = await service.call<TodoBody>('POST', `/todos/${made.id}/mark_as_done`, { token: stranger.token });
    expect(done).toMatchObject({ status: 201, body: { id: made.id, state: 'done' } });
    expect((await service.call('POST', `/todos/${made.id}/mark_as_done`, { token: stranger.token })).status).toBe(201);
    expect((await service.call('POST', `/todos/${made.id}/mark_as_done`, { token: grace.token })).status).toBe(404);
    expect((await service.call('POST', `${issue}/todo`, { token: stranger.token })).status).toBe(201);
  });

  it('are narrowed by what is asked for, paged, and done all at once', async () => {
    const group = await service.call<{ id: number }>('POST', '/groups', {
      token: ada.token,
      json: { name: 'Works', path: 'works', visibility: 'public' },
    });
    const below = await service.call<{ id: number }>('POST', '/groups', {
      token: ada.token,
      json: { name: 'Below', path: 'below', parent_id: group.body.id, visibility: 'public' },
    });
    const inGroup = await addProject('mill', 'public', { namespace_id: below.body.id });
    await open({ description: 'See @grace' });
    await open({ assignee_ids: [grace.id] }, inGroup);
    await settle();
    const narrowed: Readonly<Record<string, readonly string[]>> = {
      '': ['assigned', 'mentioned'],
      '?action=assigned': ['assigned'],
      '?action=review_requested': [],
      '?action=member_access_requested': [],
      '?type=Issue': ['assigned', 'mentioned'],
      '?type=MergeRequest': [],
      '?type=Epic': [],
      [`?project_id=${project}`]: ['mentioned'],
      [`?group_id=${group.body.id}`]: ['assigned'],
      [`?author_id=${ada.id}`]: ['assigned', 'mentioned'],
      [`?author_id=${grace.id}`]: [],
      '?per_page=1&page=2': ['mentioned'],
    };
    for (const [query, expected] of Object.entries(narrowed))
      expect([query, await actions(grace, query)]).toEqual([query, expected]);
    for (const query of ['action=x', 'state=x', 'type=x', 'author_id=x'])
      expect((await service.call('GET', `/todos?${query}`, { token: grace.token })).status).toBe(400);
    expect((await service.call('GET', '/todos')).status).toBe(401);
    const all = await service.call('POST', '/todos/mark_as_done', { token: grace.token });
    expect([all.status, all.body]).toEqual([204, '']);
    expect([await actions(grace), (await todos(grace, '?state=done')).length > 1]).toEqual([[], true]);
  });
});
