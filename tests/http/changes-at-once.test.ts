import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CauseKind } from '../../src/application/notifications/ports/cause-ports.js';
import { describeEachDeployment, type Deployment } from '../support/deployments.js';
import type { TestService, TestUser } from '../support/test-service.js';

const AT_ONCE = 6;
const ROUNDS = 6;

interface EventBody {
  readonly action_name: string;
  readonly target_title: string | null;
  readonly author_id: number;
}

describeEachDeployment('changes that are made at once', (deploy) => {
  let deployment: Deployment;
  let service: TestService;
  let ada: TestUser;
  let bob: TestUser;
  let outsider: TestUser;
  let project: number;

  beforeAll(async () => {
    deployment = await deploy();
    service = deployment.service;
    [ada, bob, outsider] = [
      await service.addUser('ada'),
      await service.addUser('bob'),
      await service.addUser('outsider'),
    ];
    project = await addProject('engine');
  });

  afterAll(() => deployment.close());

  const call = <Body = unknown>(method: string, path: string, json?: object, who = ada) =>
    service.call<Body>(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });
  const addProject = async (name: string, fields: object = {}): Promise<number> =>
    (await call<{ id: number }>('POST', '/projects', { name, visibility: 'public', ...fields })).body.id;
  const open = async (title: string): Promise<number> =>
    (await call<{ iid: number }>('POST', `/projects/${project}/issues`, { title })).body.iid;
  const atOnce = async (method: string, path: string, json?: object): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => call(method, path, json)));
    return answers.map(({ status }) => status).sort();
  };
  const events = async (query: string, who = ada): Promise<readonly EventBody[]> =>
    (await call<EventBody[]>('GET', `/projects/${project}/events?per_page=100${query}`, undefined, who)).body;
  const causes = async (event: CauseKind): Promise<number> => {
    const rows = (await service.service.database.schema('notification_causes').where({ kind: event })) as unknown[];
    return rows.length;
  };

  it('leave a confidential issue out of the sight of others, whoever came last', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const title = `Secret ${round}`;
      const path = `/projects/${project}/issues/${await open(title)}`;
      await call('PUT', path, { confidential: true });
      await Promise.all([call('PUT', path, { confidential: false }), call('PUT', path, { confidential: true })]);
      const { status } = await call('GET', path, undefined, outsider);
      const told = (await events('', outsider)).some(({ target_title }) => target_title === title);
      expect([round, told]).toEqual([round, status === 200]);
    }
  });

  it('remove an issue once, and tell of it once', async () => {
    const path = `/projects/${project}/issues/${await open('Going')}`;
    expect(await atOnce('DELETE', path)).toEqual([204, ...new Array<number>(AT_ONCE - 1).fill(404)]);
    const told = await events('&action=destroyed');
    expect(told.filter(({ target_title }) => target_title === 'Going')).toHaveLength(1);
  });

  it('remove a member once, and tell of it once', async () => {
    await call('POST', `/projects/${project}/members`, { user_id: bob.id, access_level: 30 });
    const statuses = await atOnce('DELETE', `/projects/${project}/members/${bob.id}`);
    expect(statuses).toEqual([204, ...new Array<number>(AT_ONCE - 1).fill(404)]);
    expect((await events('&action=left')).filter(({ author_id }) => author_id === bob.id)).toHaveLength(1);
  });

  it('assign somebody once, and nobody when nobody is meant', async () => {
    const before = await causes('reassign_issue');
    const path = `/projects/${project}/issues/${await open('Taken')}`;
    expect(new Set(await atOnce('PUT', path, { assignee_ids: [bob.id] }))).toEqual(new Set([200]));
    expect(await causes('reassign_issue')).toBe(before + 1);
    const other = `/projects/${project}/issues/${await open('Nobody')}`;
    await call('PUT', other, { assignee_ids: [9_999_999] });
    expect(await causes('reassign_issue')).toBe(before + 1);
  });

  it('move a project once, and never make it more visible than what holds it', async () => {
    const { body: group } = await call<{ id: number }>('POST', '/groups', {
      name: 'Hidden',
      path: 'hidden',
      visibility: 'private',
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await addProject(`moving ${round}`, { visibility: 'private' });
      await Promise.all([
        call('PUT', `/projects/${id}/transfer`, { namespace: group.id }),
        call('PUT', `/projects/${id}`, { visibility: 'public' }),
      ]);
      const { body } = await call<{ visibility: string; namespace: { id: number } }>('GET', `/projects/${id}`);
      expect([round, body.namespace.id === group.id && body.visibility === 'public']).toEqual([round, false]);
    }
    const before = await causes('moved_project');
    const id = await addProject('moved once');
    const { body: open } = await call<{ id: number }>('POST', '/groups', {
      name: 'Open',
      path: 'open',
      visibility: 'public',
    });
    const statuses = await atOnce('PUT', `/projects/${id}/transfer`, { namespace: open.id });
    expect(statuses).toEqual([200, ...new Array<number>(AT_ONCE - 1).fill(400)]);
    expect(await causes('moved_project')).toBe(before + 1);
  });
});
