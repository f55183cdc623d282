import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachDeployment, type Deployment } from '../support/deployments.js';
import { timesOf } from '../support/rounds.js';
import type { TestService, TestUser } from '../support/test-service.js';

const ROUNDS = timesOf(20, 100);

describeEachDeployment('the last administrator', (deploy) => {
  let deployment: Deployment;
  let service: TestService;
  let root: TestUser;

  beforeAll(async () => {
    deployment = await deploy();
    service = deployment.service;
    root = await service.addUser('root', { admin: true });
  });

  afterAll(() => deployment.close());

  const call = (method: string, path: string, who: TestUser, json?: unknown) =>
    service.call(method, path, { token: who.token, ...(json === undefined ? {} : { json }) });
  const administrators = async (): Promise<number> => {
    const rows = (await service.service.database.reader
      .query('users')
      .where({ admin: true, state: 'active' })
      .select('id')) as { id: number }[];
    return rows.length;
  };

  it("can't be demoted: 409 with what to do", async () => {
    const answer = await call('PUT', `/users/${root.id}`, root, { admin: false });
    expect([answer.status, answer.body]).toEqual([
      409,
      { message: 'root is the last administrator. Make somebody else an administrator first.' },
    ]);
    expect(await administrators()).toBe(1);
  });

  it('is not replaced by one who is blocked', async () => {
    const other = await service.addUser('blocked-one', { admin: true });
    expect((await call('POST', `/users/${other.id}/block`, root)).body).toBe(true);
    expect((await call('PUT', `/users/${root.id}`, root, { admin: false })).status).toBe(409);
    expect((await call('DELETE', `/users/${other.id}`, root)).status).toBe(204);
  });

  it('may still be renamed, and make others administrators', async () => {
    expect((await call('PUT', `/users/${root.id}`, root, { name: 'Root' })).status).toBe(200);
    const other = await service.addUser('second');
    expect((await call('PUT', `/users/${other.id}`, root, { admin: true })).status).toBe(200);
    expect((await call('PUT', `/users/${other.id}`, root, { admin: false })).status).toBe(200);
  });

  describe(`in ${ROUNDS} races`, () => {
    const MOVES = [
      (who: TestUser, whom: TestUser) => call('PUT', `/users/${whom.id}`, who, { admin: false }),
      (who: TestUser, whom: TestUser) => call('POST', `/users/${whom.id}/block`, who),
      (who: TestUser, whom: TestUser) => call('DELETE', `/users/${whom.id}`, who),
      (who: TestUser) => call('PUT', `/users/${who.id}`, who, { admin: false }),
    ] as const;

    it('of two administrators who demote, block or remove each other at once, one is left', async () => {
      let last = root;
      for (let round = 1; round <= ROUNDS; round += 1) {
        const other = await service.addUser(`admin-${round}`, { admin: true });
        const moves = [MOVES[round % 4]!(last, other), MOVES[Math.floor(round / 4) % 4]!(other, last)];
        const answers = await Promise.all(moves);
        expect([round, answers.map(({ status }) => status).filter((status) => status >= 500)]).toEqual([round, []]);
        expect([round, await administrators()]).toEqual([round, 1]);
        const mine = await call('GET', '/user', last);
        if (mine.status !== 200 || (mine.body as { is_admin?: boolean }).is_admin !== true) last = other;
      }
    });
  });
});
