import { beforeAll, expect, it, jest } from '@jest/globals';
import { KnexJobQueue } from '../../src/adapters/outbound/persistence/knex/pipelines/knex-job-queue.js';
import { pushesFollowed, TestRunner, type TakenJob } from '../support/ci-runner.js';
import { queuedMails } from '../support/queued-mails.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Listed {
  readonly id: number;
  readonly runner_type: string;
  readonly is_shared: boolean;
}

const ONE_JOB = 'job: { script: make, tags: [TAG] }\n';
const LEVELS = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;

describeWriting('runners of a group', (writing) => {
  let serial = 0;
  let admin: TestUser;

  beforeAll(async () => {
    admin = await writing.service.addUser('admin', { admin: true });
  });

  const call = <Body = unknown>(method: string, path: string, json?: object, user = writing.ada) =>
    writing.service.call<Body>(method, path, { token: user.token, ...(json && { json }) });

  const newGroup = async (parentId?: number): Promise<number> => {
    const path = `works-${(serial += 1)}`;
    const json = { name: path, path, visibility: 'private', ...(parentId !== undefined && { parent_id: parentId }) };
    const made = await call<{ id: number }>('POST', '/groups', json);
    expect(made.status).toBe(201);
    return made.body.id;
  };

  const member = async (groupId: number, level: number): Promise<TestUser> => {
    const user = await writing.service.addUser(`person-${(serial += 1)}`);
    const json = { user_id: user.id, access_level: level };
    expect((await call('POST', `/groups/${groupId}/members`, json)).status).toBe(201);
    return user;
  };

  const runnerOf = (groupId: number, fields: object = {}, maker = writing.ada) =>
    TestRunner.make(writing.service, maker, { runner_type: 'group_type', group_id: groupId, ...fields });

  /** A project with one job that waits, for a runner with this tag. */
  const waitingProject = async (groupId: number, tag: string): Promise<WrittenProject> => {
    const loom = await writing.newProject({ namespace_id: groupId });
    await loom.write('main', { '.gitlab-ci.yml': ONE_JOB.replace('TAG', tag) });
    await pushesFollowed(writing.service);
    return loom;
  };

  const projectOf = (job: TakenJob | undefined) => (job?.job_info as { project_id?: number } | undefined)?.project_id;

  const idsIn = async (path: string, user = writing.ada) =>
    (await call<Listed[]>('GET', path, undefined, user)).body.map(({ id }) => id);

  it('are made, seen, changed, renewed and removed by its owners and administrators, and nobody else learns of them', async () => {
    const group = await newGroup();
    const people: Record<string, TestUser> = { admin, stranger: writing.grace };
    for (const [name, level] of Object.entries(LEVELS)) people[name] = await member(group, level);
    const tried: Record<string, readonly number[]> = {};
    for (const [name, user] of Object.entries(people)) {
      const { id } = await runnerOf(group);
      const statuses: number[] = [];
      for (const [method, path, json] of [
        ['POST', '/user/runners', { runner_type: 'group_type', group_id: group }],
        ['GET', `/groups/${group}/runners`],
        ['GET', `/runners/${id}`],
        ['GET', `/runners/${id}/jobs`],
        ['PUT', `/runners/${id}`, { paused: true }],
        ['POST', `/runners/${id}/reset_authentication_token`],
        ['DELETE', `/runners/${id}`],
      ] as const)
        statuses.push((await call(method, path, json, user)).status);
      tried[name] = statuses;
    }
    const may = [201, 200, 200, 200, 200, 201, 204];
    const sees = [403, 403, 404, 404, 404, 404, 404];
    expect(tried).toEqual({
      ...{ guest: sees, reporter: sees, developer: sees, maintainer: sees, owner: may, admin: may },
      stranger: [404, 404, 404, 404, 404, 404, 404],
    });
  });

  it('are those of their own group: owners of one below it don’t look after them, owners of one above it do', async () => {
    const top = await newGroup();
    const below = await newGroup(top);
    const [ofTop, ofBelow] = [await runnerOf(top), await runnerOf(below)];
    const owner = await member(below, LEVELS.owner);
    expect((await call('GET', `/runners/${ofBelow.id}`, undefined, owner)).status).toBe(200);
    for (const [method, json] of [['GET'], ['PUT', { paused: true }], ['DELETE']] as const)
      expect([method, (await call(method, `/runners/${ofTop.id}`, json, owner)).status]).toEqual([method, 404]);
    const made = await call('POST', '/user/runners', { runner_type: 'group_type', group_id: top }, owner);
    expect([403, 404]).toContain(made.status);
    // They are told which runners take their jobs.
    expect(await idsIn(`/groups/${below}/runners?type=group_type`, owner)).toEqual([ofTop.id, ofBelow.id]);
    const ofTopOwner = await member(top, LEVELS.owner);
    expect((await call('PUT', `/runners/${ofBelow.id}`, { paused: true }, ofTopOwner)).status).toBe(200);
    expect(await idsIn(`/groups/${top}/runners?type=group_type`, ofTopOwner)).toEqual([ofTop.id]);
  });

  it('are listed for their owners while they are, whoever made them', async () => {
    const group = await newGroup();
    const maker = await member(group, LEVELS.owner);
    const { id } = await runnerOf(group, {}, maker);
    const home = await writing.newProject();
    await home.addMember(maker, LEVELS.maintainer);
    const own = await TestRunner.make(writing.service, maker, { runner_type: 'project_type', project_id: home.id });
    expect(await idsIn('/runners', maker)).toEqual([id, own.id]);
    const second = await member(group, LEVELS.owner);
    expect(await idsIn('/runners', second)).toEqual([id]);
    await call('PUT', `/groups/${group}/members/${maker.id}`, { access_level: LEVELS.maintainer });
    expect(await idsIn('/runners', maker)).toEqual([own.id]);
    // What is left out takes no place on a page, and isn't counted.
    const page = await call('GET', '/runners?per_page=1', undefined, maker);
    expect([page.body, page.headers.get('x-total'), page.headers.get('x-next-page')]).toMatchObject([
      [{ id: own.id }],
      '1',
      '',
    ]);
  });

  it('are told as such, with their group, and are no project’s to have or to leave', async () => {
    const group = await newGroup();
    const project = await writing.newProject({ namespace_id: group });
    const { id } = await runnerOf(group, { description: 'For all', tag_list: 'linux,gpu', run_untagged: false });
    const path = (await call<{ full_path: string; name: string }>('GET', `/groups/${group}`)).body;
    const shown = await call('GET', `/runners/${id}`);
    expect(shown.body).toMatchObject({
      ...{ id, description: 'For all', runner_type: 'group_type', is_shared: false, tag_list: ['linux', 'gpu'] },
      projects: [],
      groups: [{ id: group, name: path.name, web_url: `${writing.service.url}/groups/${path.full_path}` }],
    });
    const elsewhere = await writing.newProject();
    const enabled = await elsewhere.call('POST', '/runners', { runner_id: id });
    expect([enabled.status, enabled.body]).toEqual([403, { message: '403 Forbidden - Runner is a group runner' }]);
    expect((await project.call('DELETE', `/runners/${id}`)).status).toBe(404);
    for (const sent of [{}, { group_id: 999_999_999 }, { group_id: writing.ada.id, project_id: project.id }]) {
      const refused = await call('POST', '/user/runners', { runner_type: 'group_type', ...sent });
      expect([sent, refused.status]).toEqual([sent, 404]);
    }
  });

  it('are listed by type, how they stand, whether they are paused, and tags, and with those of a project below', async () => {
    const group = await newGroup();
    const project = await writing.newProject({ namespace_id: await newGroup(group) });
    const own = await TestRunner.make(writing.service, writing.ada, {
      ...{ runner_type: 'project_type', project_id: project.id },
    });
    const paused = await runnerOf(group, { paused: true, tag_list: 'linux' });
    const heard = await runnerOf(group, { tag_list: 'linux,gpu' });
    await heard.take();
    const whole = await TestRunner.make(writing.service, admin, { runner_type: 'instance_type', paused: true });
    const all = [own.id, paused.id, heard.id, whole.id];
    const known = async (path: string) => (await idsIn(path)).filter((id) => all.includes(id));
    const list = `/groups/${group}/runners`;
    expect(await known(list)).toEqual([paused.id, heard.id, whole.id]);
    expect(await known(`/projects/${project.id}/runners`)).toEqual(all);
    expect(await known(`/projects/${project.id}/runners?type=group_type`)).toEqual([paused.id, heard.id]);
    for (const [query, expected] of [
      ['type=group_type', [paused.id, heard.id]],
      ['type=project_type', []],
      ['paused=true', [paused.id, whole.id]],
      ['status=paused', [paused.id, whole.id]],
      ['status=active', [heard.id]],
      ['status=online', [heard.id]],
      ['status=never_contacted', [paused.id, whole.id]],
      ['status=stale', []],
      ['status=online&paused=true', []],
      ['tag_list=linux', [paused.id, heard.id]],
      ['tag_list=linux,gpu', [heard.id]],
      ['per_page=1&page=2&type=group_type', [heard.id]],
    ] as const)
      expect([query, await known(`${list}?${query}`)]).toEqual([query, expected]);
    expect((await call('GET', `${list}?status=asleep`)).status).toBe(400);
    expect((await call('GET', `${list}?type=team_type`)).status).toBe(400);
  });

  it('take the jobs of projects in the group and below it, by tags, unless paused, and those of no other project', async () => {
    const tag = `tag-${(serial += 1)}`;
    const top = await newGroup();
    const below = await newGroup(await newGroup(top));
    const outside = await waitingProject(await newGroup(), tag);
    const projects = [await waitingProject(top, tag), await waitingProject(below, tag)];
    const runner = await runnerOf(top, { tag_list: tag, run_untagged: false });
    const ofBelow = await runnerOf(below, { tag_list: tag, run_untagged: false });
    const another = await runnerOf(top, { tag_list: `${tag}-not` });
    const careful = await runnerOf(below, { tag_list: tag, access_level: 'ref_protected' });
    await call('PUT', `/runners/${runner.id}`, { paused: true });
    expect([await runner.take(), await another.take()]).toEqual([undefined, undefined]);
    await projects[1]!.call('DELETE', '/protected_branches/main');
    expect(await careful.take()).toBeUndefined();
    await call('PUT', `/runners/${runner.id}`, { paused: false });
    expect(projectOf(await ofBelow.take())).toBe(projects[1]!.id);
    expect(await ofBelow.take()).toBeUndefined();
    expect(projectOf(await runner.take())).toBe(projects[0]!.id);
    expect(await runner.take()).toBeUndefined();
    const jobs = await call<{ id: number }[]>('GET', `/runners/${runner.id}/jobs`);
    expect(jobs.body).toHaveLength(1);
    expect((await outside.call<{ status: string }[]>('GET', '/jobs')).body).toMatchObject([{ status: 'pending' }]);
  });

  it('get each job once, however many ask at once', async () => {
    const tag = `tag-${(serial += 1)}`;
    const group = await newGroup();
    const below = await newGroup(group);
    const projects = [await waitingProject(group, tag), await waitingProject(below, tag)];
    const runners = [await runnerOf(group, { tag_list: tag }), await runnerOf(group, { tag_list: tag })];
    const taken = await Promise.all([...runners, ...runners, ...runners].map((runner) => runner.take()));
    const ids = taken.flatMap((job) => projectOf(job) ?? []).sort((one, other) => one - other);
    expect(ids).toEqual(projects.map(({ id }) => id).sort((one, other) => one - other));
  });

  it('leave a project at once that is transferred away, and take the jobs of one that comes', async () => {
    const tag = `tag-${(serial += 1)}`;
    const [from, to] = [await newGroup(), await newGroup()];
    const loom = await waitingProject(from, tag);
    const [old, next] = [await runnerOf(from, { tag_list: tag }), await runnerOf(to, { tag_list: tag })];
    expect(await next.take()).toBeUndefined();
    expect((await loom.call('PUT', '/transfer', { namespace: to })).status).toBe(200);
    expect(await idsIn(`/projects/${loom.id}/runners?type=group_type`)).toEqual([next.id]);
    expect(await old.take()).toBeUndefined();
    expect(projectOf(await next.take())).toBe(loom.id);
  });

  it('are given no job of a project that was transferred away while they were about to get it', async () => {
    const tag = `tag-${(serial += 1)}`;
    const [from, to] = [await newGroup(), await newGroup()];
    const loom = await waitingProject(from, tag);
    const [old, next] = [await runnerOf(from, { tag_list: tag }), await runnerOf(to, { tag_list: tag })];
    const [job] = (await loom.call<{ id: number; status: string }[]>('GET', '/jobs')).body;
    const chosen = jest.spyOn(KnexJobQueue.prototype, 'waitingFor').mockImplementation(async function* () {
      expect((await loom.call('PUT', '/transfer', { namespace: to })).status).toBe(200);
      yield { id: job!.id, projectId: loom.id };
    });
    try {
      expect(await old.take()).toBeUndefined();
    } finally {
      chosen.mockRestore();
    }
    expect((await loom.call('GET', `/jobs/${job!.id}`)).body).toMatchObject({ status: 'pending', runner: null });
    expect((await next.take())?.id).toBe(job!.id);
  });

  it('stay those of a group that is transferred, and take no more jobs of the groups that it left', async () => {
    const tag = `tag-${(serial += 1)}`;
    const [top, other] = [await newGroup(), await newGroup()];
    const group = await newGroup(top);
    const loom = await waitingProject(group, tag);
    const [ofTop, own, ofOther] = [
      await runnerOf(top, { tag_list: tag }),
      await runnerOf(group, { tag_list: tag }),
      await runnerOf(other, { tag_list: `${tag}-not` }),
    ];
    expect((await call('POST', `/groups/${group}/transfer`, { group_id: other })).status).toBe(201);
    expect(await ofTop.take()).toBeUndefined();
    const listed = await idsIn(`/groups/${group}/runners?type=group_type`);
    expect(listed).toEqual([own.id, ofOther.id]);
    expect(projectOf(await own.take())).toBe(loom.id);
  });

  it('go with their group: their tokens are refused then, and nobody finds them', async () => {
    const tag = `tag-${(serial += 1)}`;
    const [top, kept] = [await newGroup(), await newGroup()];
    const below = await newGroup(top);
    const [ofTop, ofBelow, ofKept] = [await runnerOf(top), await runnerOf(below), await runnerOf(kept)];
    const moved = await waitingProject(top, tag);
    const doer = await runnerOf(top, { tag_list: tag });
    const job = await doer.takeNamed('job');
    expect((await moved.call('PUT', '/transfer', { namespace: kept })).status).toBe(200);
    expect((await call('DELETE', `/groups/${top}`)).status).toBe(202);
    expect((await call('GET', `/runners/${ofTop.id}`, undefined, admin)).status).toBe(404);
    // They come once every job has run.
    await queuedMails(writing.service);
    for (const gone of [ofTop, ofBelow, doer]) {
      expect((await gone.ask()).status).toBe(403);
      expect((await call('GET', `/runners/${gone.id}`, undefined, admin)).status).toBe(404);
    }
    expect((await ofKept.ask()).status).toBe(204);
    // A job that was begun before is of its project, and stays.
    const left = await moved.call('GET', `/jobs/${job.id}`);
    expect([left.status, left.body]).toEqual([200, expect.objectContaining({ id: job.id, runner: null })]);
  });

  it('are at most a hundred of a group', async () => {
    const group = await newGroup();
    const { id } = await runnerOf(group);
    const { schema } = writing.service.service.database;
    const { id: _id, ...row } = (await schema('ci_runners').where({ id }).first()) as { id: number };
    for (const from of [0, 50]) {
      const made = Array.from({ length: from === 0 ? 50 : 48 }, (_, at) => ({
        ...{ ...row, token_digest: `${group}-${from + at}` },
      }));
      await schema('ci_runners').insert(made);
    }
    const ask = () => call('POST', '/user/runners', { runner_type: 'group_type', group_id: group });
    const answers = await Promise.all([ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, expect.any(Number)]);
    expect(answers.find(({ status }) => status !== 201)?.body).toEqual({ message: 'A group has at most 100 runners.' });
  });
});
