import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KnexCiJobReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-ci-job-reader.js';
import { KnexJobQueue } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-job-queue.js';
import { KnexCiRunnerReader } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-ci-runner-reader.js';
import type { CiRunnerQuery } from '../../src/application/pipelines/ports/ci-job-ports.js';
import type { PlannedJob } from '../../src/domain/pipelines/ci-file/plan.js';
import {
  RUNNER_STANDINGS,
  runnerStanding,
  type CiRunner,
  type RunnerFields,
  type RunnerType,
} from '../../src/domain/pipelines/ci-runner.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { after, ContractParts, NOW } from '../support/contract-parts.js';
import { describeEachDatabase } from '../support/databases.js';

const SHA = 'a'.repeat(40);

const planned = (name: string, more: Partial<PlannedJob> = {}): PlannedJob => ({
  ...{ name, madeOf: name, stage: 'test', stageIndex: 1, when: 'on_success', allowFailure: false },
  ...{ allowedExitCodes: [], needs: null, dependencies: null, tags: [], timeoutSeconds: null },
  ...{ retry: { max: 0, when: ['always'] }, interruptible: false, coverage: null, variables: [] },
  options: {
    script: ['make'],
    afterScript: [],
    image: null,
    services: [],
    artifacts: null,
    cache: [],
    environment: null,
  },
  ...more,
});

const ORDINARY: RunnerFields = {
  ...{ description: null, tags: [], runUntagged: true, locked: false, paused: false, protectedOnly: false },
  ...{ maximumTimeout: null, maintenanceNote: null },
};

