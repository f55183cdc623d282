import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KnexResourceGroupReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-resource-group-reader.js';
import type { PlannedJob } from '../../src/domain/pipelines/ci-file/plan.js';
import type { ProcessMode } from '../../src/domain/pipelines/resource-group.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { planOf } from '../support/ci-files.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const JOBS = planOf(`
a: {script: make, resource_group: live}
b: {script: make, resource_group: live}
alone: {script: make}
`).jobs as readonly PlannedJob[];
const PAGE = { page: 1, perPage: 100 };

describeEachDatabase('the ports of what jobs share', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexResourceGroupReader;
  let ada: { id: UserId; namespaceId: NamespaceId };

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexResourceGroupReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });

  afterAll(() => parts.close());

  const addPipeline = (projectId: ProjectId) =>
    parts.work(async ({ pipelines, ciJobs }) => {
      const of = { projectId, sha: 'a'.repeat(40), ref: 'main', tag: false, source: 'push', userId: ada.id } as const;
      const { id: pipelineId } = await pipelines.add({ ...of, createdAt: NOW });
      const common = { projectId, pipelineId, protectedRef: false, userId: ada.id, createdAt: NOW };
      const [a, b] = await ciJobs.addAll(JOBS.map((definition) => ({ ...common, definition })));
      return { pipelineId, a: a!, b: b! };
    });
  const ensure = (projectId: ProjectId, ...keys: readonly string[]) =>
    parts.work(({ resourceGroups }) => resourceGroups.ensure(projectId, keys, NOW));
  const setMode = (projectId: ProjectId, mode: ProcessMode, key = 'live') =>
    parts.work(({ resourceGroups }) => resourceGroups.setMode(projectId, key, mode, after(1)));

  it('make each once, in no order, and tell of those of a project alone', async () => {
    const [project, other] = [await parts.addProject(ada), await parts.addProject(ada)];
    await ensure(project, 'live', 'staging');
    await setMode(project, 'oldest_first');
    await ensure(project, 'live', 'more');
    await ensure(other, 'live');
    const { items } = await reader.list(project, PAGE);
    expect(items.map(({ key, processMode }) => [key, processMode])).toEqual([
      ['live', 'oldest_first'],
      ['staging', 'unordered'],
      ['more', 'unordered'],
    ]);
    expect(await reader.find(project, 'live')).toEqual({
      ...{ id: expect.any(Number), key: 'live', processMode: 'oldest_first', createdAt: NOW, updatedAt: after(1) },
    });
    expect(await reader.find(other, 'staging')).toBeUndefined();
    expect(await setMode(other, 'newest_first', 'staging')).toBe(false);
    expect(await parts.work(({ resourceGroups }) => resourceGroups.modesOf(project, ['live', 'none']))).toEqual(
      new Map([['live', 'oldest_first']]),
    );
  });

  it('tell of jobs that come to them by themselves, and who is next in each order', async () => {
    const project = await parts.addProject(ada);
    const [first, second, blocked] = [
      await addPipeline(project),
      await addPipeline(project),
      await addPipeline(project),
    ];
    const elsewhere = await addPipeline(await parts.addProject(ada));
    await ensure(project, 'live');
    await parts.work(async ({ pipelines, ciJobs }) => {
      const standing = { updatedAt: NOW, startedAt: null, finishedAt: null, told: null };
      await pipelines.saveStanding(blocked.pipelineId, { status: 'manual', ...standing });
      await ciJobs.awaitResource([second.a], after(1));
      await ciJobs.awaitResource([first.b, elsewhere.a], after(2));
      await ciJobs.schedule([second.b], after(9));
    });
    const coming = await parts.work(({ resourceGroups }) => resourceGroups.comingTo(project, ['live', 'none']));
    expect(coming.map(({ id, status }) => [id, status]).sort()).toEqual(
      [
        [first.a, 'created'],
        [second.b, 'scheduled'],
      ].sort(),
    );
    const upcoming = async (mode: ProcessMode) => {
      await setMode(project, mode);
      return (await reader.upcoming(project, (await reader.find(project, 'live'))!, PAGE)).items;
    };
    expect(await upcoming('unordered')).toEqual([second.a, first.b]);
    expect(await upcoming('oldest_first')).toEqual([first.b, first.a, second.a, second.b]);
    expect(await upcoming('newest_first')).toEqual([second.a, second.b, first.b, first.a]);
  });
});
