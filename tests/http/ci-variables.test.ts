import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CiVariable } from '../../src/domain/ci-variables/ci-variable.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { CI_VARIABLE_TOKENS } from '../../src/infrastructure/composition/ci-variables.tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

interface VariableBody {
  readonly key: string;
  readonly value: string;
  readonly environment_scope: string;
  readonly [field: string]: unknown;
}

const ORDINARY = {
  variable_type: 'env_var',
  hidden: false,
  protected: false,
  masked: false,
  raw: false,
  environment_scope: '*',
  description: null,
};

describeEachDatabase('CI variables', (openTestDatabase) => {
  let service: TestService;
  let root: TestUser;
  let ada: TestUser;
  let maintainer: TestUser;
  let developer: TestUser;
  let eve: TestUser;
  let serial = 0;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    root = await service.addUser('root', { admin: true });
    [ada, maintainer, developer, eve] = [
      await service.addUser('ada'),
      await service.addUser('maintainer'),
      await service.addUser('developer'),
      await service.addUser('eve'),
    ];
  });
  afterAll(() => service.close());

  const call = <Body = VariableBody>(method: string, path: string, json?: object, who = ada) =>
    service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });
  const addGroup = async (parent?: number) => {
    const path = `works-${(serial += 1)}`;
    const fields = { name: path, path, ...(parent === undefined ? {} : { parent_id: parent }) };
    return (await call<{ id: number }>('POST', '/groups', fields)).body.id;
  };
  const addProject = async (fields: object = {}) => {
    const json = { name: `mill-${(serial += 1)}`, ...fields };
    return (await call<{ id: ProjectId }>('POST', '/projects', json)).body.id;
  };
  const add = async (place: string, fields: object, who = ada): Promise<VariableBody> => {
    const { status, body } = await call('POST', place, fields, who);
    expect([fields, status, body]).toEqual([fields, 201, expect.objectContaining(fields)]);
    return body;
  };
  const list = async (place: string, who = ada) => (await call<VariableBody[]>('GET', place, undefined, who)).body;

  /** Every place that has variables, with somebody who looks after them, and what refusals call one. */
  const places = async () => {
    const [project, group] = [await addProject(), await addGroup()];
    return [
      { place: `/projects/${project}/variables`, who: ada, noun: 'Variable' },
      { place: `/groups/${group}/variables`, who: ada, noun: 'GroupVariable' },
      { place: '/admin/ci/variables', who: root, noun: 'InstanceVariable' },
    ];
  };

  it('are added, listed, read, changed and removed, of a project, a group and the installation', async () => {
    for (const { place, who, noun } of await places()) {
      const made = await add(place, { key: 'TOKEN', value: 'a value' }, who);
      expect(made).toEqual({ key: 'TOKEN', value: 'a value', ...ORDINARY });
      expect(await list(place, who)).toEqual([made]);
      expect((await call('GET', `${place}/TOKEN`, undefined, who)).body).toEqual(made);
      const traits = { protected: true, masked: true, raw: true, variable_type: 'file', description: 'For releases' };
      const changed = await call('PUT', `${place}/TOKEN`, { value: 'abcdefgh', ...traits }, who);
      expect(changed).toMatchObject({ status: 200, body: { ...ORDINARY, key: 'TOKEN', value: 'abcdefgh', ...traits } });
      const kept = await call('PUT', `${place}/TOKEN`, { description: '' }, who);
      expect(kept.body).toEqual({ ...changed.body, description: null });
      expect((await call('DELETE', `${place}/TOKEN`, undefined, who)).status).toBe(204);
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect(await call(method, `${place}/TOKEN`, method === 'PUT' ? { value: 'x' } : undefined, who)).toMatchObject({
          status: 404,
          body: { message: `404 ${noun} Not Found` },
        });
      expect(await list(place, who)).toEqual([]);
    }
  });

  it('are masked where they are asked to be masked and hidden, though nothing is hidden', async () => {
    for (const { place, who } of await places()) {
      const hush = { value: 'abcdefgh', masked_and_hidden: true };
      for (const [key, also] of Object.entries({ ONE: {}, OTHER: { masked: false } }))
        expect(await call('POST', place, { key, ...hush, ...also }, who)).toEqual(
          expect.objectContaining({ status: 201, body: { ...ORDINARY, key, value: 'abcdefgh', masked: true } }),
        );
      expect(await call('POST', place, { ...hush, key: 'HUSH', value: 'short' }, who)).toMatchObject({
        status: 400,
        body: { message: { value: ['is invalid'] } },
      });
      const open = await call('POST', place, { key: 'OPEN', value: 'short', masked_and_hidden: false }, who);
      expect(open).toMatchObject({ status: 201, body: { masked: false } });
      for (const key of ['ONE', 'OTHER', 'OPEN']) await call('DELETE', `${place}/${key}`, undefined, who);
    }
  });

  it('are refused in the words that clients know', async () => {
    for (const { place, who } of await places()) {
      const refused = async (json: object) =>
        (await call('POST', place, json, who)) as { status: number; body: unknown };
      await add(place, { key: 'TAKEN', value: '' }, who);
      const refusals: readonly (readonly [object, object])[] = [
        [{ key: 'TAKEN', value: 'x' }, { key: ['(TAKEN) has already been taken'] }],
        [{ key: '', value: 'x' }, { key: ["can't be blank"] }],
        [{ key: 'a-b', value: 'x' }, { key: ["can contain only letters, digits and '_'."] }],
        [{ key: 'K'.repeat(256), value: 'x' }, { key: ['is too long (maximum is 255 characters)'] }],
        [{ key: 'LONG', value: 'x'.repeat(10_001) }, { value: ['is too long (maximum is 10000 characters)'] }],
        ...['short', 'with a space', 'two\nlines-of-it', 'quoted"quoted'].map(
          (value) => [{ key: 'HUSH', value, masked: true }, { value: ['is invalid'] }] as const,
        ),
      ];
      for (const [json, message] of refusals)
        expect([json, await refused(json)]).toMatchObject([json, { status: 400, body: { message } }]);
      expect(await refused({ key: 'A' })).toMatchObject({ status: 400, body: { error: 'value is missing' } });
      expect(await refused({ key: 'A', value: 'x', variable_type: 'x' })).toMatchObject({ status: 400 });
      // What makes a value invalid may come later than the value.
      await add(place, { key: 'LATER', value: 'short' }, who);
      expect(await call('PUT', `${place}/LATER`, { masked: true }, who)).toMatchObject({
        status: 400,
        body: { message: { value: ['is invalid'] } },
      });
      expect((await call('GET', `${place}/LATER`, undefined, who)).body).toMatchObject({ masked: false });
      for (const key of ['TAKEN', 'LATER']) await call('DELETE', `${place}/${key}`, undefined, who);
    }
  });

  it('have environments that they are for, and then several may have one key', async () => {
    const place = `/projects/${await addProject()}/variables`;
    await add(place, { key: 'HOST', value: 'a', environment_scope: 'production' });
    await add(place, { key: 'HOST', value: 'b', environment_scope: 'review/*' });
    expect((await call('POST', place, { key: 'HOST', value: 'c', environment_scope: 'review/*' })).status).toBe(400);
    expect((await call('POST', place, { key: 'HOST', value: 'c', environment_scope: 'a;b' })).status).toBe(400);
    const which = (scope: string) => `${place}/HOST?filter[environment_scope]=${encodeURIComponent(scope)}`;
    expect((await call('GET', which('review/*'))).body).toMatchObject({ value: 'b' });
    expect((await call('GET', which('staging'))).status).toBe(404);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await call(method, `${place}/HOST`, method === 'PUT' ? { value: 'x' } : undefined)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('filter[environment_scope]') },
      });
    const moved = { value: 'd', environment_scope: 'staging', filter: { environment_scope: 'review/*' } };
    expect((await call('PUT', `${place}/HOST`, moved)).body).toMatchObject({
      value: 'd',
      environment_scope: 'staging',
    });
    expect((await call('PUT', `${place}/HOST`, { ...moved, filter: { environment_scope: 'production' } })).status).toBe(
      400,
    );
    expect((await call('DELETE', which('production'))).status).toBe(204);
    expect((await call('GET', `${place}/HOST`)).body).toMatchObject({ value: 'd' });
  });

  it('are for maintainers of the project, owners of the group and administrators alone', async () => {
    const group = await addGroup();
    const project = await addProject({ namespace_id: group });
    const member = (place: string, user: TestUser, level: number) =>
      call('POST', `${place}/members`, { user_id: user.id, access_level: level });
    await member(`/projects/${project}`, maintainer, 40);
    await member(`/projects/${project}`, developer, 30);
    const inGroup = await addGroup();
    await member(`/groups/${inGroup}`, maintainer, 40);
    const statuses = async (place: string) => {
      const seen: number[][] = [];
      for (const who of [maintainer, developer, eve, root]) {
        const asked = [
          await call('POST', place, { key: `OF_${who.username}`, value: 'x' }, who),
          await call('GET', place, undefined, who),
          await call('GET', `${place}/OF_${who.username}`, undefined, who),
          await call('PUT', `${place}/OF_${who.username}`, { value: 'y' }, who),
          await call('DELETE', `${place}/OF_${who.username}`, undefined, who),
        ];
        seen.push(asked.map(({ status }) => status));
      }
      return seen;
    };
    const [done, forbidden, unseen] = [
      [201, 200, 200, 200, 204],
      Array<number>(5).fill(403),
      Array<number>(5).fill(404),
    ];
    expect(await statuses(`/projects/${project}/variables`)).toEqual([done, forbidden, unseen, done]);
    expect(await statuses(`/groups/${inGroup}/variables`)).toEqual([forbidden, unseen, unseen, done]);
    expect(await statuses('/admin/ci/variables')).toEqual([forbidden, forbidden, forbidden, done]);
    for (const path of [`/projects/${project}/variables`, '/admin/ci/variables'])
      expect((await service.call('GET', path, {})).status).toBe(401);
  });

  it('are 200 of an owner at most, however many are added at once', async () => {
    const place = `/projects/${await addProject()}/variables`;
    await add(place, { key: 'FIRST', value: 'x' });
    const { schema } = service.service.database;
    const [first] = (await schema('ci_variables').orderBy('id', 'desc').limit(1)) as Record<string, unknown>[];
    const { id: _, ...columns } = first!;
    const rows = Array.from({ length: 198 }, (_each, number) => ({ ...columns, key: `K${number}` }));
    for (let at = 0; at < rows.length; at += 50) await schema('ci_variables').insert(rows.slice(at, at + 50));
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((key) => call<{ message: object }>('POST', place, { key, value: 'x' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.message).toEqual({
      base: ['Maximum number of project ci variables (200) exceeded'],
    });
  });

  it('are sealed, and go with the project or group that has them', async () => {
    const group = await addGroup();
    const project = await addProject({ namespace_id: group });
    const all = async () => {
      const rows = await service.service.database.schema('ci_variables').select('*');
      return (rows as Record<string, unknown>[]).filter(
        (row) => Number(row['project_id']) === project || Number(row['namespace_id']) === group,
      );
    };
    await add(`/projects/${project}/variables`, { key: 'A', value: 'in-plain-sight' });
    await add(`/groups/${group}/variables`, { key: 'B', value: 'in-plain-sight' });
    const stored = await all();
    expect(stored).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toContain('plain');
    await call('DELETE', `/groups/${group}`);
    await until(async () => (await all()).length === 0);
  });

  describe('that jobs are given', () => {
    const source = () => service.service.container.get(CI_VARIABLE_TOKENS.ciVariables);
    const shown = (variables: readonly CiVariable[]) => variables.map(({ key, value }) => `${key}=${value}`);

    it('are those of the installation, then of the groups from the root down, then of the project', async () => {
      const outer = await addGroup();
      const inner = await addGroup(outer);
      const project = await addProject({ namespace_id: inner });
      const [elsewhere, other] = [await addGroup(), await addProject()];
      await add(`/projects/${project}/variables`, { key: 'A', value: 'project' });
      await add(`/groups/${inner}/variables`, { key: 'A', value: 'inner' });
      await add('/admin/ci/variables', { key: 'A', value: 'instance' }, root);
      await add(`/groups/${outer}/variables`, { key: 'A', value: 'outer', variable_type: 'file', raw: true });
      await add(`/groups/${elsewhere}/variables`, { key: 'A', value: 'elsewhere' });
      await add(`/projects/${other}/variables`, { key: 'A', value: 'other' });
      const given = await source().variablesFor(project, { protectedRef: false });
      expect(shown(given)).toEqual(['A=instance', 'A=outer', 'A=inner', 'A=project']);
      expect(given[1]).toEqual({
        ...{ key: 'A', value: 'outer', type: 'file', raw: true, protected: false, masked: false },
        ...{ environmentScope: '*', description: null },
      });
      expect(shown(await source().variablesFor(other, { protectedRef: false }))).toEqual(['A=instance', 'A=other']);
      await call('DELETE', '/admin/ci/variables/A', undefined, root);
    });

    it('are protected ones where the ref is, and those of environments where it is for one: the closest scope last', async () => {
      const project = await addProject();
      const place = `/projects/${project}/variables`;
      await add(place, { key: 'A', value: 'exact', environment_scope: 'review/a' });
      await add(place, { key: 'A', value: 'near', environment_scope: 'review/*' });
      await add(place, { key: 'A', value: 'any' });
      await add(place, { key: 'A', value: 'far', environment_scope: 'production' });
      await add(place, { key: 'B', value: 'guarded', protected: true });
      const given = async (circumstances: { protectedRef: boolean; environment?: string }) =>
        shown(await source().variablesFor(project, circumstances));
      expect(await given({ protectedRef: false })).toEqual(['A=any']);
      expect(await given({ protectedRef: true })).toEqual(['A=any', 'B=guarded']);
      const review = { protectedRef: false, environment: 'review/a' };
      expect(await given(review)).toEqual(['A=any', 'A=near', 'A=exact']);
      expect(await given({ ...review, environment: 'review/b' })).toEqual(['A=any', 'A=near']);
    });
  });
});
