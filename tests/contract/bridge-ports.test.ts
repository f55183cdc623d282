import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KnexBridgeReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-bridge-reader.js';
import { KnexCiJobReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-ci-job-reader.js';
import { KnexOldPipelineReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-old-pipeline-reader.js';
import { KnexPipelineReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-pipeline-reader.js';
import { KnexJobQueue } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-job-queue.js';
import type { NewPipeline } from '../../src/application/pipelines/ports/pipeline-ports.js';
import type { PlannedJob } from '../../src/domain/pipelines/ci-file/plan.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { planOf } from '../support/ci-files.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const [ORDINARY, BRIDGE, SHARING] = planOf(`
a: {script: make}
b: {trigger: {project: x/y, strategy: depend}}
c: {trigger: x/y, resource_group: one}
`).jobs as [PlannedJob, PlannedJob, PlannedJob];
const PAGE = { page: 1, perPage: 100 };

describeEachDatabase('the ports of jobs that start pipelines', (openTestDatabase) => {
  let parts: ContractParts;
  let bridges: KnexBridgeReader;
  let jobs: KnexCiJobReader;
  let pipelineReader: KnexPipelineReader;
  let queue: KnexJobQueue;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let grace: { id: UserId };

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    bridges = new KnexBridgeReader(parts.database.reader);
    jobs = new KnexCiJobReader(parts.database.reader);
    pipelineReader = new KnexPipelineReader(parts.database.reader);
    queue = new KnexJobQueue(parts.database.reader);
    ada = await parts.addUser('ada');
    grace = await parts.addUser('grace');
  });

  afterAll(() => parts.close());

  const addProject = () => parts.addProject(ada);

  const addPipeline = (projectId: ProjectId, more: Partial<NewPipeline> = {}) =>
    parts.work(({ pipelines }) =>
      pipelines.add({
        ...{ projectId, sha: 'a'.repeat(40), ref: 'main', tag: false, source: 'push', userId: ada.id, createdAt: NOW },
        ...more,
      }),
    );

  const made = async (userId: UserId | null = ada.id) => {
    const projectId = await addProject();
    const { id: pipelineId } = await addPipeline(projectId);
    const common = { projectId, pipelineId, protectedRef: false, userId, createdAt: NOW };
    const ids = await parts.work(({ ciJobs }) =>
      ciJobs.addAll([ORDINARY, BRIDGE, SHARING].map((definition) => ({ ...common, definition }))),
    );
    const [ordinary, bridge, sharing] = ids as [number, number, number];
    return { projectId, pipelineId, ordinary, bridge, sharing };
  };

  const viewer = (userId: UserId) => ({ userId, admin: false, today: '2026-01-01' });
  const begin = (ids: readonly number[]) => parts.work(({ ciJobs }) => ciJobs.beginBridges(ids, after(1), after(60)));

  it('begin them without a runner, and tell for whom they are', async () => {
    const [{ projectId, bridge, sharing }, nobodys] = [await made(), await made(null)];
    expect(await begin([sharing, bridge, nobodys.bridge])).toEqual([
      { id: bridge, projectId, userId: ada.id },
      { id: sharing, projectId, userId: ada.id },
      { id: nobodys.bridge, projectId: nobodys.projectId, userId: null },
    ]);
    const job = await parts.work(({ ciJobs }) => ciJobs.find(bridge));
    expect(job).toMatchObject({ status: 'pending', queuedAt: after(1), givesUpAt: after(60), definition: BRIDGE });
    const runner = {
      ...{ id: 1, type: 'instance_type', groupId: null, tags: [], runUntagged: true, protectedOnly: false },
    };
    for await (const waiting of queue.waitingFor(runner as never, 20)) expect(waiting.projectId).not.toBe(projectId);
  });

  it('say of jobs whether they are such, and list them apart', async () => {
    const { projectId, pipelineId, ordinary, bridge, sharing } = await made();
    const standings = await parts.work(({ ciJobs }) => ciJobs.standingsOf(pipelineId));
    expect(standings.map((job) => [job.id, job.bridge])).toEqual([
      [ordinary, false],
      [bridge, true],
      [sharing, true],
    ]);
    await parts.work(({ ciJobs }) => ciJobs.awaitResource([sharing], after(1)));
    const shared = await parts.work(({ ciJobs }) => ciJobs.sharingOf(projectId, ['one']));
    expect(shared).toMatchObject([{ id: sharing, bridge: true }]);
    const listed = async (more: object) => {
      const query = { pipelineId, scope: [], includeRetried: true, page: PAGE, ...more };
      return (await jobs.list(query)).items.map(({ id }) => id);
    };
    expect([await listed({}), await listed({ bridges: true })]).toEqual([[ordinary], [sharing, bridge]]);
  });

  it('tell webhooks of none', async () => {
    const { pipelineId, ordinary } = await made();
    const untold = await parts.work(({ ciJobs }) => ciJobs.takeUntold(pipelineId, 10));
    expect(untold.map(({ id }) => id)).toEqual([ordinary]);
  });

  it('keep one pipeline of each, which stays where the job is gone', async () => {
    const { pipelineId, bridge } = await made();
    const target = await addProject();
    const find = () => parts.work(({ pipelines }) => pipelines.ofBridge(bridge));
    expect(await find()).toBeUndefined();
    const started = await addPipeline(target, { source: 'pipeline', bridgeId: bridge, depth: 1 });
    expect(started).toMatchObject({ bridgeId: bridge, depth: 1 });
    expect(await find()).toEqual(started);
    await expect(addPipeline(target, { bridgeId: bridge })).rejects.toThrow();
    for (const other of [await addPipeline(target), await addPipeline(target)])
      expect(other).toMatchObject({ bridgeId: null, depth: 0 });
    await parts.work(({ pipelines }) => pipelines.remove([pipelineId]));
    expect(await find()).toEqual(started);
    expect(await bridges.upstreamOf(started, viewer(ada.id))).toBeUndefined();
  });

  it('show both ends to those who see pipelines there', async () => {
    const { pipelineId, bridge } = await made();
    const target = await parts.addProject(ada, { path: 'target' });
    const started = await addPipeline(target, { bridgeId: bridge, depth: 1 });
    const hers = await bridges.downstreamsOf([bridge], viewer(ada.id));
    expect([...hers]).toEqual([[bridge, { pipeline: started, projectPath: 'ada/target' }]]);
    expect(await bridges.upstreamOf(started, viewer(ada.id))).toMatchObject({ pipeline: { id: pipelineId } });
    expect((await bridges.downstreamsOf([bridge], viewer(grace.id))).size).toBe(0);
    expect((await bridges.downstreamsOf([], viewer(ada.id))).size).toBe(0);
    expect(await bridges.upstreamOf(started, viewer(grace.id))).toBeUndefined();
    expect(await bridges.upstreamOf({ bridgeId: null }, viewer(ada.id))).toBeUndefined();
  });

  it('count of which parts one is part, and find those that go on', async () => {
    const first = await made();
    const standing = { updatedAt: NOW, startedAt: null, finishedAt: null, told: null };
    const partOf = async (of: { readonly projectId: ProjectId; readonly bridge: number }) => {
      const pipeline = await addPipeline(of.projectId, { source: 'parent_pipeline', bridgeId: of.bridge, depth: 1 });
      const job = {
        projectId: of.projectId,
        pipelineId: pipeline.id,
        protectedRef: false,
        userId: ada.id,
        createdAt: NOW,
      };
      const [bridge] = await parts.work(({ ciJobs }) => ciJobs.addAll([{ ...job, definition: BRIDGE }]));
      return { projectId: of.projectId, pipeline, bridge: bridge! };
    };
    const child = await partOf(first);
    const grandchild = await partOf(child);
    const parent = await parts.work(({ pipelines }) => pipelines.find(first.pipelineId));
    const levels = [parent!, child.pipeline, grandchild.pipeline].map((each) => bridges.childLevelOf(each, 2));
    expect(await Promise.all(levels)).toEqual([0, 1, 2]);
    expect(await bridges.childLevelOf(grandchild.pipeline, 1)).toBe(1);
    const roots = [parent!, child.pipeline, grandchild.pipeline].map((each) => bridges.rootOf(each, 2));
    expect(await Promise.all(roots)).toEqual([parent!.id, parent!.id, parent!.id]);
    expect(await bridges.rootOf(grandchild.pipeline, 1)).toBe(child.pipeline.id);
    const children = (id: number) => parts.work(({ pipelines }) => pipelines.childrenOf(id));
    expect([await children(first.pipelineId), await children(grandchild.pipeline.id)]).toEqual([[child.pipeline], []]);
    const { id } = child.pipeline;
    await parts.work(({ pipelines }) => pipelines.saveStanding(id, { status: 'failed', ...standing }));
    expect(await children(first.pipelineId)).toEqual([]);
    await parts.work(({ pipelines }) => pipelines.remove([first.pipelineId]));
    expect(await bridges.childLevelOf(grandchild.pipeline, 2)).toBe(2);
    expect(await bridges.rootOf(grandchild.pipeline, 2)).toBe(child.pipeline.id);
  });

  it('count a part as nothing newer than what it is part of', async () => {
    const { projectId, pipelineId, bridge } = await made();
    const standing = { status: 'success', updatedAt: NOW, startedAt: null, finishedAt: null, told: null } as const;
    const child = await addPipeline(projectId, { source: 'parent_pipeline', bridgeId: bridge, depth: 1 });
    for (const id of [pipelineId, child.id]) await parts.work(({ pipelines }) => pipelines.saveStanding(id, standing));
    const newest = await parts.work(({ pipelines }) => pipelines.newest(projectId, child.sha, undefined));
    expect(newest?.id).toBe(pipelineId);
    const found = await pipelineReader.newestOf(projectId, [child.sha]);
    expect(found.get(child.sha)?.id).toBe(pipelineId);
    const old = async () => {
      const { removable } = await new KnexOldPipelineReader(parts.database.reader).endedBefore(
        after(9),
        pipelineId - 1,
        10,
      );
      return removable.filter((each) => each.projectId === projectId).map(({ id }) => id);
    };
    expect(await old()).toEqual([]);
    await addPipeline(projectId);
    expect(await old()).toEqual([pipelineId, child.id]);
  });

  it('find those that wait for a pipeline that has ended, or is gone', async () => {
    const [ended, going, gone, over] = [await made(), await made(), await made(), await made()];
    const target = await addProject();
    const wait = (id: number) =>
      parts.work(({ ciJobs }) => ciJobs.change(id, { status: 'running', givesUpAt: after(60) }));
    for (const { bridge } of [ended, going, gone]) await wait(bridge);
    await parts.work(({ ciJobs }) => ciJobs.change(over.bridge, { status: 'success', givesUpAt: null }));
    const standing = { updatedAt: NOW, startedAt: null, finishedAt: null, told: null };
    for (const [{ bridge }, status] of [
      [ended, 'skipped'],
      [going, 'manual'],
      [over, 'success'],
    ] as const) {
      const { id } = await addPipeline(target, { bridgeId: bridge, depth: 1 });
      await parts.work(({ pipelines }) => pipelines.saveStanding(id, { status, ...standing }));
    }
    expect(await bridges.waitingInVain(10)).toEqual(
      [ended, gone].map(({ bridge, projectId }) => ({ id: bridge, projectId })),
    );
    expect(await bridges.waitingInVain(1)).toHaveLength(1);
  });
});
