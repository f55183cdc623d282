import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_BOARD_LISTS, MAX_BOARDS } from '../../src/domain/planning/board.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface ListBody {
  readonly id: number;
  readonly position: number;
  readonly label: { readonly id: number; readonly name: string };
}
interface BoardBody {
  readonly id: number;
  readonly name: string;
  readonly lists: readonly ListBody[];
}
interface IssueBody {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
}

describeEachDatabase('issue boards', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let reporter: TestUser;
  let guest: TestUser;
  let stranger: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, reporter, guest, stranger] = [
      await service.addUser('ada'),
      await service.addUser('reporter'),
      await service.addUser('guest'),
      await service.addUser('stranger'),
    ];
  });

  afterAll(() => service.close());

  const addProject = async (visibility = 'private') => {
    const { body } = await service.call<{ id: number; path_with_namespace: string }>('POST', '/projects', {
      token: ada.token,
      json: { name: `engine-${(serial += 1)}`, visibility },
    });
    for (const [{ id }, level] of [
      [reporter, 20],
      [guest, 10],
    ] as const) {
      const json = { user_id: id, access_level: level };
      await service.call('POST', `/projects/${body.id}/members`, { token: ada.token, json });
    }
    const call = <Body = BoardBody>(method: string, path: string, json?: object, who: TestUser | null = reporter) =>
      service.call<Body>(method, `/projects/${body.id}${path}`, {
        ...(who !== null && { token: who.token }),
        ...(json !== undefined && { json }),
      });
    const addLabel = async (name: string): Promise<number> =>
      (await call<{ id: number }>('POST', '/labels', { name, color: '#112233' })).body.id;
    const addIssue = async (title: string, fields: object = {}) =>
      (await call<IssueBody>('POST', '/issues', { title, ...fields })).body;
    const theOne = async () => (await call<readonly [BoardBody]>('GET', '/boards')).body[0];
    return { id: body.id, path: body.path_with_namespace, call, addLabel, addIssue, theOne };
  };

  it('are there before anybody makes one: the first that asks finds one, and so do all who ask at once', async () => {
    const { id, path, call } = await addProject();
    const asked = await Promise.all([1, 2, 3].map(() => call<readonly BoardBody[]>('GET', '/boards')));
    for (const { status, body } of asked) {
      expect(status).toBe(200);
      expect(body).toEqual(asked[0]?.body);
    }
    expect(asked[0]?.body).toEqual([
      {
        id: expect.any(Number),
        name: 'Development',
        hide_backlog_list: false,
        hide_closed_list: false,
        project: expect.objectContaining({ id, path_with_namespace: path, web_url: expect.stringContaining(path) }),
        lists: [],
      },
    ]);
  });

  it('are made, renamed, read and removed; the last one that goes is followed by another', async () => {
    const { call, theOne } = await addProject();
    const before = await theOne();
    const made = await call('POST', '/boards', { name: 'Release' });
    expect(made).toMatchObject({ status: 201, body: { name: 'Release', lists: [] } });
    const address = `/boards/${made.body.id}`;
    expect(await call('PUT', address, { name: 'Next release' })).toMatchObject({
      status: 200,
      body: { id: made.body.id, name: 'Next release' },
    });
    expect((await call('GET', address)).body.name).toBe('Next release');
    expect(await call('PUT', address, { hide_closed_list: true })).toMatchObject({ body: { hide_closed_list: false } });
    expect((await call('DELETE', address)).status).toBe(204);
    expect(await call('GET', address)).toMatchObject({ status: 404, body: { message: '404 Board Not Found' } });
    await call('DELETE', `/boards/${before.id}`);
    const after = await theOne();
    expect(after).toMatchObject({ name: 'Development', lists: [] });
    expect(after.id).not.toBe(before.id);
  });

  it('have names of some length, and are of a number', async () => {
    const { call, theOne } = await addProject();
    await theOne();
    expect(await call('POST', '/boards', { name: ' ' })).toMatchObject({ status: 400 });
    expect(await call('POST', '/boards', { name: 'a'.repeat(256) })).toMatchObject({ status: 400 });
    for (let made = 1; made < MAX_BOARDS; made += 1)
      expect((await call('POST', '/boards', { name: `Board ${made}` })).status).toBe(201);
    expect((await call('POST', '/boards', { name: 'One more' })).status).toBe(400);
  });

  it('have lists, each of a label, that are added last, moved, and removed without the label', async () => {
    const { call, addLabel, theOne } = await addProject();
    const address = `/boards/${(await theOne()).id}/lists`;
    const [todo, doing, done] = [await addLabel('To do'), await addLabel('Doing'), await addLabel('Done')];
    const add = async (label_id: number) => (await call<ListBody>('POST', address, { label_id })).body;
    const first = await call<ListBody>('POST', address, { label_id: todo });
    expect(first).toMatchObject({
      status: 201,
      body: { position: 0, label: { id: todo, name: 'To do', color: '#112233' } },
    });
    const [second, third] = [await add(doing), await add(done)];
    expect([second.position, third.position]).toEqual([1, 2]);
    const names = async () =>
      (await call<readonly ListBody[]>('GET', address)).body.map(({ label, position }) => `${position} ${label.name}`);
    expect(await call<ListBody>('PUT', `${address}/${third.id}`, { position: 0 })).toMatchObject({
      status: 200,
      body: { id: third.id, position: 0 },
    });
    expect(await names()).toEqual(['0 Done', '1 To do', '2 Doing']);
    expect(await call('PUT', `${address}/${third.id}`, { position: 3 })).toMatchObject({
      status: 400,
      body: { message: 'List could not be moved!' },
    });
    expect((await call<ListBody>('GET', `${address}/${second.id}`)).body).toMatchObject({ position: 2 });
    expect((await call('DELETE', `${address}/${first.body.id}`)).status).toBe(204);
    expect(await call('GET', `${address}/${first.body.id}`)).toMatchObject({
      status: 404,
      body: { message: '404 List Not Found' },
    });
    expect((await call('GET', `/labels/${todo}`)).status).toBe(200);
    // A label takes its lists along.
    await call('DELETE', `/labels/${done}`);
    expect(await names()).toEqual(['0 Doing']);
    expect((await theOne()).lists.map(({ label }) => label.name)).toEqual(['Doing']);
  });

  it('have one list of a label of their project, and no more of them than fit', async () => {
    const { call, addLabel, theOne } = await addProject();
    const elsewhere = await (await addProject()).addLabel('Elsewhere');
    const address = `/boards/${(await theOne()).id}/lists`;
    const add = (label_id: number) => call('POST', address, { label_id });
    expect(await add(elsewhere)).toMatchObject({ status: 400, body: { message: 'Label not found!' } });
    const label = await addLabel('Once');
    expect((await add(label)).status).toBe(201);
    expect(await add(label)).toMatchObject({ status: 400, body: { message: 'Label has already been taken' } });
    for (let made = 1; made < MAX_BOARD_LISTS; made += 1) await add(await addLabel(`Label ${made}`));
    expect((await add(await addLabel('One more'))).status).toBe(400);
  });

  describe('by who may what', () => {
    const ask = async (visibility: string) => {
      const { call, addLabel, theOne, addIssue } = await addProject(visibility);
      const board = await theOne();
      const label = await addLabel('Doing');
      const { id: listId } = (await call<ListBody>('POST', `/boards/${board.id}/lists`, { label_id: label })).body;
      const [one, other] = [await addIssue('One'), await addIssue('Other')];
      const list = `/boards/${board.id}/lists/${listId}`;
      const reads = ['/boards', `/boards/${board.id}`, `/boards/${board.id}/lists`, list];
      const writes = [
        ['POST', '/boards', { name: 'Mine' }],
        ['PUT', `/boards/${board.id}`, { name: 'Mine' }],
        ['POST', `/boards/${board.id}/lists`, { label_id: label }],
        ['PUT', list, { position: 0 }],
        ['PUT', `/issues/${one.iid}/reorder`, { move_after_id: other.id }],
        ['DELETE', list],
        ['DELETE', `/boards/${board.id}`],
      ] as const;
      return async (who: TestUser | null) => ({
        reads: new Set(await Promise.all(reads.map(async (path) => (await call('GET', path, undefined, who)).status))),
        writes: new Set(
          await Promise.all(writes.map(async ([method, path, json]) => (await call(method, path, json, who)).status)),
        ),
      });
    };

    it.each([
      ['guest', 'private', 200, 403],
      ['stranger', 'private', 404, 404],
      ['visitor', 'private', 404, 401],
      ['stranger', 'public', 200, 403],
      ['visitor', 'public', 200, 401],
    ] as const)('a %s of a %s project reads with %i and changes with %i', async (name, visibility, reads, writes) => {
      const who = { guest, stranger, visitor: null }[name];
      expect(await (await ask(visibility))(who)).toEqual({ reads: new Set([reads]), writes: new Set([writes]) });
    });

    it('nobody reads one where issues are switched off, or by the address of another project', async () => {
      const { id, call, theOne } = await addProject('public');
      const { id: boardId } = await theOne();
      const other = await addProject();
      expect((await other.call('GET', `/boards/${boardId}`)).status).toBe(404);
      await service.call('PUT', `/projects/${id}`, { token: ada.token, json: { issues_access_level: 'disabled' } });
      expect((await call('GET', `/boards/${boardId}`, undefined, null)).status).toBe(403);
    });
  });
});
