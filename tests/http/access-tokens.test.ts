import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { remoteOf } from '../support/git-service.js';
import { git, removeFolder, temporaryFolder, tryGit, withGit } from '../support/git.js';
import { TestService, type Answer, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WrittenProject } from '../support/written-project.js';

interface Token {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly access_level: number;
  readonly active: boolean;
  readonly revoked: boolean;
  readonly expires_at: string | null;
  readonly token: string;
}

interface Account {
  readonly id: number;
  readonly username: string;
  readonly state: string;
  readonly bot: boolean;
}

interface Place {
  readonly path: string;
  readonly kind: 'project' | 'group';
  readonly id: number;
}

const FIELDS = { name: 'Robot', scopes: ['api'] };
const MOST_ACTIVE = 100;
const WHO = ['visitor', 'stranger', 'guest', 'reporter', 'developer', 'maintainer', 'owner'] as const;
type Who = (typeof WHO)[number];
const LEVELS: Partial<Readonly<Record<Who, number>>> = {
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
};

describeEachDatabase('access tokens of projects and groups', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let bob: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true, scopes: ['api', 'sudo'] });
    [ada, bob] = [await service.addUser('ada', { password: 'a-good-password' }), await service.addUser('bob')];
  });
  afterAll(() => service.close());

  const call = async <Body = Token>(
    method: string,
    path: string,
    json?: object,
    token: string | undefined = ada.token,
  ): Promise<Answer<Body>> => {
    const answer = await service.call<Body>(method, path, { token, ...(json === undefined ? {} : { json }) });
    const { token: secret } = answer.body as { token?: string };
    if (answer.status < 300 && secret !== undefined) service.secrets.push(secret);
    return answer;
  };
  const addProject = async (fields: object = {}): Promise<Place> => {
    const { body } = await call<{ id: number }>('POST', '/projects', { name: `mill-${(serial += 1)}`, ...fields });
    return { kind: 'project', id: body.id, path: `/projects/${body.id}` };
  };
  const addGroup = async (fields: object = {}): Promise<Place> => {
    const path = `works-${(serial += 1)}`;
    const { body } = await call<{ id: number }>('POST', '/groups', { name: path, path, ...fields });
    return { kind: 'group', id: body.id, path: `/groups/${body.id}` };
  };
  const make = async ({ path }: Place, fields: object = {}, token?: string): Promise<Token> => {
    const made = await call('POST', `${path}/access_tokens`, { ...FIELDS, ...fields }, token);
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ token: expect.any(String) })]);
    return made.body;
  };
  const works = async (token: string) => (await service.call('GET', '/user', { token })).status === 200;
  const account = async (id: number) => (await call<Account>('GET', `/users/${id}`, undefined, root.token)).body;
  const levelIn = async ({ path }: Place, id: number) =>
    (await call<{ access_level?: number }>('GET', `${path}/members/${id}`)).body.access_level;
  const endExpired = () => service.service.container.get(TOKENS.cleanUp)();
  const inDays = (days: number) =>
    new Date(service.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

  describe.each([
    ['project', addProject],
    ['group', addGroup],
  ] as const)('of a %s', (kind, add) => {
    it('are made, listed, read and revoked, and their bot comes and goes with them', async () => {
      const place = await add();
      const expires = inDays(30);
      const fields = { name: 'CI', description: 'Builds', scopes: ['api', 'read_repository'], access_level: 30 };
      const { token, ...shown } = await make(place, { ...fields, expires_at: expires });
      expect([token, shown]).toEqual([
        expect.stringMatching(/^[\w-]{43}$/),
        {
          ...{ id: expect.any(Number), user_id: expect.any(Number), ...fields, expires_at: expires },
          ...{ created_at: expect.any(String), last_used_at: null, active: true, revoked: false },
        },
      ]);
      const one = `${place.path}/access_tokens/${shown.id}`;
      expect((await call('GET', one)).body).toEqual(shown);
      expect((await call('GET', `${place.path}/access_tokens`)).body).toEqual([shown]);

      const bot = (await call<Account>('GET', '/user', undefined, token)).body;
      expect(bot).toMatchObject({ id: shown.user_id, name: 'CI', bot: true, can_create_group: false });
      expect(bot.username).toMatch(new RegExp(`^${kind}_${place.id}_bot_[0-9a-f]{32}$`));
      expect(await levelIn(place, bot.id)).toBe(30);
      expect(await account(bob.id)).toMatchObject({ bot: false });

      expect((await call('DELETE', one)).status).toBe(204);
      expect([await works(token), await levelIn(place, bot.id)]).toEqual([false, undefined]);
      expect(await account(bot.id)).toMatchObject({ bot: true, state: 'blocked', name: 'CI' });
      expect((await call('GET', one)).body).toMatchObject({ active: false, revoked: true, access_level: 30 });
      expect((await call('DELETE', one)).status).toBe(204);
    });

    it('are refused with what is wrong with them', async () => {
      const place = await add();
      const refusal = async (fields: object) => {
        const { status, body } = await call<object>('POST', `${place.path}/access_tokens`, { ...FIELDS, ...fields });
        return [status, Object.keys((body as { message?: object }).message ?? {})];
      };
      expect(await refusal({ name: ' ' })).toEqual([400, ['name']]);
      expect(await refusal({ name: 'a\u0007b' })).toEqual([400, ['name']]);
      expect(await refusal({ name: 'x'.repeat(256) })).toEqual([400, ['name']]);
      expect(await refusal({ description: 'x'.repeat(1_001) })).toEqual([400, ['description']]);
      expect(await refusal({ scopes: [] })).toEqual([400, ['scopes']]);
      expect(await refusal({ access_level: 35 })).toEqual([400, ['access_level']]);
      expect(await refusal({ expires_at: inDays(0) })).toEqual([400, ['expires_at']]);
      expect((await refusal({ scopes: ['openid'] }))[0]).toBe(400);
      const sudo = await call('POST', `${place.path}/access_tokens`, { ...FIELDS, scopes: ['sudo'] }, root.token);
      expect(sudo.status).toBe(400);
    });

    it('are rotated by who manages them and by themselves, and keep their bot', async () => {
      const place = await add();
      const first = await make(place, { access_level: 20, description: 'Reads' });
      const all = `${place.path}/access_tokens`;
      const second = await call('POST', `${all}/${first.id}/rotate`);
      expect(second).toMatchObject({
        status: 200,
        body: { user_id: first.user_id, access_level: 20, description: 'Reads', expires_at: inDays(7), active: true },
      });
      expect([await works(first.token), await works(second.body.token)]).toEqual([false, true]);
      const third = await call('POST', `${all}/self/rotate`, { expires_at: inDays(9) }, second.body.token);
      expect([third.status, third.body.expires_at, third.body.user_id]).toEqual([200, inDays(9), first.user_id]);
      expect(await levelIn(place, first.user_id)).toBe(20);
      // By the route of its bot's own tokens, which it is.
      const fourth = await call('POST', '/personal_access_tokens/self/rotate', {}, third.body.token);
      expect([fourth.status, await works(fourth.body.token)]).toEqual([200, true]);
    });

    it('take what came of them along when they are rotated twice, and their bot with it', async () => {
      const place = await add();
      const all = `${place.path}/access_tokens`;
      const [first, other] = [await make(place), await make(place)];
      const second = (await call('POST', `${all}/${first.id}/rotate`)).body;
      expect((await call('POST', `${all}/${first.id}/rotate`)).status).toBe(400);
      expect([await works(second.token), await levelIn(place, first.user_id)]).toEqual([false, undefined]);
      const third = (await call('POST', `${all}/self/rotate`, {}, other.token)).body;
      expect((await call('POST', `${all}/self/rotate`, {}, other.token)).status).toBe(401);
      expect([await works(third.token), await account(third.user_id)]).toEqual([
        false,
        expect.objectContaining({ state: 'blocked' }),
      ]);
      const last = await make(place);
      const answers = await Promise.all(Array.from({ length: 6 }, () => call('POST', `${all}/${last.id}/rotate`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    });

    it('end when their bot is removed from the members, leaves, or revokes its own token', async () => {
      const place = await add();
      const [removed, left, revoked, another] = [
        await make(place),
        await make(place, { access_level: 10 }),
        await make(place),
        await make(place),
      ];
      expect((await call('DELETE', `${place.path}/members/${removed.user_id}`)).status).toBe(204);
      expect((await call('DELETE', `${place.path}/members/${left.user_id}`, undefined, left.token)).status).toBe(204);
      expect((await call('DELETE', '/personal_access_tokens/self', undefined, revoked.token)).status).toBe(204);
      const byId = `/personal_access_tokens/${another.id}`;
      expect((await call('DELETE', byId)).status).toBe(404);
      expect((await call('DELETE', byId, undefined, root.token)).status).toBe(204);
      for (const token of [removed, left, revoked, another]) {
        expect([await works(token.token), await levelIn(place, token.user_id)]).toEqual([false, undefined]);
        expect(await account(token.user_id)).toMatchObject({ state: 'blocked' });
        expect((await call('GET', `${place.path}/access_tokens/${token.id}`)).body.active).toBe(false);
      }
    });

    it('end with their bot on their last day, and are told to have expired', async () => {
      const place = await add();
      const [short, long] = [await make(place, { expires_at: inDays(1) }), await make(place)];
      await endExpired();
      expect(await levelIn(place, short.user_id)).toBe(40);
      service.clock.advance(86_400_000);
      await endExpired();
      expect([await works(short.token), await works(long.token)]).toEqual([false, true]);
      expect([await levelIn(place, short.user_id), await levelIn(place, long.user_id)]).toEqual([undefined, 40]);
      expect(await account(short.user_id)).toMatchObject({ state: 'blocked' });
      const told = await call('GET', `${place.path}/access_tokens/${short.id}`);
      expect(told.body).toMatchObject({ active: false, revoked: false });
    });

    it('have bots whose membership stays as it is, and who are members nowhere else', async () => {
      const [place, elsewhere] = [await add(), await addProject()];
      const { user_id: id } = await make(place, { access_level: 20 });
      expect((await call('PUT', `${place.path}/members/${id}`, { access_level: 30 })).status).toBe(403);
      expect(
        (await call('PUT', `${place.path}/members/${id}`, { access_level: 20, expires_at: inDays(1) })).status,
      ).toBe(403);
      for (const { path } of [elsewhere, await addGroup()])
        expect((await call('POST', `${path}/members`, { user_id: id, access_level: 20 })).status).toBe(403);
    });

    it('are never more than a hundred that work, however many are made at once', async () => {
      const place = await add();
      const spare = await make(place);
      for (let made = 1; made < MOST_ACTIVE - 1; made += 7)
        await Promise.all(Array.from({ length: 7 }, () => make(place)));
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => call('POST', `${place.path}/access_tokens`, FIELDS)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
      expect((await call('POST', `${place.path}/access_tokens`, FIELDS)).status).toBe(422);
      // One that takes the place of another is no further one, and one that ends makes room.
      const rotated = await call('POST', `${place.path}/access_tokens/${spare.id}/rotate`);
      expect(rotated.status).toBe(200);
      expect((await call('DELETE', `${place.path}/access_tokens/${rotated.body.id}`)).status).toBe(204);
      expect((await call('POST', `${place.path}/access_tokens`, FIELDS)).status).toBe(201);
    }, 120_000);

    it('are found by what is asked of them', async () => {
      const place = await add();
      const [build, deploy, gone] = [
        await make(place, { name: 'Build' }),
        await make(place, { name: 'Deploy', expires_at: inDays(2) }),
        await make(place, { name: 'Gone' }),
      ];
      await call('DELETE', `${place.path}/access_tokens/${gone.id}`);
      const ids = async (query: string) =>
        (await call<Token[]>('GET', `${place.path}/access_tokens?${query}`)).body.map(({ id }) => id);
      expect(await ids('')).toEqual([build.id, deploy.id, gone.id]);
      expect(await ids('state=active')).toEqual([build.id, deploy.id]);
      expect([await ids('state=inactive'), await ids('revoked=true')]).toEqual([[gone.id], [gone.id]]);
      expect(await ids('revoked=false&search=PLOY')).toEqual([deploy.id]);
      expect(await ids('sort=name_desc')).toEqual([gone.id, deploy.id, build.id]);
      expect((await ids('sort=expires_asc'))[0]).toBe(deploy.id);
      expect([await ids('created_before=2000-01-01'), await ids('last_used_after=2000-01-01')]).toEqual([[], []]);
      expect((await ids('created_after=2000-01-01')).length).toBe(3);
      expect((await call('GET', `${place.path}/access_tokens?state=lost`)).status).toBe(400);
    });
  });

  it('let only maintainers of projects and owners of groups near, and others learn nothing', async () => {
    const people = new Map<Who, TestUser>();
    for (const who of WHO) if (who !== 'visitor') people.set(who, await service.addUser(`${who}-of-it`));
    const group = await addGroup();
    const project = await addProject({ namespace_id: group.id });
    for (const [who, level] of Object.entries(LEVELS))
      await call('POST', `${group.path}/members`, { user_id: people.get(who as Who)!.id, access_level: level });
    const few: Record<string, readonly Who[]> = { project: ['maintainer', 'owner'], group: ['owner'] };
    for (const place of [project, group]) {
      const token = await make(place, { access_level: 10 });
      const all = `${place.path}/access_tokens`;
      const asked: readonly (readonly [string, string, object?])[] = [
        ['GET', all],
        ['POST', all, {}],
        ['GET', `${all}/${token.id}`],
        ['GET', `${all}/999999`],
        ['POST', `${all}/${token.id}/rotate`, { expires_at: 'never' }],
        ['DELETE', `${all}/999999`],
        ['POST', `${all}/self/rotate`, {}],
      ];
      for (const [method, path, json] of asked)
        for (const who of WHO) {
          const caller = people.get(who);
          const request = { ...(caller && { token: caller.token }), ...(json === undefined ? {} : { json }) };
          const { status } = await service.call(method, path, request);
          const isMember = LEVELS[who] !== undefined;
          const refused = who === 'visitor' ? 401 : isMember && !path.endsWith('self/rotate') ? 403 : 404;
          const may = few[place.kind]!.includes(who) && !path.endsWith('self/rotate');
          expect([who, method, path, may ? 'let in' : status]).toEqual([who, method, path, may ? 'let in' : refused]);
          if (may) expect([403, 401]).not.toContain(status);
        }
      expect(await works(token.token)).toBe(true);
    }
  });

  it('hand out no more than whoever asks has: neither a level, nor scopes, nor by rotation', async () => {
    const group = await addGroup();
    const project = await addProject({ namespace_id: group.id });
    const all = `${project.path}/access_tokens`;
    await call('POST', `${project.path}/members`, { user_id: bob.id, access_level: 40 });
    expect((await call('POST', all, { ...FIELDS, access_level: 50 }, bob.token)).status).toBe(403);
    const owners = await make(project, { access_level: 50 });
    expect((await call('POST', `${all}/${owners.id}/rotate`, {}, bob.token)).status).toBe(403);
    expect(await works(owners.token)).toBe(true);

    const developer = await make(project, { access_level: 30 });
    expect((await call('POST', all, FIELDS, developer.token)).status).toBe(403);
    const maintainer = await make(project);
    expect((await call('POST', all, { ...FIELDS, access_level: 50 }, maintainer.token)).status).toBe(403);
    expect((await make(project, { access_level: 40 }, maintainer.token)).access_level).toBe(40);
    expect((await call('POST', `${group.path}/access_tokens`, FIELDS, owners.token)).status).toBe(404);

    const reads = await service.addToken(ada.id, ['read_api', 'read_repository']);
    expect((await call('POST', all, FIELDS, reads)).status).toBe(403);
    expect((await call('POST', `${all}/${developer.id}/rotate`, {}, reads)).status).toBe(403);
    const application = await service.addOAuthToken('ada', 'a-good-password', 'api');
    const headers = { Authorization: `Bearer ${application}` };
    for (const [path, json] of [
      [all, FIELDS],
      [`${all}/${developer.id}/rotate`, {}],
    ] as const)
      expect((await service.call('POST', path, { headers, json })).status).toBe(403);
  });

  it('are not found in another place than their own', async () => {
    const [one, other, group] = [await addProject(), await addProject(), await addGroup()];
    const { id, token } = await make(one);
    for (const { path } of [other, group]) {
      expect((await call('GET', `${path}/access_tokens/${id}`)).status).toBe(404);
      expect((await call('DELETE', `${path}/access_tokens/${id}`)).status).toBe(404);
      expect((await call('POST', `${path}/access_tokens/${id}/rotate`)).status).toBe(404);
      expect((await call('POST', `${path}/access_tokens/self/rotate`, {}, token)).status).toBe(404);
    }
    // Nor is a token of a person one of the project.
    const own = await call('POST', `/users/${ada.id}/personal_access_tokens`, FIELDS, root.token);
    expect((await call('GET', `${one.path}/access_tokens/${own.body.id}`)).status).toBe(404);
  });

  it('are made, rotated and revoked in a project that is archived, where they change nothing', async () => {
    const project = await addProject();
    const token = await make(project);
    await call('POST', `${project.path}/archive`);
    expect((await call('POST', `${project.path}/issues`, { title: 'x' }, token.token)).status).toBe(403);
    const rotated = await call('POST', `${project.path}/access_tokens/${token.id}/rotate`);
    expect(rotated.status).toBe(200);
    expect((await call('DELETE', `${project.path}/access_tokens/${rotated.body.id}`)).status).toBe(204);
  });

  it('stay with a project that is moved', async () => {
    const [project, group] = [await addProject(), await addGroup()];
    const token = await make(project);
    expect((await call('PUT', `${project.path}/transfer`, { namespace: group.id })).status).toBe(200);
    expect((await call('GET', project.path, undefined, token.token)).status).toBe(200);
    expect((await call<Token[]>('GET', `${project.path}/access_tokens`)).body).toHaveLength(1);
  });

  it('end with their project, their group and what is below it, and the account that owns the project', async () => {
    const owner = await service.addUser('leaving');
    const group = await addGroup();
    const below = await addGroup({ parent_id: group.id });
    const own = (await call<{ id: number }>('POST', '/projects', { name: 'own' }, owner.token)).body.id;
    const places: Place[] = [await addProject(), group, below, await addProject({ namespace_id: below.id })];
    const tokens = [];
    for (const place of places) tokens.push(await make(place));
    tokens.push(await make({ kind: 'project', id: own, path: `/projects/${own}` }, {}, owner.token));
    const issue = await call<{ iid: number }>('POST', `/projects/${own}/issues`, { title: 'By it' }, tokens[4]!.token);
    expect(issue.status).toBe(201);
    await call('DELETE', places[0]!.path);
    await call('DELETE', group.path);
    expect((await call('DELETE', `/users/${owner.id}`, undefined, root.token)).status).toBe(204);
    for (const { token, user_id: id } of tokens) {
      await until(async () => !(await works(token)), 30_000);
      expect(await account(id)).toMatchObject({ state: 'blocked', bot: true });
    }
  });

  it('outlast neither the removal that they are made or rotated beside, nor the end of their bot', async () => {
    for (const add of [addProject, addGroup]) {
      const place = await add();
      const all = `${place.path}/access_tokens`;
      const before = await make(place);
      const answers = await Promise.all([
        call('POST', all, FIELDS),
        call('POST', `${all}/${before.id}/rotate`),
        call('DELETE', place.path),
        call('POST', all, FIELDS),
      ]);
      for (const { status } of answers) expect([200, 201, 202, 400, 404]).toContain(status);
      const made = answers.filter(({ status }) => status === 200 || status === 201);
      for (const { token } of [before, ...made.map(({ body }) => body)])
        await until(async () => !(await works(token)), 30_000);

      const other = await add();
      const token = await make(other);
      const [, rotated] = await Promise.all([
        call('DELETE', `${other.path}/members/${token.user_id}`),
        call('POST', `${other.path}/access_tokens/${token.id}/rotate`),
      ]);
      expect(await works(token.token)).toBe(false);
      if (rotated.status === 200) expect(await works(rotated.body.token)).toBe(false);
    }
  });

  describe('have a bot', () => {
    it('that owns nothing and has nobody behind it', async () => {
      const group = await addGroup();
      const project = await addProject({ namespace_id: group.id });
      const { token, user_id: id } = await make(project, { access_level: 50 });
      const asked: readonly (readonly [string, string, object?])[] = [
        ['POST', '/groups', { name: 'mine', path: 'mine-of-bot' }],
        ['POST', '/projects', { name: 'mine' }],
        ['POST', `${project.path}/fork`, {}],
        ['POST', '/snippets', { title: 'x', files: [{ file_path: 'a', content: 'b' }] }],
        ['POST', '/user/emails', { email: 'bot@example.com' }],
        [
          'POST',
          '/user/keys',
          { title: 'x', key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMEwNSCgV0B9BPkgYqXJ1MBLD6EMd5Zl1sLGlVZuCkJW' },
        ],
        ['POST', `/users/${id}/personal_access_tokens`, FIELDS],
        ['POST', '/applications', { name: 'x', redirect_uri: 'https://a.example/', scopes: 'api' }],
      ];
      for (const [method, path, json] of asked)
        expect([path, (await call(method, path, json, token)).status]).toEqual([path, 403]);
      expect((await call('POST', '/projects', { name: 'x', namespace_id: group.id }, token)).status).toBe(404);
      const byRoot: readonly (readonly [string, string, object?])[] = [
        ['POST', `/users/${id}/personal_access_tokens`, FIELDS],
        [
          'POST',
          `/users/${id}/keys`,
          { title: 'x', key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMEwNSCgV0B9BPkgYqXJ1MBLD6EMd5Zl1sLGlVZuCkJW' },
        ],
        ['PUT', `/users/${id}`, { admin: true }],
        ['PUT', `/users/${id}`, { password: 'a-good-password' }],
        ['POST', `/users/${id}/block`],
        ['POST', `/users/${id}/unblock`],
        ['DELETE', `/users/${id}`],
      ];
      for (const [method, path, json] of byRoot)
        expect([path, (await call(method, path, json, root.token)).status]).toEqual([path, 403]);
      expect((await call('GET', `/user?sudo=${id}`, undefined, root.token)).status).toBe(403);
    });

    it('that works in groups and projects below its own, and is no owner of what it makes there', async () => {
      const group = await addGroup();
      const { token, user_id: id } = await make(group, { access_level: 40 });
      const made = await call<{ id: number }>(
        'POST',
        '/groups',
        { name: 'below', path: 'below', parent_id: group.id },
        token,
      );
      expect(made.status).toBe(201);
      expect(await levelIn({ kind: 'group', id: made.body.id, path: `/groups/${made.body.id}` }, id)).toBeUndefined();
      expect((await call('POST', `/groups/${made.body.id}/access_tokens`, FIELDS, token)).status).toBe(403);
      expect((await call('POST', '/projects', { name: 'mill', namespace_id: group.id }, token)).status).toBe(201);
    });

    it('whose triggers start nothing once its token has expired', async () => {
      const project = await addProject();
      const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content: 'a:\n  script: x\n' }];
      await call('POST', `${project.path}/repository/commits`, { branch: 'main', commit_message: 'x', actions });
      const { token } = await make(project, { expires_at: inDays(1) });
      const trigger = await call('POST', `${project.path}/triggers`, { description: 'x' }, token);
      const start = { ref: 'main', token: trigger.body.token };
      const started = async () =>
        (await service.call('POST', `${project.path}/trigger/pipeline`, { json: start })).status;
      expect(await started()).toBe(201);
      service.clock.advance(86_400_000);
      await endExpired();
      expect(await started()).toBe(404);
    });

    it('that moves no group to the top, where it would be all of its owners', async () => {
      const above = await addGroup();
      for (const ofWhat of ['above', 'itself'] as const) {
        const group = await addGroup({ parent_id: above.id });
        const { token } = await make(ofWhat === 'above' ? above : group, { access_level: 50 });
        expect((await call('POST', `${group.path}/transfer`, {}, token)).status).toBe(403);
        expect((await call<{ parent_id: number }>('GET', group.path)).body.parent_id).toBe(above.id);
      }
      // Below another group of those that it works in it may.
      const { token } = await make(above, { access_level: 50 });
      const [moved, to] = [await addGroup({ parent_id: above.id }), await addGroup({ parent_id: above.id })];
      expect((await call('POST', `${moved.path}/transfer`, { group_id: to.id }, token)).status).toBe(201);
    });

    it('that is no owner to leave a group to', async () => {
      const group = await addGroup();
      await make(group, { access_level: 50 });
      expect((await call('DELETE', `${group.path}/members/${ada.id}`)).status).toBe(400);
      expect((await call('DELETE', `/users/${ada.id}`, undefined, root.token)).status).toBe(409);
    });

    it('whose name, which is that of its token, is told to nobody but who sees it there, and administrators', async () => {
      const name = `secret-${(serial += 1)}`;
      const { token, user_id: id } = await make(await addProject({ visibility: 'private' }), { name });
      const { username } = await account(id);
      const named = async (path: string, who: string) => {
        const { body } = await call<{ name: string } | { name: string }[]>('GET', path, undefined, who);
        return [body].flat().map((each) => each.name);
      };
      for (const [who, told] of [
        [bob.token, username],
        [root.token, name],
      ] as const) {
        expect(await named(`/users/${id}`, who)).toEqual([told]);
        expect(await named(`/users?username=${username}`, who)).toEqual([told]);
        // Nor by trying parts of it.
        for (const path of [`search=${name}`, `search=${name}&username=${username}`])
          expect(await named(`/users?${path}`, who)).toEqual(who === bob.token ? [] : [name]);
      }
      expect(await named('/users?per_page=100', bob.token)).not.toContain(username);
      expect(await named('/user', token)).toEqual([name]);
    });

    it('that is asked to do nothing, and is left out where people are looked for', async () => {
      const project = await addProject();
      const { token, user_id: id } = await make(project);
      const { username } = await account(id);
      const title = { title: 'Look', description: `@${username}`, assignee_ids: [id] };
      expect((await call('POST', `${project.path}/issues`, title)).status).toBe(201);
      expect((await call('GET', '/todos', undefined, token)).body).toEqual([]);
      const found = async (query: string) =>
        (await call<Account[]>('GET', `/users?search=${username}${query}`, undefined, root.token)).body.length;
      expect([await found(''), await found('&without_project_bots=true')]).toEqual([1, 0]);
    });
  });
});

withGit('access tokens, for stock git', () => {
  describeEachDatabase('access tokens, for stock git', (openTestDatabase) => {
    let service: TestService;
    let project: WrittenProject;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      project = await WrittenProject.make(service, await service.addUser('ada'), { name: 'mill' });
      await project.write('main', { a: 'a' });
    });
    afterAll(() => service.close());

    it('fetch and push as their level and their scopes allow', async () => {
      const tryAs = async (scopes: readonly string[], level: number) => {
        const fields = { name: 'Robot', scopes, access_level: level };
        const { body } = await project.call<Token>('POST', '/access_tokens', fields);
        service.secrets.push(body.token);
        const remote = remoteOf(service, project.project.path, 'anything', body.token);
        const folder = temporaryFolder();
        const cloned = await tryGit(['clone', '--quiet', remote, folder]);
        if (cloned.code !== 0) return 'nothing';
        const branch = `by-${level}-${scopes.join('-')}`;
        await git(['checkout', '--quiet', '-b', branch], { cwd: folder });
        await git(['commit', '--quiet', '--allow-empty', '-m', 'By a robot'], { cwd: folder });
        const pushed = await tryGit(['push', '--quiet', 'origin', branch], { cwd: folder });
        removeFolder(folder);
        return pushed.code === 0 ? 'pushes' : 'fetches';
      };
      expect(await tryAs(['write_repository'], 10)).toBe('nothing');
      expect(await tryAs(['write_repository'], 20)).toBe('fetches');
      expect(await tryAs(['read_repository'], 40)).toBe('fetches');
      expect(await tryAs(['read_user'], 40)).toBe('nothing');
      expect(await tryAs(['write_repository'], 30)).toBe('pushes');
      expect(await tryAs(['api'], 30)).toBe('pushes');
    });
  });
});
