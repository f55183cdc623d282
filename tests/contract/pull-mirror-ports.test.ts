import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { KnexPullMirrorReader } from '../../src/adapters/outbound/persistence/knex/mirrors/knex-pull-mirror-reader.js';
import type { PullOutcome, PutPullMirror } from '../../src/application/mirrors/ports/pull-mirror-ports.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const REMOTE = { url: 'https://git.example/a.git', sealedCredentials: 'sealed' };

describeEachDatabase('the ports of what projects follow', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexPullMirrorReader;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let projectId: ProjectId;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexPullMirrorReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });
  beforeEach(async () => {
    await parts.database.transact(({ query }) => query('pull_mirrors').delete());
    projectId = await parts.addProject(ada);
  });
  afterAll(() => parts.close());

  const put = (changes: Partial<PutPullMirror> = {}, dueAt = NOW) => {
    const plain = { enabled: true, onlyProtectedBranches: false, overwritesDiverged: false, triggersBuilds: false };
    const mirror = { ...plain, projectId, userId: ada.id, ...changes };
    return parts.work(({ pullMirrors }) => pullMirrors.put(mirror, dueAt, NOW));
  };
  const lease = (seconds = 0, holder = 'one', exceptUsers: readonly UserId[] = []) =>
    parts.work(({ pullMirrors }) =>
      pullMirrors.lease({ holder, now: after(seconds), until: after(seconds + 60), exceptUsers }),
    );
  const renew = (until = after(90)) => parts.work(({ pullMirrors }) => pullMirrors.renew(projectId, 'one', until));
  const isHeld = (holder = 'one') => parts.work(({ pullMirrors }) => pullMirrors.isHeld(projectId, holder));
  const end = (outcome: Partial<PullOutcome> = {}, holder = 'one') =>
    parts.work(({ pullMirrors }) =>
      pullMirrors.end(projectId, holder, {
        ...{ status: 'finished', error: null, failures: 0, dueAt: after(1_800), at: after(5) },
        ...outcome,
      }),
    );
  const find = () => reader.find(projectId);
  const changeProject = (changes: object) =>
    parts.database.transact(({ query }) => query('projects').where({ id: projectId }).update(changes));

  it('read one as it was said, without what is sealed', async () => {
    expect([await find(), await parts.work(({ pullMirrors }) => pullMirrors.take(projectId))]).toEqual([
      undefined,
      undefined,
    ]);
    await put({ remote: REMOTE, triggersBuilds: true });
    expect(await find()).toEqual({
      ...{ projectId, url: REMOTE.url, hasCredentials: true, userId: ada.id, enabled: true, failures: 0 },
      ...{ onlyProtectedBranches: false, overwritesDiverged: false, triggersBuilds: true },
      ...{ status: 'scheduled', lastError: null },
      ...{ lastUpdateStartedAt: null, lastUpdateAt: null, lastSuccessfulUpdateAt: null },
    });
    await put({ overwritesDiverged: true });
    expect(await find()).toMatchObject({ url: REMOTE.url, hasCredentials: true, overwritesDiverged: true });
    await put({ remote: { url: 'https://git.example/b.git', sealedCredentials: null } });
    expect(await find()).toMatchObject({ url: 'https://git.example/b.git', hasCredentials: false });
    await parts.work(({ pullMirrors }) => pullMirrors.remove(projectId));
    expect(await find()).toBeUndefined();
  });

  it('lease one that is due, once, and again when its time has come', async () => {
    await put({ remote: REMOTE }, after(10));
    expect(await lease(9)).toBeUndefined();
    expect(await lease(10, 'one', [ada.id])).toBeUndefined();
    expect(await lease(10)).toMatchObject({ projectId, sealedCredentials: 'sealed', status: 'started' });
    expect(await lease(11, 'two')).toBeUndefined();
    expect(await end()).toBe(true);
    expect(await find()).toMatchObject({
      ...{ status: 'finished', lastError: null, lastUpdateStartedAt: after(10) },
      ...{ lastUpdateAt: after(5), lastSuccessfulUpdateAt: after(5) },
    });
    expect(await lease(1_799)).toBeUndefined();
    expect(await lease(1_800)).toMatchObject({ projectId });
    await end({ status: 'failed', error: 'Away.', failures: 3, dueAt: after(2_000), at: after(1_805) });
    expect(await find()).toMatchObject({ status: 'failed', lastError: 'Away.', failures: 3 });
    expect(await find()).toMatchObject({ lastUpdateAt: after(1_805), lastSuccessfulUpdateAt: after(5) });
    expect(await lease(2_000)).toMatchObject({ failures: 3 });
    await end({ status: 'failed', error: 'Away.', failures: 14, dueAt: null });
    expect(await lease(1_000_000)).toBeUndefined();
    await parts.work(({ pullMirrors }) => pullMirrors.hurry(projectId, after(3_000)));
    expect(await lease(3_000)).toMatchObject({ failures: 0 });
  });

  it('give one that is left to another holder, who alone ends it then', async () => {
    await put({ remote: REMOTE });
    await lease();
    expect(await renew()).toBe(true);
    expect(await lease(61, 'two')).toBeUndefined();
    expect(await lease(91, 'two')).toMatchObject({ projectId });
    expect([await renew(), await end(), await end({}, 'two')]).toEqual([false, false, true]);
  });

  it('begin once more what was asked for while it was updated', async () => {
    await put({ remote: REMOTE });
    await lease();
    await parts.work(({ pullMirrors }) => pullMirrors.hurry(projectId, after(2)));
    expect((await find())?.status).toBe('started');
    await end();
    expect((await find())?.status).toBe('scheduled');
    expect(await lease(6)).toMatchObject({ projectId });
  });

  it('take one that is changed from whoever updates it as it was', async () => {
    await put({ remote: REMOTE });
    await lease();
    expect([await isHeld(), await isHeld('two')]).toEqual([true, false]);
    await put({ remote: { url: 'https://git.example/b.git', sealedCredentials: null } }, after(2));
    expect((await find())?.status).toBe('scheduled');
    expect([await isHeld(), await renew(), await end()]).toEqual([false, false, false]);
    expect(await lease(2, 'two')).toMatchObject({ url: 'https://git.example/b.git' });
    expect(await isHeld('two')).toBe(true);
    await parts.work(({ pullMirrors }) => pullMirrors.remove(projectId));
    expect(await isHeld('two')).toBe(false);
  });

  it('leave one that is due already its turn, however often it is asked for', async () => {
    await put({ remote: REMOTE });
    const first = projectId;
    projectId = await parts.addProject(ada);
    await put({ remote: REMOTE }, after(10));
    for (const seconds of [20, 30]) await parts.work(({ pullMirrors }) => pullMirrors.hurry(first, after(seconds)));
    expect(await lease(30)).toMatchObject({ projectId: first });
  });

  it('let one that is disabled wait for nothing, also when it was just being updated', async () => {
    await put({ remote: REMOTE });
    await lease();
    await put({ enabled: false });
    expect(await renew()).toBe(false);
    await end({ status: 'failed', error: 'Broken off.', failures: 1, dueAt: after(50) });
    expect(await find()).toMatchObject({ status: 'none', lastError: null });
    expect(await lease(1_000_000)).toBeUndefined();
    await put({}, after(60));
    expect(await lease(60)).toMatchObject({ projectId, failures: 0 });
  });

  it('pass over those of projects that are archived or about to be removed, and hold them no longer', async () => {
    const { dialect } = parts.database.reader;
    await put({ remote: REMOTE });
    const [archived, going] = [{ archived: true }, { removal_requested_at: dialect.writeInstant(NOW) }];
    for (const change of [archived, going]) {
      await changeProject(change);
      expect(await lease()).toBeUndefined();
      await changeProject({ archived: false, removal_requested_at: null });
    }
    await lease();
    for (const change of [archived, going]) {
      await changeProject(change);
      expect(await renew()).toBe(false);
      await changeProject({ archived: false, removal_requested_at: null });
    }
    expect(await renew()).toBe(true);
  });

  it('go with their project, and stay without whoever set them up', async () => {
    const eve = await parts.addUser('eve');
    await put({ remote: REMOTE, userId: eve.id });
    await parts.database.transact(({ query }) => query('users').where({ id: eve.id }).delete());
    expect(await find()).toMatchObject({ userId: null });
    expect(await lease(0, 'one', [ada.id])).toMatchObject({ userId: null });
    await parts.database.transact(({ query }) => query('projects').where({ id: projectId }).delete());
    expect(await find()).toBeUndefined();
  });
});
