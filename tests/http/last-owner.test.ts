import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WORKSPACE_TOKENS } from '../../src/infrastructure/composition/workspace.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { playRounds, timesOf } from '../support/rounds.js';
import { TestService, type TestUser } from '../support/test-service.js';

const ROUNDS = timesOf(40, 200);
const DAY_MS = 86_400_000;
const LAST = 'since they are the last owner of this group: make another member an owner without an expiry date first';

describeEachDatabase('the last owner of a group', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let bob: TestUser;
  let cleo: TestUser;
  let tomorrow: string;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
    [ada, bob, cleo] = [await service.addUser('ada'), await service.addUser('bob'), await service.addUser('cleo')];
    tomorrow = new Date(service.clock.now().getTime() + DAY_MS).toISOString().slice(0, 10);
  });

  afterAll(() => service.close());

  const call = <Body = unknown>(method: string, path: string, json?: object, who = ada) =>
    service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });

  /** A group that ada owns, beside others at the levels given. */
  const addGroup = async (others: readonly (readonly [TestUser, number])[] = [], fields: object = {}, by = ada) => {
    const path = `owned-${(serial += 1)}`;
    const { body } = await call<{ id: number }>('POST', '/groups', { name: path, path, ...fields }, by);
    for (const [{ id }, access_level] of others)
      await call('POST', `/groups/${body.id}/members`, { user_id: id, access_level }, by);
    return { id: body.id, path, members: `/groups/${body.id}/members` };
  };

  const groupsWithoutOwner = async (): Promise<readonly string[]> => {
    const { reader } = service.service.database;
    const rows = (await reader
      .query('namespaces')
      .where({ kind: 'group' })
      .whereNull('parent_id')
      .whereNull('removal_requested_at')
      .whereNotIn(
        'id',
        reader.query('group_members').where({ access_level: 50, expires_at: null }).select('namespace_id'),
      )
      .select('full_path')) as { full_path: string }[];
    return rows.map(({ full_path }) => full_path);
  };

  describe('stays, whoever asks', () => {
    it('is not lowered, given an end or removed, and the refusal says what to do', async () => {
      const { members } = await addGroup([[bob, 40]]);
      const own = `${members}/${ada.id}`;
      for (const who of [ada, root]) {
        expect(await call('PUT', own, { access_level: 40 }, who)).toMatchObject({
          status: 400,
          body: { message: { access_level: [`can't be lowered ${LAST}`] } },
        });
        expect(await call('PUT', own, { access_level: 50, expires_at: tomorrow }, who)).toMatchObject({
          status: 400,
          body: { message: { expires_at: [`can't be set ${LAST}`] } },
        });
        expect(await call('DELETE', own, undefined, who)).toMatchObject({
          status: 400,
          body: { message: { user_id: [`can't be removed ${LAST}`] } },
        });
      }
      expect((await call('PUT', own, { access_level: 50 })).status).toBe(200);
    });

    it('is not replaced by an owner whose membership ends one day', async () => {
      const { members } = await addGroup();
      const [own, other] = [`${members}/${ada.id}`, `${members}/${bob.id}`];
      await call('POST', members, { user_id: bob.id, access_level: 50, expires_at: tomorrow });
      expect((await call('DELETE', own)).status).toBe(400);
      expect((await call('PUT', other, { access_level: 50, expires_at: null })).body).toMatchObject({
        expires_at: null,
      });
      expect((await call('PUT', own, { access_level: 50, expires_at: tomorrow })).status).toBe(200);
      expect((await call('PUT', other, { access_level: 50, expires_at: tomorrow })).status).toBe(400);
    });

    it('is still there when every membership that ends has ended', async () => {
      const { members } = await addGroup([[bob, 50]]);
      await call('PUT', `${members}/${ada.id}`, { access_level: 50, expires_at: tomorrow });
      await call('PUT', `${members}/${bob.id}`, { access_level: 50, expires_at: tomorrow });
      service.clock.advance(2 * DAY_MS);
      await service.service.container.get(WORKSPACE_TOKENS.workspace).members.removeExpired();
      service.clock.advance(-2 * DAY_MS);
      expect(await groupsWithoutOwner()).toEqual([]);
    });

    it('is not somebody who is blocked while another acts', async () => {
      const dora = await service.addUser('dora');
      const { members } = await addGroup([[dora, 50]]);
      expect(await call('POST', `/users/${dora.id}/block`, undefined, root)).toMatchObject({ status: 201, body: true });
      expect((await call('DELETE', `${members}/${ada.id}`)).status).toBe(400);
      expect((await call('DELETE', `${members}/${dora.id}`)).status).toBe(204);
    });

    it('is an owner of all below, where no owner of its own is needed', async () => {
      const top = await addGroup();
      const below = await addGroup([[bob, 50]], { parent_id: top.id });
      expect((await call('DELETE', `${below.members}/${bob.id}`)).status).toBe(204);
      expect((await call('PUT', `/groups/${below.id}`, { description: 'still owned' })).status).toBe(200);
    });

    it('is no account of the service', async () => {
      const { members } = await addGroup();
      const bot = await service.addUser('alert-bot');
      expect((await call('POST', members, { user_id: bot.id, access_level: 50 })).status).toBe(403);
    });
  });

  describe('whose account is removed', () => {
    it('keeps the account: 409 with the names of the groups; blocking is allowed, and leaves them owners', async () => {
      const eve = await service.addUser('eve');
      const first = await addGroup([], {}, eve);
      await addGroup([[bob, 50]], {}, eve);
      const last = await addGroup([], {}, eve);
      expect(await call('DELETE', `/users/${eve.id}`, undefined, root)).toMatchObject({
        status: 409,
        body: {
          message:
            `User cannot be removed while they are the only owner of: ${first.path}, ${last.path}. ` +
            'Make another member an owner without an expiry date, or remove the group.',
        },
      });
      expect((await call('POST', `/users/${eve.id}/block`, undefined, root)).body).toBe(true);
      expect((await call('DELETE', `/users/${eve.id}`, undefined, root)).status).toBe(409);
      await call('POST', first.members, { user_id: bob.id, access_level: 50 }, root);
      await call('DELETE', `/groups/${last.id}`, undefined, root);
      expect((await call('DELETE', `/users/${eve.id}`, undefined, root)).status).toBe(204);
      expect(await groupsWithoutOwner()).toEqual([]);
    });
  });

  describe(`in ${ROUNDS} races`, () => {
    type Move = (members: string, who: TestUser, whom: TestUser) => Promise<{ readonly status: number }>;
    const MOVES: readonly Move[] = [
      (members, who, whom) => call('PUT', `${members}/${whom.id}`, { access_level: 10 }, who),
      (members, who, whom) => call('PUT', `${members}/${whom.id}`, { access_level: 50, expires_at: tomorrow }, who),
      (members, who, whom) => call('DELETE', `${members}/${whom.id}`, undefined, who),
      (members, who) => call('DELETE', `${members}/${who.id}`, undefined, who),
    ];
    const moveOf = (number: number): Move => MOVES[number % MOVES.length]!;

    it('of two owners who lower, end, remove or leave at once, one is left', async () => {
      await playRounds(ROUNDS, async (round) => {
        const { members } = await addGroup([[bob, 50]]);
        const answers = await Promise.all([
          moveOf(round)(members, ada, bob),
          moveOf(Math.floor(round / MOVES.length))(members, bob, ada),
        ]);
        expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      });
      expect(await groupsWithoutOwner()).toEqual([]);
    });

    it('of three who all leave at once, exactly one has to stay', async () => {
      await playRounds(ROUNDS / 4, async (round) => {
        const { members } = await addGroup([
          [bob, 50],
          [cleo, 50],
        ]);
        const leaving = [ada, bob, cleo].map((who) => call('DELETE', `${members}/${who.id}`, undefined, who));
        const statuses = (await Promise.all(leaving)).map(({ status }) => status).sort();
        expect([round, statuses]).toEqual([round, [204, 204, 400]]);
      });
      expect(await groupsWithoutOwner()).toEqual([]);
    });

    it('of an account that is removed while the other owner leaves, or is made an owner meanwhile, no group is left alone', async () => {
      await playRounds(ROUNDS, async (round) => {
        const going = await service.addUser(`going-${round}`);
        const { members } = await addGroup([[going, round % 2 === 0 ? 50 : 40]]);
        const promoteAndLeave = async () => {
          if (round % 2 === 1) await call('PUT', `${members}/${going.id}`, { access_level: 50 });
          return call('DELETE', `${members}/${ada.id}`);
        };
        const answers = await Promise.all([
          call('DELETE', `/users/${going.id}`, undefined, root),
          promoteAndLeave(),
          call('POST', '/groups', { name: `late-${round}`, path: `late-${round}` }, going),
        ]);
        expect([round, answers.map(({ status }) => status).filter((status) => status >= 500)]).toEqual([round, []]);
      });
      expect(await groupsWithoutOwner()).toEqual([]);
    });
  });
});