describeEachDatabase('the ports of jobs', (openTestDatabase) => {
  let parts: ContractParts;
  let reader: KnexCiJobReader;
  let queue: KnexJobQueue;
  let runnerReader: KnexCiRunnerReader;
  let ada: { id: UserId; namespaceId: NamespaceId };
  let serial = 0;

  beforeAll(async () => {
    parts = new ContractParts(await openTestDatabase());
    reader = new KnexCiJobReader(parts.database.reader);
    queue = new KnexJobQueue(parts.database.reader);
    runnerReader = new KnexCiRunnerReader(parts.database.reader);
    ada = await parts.addUser('ada');
  });

  afterAll(() => parts.close());

  const addProject = (namespaceId = ada.namespaceId) => parts.addProject({ ...ada, namespaceId });

  /** A pipeline with these jobs; answers their ids. */
  const addJobs = (projectId: ProjectId, jobs: readonly PlannedJob[], protectedRef = false) =>
    parts.work(async ({ pipelines, ciJobs }) => {
      const of = { projectId, sha: SHA, ref: 'main', tag: false, source: 'push', userId: ada.id } as const;
      const { id: pipelineId } = await pipelines.add({ ...of, createdAt: NOW });
      const common = { projectId, pipelineId, protectedRef, userId: ada.id, createdAt: NOW };
      const ids = await ciJobs.addAll(jobs.map((definition) => ({ ...common, definition })));
      return { pipelineId, ids };
    });

  const takeable = async (runner: CiRunner, limit: number): Promise<readonly number[]> => {
    const ids: number[] = [];
    for await (const { id } of queue.waitingFor(runner, limit)) ids.push(id);
    return ids;
  };

  const enqueue = (ids: readonly number[]) => parts.work(({ ciJobs }) => ciJobs.enqueue(ids, after(1), after(60)));

  const addRunner = (
    type: RunnerType,
    projects: readonly ProjectId[],
    fields: Partial<RunnerFields & Pick<CiRunner, 'groupId'>> & { readonly createdBy?: UserId } = {},
  ): Promise<CiRunner> => {
    const tokenDigest = `digest-${(serial += 1)}`;
    const { groupId = null, createdBy = ada.id, ...chosen } = fields;
    const whole = { ...ORDINARY, ...chosen, type, groupId, tokenDigest, createdBy, createdAt: NOW };
    return parts.work(({ ciRunners }) => ciRunners.add(whole, projects));
  };

  it('keep what the file says of a job, however many there are, and how each stands, in the order of their stages', async () => {
    const names = Array.from({ length: 230 }, (_, index) => `job ${index}`);
    const last = planned('last', { stageIndex: 9, needs: [{ name: 'job 7', artifacts: true }], when: 'always' });
    const { pipelineId, ids } = await addJobs(await addProject(), [last, ...names.map((name) => planned(name))]);
    expect(new Set(ids).size).toBe(231);
    const standings = await parts.work(({ ciJobs }) => ciJobs.standingsOf(pipelineId));
    expect(standings.map(({ name }) => name)).toEqual([...names, 'last']);
    expect(standings.at(-1)).toEqual({
      ...{ id: ids[0], name: 'last', stageIndex: 9, status: 'created', allowFailure: false },
      ...{ when: 'always', needs: ['job 7'], resourceGroup: null, startInSeconds: null, bridge: false },
    });
    const job = await parts.work(({ ciJobs }) => ciJobs.find(ids[0]!));
    expect(job).toMatchObject({ definition: last, status: 'created', latest: true, logBytes: 0, userId: ada.id });
  });

  it('give a runner what its tags and its projects allow, what waits longest first, and what is taken no more', async () => {
    const [one, two] = [await addProject(), await addProject()];
    const { ids } = await addJobs(one, [planned('a'), planned('b', { tags: ['linux', 'arm'] }), planned('c')]);
    const { ids: others } = await addJobs(two, [planned('d')], true);
    await enqueue([...ids.slice(0, 2), ...others]);
    const waiting = async (runner: CiRunner) => await takeable(runner, 10);
    const [a, b] = ids;
    const [d] = others;
    const whole = await addRunner('instance_type', []);
    expect(await waiting(whole)).toEqual([a, d]);
    const linux = { tags: ['arm', 'linux', 'big'], runUntagged: false };
    expect(await waiting(await addRunner('project_type', [one], linux))).toEqual([b]);
    expect(await waiting(await addRunner('project_type', [two], linux))).toEqual([]);
    expect(await waiting(await addRunner('project_type', [one, two]))).toEqual([a, d]);
    expect(await waiting(await addRunner('instance_type', [], { protectedOnly: true }))).toEqual([d]);
    await parts.work(({ ciJobs }) => ciJobs.change(a!, { status: 'running', queued: false, runnerId: whole.id }));
    expect(await waiting(whole)).toEqual([d]);
    await parts.work(({ projects }) => projects.update(two, { archived: true }, after(2)));
    expect(await waiting(whole)).toEqual([]);
  });

  it('give the jobs of a project in turn with those of others: first where fewer run, then what waits longest', async () => {
    const [one, two, three] = [await addProject(), await addProject(), await addProject()];
    const projects = [one, two, three];
    const { ids: ofOne, pipelineId } = await addJobs(one, [planned('a'), planned('b'), planned('c'), planned('d')]);
    const { ids: ofTwo } = await addJobs(two, [planned('a'), planned('b')]);
    const { ids: ofThree } = await addJobs(three, [planned('a')]);
    await enqueue([...ofOne, ...ofTwo]);
    await parts.work(({ ciJobs }) => ciJobs.enqueue(ofThree, after(2), after(60)));
    const runner = await addRunner('project_type', projects);
    const waiting = async (limit = 20) => await takeable(runner, limit);
    const [a, b, c, d] = ofOne;
    const [e, f] = ofTwo;
    const [g] = ofThree;
    expect(await waiting()).toEqual([a, b, c, d, e, f, g]);
    expect(await waiting(3)).toEqual([a, e, g]);
    expect(await waiting(2)).toEqual([a, e]);
    const begin = (id: number) =>
      parts.work(({ ciJobs }) => ciJobs.change(id, { status: 'running', queued: false, givesUpAt: after(90) }));
    await begin(a!);
    expect(await waiting()).toEqual([e, f, g, b, c, d]);
    await begin(e!);
    await begin(b!);
    expect(await waiting()).toEqual([g, f, c, d]);
    // One whose turn passed comes after those that wait longer.
    await parts.work(({ ciJobs }) => ciJobs.change(c!, { queuedAt: after(3) }));
    expect(await waiting()).toEqual([g, f, d, c]);
    const goingOn = () => parts.work(({ ciJobs }) => ciJobs.goingOn(one));
    expect(await goingOn()).toEqual(new Map([['[]', 4]]));
    // One that was run again counts no more.
    await parts.work(({ ciJobs }) => ciJobs.change(a!, { latest: false }));
    expect(await goingOn()).toEqual(new Map([['[]', 3]]));
    const ended = {
      status: 'success',
      updatedAt: after(4),
      startedAt: after(1),
      finishedAt: after(4),
      told: null,
    } as const;
    await parts.work(({ pipelines }) => pipelines.saveStanding(pipelineId, ended));
    expect(await goingOn()).toEqual(new Map());
    // One that begins later by itself counts, whatever else its pipeline waits for.
    await parts.work(({ pipelines }) => pipelines.saveStanding(pipelineId, { ...ended, status: 'manual' }));
    await parts.work(({ ciJobs }) => ciJobs.schedule([c!], after(9)));
    expect(await goingOn()).toEqual(new Map([['[]', 1]]));
    expect(await parts.work(({ ciJobs }) => ciJobs.tagsOf(pipelineId))).toEqual(new Map([['[]', 3]]));
  });

  describe('of groups', () => {
    const addGroup = (parentId: GroupId | null): Promise<GroupId> => parts.addGroup(parentId);

    const addQueued = async (namespaceId: NamespaceId, tag: string): Promise<{ project: ProjectId; job: number }> => {
      const project = await addProject(namespaceId);
      const { ids } = await addJobs(project, [planned('a', { tags: [tag] })]);
      await enqueue(ids);
      return { project, job: ids[0]! };
    };

    it('give a runner of a group the jobs of projects in it and below it, as things are then', async () => {
      const top = await addGroup(null);
      const [middle, beside] = [await addGroup(top), await addGroup(top)];
      const deep = await addGroup(await addGroup(middle));
      const tag = `tag-${(serial += 1)}`;
      const inTop = await addQueued(top, tag);
      const inMiddle = await addQueued(middle, tag);
      const inDeep = await addQueued(deep, tag);
      const inBeside = await addQueued(beside, tag);
      const elsewhere = await addQueued(ada.namespaceId, tag);
      const fit = { tags: [tag], runUntagged: false };
      const runnerOf = (groupId: GroupId) => addRunner('group_type', [], { ...fit, groupId });
      const [ofTop, ofMiddle] = [await runnerOf(top), await runnerOf(middle)];
      const jobs = (...places: readonly { job: number }[]) => places.map(({ job }) => job);
      expect(await takeable(ofTop, 20)).toEqual(jobs(inTop, inMiddle, inDeep, inBeside));
      expect(await takeable(ofMiddle, 20)).toEqual(jobs(inMiddle, inDeep));
      const takes = (runner: CiRunner) =>
        parts.work(async ({ ciRunners }) => {
          const answers: boolean[] = [];
          for (const { project } of [inTop, inMiddle, inDeep, inBeside, elsewhere])
            answers.push(await ciRunners.takesJobsOf(runner, project));
          return answers;
        });
      expect(await takes(ofTop)).toEqual([true, true, true, true, false]);
      expect(await takes(ofMiddle)).toEqual([false, true, true, false, false]);
      expect(await takes(await addRunner('instance_type', []))).toEqual([true, true, true, true, true]);
      expect(await takes(await addRunner('project_type', [inDeep.project]))).toEqual([
        false,
        false,
        true,
        false,
        false,
      ]);
      await parts.work(({ groups }) => groups.move(deep, beside, after(1)));
      expect(await takeable(ofTop, 20)).toEqual(jobs(inTop, inMiddle, inDeep, inBeside));
      expect(await takeable(ofMiddle, 20)).toEqual(jobs(inMiddle));
      expect(await takes(ofMiddle)).toEqual([false, true, false, false, false]);
      await parts.work(({ groups }) => groups.move(middle, null, after(2)));
      expect([await takeable(ofTop, 20), await takeable(ofMiddle, 20)]).toEqual([
        jobs(inTop, inDeep, inBeside),
        jobs(inMiddle),
      ]);
    });

    it('list those of a group with those above it, and of a project with those of its groups', async () => {
      const top = await addGroup(null);
      const [below, beside] = [await addGroup(top), await addGroup(top)];
      const project = await addProject(below);
      const made = async (groupId: GroupId) => (await addRunner('group_type', [], { groupId })).id;
      const [ofTop, ofBelow, ofBeside] = [await made(top), await made(below), await made(beside)];
      const own = (await addRunner('project_type', [project])).id;
      const whole = (await addRunner('instance_type', [])).id;
      const ours = new Set([ofTop, ofBelow, ofBeside, own, whole]);
      const list = async (asked: Partial<CiRunnerQuery>) =>
        (await runnerReader.list({ tags: [], page: { page: 1, perPage: 100 }, ...asked })).items
          .map(({ id }) => id)
          .filter((id) => ours.has(id));
      expect(await list({ projectId: project })).toEqual([ofTop, ofBelow, own, whole]);
      expect(await list({ groupId: below })).toEqual([ofTop, ofBelow, whole]);
      expect(await list({ groupId: top })).toEqual([ofTop, whole]);
      expect(await list({ groupId: below, type: 'group_type' })).toEqual([ofTop, ofBelow]);
      expect(await list({ type: 'group_type' })).toEqual([ofTop, ofBelow, ofBeside]);
      expect((await runnerReader.find(ofBelow))?.groupId).toBe(below);
      const count = (groupId: GroupId) => parts.work(({ ciRunners }) => ciRunners.countOfGroup(groupId, 10));
      expect([await count(top), await count(below)]).toEqual([1, 1]);
      while (!(await parts.work(({ groups }) => groups.removeSome(below, 50))));
      expect(await runnerReader.find(ofBelow)).toBeUndefined();
      expect((await runnerReader.find(ofTop))?.id).toBe(ofTop);
    });

    it('list what somebody looks after, whoever made it, in full pages, and for administrators all', async () => {
      const owned = await addGroup(null);
      const [below, lost] = [await addGroup(owned), await addGroup(null)];
      const grace = await parts.addUser('grace');
      const join = (groupId: GroupId, userId: UserId, accessLevel: number) =>
        parts.work(({ groupMembers }) =>
          groupMembers.add(groupId, { userId, accessLevel, expiresAt: null, createdAt: NOW }),
        );
      await Promise.all([join(owned, grace.id, 50), join(lost, grace.id, 40)]);
      const projectOf = async (accessLevel: number) => {
        const id = await addProject();
        const as = { userId: grace.id, accessLevel, expiresAt: null, createdAt: NOW };
        await parts.work(({ projectMembers }) => projectMembers.add(id, as));
        return id;
      };
      const by = { createdBy: grace.id };
      const made = async (groupId: GroupId) => (await addRunner('group_type', [], { groupId, ...by })).id;
      const gone = [await made(lost), (await addRunner('project_type', [await addProject()], by)).id];
      gone.push((await addRunner('project_type', [await projectOf(30)], by)).id);
      const kept = [await made(below), await made(owned)];
      kept.push((await addRunner('project_type', [await addProject(), await projectOf(40), await projectOf(40)])).id);
      kept.push((await addRunner('group_type', [], { groupId: owned })).id);
      const list = async (admin: boolean, page: number) => {
        const managedBy = { userId: grace.id, admin, today: NOW.toISOString().slice(0, 10) };
        const { items, ...rest } = await runnerReader.list({ tags: [], managedBy, page: { page, perPage: 2 } });
        return { ids: items.map(({ id }) => id), ...rest };
      };
      expect(await list(false, 1)).toEqual({ ids: kept.slice(0, 2), hasNext: true, total: 4 });
      expect(await list(false, 2)).toEqual({ ids: kept.slice(2), hasNext: false, total: 4 });
      const { total } = await list(true, 1);
      const all = await runnerReader.list({ tags: [], page: { page: 1, perPage: 100 } });
      expect([total, all.items.map(({ id }) => id)]).toEqual([all.total, expect.arrayContaining([...gone, ...kept])]);
    });
  });

  it('list runners by how they stand, as each of them is told to stand', async () => {
    const day = 86_400_000;
    const now = new Date(NOW.getTime() + 7 * day);
    const about = { name: 'r', version: '1', revision: null, platform: 'linux', architecture: 'arm' };
    const project = await addProject();
    const silences = [0, 7_199_999, 7_200_000, 7 * day - 1, 7 * day];
    const made: CiRunner[] = [];
    for (const silent of silences) {
      const { id } = await addRunner('project_type', [project]);
      const at = new Date(now.getTime() - silent);
      await parts.work(({ ciRunners }) => ciRunners.contacted(id, at, about, null));
      made.push((await runnerReader.find(id))!);
    }
    made.push(await addRunner('project_type', [project]), await addRunner('project_type', [project]));
    for (const at of [now, new Date(now.getTime() - 1)])
      for (const is of RUNNER_STANDINGS) {
        const asked = { tags: [], projectId: project, type: 'project_type', page: { page: 1, perPage: 100 } } as const;
        const listed = (await runnerReader.list({ ...asked, standing: { is, at } })).items.map(({ id }) => id);
        const standing = made.filter((runner) => runnerStanding(runner, at) === is).map(({ id }) => id);
        expect([is, listed]).toEqual([is, standing]);
      }
  });

  it('keep whether a log may tell the variables of its job, as its runner is given it or from a piece on', async () => {
    const { ids } = await addJobs(await addProject(), [planned('a'), planned('b')]);
    const [given, told] = ids as [number, number];
    const debugs = () =>
      parts.work(async ({ ciJobs }) => [(await ciJobs.find(given))?.debug, (await ciJobs.find(told))?.debug]);
    const write = (start: number, debug: boolean) =>
      parts.work(({ ciJobs }) => ciJobs.appendLog(told, { start, content: Buffer.from('x'), writtenAt: NOW, debug }));
    await write(0, false);
    expect(await debugs()).toEqual([false, false]);
    await parts.work(({ ciJobs }) => ciJobs.change(given, { debug: true }));
    await write(1, true);
    await write(2, false);
    expect(await debugs()).toEqual([true, true]);
  });

  it('keep a log byte by byte, and read it from any of them', async () => {
    const { ids } = await addJobs(await addProject(), [planned('a')]);
    const [id] = ids as [number];
    const bytes = Buffer.from([0, 255, 10, 13, 195, 40, ...Buffer.from('ends')]);
    const pieces = Array.from({ length: 20 }, () => bytes);
    for (const [index, piece] of pieces.entries())
      await parts.work(({ ciJobs }) =>
        ciJobs.appendLog(id, { start: index * bytes.length, content: piece, writtenAt: NOW }),
      );
    const whole = Buffer.concat(pieces);
    const read = async (from?: number) => {
      const parts_: Uint8Array[] = [];
      for await (const part of reader.log(id, from)) parts_.push(part);
      return Buffer.concat(parts_);
    };
    expect(await read()).toEqual(whole);
    for (const from of [1, bytes.length, 3 * bytes.length + 4, whole.length - 1, whole.length])
      expect([from, await read(from)]).toEqual([from, whole.subarray(from)]);
    expect((await parts.work(({ ciJobs }) => ciJobs.find(id)))?.logBytes).toBe(whole.length);
    await parts.work(({ ciJobs }) => ciJobs.removeLog(id));
    expect(await read()).toEqual(Buffer.alloc(0));
    expect((await parts.work(({ ciJobs }) => ciJobs.find(id)))?.logBytes).toBe(0);
  });

  it('tell which jobs were to begin by now, until they begin or end', async () => {
    const project = await addProject();
    const delayed = (name: string) => ({ ...planned(name), startInSeconds: 90 });
    const { pipelineId, ids } = await addJobs(project, [delayed('a'), delayed('b'), delayed('c'), planned('alone')]);
    const [a, b, c] = ids as [number, number, number];
    const next = await addJobs(project, [delayed('a')]);
    const due = async (minute: number) =>
      (await parts.work(({ ciJobs }) => ciJobs.dueOf(pipelineId, after(minute)))).map(({ id }) => id);
    const pipelinesDue = async (minute: number, from = 0, limit = 100) =>
      (await reader.pipelinesDue(after(minute), from, limit)).flatMap(({ id, projectId }) =>
        projectId === project ? [id] : [],
      );
    await parts.work(({ ciJobs }) => ciJobs.schedule([a, c, ...next.ids], after(2)));
    await parts.work(({ ciJobs }) => ciJobs.schedule([b], after(1)));
    expect([await due(0), await due(1), await due(2)]).toEqual([[], [b], [a, b, c]]);
    expect([await pipelinesDue(0), await pipelinesDue(1)]).toEqual([[], [pipelineId]]);
    expect([await pipelinesDue(2), await pipelinesDue(2, pipelineId)]).toEqual([
      [pipelineId, next.pipelineId],
      [next.pipelineId],
    ]);
    expect(await reader.pipelinesDue(after(2), pipelineId, 1)).toEqual([{ id: next.pipelineId, projectId: project }]);
    const job = await parts.work(({ ciJobs }) => ciJobs.find(b));
    expect(job).toMatchObject({ status: 'scheduled', beginsAt: after(1) });
    await enqueue([b]);
    await parts.work(({ ciJobs }) => ciJobs.awaitResource([a], after(3)));
    await parts.work(({ ciJobs }) => ciJobs.cancel([c], after(3)));
    expect([await due(9), await pipelinesDue(9)]).toEqual([[], [next.pipelineId]]);
    const standings = await parts.work(({ ciJobs }) => ciJobs.standingsOf(pipelineId));
    expect(standings.map(({ startInSeconds }) => startInSeconds)).toEqual([90, 90, 90, null]);
  });

  it('tell which jobs of a project share something until they end, in the order in which they came', async () => {
    const [project, other] = [await addProject(), await addProject()];
    const sharing = (name: string) => ({ ...planned(name), resourceGroup: 'production' });
    const { pipelineId, ids } = await addJobs(project, [sharing('a'), sharing('b'), sharing('c'), planned('alone')]);
    const elsewhere = await addJobs(other, [sharing('a')]);
    const [a, b, c] = ids as [number, number, number];
    const sharers = async () =>
      (await parts.work(({ ciJobs }) => ciJobs.sharingOf(project, ['production', 'staging']))).map(({ id, status }) => [
        id,
        status,
      ]);
    expect(await sharers()).toEqual([]);
    const wait = (minute: number, ...which: readonly number[]) =>
      parts.work(({ ciJobs }) => ciJobs.awaitResource(which, after(minute)));
    await wait(2, a, c);
    await wait(1, b, ...elsewhere.ids);
    const waiting = 'waiting_for_resource';
    expect(await sharers()).toEqual([b, a, c].map((id) => [id, waiting]));
    expect(await parts.work(({ ciJobs }) => ciJobs.sharingOf(project, ['staging']))).toEqual([]);
    expect((await parts.work(({ ciJobs }) => ciJobs.sharingOf(project, ['production'])))[0]).toEqual({
      ...{ id: b, pipelineId, resourceGroup: 'production', status: waiting, bridge: false },
    });
    await enqueue([b]);
    await parts.work(({ ciJobs }) => ciJobs.change(b, { status: 'running', queued: false }));
    expect((await sharers())[0]).toEqual([b, 'running']);
    await parts.work(({ ciJobs }) => ciJobs.change(b, { status: 'success' }));
    await parts.work(({ ciJobs }) => ciJobs.cancel([a], after(3)));
    expect(await sharers()).toEqual([[c, waiting]]);
    const standings = await parts.work(({ ciJobs }) => ciJobs.standingsOf(pipelineId));
    expect(standings.map(({ resourceGroup }) => resourceGroup)).toEqual([...Array(3).fill('production'), null]);
  });

  it('remove logs of pipelines a few at a time, and of no others', async () => {
    const project = await addProject();
    const [one, two, other] = [
      await addJobs(project, [planned('a'), planned('silent'), planned('b')]),
      await addJobs(project, [planned('a')]),
      await addJobs(project, [planned('a')]),
    ];
    const bytesOf = (id: number) => parts.work(async ({ ciJobs }) => (await ciJobs.find(id))?.logBytes);
    const written = [one.ids[0], one.ids[2], two.ids[0], other.ids[0]] as number[];
    for (const id of written)
      await parts.work(({ ciJobs }) =>
        ciJobs.appendLog(id, { start: 0, content: Buffer.from('x'), writtenAt: after(1) }),
      );
    const pipelines = [one.pipelineId, two.pipelineId];
    const removeLogs = () => parts.work(async ({ ciJobs }) => (await ciJobs.removeLogsOf(pipelines, 2)).length);
    expect([await removeLogs(), await removeLogs(), await removeLogs()]).toEqual([2, 1, 0]);
    expect(await Promise.all(written.map(bytesOf))).toEqual([0, 0, 0, 1]);
    expect(await parts.work(({ ciJobs }) => ciJobs.removeLogsOf([], 2))).toEqual([]);
  });

  it('find logs to which nothing was written for long, of jobs that have ended, the oldest first', async () => {
    const names = ['older', 'old', 'running', 'young', 'silent'];
    const { ids } = await addJobs(
      await addProject(),
      names.map((name) => planned(name)),
    );
    const [older, old, running, young, silent] = ids as [number, number, number, number, number];
    const written = { [old]: 2, [older]: 1, [running]: 1, [young]: 9 };
    const content = Buffer.from('x');
    for (const [id, minute] of Object.entries(written))
      await parts.work(({ ciJobs }) => ciJobs.appendLog(Number(id), { start: 0, content, writtenAt: after(minute) }));
    for (const id of [older, old, young, silent])
      await parts.work(({ ciJobs }) => ciJobs.change(id, { status: 'success', finishedAt: after(9) }));
    const found = async (limit = 10) =>
      (await reader.logsWrittenBefore(after(5), limit)).filter((id) => ids.includes(id));
    expect(await found()).toEqual([older, old]);
    expect(await found(1)).toEqual([older]);
    await parts.work(({ ciJobs }) => ciJobs.removeLog(older));
    expect(await found()).toEqual([old]);
  });

  it('find what nothing was heard of for too long, and jobs by their tokens', async () => {
    const project = await addProject();
    const { ids } = await addJobs(project, [planned('a'), planned('b'), planned('c')]);
    const [a, b] = ids as [number, number];
    await enqueue([a]);
    await parts.work(({ ciJobs }) =>
      ciJobs.change(b, { status: 'running', givesUpAt: after(30), tokenDigest: 'of b' }),
    );
    const given = async (at: Date) =>
      (await reader.givenUpBefore(at, 100)).filter(({ projectId }) => projectId === project).map(({ id }) => id);
    expect([await given(after(30)), await given(after(31)), await given(after(61))]).toEqual([[], [b], [b, a]]);
    expect([(await reader.findByToken('of b'))?.id, await reader.findByToken('of c')]).toEqual([b, undefined]);
    await parts.work(({ ciJobs }) =>
      ciJobs.change(b, { status: 'failed', givesUpAt: null, failureReason: 'script_failure' }),
    );
    expect(await given(after(61))).toEqual([a]);
  });

  it('keep runners with what is chosen of them, and let those of one project alone go with it', async () => {
    const [one, two] = [await addProject(), await addProject()];
    const tags = ['a "quoted" tag', 'linux'];
    const own = await addRunner('project_type', [one], { tags, description: 'mine', maximumTimeout: 900 });
    const shared = await addRunner('project_type', [one, two], { tags: ['lin'] });
    const about = { name: 'r', version: '1', revision: null, platform: 'linux', architecture: 'arm' };
    await parts.work(({ ciRunners }) => ciRunners.contacted(own.id, after(5), about, '127.0.0.1'));
    expect(await runnerReader.find(own.id)).toEqual({ ...own, contactedAt: after(5), about, address: '127.0.0.1' });
    const page = { page: 1, perPage: 100 };
    const named = async (wanted: readonly string[]) =>
      (await runnerReader.list({ tags: wanted, projectId: one, type: 'project_type', page })).items.map(({ id }) => id);
    expect([await named([]), await named(['linux']), await named(tags), await named(['none'])]).toEqual([
      ...[[own.id, shared.id], [own.id], [own.id], []],
    ]);
    await parts.work(({ ciRunners }) => ciRunners.removeOfProject(one));
    expect([await runnerReader.find(own.id), (await runnerReader.find(shared.id))?.id]).toEqual([undefined, shared.id]);
  });
});
