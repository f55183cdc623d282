import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { KnexRemoteMirrorReader } from '../../src/adapters/outbound/persistence/knex/mirrors/knex-remote-mirror-reader.js';
import type { MirrorOutcome } from '../../src/application/mirrors/ports/mirror-ports.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

describeEachDatabase('the ports of mirrors', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexRemoteMirrorReader;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let projectId: ProjectId;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexRemoteMirrorReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });
  beforeEach(async () => {
    await parts.database.transact(({ query }) => query('remote_mirrors').delete());
    projectId = await parts.addProject(ada);
  });
  afterAll(() => parts.close());

  const add = (changes: object = {}) =>
    parts.work(({ remoteMirrors }) =>
      remoteMirrors.add(
        {
          ...{ projectId, url: 'https://git.example/a.git', sealedCredentials: 'sealed', enabled: true },
          ...{ onlyProtectedBranches: false, keepDivergentRefs: false, ...changes },
        },
        NOW,
      ),
    );
  const schedule = (at = NOW) => parts.work(({ remoteMirrors }) => remoteMirrors.schedule([projectId], at));
  const lease = (seconds = 0, holder = 'one', exceptProjects: readonly ProjectId[] = []) =>
    parts.work(({ remoteMirrors }) =>
      remoteMirrors.lease({ holder, now: after(seconds), until: after(seconds + 60), exceptProjects }),
    );
  const end = (id: number, outcome: Partial<MirrorOutcome>, holder = 'one') =>
    parts.work(({ remoteMirrors }) =>
      remoteMirrors.end(id, holder, { status: 'finished', error: null, dueAt: null, at: after(5), ...outcome }),
    );
  const find = (id: number) => reader.find(projectId, id);

  it('read a mirror as it was added, without what is sealed', async () => {
    const id = await add();
    expect(await find(id)).toEqual({
      ...{ id, projectId, url: 'https://git.example/a.git', hasCredentials: true, enabled: true },
      ...{ onlyProtectedBranches: false, keepDivergentRefs: false, status: 'none', lastError: null },
      ...{ lastUpdateStartedAt: null, lastUpdateAt: null, lastSuccessfulUpdateAt: null },
    });
    expect(await reader.list(projectId, { page: 1, perPage: 20 })).toMatchObject({ items: [{ id }], total: 1 });
    const other = await parts.addProject(ada);
    expect(await reader.find(other, id)).toBeUndefined();
    expect(await parts.work(({ remoteMirrors }) => remoteMirrors.count(projectId))).toBe(1);
  });

  it('lease one that is due, once, and not one that is disabled or of another project that has enough', async () => {
    const id = await add();
    await add({ enabled: false });
    expect(await lease()).toBeUndefined();
    await schedule();
    expect((await find(id))?.status).toBe('scheduled');
    expect(await lease(0, 'one', [projectId])).toBeUndefined();
    expect(await lease()).toMatchObject({ id, attempts: 1, sealedCredentials: 'sealed', status: 'started' });
    expect(await lease(1, 'two')).toBeUndefined();
    expect(await end(id, {})).toBe(true);
    expect(await find(id)).toMatchObject({
      status: 'finished',
      lastUpdateAt: after(5),
      lastSuccessfulUpdateAt: after(5),
    });
    expect(await lease(100)).toBeUndefined();
  });

  it('give one that is left to another holder, who alone ends it then', async () => {
    const id = await add();
    await schedule();
    await lease();
    expect(await parts.work(({ remoteMirrors }) => remoteMirrors.renew(id, 'one', after(90)))).toBe(true);
    expect(await lease(61, 'two')).toBeUndefined();
    expect(await lease(91, 'two')).toMatchObject({ id, attempts: 2 });
    expect(await parts.work(({ remoteMirrors }) => remoteMirrors.renew(id, 'one', after(200)))).toBe(false);
    expect(await end(id, {})).toBe(false);
    expect(await end(id, {}, 'two')).toBe(true);
  });

  it('begin once more what was pushed to while it was updated, and let what failed wait all the same', async () => {
    const id = await add();
    await schedule();
    await lease();
    await schedule(after(1));
    expect((await find(id))?.status).toBe('started');
    await end(id, {});
    expect((await find(id))?.status).toBe('scheduled');
    expect(await lease(10)).toMatchObject({ id, attempts: 1 });
    await schedule(after(11));
    await end(id, { status: 'to_retry', error: 'Away.', dueAt: after(50) });
    await schedule(after(12));
    expect(await find(id)).toMatchObject({ status: 'to_retry', lastError: 'Away.' });
    expect(await lease(49)).toBeUndefined();
    expect(await lease(50)).toMatchObject({ id, attempts: 2 });
    await end(id, { status: 'failed', error: 'Gone.' });
    expect(await lease(1_000)).toBeUndefined();
    await parts.work(({ remoteMirrors }) => remoteMirrors.hurry(id, after(1_000)));
    expect(await lease(1_000)).toMatchObject({ id, attempts: 1 });
  });

  it('let one that is disabled wait for nothing, also when it was just being updated', async () => {
    const id = await add();
    await schedule();
    const disable = () =>
      parts.work(({ remoteMirrors }) =>
        remoteMirrors.update(id, { enabled: false, onlyProtectedBranches: true, keepDivergentRefs: true }, after(1)),
      );
    await disable();
    expect(await find(id)).toMatchObject({ enabled: false, status: 'none', onlyProtectedBranches: true });
    await parts.work(({ remoteMirrors }) =>
      remoteMirrors.update(id, { enabled: true, onlyProtectedBranches: false, keepDivergentRefs: false }, after(1)),
    );
    await schedule();
    await lease();
    await disable();
    await end(id, { status: 'to_retry', error: 'Away.', dueAt: after(50) });
    expect(await find(id)).toMatchObject({ status: 'failed', lastError: 'Away.' });
    expect(await lease(1_000)).toBeUndefined();
  });

  it('pass over those of projects that are archived or about to be removed', async () => {
    await add();
    await schedule();
    const changeProject = (changes: object) =>
      parts.database.transact(({ query }) => query('projects').where({ id: projectId }).update(changes));
    await changeProject({ archived: true });
    expect(await lease()).toBeUndefined();
    const { dialect } = parts.database.reader;
    await changeProject({ archived: false, removal_requested_at: dialect.writeInstant(NOW) });
    expect(await lease()).toBeUndefined();
    await changeProject({ removal_requested_at: null });
    expect(await lease()).toBeDefined();
  });

  it('are held no longer once their project is archived or about to be removed', async () => {
    const id = await add();
    await schedule();
    await lease();
    const renew = () => parts.work(({ remoteMirrors }) => remoteMirrors.renew(id, 'one', after(90)));
    const changeProject = (changes: object) =>
      parts.database.transact(({ query }) => query('projects').where({ id: projectId }).update(changes));
    await changeProject({ archived: true });
    expect(await renew()).toBe(false);
    const { dialect } = parts.database.reader;
    await changeProject({ archived: false, removal_requested_at: dialect.writeInstant(NOW) });
    expect(await renew()).toBe(false);
    await changeProject({ removal_requested_at: null });
    expect(await renew()).toBe(true);
  });
});
