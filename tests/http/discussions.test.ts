import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MAX_NOTES_OF_DISCUSSION } from '../../src/domain/collaboration/discussion.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface NoteBody {
  readonly id: number;
  readonly type: string | null;
  readonly body: string;
}
interface DiscussionBody {
  readonly id: string;
  readonly individual_note: boolean;
  readonly notes: readonly NoteBody[];
}

describeEachDatabase('discussions of issues', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let guest: TestUser;
  let stranger: TestUser;
  let project: number;
  let hidden: string;

  const addProject = async (name: string, visibility: string) => {
    const json = { name, visibility };
    return (await service.call<{ id: number }>('POST', '/projects', { token: ada.token, json })).body.id;
  };
  const open = async (where: number, fields: object = {}) => {
    const json = { title: 'T', ...fields };
    const { body } = await service.call<{ iid: number }>('POST', `/projects/${where}/issues`, {
      token: ada.token,
      json,
    });
    return `/projects/${where}/issues/${body.iid}`;
  };
  const begin = async (issue: string, who: TestUser, body: string) =>
    service.call<DiscussionBody>('POST', `${issue}/discussions`, { token: who.token, json: { body } });
  const answer = async (issue: string, id: string, who: TestUser, body: string) =>
    service.call<NoteBody>('POST', `${issue}/discussions/${id}/notes`, { token: who.token, json: { body } });
  const read = async (issue: string, id: string, who: TestUser = ada) =>
    service.call<DiscussionBody>('GET', `${issue}/discussions/${id}`, { token: who.token });

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, guest, stranger] = [
      await service.addUser('ada'),
      await service.addUser('guest'),
      await service.addUser('stranger'),
    ];
    project = await addProject('engine', 'public');
    const secret = await addProject('secret', 'private');
    const json = { user_id: guest.id, access_level: 10 };
    await service.call('POST', `/projects/${secret}/members`, { token: ada.token, json });
    hidden = await open(secret);
  });

  afterAll(() => service.close());

  it('are begun, answered, listed, changed and shrink, as clients do it', async () => {
    const issue = await open(project);
    const begun = await begin(issue, stranger, 'Why?');
    expect(begun).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown,
        individual_note: false,
        notes: [{ type: 'DiscussionNote', body: 'Why?', resolvable: false, noteable_type: 'Issue' }],
      },
    });
    const { id } = begun.body;
    const reply = await answer(issue, id, ada, 'Because.');
    expect(reply).toMatchObject({ status: 201, body: { type: 'DiscussionNote', body: 'Because.' } });
    const note = `${issue}/discussions/${id}/notes/${reply.body.id}`;
    expect((await service.call('GET', note, { token: ada.token })).body).toEqual(reply.body);
    const changed = await service.call('PUT', note, { token: ada.token, json: { body: 'Oil.' } });
    expect(changed).toMatchObject({ status: 200, body: { body: 'Oil.' } });
    expect((await read(issue, id)).body.notes.map(({ body }) => body)).toEqual(['Why?', 'Oil.']);
    const list = await service.call<readonly DiscussionBody[]>('GET', `${issue}/discussions`);
    expect(list.body).toEqual([(await read(issue, id)).body]);
    expect(list.headers.get('x-total')).toBe('1');

    const first = begun.body.notes[0]!.id;
    await service.call('DELETE', `${issue}/discussions/${id}/notes/${first}`, { token: ada.token });
    expect((await read(issue, id)).body).toMatchObject({ id, notes: [{ body: 'Oil.' }] });
    expect((await service.call('DELETE', note, { token: ada.token })).status).toBe(204);
    expect(await read(issue, id)).toMatchObject({ status: 404, body: { message: '404 Discussion Not Found' } });
    expect((await service.call('GET', `${issue}/discussions`, { token: ada.token })).body).toEqual([]);
  });

  it('have a comment that stands alone as one of their own, which an answer makes a discussion of the same name', async () => {
    const issue = await open(project);
    const comment = await service.call<NoteBody>('POST', `${issue}/notes`, {
      token: ada.token,
      json: { body: 'Alone' },
    });
    expect(comment.body.type).toBeNull();
    const [alone] = (await service.call<readonly DiscussionBody[]>('GET', `${issue}/discussions`)).body;
    expect(alone).toMatchObject({ individual_note: true, notes: [{ id: comment.body.id, type: null }] });
    // Both at once: there is one discussion, and nothing of it is lost.
    const answers = await Promise.all([1, 2, 3].map((number) => answer(issue, alone!.id, guest, `Answer ${number}`)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const { body } = await read(issue, alone!.id);
    expect([body.id, body.individual_note, body.notes.length]).toEqual([alone!.id, false, 4]);
    expect(body.notes.every(({ type }) => type === 'DiscussionNote')).toBe(true);
    const notes = await service.call<readonly NoteBody[]>('GET', `${issue}/notes`);
    expect(notes.body).toHaveLength(4);
    expect((await service.call('GET', `${issue}/discussions`)).body).toHaveLength(1);
  });

  it('are begun and answered when owners and administrators say so; what others say of it is ignored', async () => {
    const issue = await open(project);
    const root = await service.addUser('bringer', { admin: true });
    const at = '2019-03-01T12:00:00.000Z';
    const send = <Body>(path: string, who: TestUser, created_at: string) =>
      service.call<Body>('POST', path, { token: who.token, json: { body: 'Said', created_at } });
    const times = [];
    for (const who of [ada, root, stranger]) {
      const { body } = await send<{ id: string; notes: { created_at: string }[] }>(`${issue}/discussions`, who, at);
      const reply = await send<{ created_at: string }>(`${issue}/discussions/${body.id}/notes`, who, '2019-03-02');
      times.push([body.notes[0]!.created_at, reply.body.created_at]);
    }
    const said = [at, '2019-03-02T00:00:00.000Z'];
    expect(times.slice(0, 2)).toEqual([said, said]);
    const [, , ignored] = times as [unknown, unknown, string[]];
    for (const time of ignored) expect(time > '2020').toBe(true);
    const [first] = (await service.call<readonly DiscussionBody[]>('GET', `${issue}/discussions`)).body;
    for (const path of [`${issue}/discussions`, `${issue}/discussions/${first!.id}/notes`])
      expect(await send(path, ada, '1969-12-31T23:59:59Z')).toMatchObject({
        status: 400,
        body: { message: { created_at: ['must not be before 1970'] } },
      });
  });

  it('are gone once their last notes are removed at once', async () => {
    const issue = await open(project);
    const { database } = service.service;
    for (let round = 0; round < 10; round += 1) {
      const { id, notes } = (await begin(issue, ada, 'Why?')).body;
      const { id: reply } = (await answer(issue, id, ada, 'Because.')).body;
      const removed = await Promise.all(
        [notes[0]!.id, reply].map((note) => service.call('DELETE', `${issue}/notes/${note}`, { token: ada.token })),
      );
      expect(removed.map(({ status }) => status)).toEqual([204, 204]);
      const left = await database.schema('discussions').where({ first_note_id: notes[0]!.id }).pluck('id');
      expect([round, left]).toEqual([round, []]);
    }
  });

  it('are not there for who may not see the issue, and need a token to be written', async () => {
    const { id, notes } = (await begin(hidden, guest, 'Hm')).body;
    const places = ['discussions', `discussions/${id}`, `discussions/${id}/notes/${notes[0]!.id}`];
    for (const place of places) {
      expect((await service.call('GET', `${hidden}/${place}`, { token: guest.token })).status).toBe(200);
      for (const who of [{ token: stranger.token }, {}])
        expect(await service.call('GET', `${hidden}/${place}`, who)).toMatchObject({
          status: 404,
          body: { message: '404 Project Not Found' },
        });
    }
    expect((await begin(hidden, stranger, 'Me?')).status).toBe(404);
    expect((await answer(hidden, id, stranger, 'Me?')).status).toBe(404);
    const issue = await open(project);
    expect((await service.call('POST', `${issue}/discussions`, { json: { body: 'Me?' } })).status).toBe(401);
    const confidential = await open(project, { confidential: true });
    expect((await begin(confidential, stranger, 'Me?')).body).toEqual({ message: '404 Issue Not Found' });
    // Of another issue it is not there either.
    expect((await read(issue, id)).status).toBe(404);
    expect((await answer(issue, id, ada, 'Here?')).status).toBe(404);
    for (const name of ['1', 'f'.repeat(40), '0'.repeat(40), `${'0'.repeat(39)}G`])
      expect(await read(issue, name)).toMatchObject({ status: 404, body: { message: '404 Discussion Not Found' } });
  });

  it('let nobody but the writer, or a maintainer, change a note, and only one thing of it at a time', async () => {
    const issue = await open(project);
    const { id, notes } = (await begin(issue, ada, 'Mine')).body;
    const note = `${issue}/discussions/${id}/notes/${notes[0]!.id}`;
    const change = (who: TestUser, json: object) => service.call('PUT', note, { token: who.token, json });
    expect((await change(stranger, { body: 'Yours' })).status).toBe(403);
    expect((await service.call('DELETE', note, { token: stranger.token })).status).toBe(403);
    expect(await change(ada, {})).toMatchObject({
      status: 400,
      body: { error: 'body, resolved are missing, exactly one parameter must be provided' },
    });
    expect((await change(ada, { body: 'x', resolved: true })).status).toBe(400);
    expect(await change(ada, { resolved: true })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Note is not resolvable') as unknown },
    });
    expect((await change(ada, { body: ' ' })).status).toBe(400);
    expect((await begin(issue, ada, '')).status).toBe(400);
    // Another issue has no such note.
    const other = await open(project);
    expect((await service.call('GET', `${other}/discussions/${id}/notes/${notes[0]!.id}`)).status).toBe(404);
  });

  it('have an end: so many notes, and so much text', async () => {
    const issue = await open(project);
    const { id, notes } = (await begin(issue, ada, 'Long')).body;
    const { schema } = service.service.database;
    const [row] = await schema('notes').where({ id: notes[0]!.id });
    const { id: _id, ...note } = row!;
    const more = Array.from({ length: MAX_NOTES_OF_DISCUSSION - 2 }, () => ({ ...note, body: 'x' }));
    await schema.batchInsert('notes', more, 50);
    expect((await answer(issue, id, ada, 'The last')).status).toBe(201);
    expect(await answer(issue, id, ada, 'Too many')).toMatchObject({ status: 400 });
    expect((await read(issue, id)).body.notes).toHaveLength(MAX_NOTES_OF_DISCUSSION);

    const { body: large } = await begin(issue, ada, 'y'.repeat(999_000));
    expect((await answer(issue, large.id, ada, 'y'.repeat(999_000))).status).toBe(201);
    expect((await answer(issue, large.id, ada, 'y'.repeat(999_000))).status).toBe(400);
    const path = `${issue}/discussions/${large.id}/notes/${large.notes[0]!.id}`;
    const grown = await service.call('PUT', path, { token: ada.token, json: { body: '€'.repeat(340_000) } });
    expect(grown.status).toBe(400);
  });
});
