import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { playRounds, timesOf } from '../support/rounds.js';
import { TestService, type TestUser } from '../support/test-service.js';
import type { GroupId } from '../../src/domain/shared/identifiers.js';

const ROUNDS = timesOf(40, 200);

describeEachDatabase('the visibility of a group', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let stranger: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    [ada, stranger] = [await service.addUser('ada'), await service.addUser('stranger')];
  });

  afterAll(() => service.close());

  const call = <Body = unknown>(method: string, path: string, json?: object, who = ada) =>
    service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });
  const unique = (): string => `cap-${(serial += 1)}`;
  const add = async (kind: 'groups' | 'projects', fields: object): Promise<number> => {
    const path = unique();
    const { status, body } = await call<{ id: number }>('POST', `/${kind}`, { name: path, path, ...fields });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.id;
  };
  const narrow = (group: number, visibility = 'private') => call('PUT', `/groups/${group}`, { visibility });
  const refusal = (message: string) => ({ status: 400, body: { message: { visibility: [message] } } });

  /** Groups and projects that are more visible than a group that holds them, however far above. */
  const tooVisible = async (): Promise<readonly string[]> => {
    const { query } = service.service.database.reader;
    const rank = { private: 0, internal: 10, public: 20 } as Readonly<Record<string, number>>;
    interface Row {
      readonly id: number;
      readonly holder: number | null;
      readonly full_path: string;
      readonly visibility: string;
    }
    const groups = (await query('namespaces').select('id', 'full_path', 'visibility', {
      holder: 'parent_id',
    })) as Row[];
    const projects = (await query('projects').select('id', 'full_path', 'visibility', {
      holder: 'namespace_id',
    })) as Row[];
    const byId = new Map(groups.map((group) => [group.id, group]));
    return [...groups, ...projects]
      .filter((row) => {
        const holder = byId.get(row.holder ?? 0);
        return holder !== undefined && (rank[row.visibility] ?? 0) > (rank[holder.visibility] ?? 0);
      })
      .map(({ full_path }) => full_path);
  };

  describe('caps everything below it', () => {
    it('when something is created, changed or moved there', async () => {
      const top = await add('groups', { visibility: 'private' });
      const named = unique();
      const created = { name: named, path: named, visibility: 'public' };
      const message = 'public is not allowed in a private group';
      expect(await call('POST', '/projects', { ...created, namespace_id: top })).toMatchObject(refusal(message));
      expect(await call('POST', '/groups', { ...created, parent_id: top })).toMatchObject(refusal(message));
      const inside = await add('projects', { namespace_id: top });
      expect(await call('PUT', `/projects/${inside}`, { visibility: 'public' })).toMatchObject(refusal(message));
      const below = await add('groups', { parent_id: top });
      expect(await narrow(below, 'public')).toMatchObject(refusal(message));
      const open = await add('projects', { visibility: 'public' });
      expect(await call('PUT', `/projects/${open}/transfer`, { namespace: below })).toMatchObject(refusal(message));
    });

    it('so that it is not narrowed below what it holds, and the refusal names the kind', async () => {
      const top = await add('groups', { visibility: 'public' });
      const below = await add('groups', { parent_id: top, visibility: 'public' });
      const deep = await add('projects', { namespace_id: below, visibility: 'internal' });
      expect(await narrow(below)).toMatchObject(
        refusal('private is not allowed since this group contains internal projects.'),
      );
      expect(await narrow(top)).toMatchObject({
        status: 400,
        body: {
          message: {
            visibility: [
              'private is not allowed since this group contains internal projects.',
              'private is not allowed since there are sub-groups with higher visibility.',
            ],
          },
        },
      });
      expect(await narrow(top, 'internal')).toMatchObject(
        refusal('internal is not allowed since there are sub-groups with higher visibility.'),
      );
      await call('PUT', `/projects/${deep}`, { visibility: 'private' });
      expect((await narrow(below)).status).toBe(200);
      expect((await narrow(top)).status).toBe(200);
      expect(await narrow(below, 'internal')).toMatchObject(refusal('internal is not allowed in a private group'));
    });

    it('but not what is about to be removed', async () => {
      const top = await add('groups', { visibility: 'public' });
      const project = await add('projects', { namespace_id: top, visibility: 'public' });
      expect((await call('DELETE', `/projects/${project}`)).status).toBe(202);
      expect((await narrow(top)).status).toBe(200);
    });
  });

  it('hides groups below it, however deep, from whoever may not see them', async () => {
    const top = await add('groups', { visibility: 'public' });
    const below = await add('groups', { parent_id: top, visibility: 'public' });
    const hidden = await add('groups', { parent_id: below, visibility: 'private' });
    const deep = await add('groups', { parent_id: hidden, visibility: 'private' });
    await add('groups', { visibility: 'public' });
    const seen = async (who: TestUser, query = '') => {
      const path = `/groups/${top}/descendant_groups?order_by=id${query}`;
      return (await call<{ id: number }[]>('GET', path, undefined, who)).body.map(({ id }) => id);
    };
    expect(await seen(ada)).toEqual([below, hidden, deep]);
    expect(await seen(stranger)).toEqual([below]);
    expect(await seen(ada, `&skip_groups[]=${hidden}`)).toEqual([below, deep]);
    expect((await call('GET', `/groups/${hidden}/descendant_groups`, undefined, stranger)).status).toBe(404);
  });

  describe('shows its members', () => {
    it('to nobody who sees only a project or group below it', async () => {
      const [member, guest] = [await service.addUser('member'), await service.addUser('guest')];
      const top = await add('groups', { visibility: 'private' });
      const below = await add('groups', { parent_id: top, visibility: 'private' });
      const project = await add('projects', { namespace_id: below });
      const lines = [
        [`/groups/${top}/members`, member, 40],
        [`/groups/${below}/members`, ada, 50],
        [`/projects/${project}/members`, guest, 20],
      ] as const;
      for (const [path, { id }, access_level] of lines) await call('POST', path, { user_id: id, access_level });
      const seen = async (path: string, who: TestUser) => {
        const { body } = await call<{ username: string }[]>('GET', path, undefined, who);
        return body.map(({ username }) => username);
      };
      expect(await seen(`/projects/${project}/members/all`, guest)).toEqual(['guest']);
      expect((await call('GET', `/projects/${project}/members/all/${member.id}`, undefined, guest)).status).toBe(404);
      expect(await seen(`/projects/${project}/members/all?query=member`, guest)).toEqual([]);
      expect(await seen(`/projects/${project}/members/all`, member)).toEqual(['ada', 'member', 'guest']);
      // A member of the lower group alone doesn't see who is in the one above.
      await call('POST', `/groups/${below}/members`, { user_id: stranger.id, access_level: 10 });
      expect(await seen(`/groups/${below}/members/all`, stranger)).toEqual(['ada', 'stranger']);
      expect(await seen(`/groups/${below}/members/all`, member)).toEqual(['ada', 'stranger', 'member']);
      // Even where older data made something below a private group visible to everybody.
      await service.service.database
        .schema('namespaces')
        .where({ id: below as GroupId })
        .update({ visibility: 'public' });
      await call('DELETE', `/groups/${below}/members/${stranger.id}`);
      expect(await seen(`/groups/${below}/members/all`, stranger)).toEqual(['ada']);
      await service.service.database
        .schema('namespaces')
        .where({ id: below as GroupId })
        .update({ visibility: 'private' });
    });
  });

  describe(`in ${ROUNDS} races`, () => {
    const MOVES: Readonly<Record<string, (top: number) => Promise<() => Promise<{ readonly status: number }>>>> = {
      'creating a public project': (top) => {
        const path = unique();
        return Promise.resolve(() => call('POST', '/projects', { path, namespace_id: top, visibility: 'public' }));
      },
      'creating a public subgroup': (top) => {
        const path = unique();
        return Promise.resolve(() =>
          call('POST', '/groups', { name: path, path, parent_id: top, visibility: 'public' }),
        );
      },
      'widening a project': async (top) => {
        const project = await add('projects', { namespace_id: top });
        return () => call('PUT', `/projects/${project}`, { visibility: 'public' });
      },
      'widening a subgroup': async (top) => {
        const below = await add('groups', { parent_id: top, visibility: 'private' });
        return () => call('PUT', `/groups/${below}`, { visibility: 'public' });
      },
      'moving a public project in': async (top) => {
        const project = await add('projects', { visibility: 'public' });
        return () => call('PUT', `/projects/${project}/transfer`, { namespace: top });
      },
    };

    it('stays above everything that is created, widened or moved in while it is narrowed', async () => {
      const moves = Object.entries(MOVES);
      await playRounds(ROUNDS, async (round) => {
        const [name, prepare] = moves[round % moves.length]!;
        const top = await add('groups', { visibility: 'public' });
        const move = await prepare(top);
        const pair = round % 2 === 0 ? [narrow(top), move()] : [move(), narrow(top)];
        const statuses = (await Promise.all(pair)).map(({ status }) => (status < 300 ? 'done' : status)).sort();
        // One of the two was first, and then the other may not.
        expect([round, name, statuses]).toEqual([round, name, [400, 'done']]);
      });
      expect(await tooVisible()).toEqual([]);
    });

    it('and paths hold where projects go to and fro between groups that are renamed and narrowed', async () => {
      const groups = [await add('groups', { visibility: 'public' }), await add('groups', { visibility: 'public' })];
      const projects = [
        await add('projects', { namespace_id: groups[0], visibility: 'internal' }),
        await add('projects', { namespace_id: groups[1], visibility: 'internal' }),
      ];
      await playRounds(ROUNDS / 4, async (round) => {
        const to = groups[round % 2];
        const answers = await Promise.all([
          call('PUT', `/projects/${projects[0]}/transfer`, { namespace: to }),
          call('PUT', `/projects/${projects[1]}/transfer`, { namespace: groups[(round + 1) % 2] }),
          call('PUT', `/projects/${projects[round % 2]}`, { visibility: round % 3 === 0 ? 'public' : 'private' }),
          call('PUT', `/groups/${to}`, { path: unique(), visibility: round % 3 === 1 ? 'internal' : 'public' }),
        ]);
        expect([round, answers.map(({ status }) => status).filter((status) => status >= 500)]).toEqual([round, []]);
      });
      expect(await tooVisible()).toEqual([]);
      for (const id of projects) {
        const { body } = await call<{ path_with_namespace: string; path: string; namespace: { full_path: string } }>(
          'GET',
          `/projects/${id}`,
        );
        expect(body.path_with_namespace).toBe(`${body.namespace.full_path}/${body.path}`);
      }
    });
  });
});
