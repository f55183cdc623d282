import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KnexStaleRefRepository } from '../../src/adapters/outbound/persistence/knex/repositories/knex-stale-ref-repository.js';
import { randomSecretSource } from '../../src/adapters/outbound/security/node-secrets.js';
import type { RefProjector } from '../../src/application/repositories/ports/object-stores.js';
import { ProjectRefs } from '../../src/application/repositories/project-refs.js';
import { AdjustableClock } from '../support/adjustable-clock.js';
import { ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { until } from '../support/until.js';
import type { NamespaceId } from '../../src/domain/shared/identifiers.js';

const [A, B] = ['a', 'b'].map((digit) => digit.repeat(40)) as [string, string];

describeEachDatabase('refs that are written into files', (openTestDatabase) => {
  let parts: ContractParts;
  let namespaceId: NamespaceId;
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    ({ namespaceId } = await parts.addUser('ada'));
  });

  afterAll(() => parts.close());

  /** A repository with the branch `main`, whose files a test lets last or not. */
  const addRepository = async ({ full = false, pause = sleep as (ms: number) => Promise<void> } = {}) => {
    const name = `project-${(serial += 1)}`;
    const fields = { name, path: name, visibility: 'private', namespaceId, createdAt: NOW } as const;
    const rest = { description: null, defaultBranch: 'main', mergeWhenPipelineSucceeds: false, creatorId: null };
    const store = String(serial).padStart(64, '0');
    const { id } = await parts.work(async ({ projects, repositories }) => {
      const opened = await repositories.open(await projects.add({ ...fields, ...rest }), store, NOW);
      return opened!;
    });
    const written: (string | null)[] = [];
    const lasting: PromiseWithResolvers<undefined>[] = [];
    const projector: RefProjector = {
      write: (_store, refs) => {
        if (full) return Promise.reject(new Error('The disk is full.'));
        written.push(...refs.filter((ref) => ref.name !== 'HEAD').map(({ value }) => value));
        const last = Promise.withResolvers<undefined>();
        lasting.push(last);
        return Promise.resolve(() => last.promise);
      },
      pack: () => Promise.resolve(),
    };
    const logger = new RecordingLogger();
    const projectRefs = new ProjectRefs({
      unitOfWork: { execute: (work, manner) => parts.work(work, manner) },
      staleRefs: new KnexStaleRefRepository(parts.database.reader),
      projector,
      secrets: randomSecretSource,
      clock: new AdjustableClock(),
      pause,
      logger,
    });
    const move = (from: string | null, target: string) =>
      parts.work(({ refs }) =>
        refs.move(id, { ref: 'refs/heads/main', from, to: { target, peeled: null, committedAt: NOW } }),
      );
    const hasStale = () => parts.work(({ staleRefs }) => staleRefs.hasAny(id));
    return { repository: { id, store }, projectRefs, written, lasting, logger, move, hasStale };
  };

  it('are told to be there once they are written, and are noted as to be written until that lasts', async () => {
    const { repository, projectRefs, written, lasting, move, hasStale } = await addRepository();
    await move(null, A);
    await projectRefs.execute(repository);
    expect([written, await hasStale()]).toEqual([[A], true]);
    lasting[0]?.resolve(undefined);
    await projectRefs.settle();
    expect(await hasStale()).toBe(false);
  });

  it('are written at once for whoever reads them, and else a little later, together', async () => {
    const pauses: PromiseWithResolvers<undefined>[] = [];
    const pause = (): Promise<void> => {
      pauses.push(Promise.withResolvers<undefined>());
      return pauses.at(-1)!.promise;
    };
    const { repository, projectRefs, written, lasting, move } = await addRepository({ pause });
    await move(null, A);
    projectRefs.soon(repository);
    await move(A, B);
    projectRefs.soon(repository);
    expect([written, pauses.length]).toEqual([[], 1]);
    await projectRefs.catchUp(repository);
    expect(written).toEqual([B]);
    lasting[0]?.resolve(undefined);
    await projectRefs.settle();
    await move(B, A);
    projectRefs.soon(repository);
    pauses.at(-1)?.resolve(undefined);
    await until(() => Promise.resolve(written.length > 1));
    lasting[1]?.resolve(undefined);
    await projectRefs.settle();
    expect([written, lasting.length]).toEqual([[B, A], 2]);
  });

  it('are written when the service ends, before the time for it has come', async () => {
    const { repository, projectRefs, written, lasting, move, hasStale } = await addRepository();
    await move(null, A);
    projectRefs.soon(repository);
    const settled = projectRefs.settle();
    await until(() => Promise.resolve(lasting.length === 1));
    lasting[0]?.resolve(undefined);
    await settled;
    expect([written, await hasStale()]).toEqual([[A], false]);
  });

  it('are read as they are where they can not be written, and the log tells of it', async () => {
    const { repository, projectRefs, logger, move } = await addRepository({ full: true });
    await move(null, A);
    await projectRefs.catchUp(repository);
    expect(logger.lines).toMatchObject([{ level: 'warn', message: 'refs were not written to their files' }]);
  });

  it('are written one after another, and the next waits until what is written before lasts', async () => {
    const { repository, projectRefs, written, lasting, move, hasStale } = await addRepository();
    await move(null, A);
    await projectRefs.execute(repository);
    await move(A, B);
    const both = [projectRefs.execute(repository), projectRefs.execute(repository)];
    await sleep(50);
    expect(written).toEqual([A]);
    lasting[0]?.resolve(undefined);
    await Promise.all(both);
    expect(written).toEqual([A, B]);
    lasting[1]?.resolve(undefined);
    await projectRefs.settle();
    expect([written, await hasStale()]).toEqual([[A, B], false]);
  });

  it('are written again where they could not be made to last, and the log tells of it', async () => {
    const { repository, projectRefs, written, lasting, logger, move, hasStale } = await addRepository();
    await move(null, A);
    await projectRefs.execute(repository);
    lasting[0]?.reject(new Error('The disk is gone.'));
    await projectRefs.settle();
    expect(logger.lines).toMatchObject([{ level: 'warn', message: 'written refs were not noted' }]);
    expect(await hasStale()).toBe(true);
    await projectRefs.execute(repository);
    lasting[1]?.resolve(undefined);
    await projectRefs.settle();
    expect([written, await hasStale()]).toEqual([[A, A], false]);
  });
});
