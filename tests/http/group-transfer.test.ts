import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { playRounds, timesOf } from '../support/rounds.js';
import { TestService, type TestUser } from '../support/test-service.js';

const ROUNDS = timesOf(16, 60);
const DEEPEST = 20;
const RANK = { private: 0, internal: 10, public: 20 };

interface GroupBody {
  readonly id: number;
  readonly full_path: string;
  readonly full_name: string;
  readonly parent_id: number | null;
}

describeEachDatabase('moving a group', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let grace: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
    [ada, grace] = [await service.addUser('ada', { password: PASSWORD }), await service.addUser('grace')];
  });

  afterAll(() => service.close());

  const call = <Body = unknown>(method: string, path: string, json?: object, who = ada) =>
    service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });
  const unique = (): string => `moving-${(serial += 1)}`;
  const addGroup = async (fields: object = {}, who = ada): Promise<GroupBody> => {
    const path = unique();
    const { status, body } = await call<GroupBody>('POST', '/groups', { name: path, path, ...fields }, who);
    expect([status, body]).toEqual([201, expect.anything()]);
    return body;
  };
  const addProject = async (fields: object): Promise<number> => {
    const { status, body } = await call<{ id: number }>('POST', '/projects', { name: unique(), ...fields });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.id;
  };
  const transfer = (id: number, to?: number | string, who = ada) =>
    call<GroupBody>('POST', `/groups/${id}/transfer`, to === undefined ? {} : { group_id: to }, who);
  const refused = (reason: string) => ({ status: 400, body: { message: `Transfer failed: ${reason}` } });
  const read = async (id: number, who = ada) => (await call<GroupBody>('GET', `/groups/${id}`, undefined, who)).body;

  it('takes the addresses and names of all that is in it along, below another group and to the top', async () => {
    const [engines, works] = [await addGroup(), await addGroup()];
    const below = await addGroup({ parent_id: engines.id });
    const project = await addProject({ path: 'Cogs', namespace_id: below.id });
    expect(await transfer(engines.id, works.id)).toMatchObject({
      status: 201,
      body: { id: engines.id, parent_id: works.id, full_path: `${works.full_path}/${engines.full_path}` },
    });
    const [path, name] = [`${works.full_path}/${below.full_path}`, `${works.full_name} / ${below.full_name}`];
    expect(await read(below.id)).toMatchObject({ full_path: path, full_name: name });
    expect((await call('GET', `/projects/${encodeURIComponent(`${path}/cogs`)}`)).body).toMatchObject({ id: project });
    const before = await call('GET', `/projects/${encodeURIComponent(`${below.full_path}/cogs`)}`);
    expect(before.body).toMatchObject({ path_with_namespace: `${path}/Cogs` });
    expect((await transfer(below.id)).body).toMatchObject({ parent_id: null });
    const [, last] = below.full_path.split('/');
    expect((await call('GET', `/projects/${encodeURIComponent(`${last}/Cogs`)}`)).body).toMatchObject({ id: project });
  });

  it('is what a stock client asks for', async () => {
    const [group, works] = [await addGroup(), await addGroup()];
    const api = new Gitlab({ host: service.url, token: ada.token });
    expect(await api.Groups.transfer(group.id, { groupId: works.id })).toMatchObject({ parent_id: works.id });
    expect(await api.Groups.transfer(group.id)).toMatchObject({ parent_id: null });
  });

  it('is for those who own it and may create groups there', async () => {
    const [group, works, hers] = [await addGroup(), await addGroup(), await addGroup({}, grace)];
    expect(await transfer(group.id, works.id, grace)).toMatchObject({ status: 404 });
    await call('POST', `/groups/${group.id}/members`, { user_id: grace.id, access_level: 40 });
    expect((await transfer(group.id, hers.id, grace)).status).toBe(403);
    // What she may not see is not there.
    expect(await transfer(hers.id, works.id, grace)).toMatchObject({ body: { message: '404 Group Not Found' } });
    await call('POST', `/groups/${works.id}/members`, { user_id: grace.id, access_level: 30 });
    expect((await transfer(hers.id, works.id, grace)).status).toBe(403);
    await call('PUT', `/groups/${works.id}/members/${grace.id}`, { access_level: 40 });
    expect((await transfer(hers.id, works.id, grace)).status).toBe(201);
    expect((await service.call('POST', `/groups/${group.id}/transfer`, {})).status).toBe(401);
  });

  it('never goes to the top because the group that is named is none', async () => {
    const top = await addGroup();
    const { id } = await addGroup({ parent_id: top.id });
    const named = [999_999_999, '99999999999999999999', 'nowhere', '\u0000', 'ada', { id: 1 }, [top.id], true];
    for (const group_id of named) {
      const { status } = await call('POST', `/groups/${id}/transfer`, { group_id });
      expect([group_id, status]).toEqual([group_id, expect.any(Number)]);
      expect([400, 404]).toContain(status);
    }
    expect(await read(id)).toMatchObject({ parent_id: top.id });
  });

  describe('is refused', () => {
    it('where it is already, into itself, and where its path is taken', async () => {
      const top = await addGroup();
      const below = await addGroup({ parent_id: top.id });
      const deep = await addGroup({ parent_id: below.id });
      expect(await transfer(top.id)).toMatchObject(refused('Group is already a root group.'));
      expect(await transfer(below.id, top.id)).toMatchObject(
        refused('Group is already associated to the parent group.'),
      );
      for (const into of [top, below, deep])
        expect(await transfer(top.id, into.id)).toMatchObject(refused('Cannot transfer group to one of its subgroup.'));
      const [twin, other] = [await addGroup(), await addGroup()];
      await addGroup({ path: twin.full_path.toUpperCase(), parent_id: other.id });
      expect(await transfer(twin.id, other.id)).toMatchObject(
        refused('The parent group already has a subgroup or a project with the same path.'),
      );
      expect(await read(twin.id)).toMatchObject({ parent_id: null, full_path: twin.full_path });
    });

    it('where it would be more visible than what holds it', async () => {
      const [open, closed] = [await addGroup({ visibility: 'public' }), await addGroup()];
      expect(await transfer(open.id, closed.id)).toMatchObject({
        status: 400,
        body: { message: { visibility: ['public is not allowed in a private group'] } },
      });
    });

    it('where a page has its path', async () => {
      const top = await addGroup();
      const reserved = await addGroup({ path: 'admin', parent_id: top.id });
      expect(await transfer(reserved.id)).toMatchObject({
        status: 400,
        body: { message: { path: ['is a reserved name'] } },
      });
    });

    it('where what is in it would be too deep', async () => {
      let holder = await addGroup();
      for (let depth = 2; depth < DEEPEST; depth += 1) holder = await addGroup({ parent_id: holder.id });
      const group = await addGroup();
      await addGroup({ parent_id: group.id });
      expect(await transfer(group.id, holder.id)).toMatchObject(refused('Groups nest at most 20 levels.'));
      expect(await transfer((await addGroup()).id, holder.id)).toMatchObject({ status: 201 });
    });

    it('where one of the two is about to be removed', async () => {
      const [group, going] = [await addGroup(), await addGroup()];
      await call('DELETE', `/groups/${going.id}`);
      expect([(await transfer(group.id, going.id)).status, (await transfer(going.id, group.id)).status]).toEqual([
        404, 404,
      ]);
    });
  });

  it('takes from members what they had through the groups above, and gives what they have through the new ones', async () => {
    const [from, to] = [await addGroup(), await addGroup()];
    const group = await addGroup({ parent_id: from.id });
    const [before, after] = [await service.addUser('before'), await service.addUser('after')];
    await call('POST', `/groups/${from.id}/members`, { user_id: before.id, access_level: 30 });
    await call('POST', `/groups/${to.id}/members`, { user_id: after.id, access_level: 30 });
    const project = await addProject({ namespace_id: group.id });
    const sees = async (who: TestUser) => (await call('GET', `/projects/${project}`, undefined, who)).status;
    expect([await sees(before), await sees(after)]).toEqual([200, 404]);
    await transfer(group.id, to.id);
    expect([await sees(before), await sees(after)]).toEqual([404, 200]);
  });

  it('makes whoever moves it to the top its owner where nobody else is one for good', async () => {
    const top = await addGroup();
    const ownersOf = async (id: number) => {
      const { body } = await call<{ username: string; access_level: number; expires_at: string | null }[]>(
        'GET',
        `/groups/${id}/members`,
        undefined,
        root,
      );
      return body.filter((each) => each.access_level === 50 && each.expires_at === null).map((each) => each.username);
    };
    const bare = await addGroup({ parent_id: top.id });
    expect(await ownersOf(bare.id)).toEqual([]);
    await transfer(bare.id);
    expect(await ownersOf(bare.id)).toEqual(['ada']);
    const owned = await addGroup({ parent_id: top.id });
    await call('POST', `/groups/${owned.id}/members`, { user_id: grace.id, access_level: 50 });
    await transfer(owned.id);
    expect(await ownersOf(owned.id)).toEqual(['grace']);
    const limited = await addGroup({ parent_id: top.id });
    await call('POST', `/groups/${limited.id}/members`, {
      user_id: ada.id,
      access_level: 50,
      expires_at: '2099-01-01',
    });
    await transfer(limited.id);
    expect(await ownersOf(limited.id)).toEqual(['ada']);
  });

  it('is in the audit log with both addresses', async () => {
    const [group, to] = [await addGroup(), await addGroup()];
    await transfer(group.id, to.id);
    const entries = await service.service.database.reader
      .query('audit_entries')
      .where({ kind: 'group_moved', place: group.full_path })
      .select('detail', 'author_name');
    expect(entries).toMatchObject([{ detail: `${group.full_path} → ${to.full_path}/${group.full_path}` }]);
  });

  describe('on its page', () => {
    it('asks for the path and where to, and says beside the field what is wrong', async () => {
      const [top, to] = [await addGroup(), await addGroup()];
      const group = await addGroup({ parent_id: top.id });
      const browser = new FormBrowser(service.url);
      await browser.signIn('ada');
      const address = `/groups/${group.full_path}/-/settings/transfer`;
      const form = await (await browser.get(address)).text();
      expect(form).toContain(`<option value="${to.full_path}">`);
      expect(form).not.toContain(`<option value="${top.full_path}">`);
      const confirmation = group.full_path;
      const send = (fields: Readonly<Record<string, string>>) =>
        browser.submit(address, address, { to: 'below', confirmation, ...fields });
      const refusals = [
        [{ parent: to.full_path, confirmation: 'x' }, `is not ${confirmation}`],
        ...['', 'nowhere', 'ada'].map(
          (parent) => [{ parent }, 'is not the path of a group that you may create'] as const,
        ),
        [{ parent: to.full_path, to: 'top' }, 'must be empty to move the group to the top'],
      ] as const;
      for (const [fields, said] of refusals) {
        const answer = await send(fields);
        expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(said)]);
      }
      const done = await send({ parent: to.full_path });
      const [, last] = group.full_path.split('/');
      expect([done.status, done.headers.get('location')]).toEqual([303, `/groups/${to.full_path}/${last}`]);
      expect(await read(group.id)).toMatchObject({ parent_id: to.id });
    });
  });

  describe(`in ${ROUNDS} races`, () => {
    interface Row {
      readonly id: number;
      readonly holder: number | null;
      readonly path: string;
      readonly full_path: string;
      readonly visibility: 'private' | 'internal' | 'public';
    }
    interface GroupRow extends Row {
      readonly removal: unknown;
    }
    /** What is wrong anywhere: circles, paths that are not those of what holds them, what is too visible, groups without an owner. */
    const wrongs = async (): Promise<readonly string[]> => {
      const { query } = service.service.database.reader;
      const columns = ['id', 'path', 'full_path', 'visibility'] as const;
      const groups = (await query('namespaces').select(...columns, {
        holder: 'parent_id',
        removal: 'removal_requested_at',
      })) as unknown as GroupRow[];
      const projects = (await query('projects').select(...columns, { holder: 'namespace_id' })) as unknown as Row[];
      const owners = new Set(
        (await query('group_members').where({ access_level: 50 }).whereNull('expires_at').select('namespace_id')).map(
          ({ namespace_id }) => Number(namespace_id),
        ),
      );
      const byId = new Map(groups.map((group) => [group.id, group]));
      const topOf = (row: Row, steps = 0): Row | undefined => {
        if (steps > DEEPEST) return undefined;
        return row.holder === null ? row : topOf(byId.get(row.holder)!, steps + 1);
      };
      const problems = [...groups, ...projects].flatMap((row) => {
        const holder = byId.get(row.holder ?? 0);
        if (holder === undefined) return [];
        return [
          ...(row.full_path === `${holder.full_path}/${row.path}` ? [] : [`${row.full_path} is not where it says`]),
          ...(RANK[row.visibility] <= RANK[holder.visibility] ? [] : [`${row.full_path} is too visible`]),
        ];
      });
      const circles = groups.filter((row) => topOf(row) === undefined).map(({ id }) => `${id} is in a circle`);
      // One that is being removed stands in nobody's way: its last owner may be removed before it.
      const lasting = groups.filter(({ holder, removal }) => holder === null && removal === null);
      const ownerless = lasting
        .filter(({ id, path }) => path.startsWith('moving-') && !owners.has(id))
        .map(({ full_path }) => `${full_path} has no owner`);
      return [...problems, ...circles, ...ownerless];
    };
    const settle = async (round: number, works: readonly Promise<{ readonly status: number }>[]) => {
      const statuses = (await Promise.all(works)).map(({ status }) => status);
      expect([round, statuses.filter((status) => status >= 500)]).toEqual([round, []]);
      return statuses;
    };

    it('of two that are moved into each other, one is', async () => {
      await playRounds(ROUNDS, async (round) => {
        const [one, other] = [await addGroup(), await addGroup()];
        const inside = await addGroup({ parent_id: other.id });
        const statuses = await settle(round, [
          transfer(one.id, round % 2 === 0 ? other.id : inside.id),
          transfer(other.id, one.id),
        ]);
        expect([round, statuses.sort()]).toEqual([round, [201, 400]]);
      });
      expect(await wrongs()).toEqual([]);
    });

    it('of three that go round in a circle, one at most stays where it was, and no circle is made', async () => {
      await playRounds(ROUNDS / 2, async (round) => {
        const [a, b, c] = [await addGroup(), await addGroup(), await addGroup()];
        const statuses = await settle(round, [transfer(a.id, b.id), transfer(b.id, c.id), transfer(c.id, a.id)]);
        expect([round, statuses.sort()]).toEqual([round, [201, 201, 400]]);
      });
      expect(await wrongs()).toEqual([]);
    });

    it('beside a change of its visibility, or of that of the group it goes to, nothing is too visible', async () => {
      await playRounds(ROUNDS, async (round) => {
        const [group, to] = [await addGroup({ visibility: 'internal' }), await addGroup({ visibility: 'internal' })];
        const change =
          round % 2 === 0
            ? call('PUT', `/groups/${group.id}`, { visibility: 'public' })
            : call('PUT', `/groups/${to.id}`, { visibility: 'private' });
        const statuses = await settle(round, [transfer(group.id, to.id), change]);
        expect([round, statuses.filter((status) => status === 400)]).toEqual([round, [400]]);
      });
      expect(await wrongs()).toEqual([]);
    });

    it('beside what is made, renamed and moved in it, every address is true', async () => {
      await playRounds(ROUNDS, async (round) => {
        const [group, to] = [await addGroup({ visibility: 'public' }), await addGroup({ visibility: 'public' })];
        const inside = await addGroup({ parent_id: group.id });
        const project = await addProject({ visibility: 'public' });
        const path = unique();
        await settle(round, [
          transfer(group.id, to.id),
          call('POST', '/groups', { name: path, path, parent_id: inside.id, visibility: 'private' }),
          call('PUT', `/groups/${inside.id}`, { path: unique() }),
          call('POST', '/projects', { name: unique(), namespace_id: inside.id, visibility: 'private' }),
          call('PUT', `/projects/${project}/transfer`, { namespace: group.id }),
          call('PUT', `/groups/${to.id}`, { path: unique() }),
        ]);
      });
      expect(await wrongs()).toEqual([]);
    });

    it('to the top while its last owner leaves or is removed, it has an owner', async () => {
      await playRounds(ROUNDS, async (round) => {
        const leaving = await service.addUser(`leaving-${round}`);
        const top = await addGroup();
        const group = await addGroup({ parent_id: top.id });
        await call('POST', `/groups/${group.id}/members`, { user_id: leaving.id, access_level: 50 });
        await settle(round, [
          transfer(group.id),
          round % 2 === 0
            ? call('DELETE', `/groups/${group.id}/members/${leaving.id}`, undefined, leaving)
            : call('DELETE', `/users/${leaving.id}`, undefined, root),
        ]);
      });
      expect(await wrongs()).toEqual([]);
    });

    it('to the top by somebody whose account is removed meanwhile, nobody waits for each other', async () => {
      await playRounds(ROUNDS / 2, async (round) => {
        const going = await service.addUser(`mover-${round}`);
        const top = await addGroup();
        await call('POST', `/groups/${top.id}/members`, { user_id: going.id, access_level: 50 });
        const group = await addGroup({ parent_id: top.id });
        await settle(round, [
          transfer(group.id, undefined, going),
          call('DELETE', `/users/${going.id}`, undefined, root),
          call('DELETE', `/groups/${group.id}`, undefined, root),
        ]);
      });
      expect(await wrongs()).toEqual([]);
    });
  });
});
