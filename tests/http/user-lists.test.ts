import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { turnOnTwoFactor } from '../support/two-factor.js';

const DAY_MS = 86_400_000;

describeEachDatabase('lists of users', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let between: string;

  const call = <Body>(method: string, path: string, { token }: TestUser, json?: object) =>
    service.call<Body>(method, path, { token, ...(json === undefined ? {} : { json }) });
  const namesOf = async (query: string, who: TestUser): Promise<string[]> => {
    const { status, body } = await call<{ username: string }[]>('GET', `/users?sort=asc&${query}`, who);
    expect([query, status]).toEqual([query, 200]);
    return body.map(({ username }) => username);
  };

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
    ada = await service.addUser('ada');
    const bob = await service.addUser('bob');
    await turnOnTwoFactor(service, bob.id);
    service.clock.advance(DAY_MS);
    between = service.clock.now().toISOString();
    service.clock.advance(DAY_MS);
    const [cleo, dan] = [await service.addUser('cleo'), await service.addUser('dan')];
    await call('POST', '/projects', ada, { name: 'mill' });
    const project = await call<{ id: number }>('POST', '/projects', root, { name: 'works' });
    const group = await call<{ id: number }>('POST', '/groups', root, { name: 'guild', path: 'guild' });
    for (const [place, { id }] of [
      [`/projects/${project.body.id}/members`, cleo],
      [`/groups/${group.body.id}/members`, dan],
    ] as const)
      expect((await call('POST', place, root, { user_id: id, access_level: 30 })).status).toBe(201);
  });
  afterAll(() => service.close());

  it('are empty for whoever asks by a name at another service, since nobody has one', async () => {
    for (const who of [root, ada])
      for (const query of ['extern_uid=ada&provider=saml', 'extern_uid=ada', 'provider=saml', 'extern_uid='])
        expect(await namesOf(query, who)).toEqual([]);
    const { headers } = await call('GET', '/users?extern_uid=ada&provider=saml', root);
    expect(headers.get('X-Total')).toBe('0');
  });

  it('have no external users', async () => {
    for (const who of [root, ada]) {
      expect(await namesOf('external=true', who)).toEqual([]);
      expect(await namesOf('external=false', who)).toHaveLength(5);
    }
  });

  it('are narrowed by administrators to those who are one, have a second factor, have no project, or came at some time', async () => {
    const found = {
      'admins=true': ['root'],
      'two_factor=enabled': ['bob'],
      'two_factor=disabled': ['root', 'ada', 'cleo', 'dan'],
      'without_projects=true': ['bob'],
      [`created_after=${between}`]: ['cleo', 'dan'],
      [`created_before=${between}`]: ['root', 'ada', 'bob'],
      [`created_before=${between}&two_factor=disabled&admins=true`]: ['root'],
    };
    for (const [query, names] of Object.entries(found))
      expect([query, await namesOf(query, root)]).toEqual([query, names]);
  });

  it('are searched by a whole address by administrators alone', async () => {
    expect(await namesOf('search=BOB@Example.com', root)).toEqual(['bob']);
    expect(await namesOf('search=bob@example.com&blocked=true', root)).toEqual([]);
    // A part of one finds nobody: addresses are not gone through.
    expect(await namesOf('search=bob@example', root)).toEqual([]);
    expect(await namesOf('search=bo', root)).toEqual(['bob']);
    expect(await namesOf('search=bob@example.com', ada)).toEqual([]);
  });

  it('pass over for others what only administrators narrow by', async () => {
    for (const query of [
      ...['admins=true', 'two_factor=enabled', 'without_projects=true'],
      ...[`created_after=${between}`, `created_before=${between}`],
    ])
      expect([query, await namesOf(query, ada)]).toEqual([query, ['root', 'ada', 'bob', 'cleo', 'dan']]);
  });

  it('are the same with and without users of projects and of the installation', async () => {
    const all = await namesOf('', root);
    for (const query of ['without_project_bots=true', 'exclude_internal=true'])
      expect(await namesOf(query, root)).toEqual(all);
  });

  it('refuse what says neither of a second factor', async () => {
    expect((await call('GET', '/users?two_factor=perhaps', root)).status).toBe(400);
  });

  it('lose a person’s second factor by an administrator alone, and only where there is one', async () => {
    const erin = await service.addUser('erin');
    const lose = (who: TestUser | undefined) =>
      service.call<{ message: string }>('PATCH', `/users/${erin.id}/disable_two_factor`, who && { token: who.token });
    expect(await lose(root)).toMatchObject({ status: 400, body: { message: expect.stringContaining('not enabled') } });
    await turnOnTwoFactor(service, erin.id);
    expect((await lose(undefined)).status).toBe(401);
    expect([(await lose(ada)).status, (await lose(erin)).status]).toEqual([403, 403]);
    expect(await namesOf('two_factor=enabled', root)).toEqual(['bob', 'erin']);
    expect((await lose(root)).status).toBe(204);
    expect(await namesOf('two_factor=enabled', root)).toEqual(['bob']);
  });
});
