import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { ciProjectWith } from '../support/ci-project.js';
import { bridgesOf, pipelinesOf, startedIn, statusOf, turnOf, upstreamOf } from '../support/downstream.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const ROUNDS = 8;
/** Longer than a pipeline takes to be made, for whoever doesn't wait for the others. */
const MEANWHILE_MS = 500;
const JOB = 'x: {script: make}';

/** A CI file of many jobs that somebody begins, each of which starts this. */
const manyThatStart = (trigger: string) =>
  Array.from({ length: ROUNDS }, (_, round) => `next-${round}: {when: manual, trigger: ${trigger}}`).join('\n');

describeWriting('jobs that are canceled in the moment in which their pipelines are made', (writing) => {
  const cancel = (loom: WrittenProject, id: number) => loom.call('POST', `/jobs/${id}/cancel`);

  it('start nothing where that came first, though nobody else sees it yet', async () => {
    const target = await ciProjectWith(writing, JOB);
    const { loom, pipeline } = await upstreamOf(writing, manyThatStart(target.loom.project.path), target.loom);
    const [bridge] = await bridgesOf(loom, pipeline);
    const start = await turnOf(writing, loom, bridge!);
    const { service, clock } = writing.service;
    const starting = await service.container.get(TOKENS.unitOfWork).execute(async ({ pipelines, ciJobs }) => {
      await pipelines.hold(loom.id);
      await ciJobs.cancel([bridge!.id], clock.now());
      const begun = start();
      await Promise.race([begun, sleep(MEANWHILE_MS)]);
      return { begun };
    });
    expect(await starting.begun).toBeUndefined();
    expect(await startedIn(target.loom)).toEqual([]);
    expect((await bridgesOf(loom, pipeline)).find(({ id }) => id === bridge!.id)).toMatchObject({ status: 'canceled' });
  });

  it.each([
    ['of another project', 'elsewhere'],
    ['of their own', 'here'],
  ])('have started one, or are canceled, and never both: %s', async (_, where) => {
    const target = where === 'here' ? undefined : (await ciProjectWith(writing, JOB)).loom;
    const path = target?.project.path ?? '$CI_PROJECT_PATH';
    const { loom, pipeline } = await upstreamOf(writing, manyThatStart(path), ...(target ? [target] : []));
    const bridges = await bridgesOf(loom, pipeline);
    for (const [round, bridge] of bridges.entries()) {
      const start = await turnOf(writing, loom, bridge);
      // Either comes first now and then.
      const late = sleep(round * 3).then(() => cancel(loom, bridge.id));
      const [canceled] = await Promise.all([late, start()]);
      expect(canceled.status).toBe(201);
    }
    for (const { status, downstream_pipeline: started } of await bridgesOf(loom, pipeline))
      expect([status, started === null]).toEqual(status === 'canceled' ? ['canceled', true] : ['success', false]);
    expect(bridges).toHaveLength(ROUNDS);
  });

  it('leave no part of a canceled pipeline behind', async () => {
    const { loom, pipeline } = await upstreamOf(writing, {
      '.gitlab-ci.yml': 'next: {when: manual, allow_failure: false, trigger: {include: one.yml, strategy: depend}}',
      'one.yml': JOB,
    });
    const first = [pipeline];
    for (let round = 1; round < ROUNDS; round += 1)
      first.push((await loom.call<{ id: number }>('POST', '/pipeline', { ref: 'main' })).body.id);
    for (const [round, parent] of first.entries()) {
      const [bridge] = await bridgesOf(loom, parent);
      const start = await turnOf(writing, loom, bridge!);
      const late = sleep(round * 3).then(() => loom.call('POST', `/pipelines/${parent}/cancel`));
      await Promise.all([late, start()]);
      expect(await statusOf(loom, parent)).toBe('canceled');
    }
    const parts = await pipelinesOf(loom, '?source=parent_pipeline');
    expect(parts.filter(({ status }) => status !== 'canceled')).toEqual([]);
  });
});
