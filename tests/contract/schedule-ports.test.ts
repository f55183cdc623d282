import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KnexPipelineReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-pipeline-reader.js';
import { KnexScheduleReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-schedule-reader.js';
import type { NewSchedule } from '../../src/application/pipelines/ports/schedule-ports.js';
import type { CiValue } from '../../src/domain/pipelines/ci-file/ci-value.js';
import type { PipelineSource } from '../../src/domain/pipelines/pipeline.js';
import type { NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const SHA = 'a'.repeat(40);
const PAGE = { page: 1, perPage: 100 };
const LATER = { active: true, nextRunAt: after(900), stoppedBecause: null, lastProblem: null } as const;

describeEachDatabase('the ports of pipeline schedules', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexScheduleReader;
  let ada: { id: UserId; namespaceId: NamespaceId };

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexScheduleReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });

  afterAll(() => parts.close());

  const addProject = () => parts.addProject(ada);

  const add = async (projectId: ProjectId, more: Partial<NewSchedule> = {}) => {
    const id = await parts.work(({ pipelineSchedules }) =>
      pipelineSchedules.add({
        ...{ projectId, ownerId: ada.id, description: 'Nightly', ref: 'main', tag: false, cron: '0 4 * * *' },
        ...{ cronTimezone: 'UTC', active: true, nextRunAt: after(300), sealedVariables: 'sealed', createdAt: NOW },
        inputs: new Map(),
        ...more,
      }),
    );
    return (await reader.find(projectId, id))!;
  };

  const addPipeline = (projectId: ProjectId, source: PipelineSource, scheduleId: number | null = null) =>
    parts.work(({ pipelines }) =>
      pipelines.add({
        ...{ projectId, sha: SHA, ref: 'main', tag: false, source, userId: ada.id, createdAt: NOW, scheduleId },
      }),
    );

  it('keep what is said of one, and in the project that it is of', async () => {
    const [one, other] = [await addProject(), await addProject()];
    const schedule = await add(one);
    expect(schedule).toEqual({
      ...{ id: schedule.id, projectId: one, ownerId: ada.id, description: 'Nightly', ref: 'main', tag: false },
      ...{ cron: '0 4 * * *', cronTimezone: 'UTC', active: true, nextRunAt: after(300), stoppedBecause: null },
      ...{ lastProblem: null, createdAt: NOW, updatedAt: NOW, lastPlayedAt: null },
      owner: { id: ada.id, username: 'ada', name: 'ada', state: 'active' },
    });
    expect(await reader.find(other, schedule.id)).toBeUndefined();
    expect(await reader.givenBy(schedule.id)).toEqual({ sealedVariables: 'sealed', inputs: new Map() });
    const idle = await add(one, { active: false, nextRunAt: null });
    const ids = async (active?: boolean) => (await reader.list(one, active, PAGE)).items.map(({ id }) => id);
    expect([await ids(), await ids(true), await ids(false)]).toEqual([
      [schedule.id, idle.id],
      [schedule.id],
      [idle.id],
    ]);
    const inputs = new Map<string, CiValue>([
      ['stage', 'deploy'],
      ['copies', 2],
      ['tags', ['a', true]],
    ]);
    const change = { tag: true, active: false, nextRunAt: null, sealedVariables: null, inputs };
    await parts.work(({ pipelineSchedules }) => pipelineSchedules.change(schedule.id, change, after(1)));
    expect(await parts.work(({ pipelineSchedules }) => pipelineSchedules.find(one, schedule.id))).toMatchObject({
      ...change,
      description: 'Nightly',
      updatedAt: after(1),
    });
    expect(await reader.givenBy(schedule.id)).toEqual({ sealedVariables: null, inputs });
    expect(await reader.givenBy(0)).toEqual({ sealedVariables: null, inputs: new Map() });
  });

  it('find those that are due, the longest due first, and none that is not active or goes with its project', async () => {
    const [one, going] = [await addProject(), await addProject()];
    const [late, early] = [await add(one, { nextRunAt: after(20) }), await add(one, { nextRunAt: after(10) })];
    await add(one, { nextRunAt: after(40) });
    await add(one, { active: false, nextRunAt: null });
    await add(going, { nextRunAt: after(10) });
    const { dialect } = parts.database.reader;
    await parts.database
      .schema('projects')
      .where({ id: going })
      .update({ removal_requested_at: dialect.writeInstant(NOW) });
    const due = async (at: Date, limit: number) => (await reader.dueBefore(at, limit)).map(({ id }) => id);
    expect([await due(after(20), 9), await due(after(20), 1), await due(after(9), 9)]).toEqual([
      [early.id, late.id],
      [early.id],
      [],
    ]);
  });

  it('find those that are due in turn by project', async () => {
    const [many, few] = [await addProject(), await addProject()];
    const at = (projectId: ProjectId, seconds: number) => add(projectId, { nextRunAt: after(seconds - 1_000) });
    const [first, second, third] = [await at(many, 1), await at(many, 2), await at(many, 3)];
    const [other, another] = [await at(few, 4), await at(few, 5)];
    const due = async (limit: number) => (await reader.dueBefore(after(-900), limit)).map(({ id }) => id);
    expect(await due(9)).toEqual([first.id, other.id, second.id, another.id, third.id]);
    expect(await due(2)).toEqual([first.id, other.id]);
  });

  it('let a run be taken once, and only where the schedule is as it was read', async () => {
    const project = await addProject();
    const take = (schedule: Awaited<ReturnType<typeof add>>) =>
      parts.work(({ pipelineSchedules }) => pipelineSchedules.takeRun(schedule, LATER));
    const one = await add(project);
    const taken = await Promise.all([take(one), take(one), take(one)]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await reader.find(project, one.id)).toEqual({ ...one, ...LATER });
    const two = await add(project);
    await parts.work(({ pipelineSchedules }) => pipelineSchedules.change(two.id, { ref: 'fix' }, after(1)));
    expect(await take(two)).toBe(false);
  });

  it('note that one is run by hand, unless it was since then, or is not as it was read', async () => {
    const project = await addProject();
    const read = await add(project);
    const play = (at: number) =>
      parts.work(({ pipelineSchedules }) => pipelineSchedules.play(read, after(at), after(at - 60)));
    expect([await play(0), await play(59), await play(60)]).toEqual([true, false, true]);
    await parts.work(({ pipelineSchedules }) => pipelineSchedules.change(read.id, { ref: 'fix' }, after(61)));
    expect(await play(180)).toBe(false);
    expect((await reader.find(project, read.id))?.lastPlayedAt).toEqual(after(60));
  });

  it('tell the newest pipeline of each, and keep those of one that is removed', async () => {
    const project = await addProject();
    const [one, two, none] = [await add(project), await add(project), await add(project)];
    await addPipeline(project, 'schedule', one.id);
    const second = await addPipeline(project, 'schedule', two.id);
    const third = await addPipeline(project, 'schedule', one.id);
    const last = await reader.lastPipelinesOf([one.id, two.id, none.id]);
    expect(last).toEqual(
      new Map([
        [one.id, third],
        [two.id, second],
      ]),
    );
    expect(await reader.lastPipelinesOf([])).toEqual(new Map());
    await parts.work(({ pipelineSchedules }) => pipelineSchedules.remove(one.id));
    const pipelines = new KnexPipelineReader(parts.database.reader);
    expect(await pipelines.find(project, third.id)).toMatchObject({ id: third.id });
    const query = { projectId: project, scheduleId: two.id, orderBy: 'id', sort: 'asc', page: PAGE } as const;
    expect((await pipelines.list(query)).items).toEqual([second]);
  });

  it('count no pipelines of theirs among those of a commit', async () => {
    const project = await addProject();
    for (const source of ['external', 'push', 'web', 'api', 'trigger', 'schedule'] as const)
      await addPipeline(project, source);
    expect(await parts.work(({ pipelines }) => pipelines.countOf(project, SHA, 100))).toBe(5);
  });

  it('are beside the newest of a commit, and not among those of a merge request', async () => {
    const project = await addProject();
    const external = await addPipeline(project, 'external');
    const scheduled = await addPipeline(project, 'schedule');
    const pipelines = new KnexPipelineReader(parts.database.reader);
    const shas = [SHA, 'b'.repeat(40)];
    expect([...(await pipelines.newestOf(project, shas))]).toEqual([[SHA, scheduled]]);
    const listed = await pipelines.listOf({ projectIds: [project], shas, mergeRequestId: 0, page: PAGE });
    expect(listed.items).toEqual([external]);
  });

  it('leave of what they found out about a commit what the newest hundred of their pipelines say', async () => {
    const project = await addProject();
    const say = (pipelineId: number, name: string) =>
      parts.work(({ commitStatuses }) =>
        commitStatuses.add({
          ...{ pipelineId, name, status: 'success', authorId: ada.id, targetUrl: null, description: null },
          ...{ coverage: null, stage: 'external', allowFailure: false },
          ...{ createdAt: NOW, startedAt: null, finishedAt: null },
        }),
      );
    await say((await addPipeline(project, 'external')).id, 'told');
    const before = await addPipeline(project, 'schedule');
    await say(before.id, 'before');
    await say((await addPipeline(project, 'schedule')).id, 'oldest');
    for (let count = 0; count < 99; count += 1) await addPipeline(project, 'schedule');
    const reading = new KnexPipelineReader(parts.database.reader);
    const query = { projectId: project, sha: SHA, all: false, orderBy: 'id', sort: 'asc', page: PAGE } as const;
    const names = (await reading.statuses(query)).items.map(({ name }) => name);
    expect(names).toEqual(['told', 'oldest']);
    expect((await reading.checksOf(before.id)).map(({ name }) => name)).toEqual(['before']);
  });

  it('stay without their owner', async () => {
    const project = await addProject();
    const grace = await parts.addUser('grace');
    const { id } = await add(project, { ownerId: grace.id });
    await parts.database.schema('users').where({ id: grace.id }).delete();
    expect(await reader.find(project, id)).toMatchObject({ ownerId: null, owner: null });
  });
});
