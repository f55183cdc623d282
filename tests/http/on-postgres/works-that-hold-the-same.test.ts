import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { pushCodeProject, type CodeProject } from '../../support/code-project.js';
import { describeDatabase } from '../../support/databases.js';
import { deployTwoNodes, type Deployment } from '../../support/deployments.js';
import type { TestService, TestUser } from '../../support/test-service.js';

const ROUNDS = 12;
const AT_ONCE = 4;

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

  /** How often the server ended one of several works that waited for each other; it is done again. */
  const deadlocks = async (): Promise<number> => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      const { rows } = await client.query<{ deadlocks: string }>(
        'select deadlocks from pg_stat_database where datname = current_database()',
      );
      return Number(rows[0]?.deadlocks);
    } finally {
      await client.end();
    }
  };

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
});
