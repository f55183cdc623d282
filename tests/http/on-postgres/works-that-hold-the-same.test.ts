import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { pushCodeProject, type CodeProject } from '../../support/code-project.js';
import { describeDatabase } from '../../support/databases.js';
import { deployTwoNodes, type Deployment } from '../../support/deployments.js';
import type { TestService, TestUser } from '../../support/test-service.js';
import { until } from '../../support/until.js';

const ROUNDS = 12;
const AT_ONCE = 4;
const REMOVALS = 5;
const ISSUES = 12;
const COMMENTS = 3;

describeDatabase('postgres', 'works that hold the same rows at once, by two nodes', (openTestDatabase) => {
  let url: string;
  let deployment: Deployment;
  let service: TestService;
  let ada: TestUser;
  let mill: CodeProject;
  let groups: readonly number[];
  let serial = 0;

  beforeAll(async () => {
    url = await openTestDatabase();
    deployment = await deployTwoNodes(url);
    service = deployment.service;
    ada = await service.addUser('ada');
    groups = [await group('engines'), await group('pumps')];
    mill = await pushCodeProject(service, ada, { name: 'Mill', path: 'mill', namespace_id: groups[0] });
    await call('POST', `/projects/${mill.id}/merge_requests`, {
      title: 'Pump water',
      source_branch: 'feature/pumps',
      target_branch: 'main',
    });
  });

  afterAll(() => deployment.close());

  const call = (method: string, path: string, json?: object) =>
    service.call<{ id: number }>(method, path, { token: ada.token, ...(json === undefined ? {} : { json }) });
  const group = async (path: string): Promise<number> => (await call('POST', '/groups', { name: path, path })).body.id;

  const ask = async (question: string): Promise<number> => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      const { rows } = await client.query<[string]>({ text: question, rowMode: 'array' });
      return Number(rows[0]?.[0]);
    } finally {
      await client.end();
    }
  };
  /** How often the server ended one of several works that waited for each other; it is done again. */
  const deadlocks = (): Promise<number> =>
    ask('select deadlocks from pg_stat_database where datname = current_database()');

  it('end in no deadlock while a project moves, is pushed to and changed, and so are its merge requests', async () => {
    const { id } = mill;
    const works = [
      (n: number) => call('PUT', `/projects/${id}/transfer`, { namespace: groups[n % 2] }),
      (n: number) => call('PUT', `/projects/${id}`, { description: `Mill ${n}` }),
      (n: number) => call('PUT', `/groups/${groups[n % 2]}`, { description: `Engines ${n}` }),
      (n: number) =>
        call('PUT', `/projects/${id}/merge_requests/1`, {
          title: `Pump ${n}`,
          state_event: n % 2 ? 'close' : 'reopen',
        }),
      (n: number) =>
        call('POST', `/projects/${id}/repository/commits`, {
          branch: 'feature/pumps',
          commit_message: 'More',
          actions: [{ action: 'create', file_path: `more-${n}`, content: 'water' }],
        }),
      (n: number) => call('POST', `/projects/${id}/issues`, { title: `Issue ${n}` }),
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(
        works.flatMap((work) => Array.from({ length: AT_ONCE }, () => work((serial += 1)))),
      );
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    }
    expect(await deadlocks()).toBe(0);
  });

  it('end in no deadlock while a project is removed whose issues are moved, closed and talked about', async () => {
    const before = await deadlocks();
    for (let round = 0; round < REMOVALS; round += 1) {
      const name = `doomed-${round}`;
      const doomed = (await call('POST', '/projects', { name, namespace_id: groups[1] })).body.id;
      const iids = Array.from({ length: ISSUES }, (_, index) => index + 1);
      for (const iid of iids) await call('POST', `/projects/${doomed}/issues`, { title: `Issue ${iid}` });
      const works = iids.flatMap((iid) => [
        call('POST', `/projects/${doomed}/issues/${iid}/move`, { to_project_id: mill.id }),
        call('PUT', `/projects/${doomed}/issues/${iid}`, { state_event: 'close' }),
        call('POST', `/projects/${doomed}/issues/${iid}/notes`, { body: `Leaks as #${(iid % ISSUES) + 1} does.` }),
      ]);
      const answers = await Promise.all([...works, call('DELETE', `/projects/${doomed}`)]);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      await until(
        async () => (await ask('select count(*) from projects where removal_requested_at is not null')) === 0,
      );
    }
    expect((await deadlocks()) - before).toBe(0);
  });

  it('end in no deadlock while an issue is removed that others talk about and change', async () => {
    const before = await deadlocks();
    for (let round = 0; round < REMOVALS; round += 1) {
      const { iid } = (
        await service.call<{ iid: number }>('POST', `/projects/${mill.id}/issues`, {
          token: ada.token,
          json: { title: 'Leak' },
        })
      ).body;
      const issue = `/projects/${mill.id}/issues/${iid}`;
      const [removed, ...others] = await Promise.all([
        call('DELETE', issue),
        ...Array.from({ length: COMMENTS }, () => call('POST', `${issue}/notes`, { body: 'Oil?' })),
        call('POST', `${issue}/add_spent_time`, { duration: '1h' }),
        call('POST', `${issue}/award_emoji`, { name: 'eyes' }),
        call('PUT', issue, { title: 'Bigger leak', add_labels: 'oil' }),
        call('PUT', issue, { state_event: 'close' }),
      ]);
      expect([removed.status, others.filter(({ status }) => status >= 500)]).toEqual([204, []]);
    }
    expect((await deadlocks()) - before).toBe(0);
  });

  it('end in no deadlock while an account is renamed and removed that makes projects and groups', async () => {
    const before = await deadlocks();
    const root = await service.addUser('root', { admin: true });
    const as = ({ token }: TestUser, method: string, path: string, json: object = {}) =>
      service.call(method, path, { token, json });
    for (let round = 0; round < REMOVALS; round += 1) {
      const maker = await service.addUser(`maker-${round}`);
      const makings = (name: string) => [
        as(maker, 'POST', '/projects', { name: `First ${name}` }),
        as(maker, 'POST', '/projects', { name: `Second ${name}` }),
        as(maker, 'POST', '/groups', { name, path: `${name}-${round}` }),
        as(maker, 'POST', `/projects/${mill.id}/fork`, { path: `fork-${name}` }),
      ];
      const rename = as(root, 'PUT', `/users/${maker.id}`, { username: `renamed-${round}` });
      const renamed = await Promise.all([rename, ...makings('early')]);
      expect(renamed.filter(({ status }) => status >= 500)).toEqual([]);
      const removed = await Promise.all([as(root, 'DELETE', `/users/${maker.id}`), ...makings('late')]);
      expect(removed.filter(({ status }) => status >= 500)).toEqual([]);
    }
    expect((await deadlocks()) - before).toBe(0);
  });
});
