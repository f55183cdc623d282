import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

interface AwardBody {
  readonly id: number;
  readonly name: string;
}

describeEachDatabase('award emoji', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let guest: TestUser;
  let stranger: TestUser;
  let root: TestUser;
  let project: number;
  let secret: number;

  const addProject = async (name: string, visibility: string) => {
    const json = { name, visibility };
    return (await service.call<{ id: number }>('POST', '/projects', { token: ada.token, json })).body.id;
  };
  const open = async (where: number, fields: object = {}) => {
    const json = { title: 'T', ...fields };
    return (
      await service.call<{ id: number; iid: number }>('POST', `/projects/${where}/issues`, { token: ada.token, json })
    ).body;
  };
  const give = (place: string, { token }: TestUser, name: string) =>
    service.call<AwardBody>('POST', `${place}/award_emoji`, { token, json: { name } });

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, guest, stranger] = [
      await service.addUser('ada'),
      await service.addUser('guest'),
      await service.addUser('stranger'),
    ];
    root = await service.addUser('root', { admin: true });
    project = await addProject('engine', 'public');
    secret = await addProject('secret', 'private');
    const json = { user_id: guest.id, access_level: 10 };
    await service.call('POST', `/projects/${secret}/members`, { token: ada.token, json });
  });

  afterAll(() => service.close());

  it('are given to issues and notes, listed to everybody who sees them, and taken by who gave them', async () => {
    const { id, iid } = await open(project);
    const issue = `/projects/${project}/issues/${iid}`;
    const note = await service.call<{ id: number }>('POST', `${issue}/notes`, {
      token: ada.token,
      json: { body: 'Hm' },
    });
    for (const [place, awardable] of [
      [issue, { awardable_id: id, awardable_type: 'Issue' }],
      [`${issue}/notes/${note.body.id}`, { awardable_id: note.body.id, awardable_type: 'Note' }],
    ] as const) {
      const given = await give(place, stranger, 'blowfish');
      expect(given).toMatchObject({ status: 201, body: { name: 'blowfish', user: { id: stranger.id }, ...awardable } });
      const one = `${place}/award_emoji/${given.body.id}`;
      expect((await service.call('GET', one)).body).toEqual(given.body);
      const list = await service.call('GET', `${place}/award_emoji`);
      expect([list.body, list.headers.get('x-total')]).toEqual([[given.body], '1']);
      expect((await service.call('DELETE', one, { token: ada.token })).status).toBe(401);
      expect((await service.call('DELETE', one)).status).toBe(401);
      expect((await service.call('DELETE', one, { token: stranger.token })).status).toBe(204);
      const gone = { status: 404, body: { message: '404 Award Emoji Not Found' } };
      expect(await service.call('GET', one)).toMatchObject(gone);
      expect(await service.call('DELETE', one, { token: stranger.token })).toMatchObject(gone);
      const other = await give(place, stranger, ':+1:');
      expect(other.body.name).toBe('thumbsup');
      const removal = `${place}/award_emoji/${other.body.id}`;
      expect((await service.call('DELETE', removal, { token: root.token })).status).toBe(204);
    }
  });

  it('count as votes', async () => {
    const { iid } = await open(project);
    const issue = `/projects/${project}/issues/${iid}`;
    await give(issue, ada, 'thumbsup');
    await give(issue, guest, 'thumbsup');
    await give(issue, stranger, 'thumbsdown');
    await give(issue, stranger, 'tada');
    const note = await service.call<{ id: number }>('POST', `${issue}/notes`, {
      token: ada.token,
      json: { body: 'Hm' },
    });
    await give(`${issue}/notes/${note.body.id}`, ada, 'thumbsup');
    expect((await service.call('GET', issue)).body).toMatchObject({ upvotes: 2, downvotes: 1 });
  });

  it('are refused when no emoji is called so, and given once, however many ask at once', async () => {
    const { iid } = await open(project);
    const issue = `/projects/${project}/issues/${iid}`;
    for (const name of ['nonsense', 'x'.repeat(255), ':', "'; --"])
      expect(await give(issue, ada, name)).toMatchObject({
        status: 404,
        body: { message: '404 Award Emoji Name is not a valid emoji name Not Found' },
      });
    expect((await give(issue, ada, '')).status).toBe(400);
    expect((await give(issue, ada, 'x'.repeat(256))).status).toBe(400);
    const all = await Promise.all(Array.from({ length: 8 }, () => give(issue, ada, 'thumbsup')));
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(404)]);
    expect(all.find(({ status }) => status === 404)?.body).toMatchObject({
      message: '404 Award Emoji Name has already been taken Not Found',
    });
    expect((await service.call('GET', `${issue}/award_emoji`)).body).toHaveLength(1);
  });

  it('tell nothing to who may not see what they were given to', async () => {
    const { iid } = await open(secret);
    const issue = `/projects/${secret}/issues/${iid}`;
    const { body: award } = await give(issue, guest, 'tada');
    const here = `${issue}/award_emoji`;
    const nothing = { status: 404, body: { message: '404 Project Not Found' } };
    for (const who of [{}, { token: stranger.token }]) {
      expect(await service.call('GET', here, who)).toMatchObject(nothing);
      expect(await service.call('GET', `${here}/${award.id}`, who)).toMatchObject(nothing);
    }
    expect(await give(issue, stranger, 'tada')).toMatchObject(nothing);
    const confidential = await open(secret, { confidential: true });
    const place = `/projects/${secret}/issues/${confidential.iid}`;
    expect(await give(place, guest, 'tada')).toMatchObject({ status: 404, body: { message: '404 Not Found' } });
    // An award is found below its own thing alone.
    const { iid: open1 } = await open(project);
    expect((await service.call('GET', `/projects/${project}/issues/${open1}/award_emoji/${award.id}`)).status).toBe(
      404,
    );
  });
});
