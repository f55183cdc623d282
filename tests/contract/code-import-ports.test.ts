import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { KnexCodeImportReader } from '../../src/adapters/outbound/persistence/knex/repositories/knex-code-import-repository.js';
import { KnexRefReader } from '../../src/adapters/outbound/persistence/knex/repositories/knex-ref-reader.js';
import { KnexProjectRelationsReader } from '../../src/adapters/outbound/persistence/knex/workspace/knex-project-relations-reader.js';
import { STRANGER } from '../../src/application/workspace/ports/workspace-readers.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const REMOTE = { url: 'https://git.example/a.git', sealedCredentials: 'sealed' };

describeEachDatabase('the ports of imports', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexCodeImportReader;
  let refs: KnexRefReader;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let projectId: ProjectId;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexCodeImportReader(parts.database.reader);
    refs = new KnexRefReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });
  beforeEach(async () => {
    await parts.database.transact(({ query }) => query('code_imports').delete());
    projectId = await parts.addProject(ada);
  });
  afterAll(() => parts.close());

  const ask = () =>
    parts.work(({ codeImports }) => codeImports.ask({ projectId, userId: ada.id, remote: REMOTE }, NOW));
  const askAgain = (url: string) => {
    const asked = { userId: ada.id, remote: { url, sealedCredentials: null } };
    return parts.work(({ codeImports }) => codeImports.askAgain({ projectId, ...asked }, NOW));
  };
  const lease = (seconds = 0, holder = 'one', exceptUsers: readonly UserId[] = []) =>
    parts.work(({ codeImports }) =>
      codeImports.lease({ holder, now: after(seconds), until: after(seconds + 60), exceptUsers }),
    );

  it('lease one with what it takes to fetch it, once, and not of who has enough', async () => {
    await ask();
    expect(await refs.isBeingCopied(projectId)).toBe(true);
    expect(await lease(0, 'one', [ada.id])).toBeUndefined();
    expect(await lease()).toEqual({ projectId, userId: ada.id, remote: REMOTE, attempts: 1 });
    expect(await lease(1, 'two')).toBeUndefined();
    expect(await parts.work(({ codeImports }) => codeImports.renew(projectId, 'one', after(90)))).toBe(true);
    expect(await lease(61, 'two')).toBeUndefined();
    expect(await lease(91, 'two')).toMatchObject({ attempts: 2 });
    expect(await parts.work(({ codeImports }) => codeImports.renew(projectId, 'one', after(200)))).toBe(false);
    expect(await parts.work(({ codeImports }) => codeImports.end(projectId, 'one'))).toBe(false);
    expect(await parts.work(({ codeImports }) => codeImports.end(projectId, 'two'))).toBe(true);
    expect([await refs.isBeingCopied(projectId), await reader.urlOf(projectId)]).toEqual([false, undefined]);
    // Whoever saw it fail comes too late where somebody else has had it fetched since.
    expect(await askAgain(REMOTE.url)).toBe(false);
  });

  it('postpone one, and keep no more than the URL of one that is given up until it is asked for again', async () => {
    await ask();
    await lease();
    await parts.work(({ codeImports }) => codeImports.postpone(projectId, 'one', after(100)));
    expect(await lease(99)).toBeUndefined();
    expect(await lease(100)).toMatchObject({ attempts: 2 });
    expect(await parts.work(({ codeImports }) => codeImports.giveUp(projectId, 'two'))).toBe(false);
    expect(await parts.work(({ codeImports }) => codeImports.giveUp(projectId, 'one'))).toBe(true);
    expect(await lease(1_000)).toBeUndefined();
    expect([await refs.isBeingCopied(projectId), await reader.urlOf(projectId)]).toEqual([false, REMOTE.url]);
    const row = (await parts.database.reader.query('code_imports').first())!;
    expect(row.sealed_credentials).toBeNull();
    expect(await askAgain('https://other.example/b.git')).toBe(true);
    expect(await askAgain('https://late.example/c.git')).toBe(false);
    expect(await lease()).toMatchObject({
      attempts: 1,
      remote: { url: 'https://other.example/b.git', sealedCredentials: null },
    });
  });

  it('are held no longer once their project is about to be removed', async () => {
    await ask();
    await lease();
    const { dialect } = parts.database.reader;
    const removal = { removal_requested_at: dialect.writeInstant(NOW) };
    await parts.database.transact(({ query }) => query('projects').where({ id: projectId }).update(removal));
    expect(await parts.work(({ codeImports }) => codeImports.renew(projectId, 'one', after(90)))).toBe(false);
  });

  it.each(['archived', 'blocked'] as const)(
    'are held no longer once their project, or who asked, is %s, and say so',
    async (hindrance) => {
      const hinder = (is: boolean) =>
        parts.database.transact(({ query }) =>
          hindrance === 'archived'
            ? query('projects').where({ id: projectId }).update({ archived: is })
            : query('users')
                .where({ id: ada.id })
                .update({ state: is ? 'blocked' : 'active' }),
        );
      await ask();
      await lease();
      expect(await parts.work(({ codeImports }) => codeImports.hindranceOf(projectId))).toBeUndefined();
      await hinder(true);
      expect(await parts.work(({ codeImports }) => codeImports.hindranceOf(projectId))).toBe(hindrance);
      expect(await parts.work(({ codeImports }) => codeImports.renew(projectId, 'one', after(90)))).toBe(false);
      // It is handed out all the same, so that it is given up.
      expect(await lease(61)).toMatchObject({ projectId });
      await hinder(false);
    },
  );

  it('go on where who asked is gone, and end with the project', async () => {
    await parts.work(({ codeImports }) => codeImports.ask({ projectId, userId: null, remote: REMOTE }, NOW));
    expect(await lease(0, 'one', [ada.id])).toMatchObject({ userId: null });
    await parts.database.transact(({ query }) => query('projects').where({ id: projectId }).delete());
    expect(await lease(1_000)).toBeUndefined();
  });

  it('say how the code arrives, of a project that is a fork of none', async () => {
    const relations = new KnexProjectRelationsReader(parts.database.reader);
    const copied = async () => (await relations.relationsOf(STRANGER, [projectId])).get(projectId)?.copied;
    await parts.work(({ forks }) => forks.addImport(projectId, NOW));
    expect(await copied()).toEqual({ state: 'scheduled', error: null });
    await parts.work(({ forks }) => forks.setImport(projectId, 'failed', 'Away.'));
    expect(await copied()).toEqual({ state: 'failed', error: 'Away.' });
    await parts.work(({ forks }) => forks.addImport(projectId, NOW));
    expect(await copied()).toEqual({ state: 'scheduled', error: null });
    const source = await parts.addProject(ada);
    await parts.work(({ forks }) => forks.add(projectId, source, 'finished', NOW));
    expect(await copied()).toEqual({ state: 'finished', error: null });
  });
});
