import { expect, it } from '@jest/globals';
import { ciProjectWith } from '../support/ci-project.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Shown {
  readonly id: number;
  readonly name: string;
  readonly status: string;
}
interface Group {
  readonly id: number;
  readonly key: string;
  readonly process_mode: string;
  readonly created_at: string;
}

const [REPORTER, DEVELOPER] = [20, 30];
const WAITING = 'waiting_for_resource';
const CI = `
build: {stage: build, script: make}
deploy: {stage: deploy, script: deploy, resource_group: live/eu}
`;
const GATED = `
build: {stage: build, script: make}
gate: {stage: test, script: make, when: manual, allow_failure: false}
deploy: {stage: deploy, script: deploy, resource_group: live/eu}
`;
const PASSED = { state: 'success' };
const ONE = '/resource_groups/live%2Feu';

describeWriting('the order of jobs that share something', (writing) => {
  const start = async (loom: WrittenProject): Promise<number> =>
    (await loom.call<Shown>('POST', '/pipeline', { ref: 'main' })).body.id;
  const setMode = (loom: WrittenProject, process_mode: unknown, user = loom.owner) =>
    loom.call<Group>('PUT', ONE, { process_mode }, user);

  /** Three pipelines, whose deployments stand as they are told, those first that are. */
  const threeOf = async (text: string) => {
    const { loom, runner, pipeline: first } = await ciProjectWith(writing, text);
    const pipelines = [first, await start(loom), await start(loom)];
    const builds = [await runner.takeNamed('build'), await runner.takeNamed('build'), await runner.takeNamed('build')];
    const standing = () =>
      Promise.all(
        pipelines.map(async (id) => {
          const { body } = await loom.call<Shown[]>('GET', `/pipelines/${id}/jobs`);
          return body.find(({ name }) => name === 'deploy')!.status;
        }),
      );
    const build = (which: number, end: object = PASSED) => runner.end(builds[which]!, end);
    const upcoming = async () =>
      (await loom.call<{ pipeline: { id: number } }[]>('GET', `${ONE}/upcoming_jobs`)).body.map(
        ({ pipeline: { id } }) => pipelines.indexOf(id) + 1,
      );
    const runNamed = async (name: string) => runner.end(await runner.takeNamed(name), PASSED);
    return { loom, pipelines, standing, build, runNamed, upcoming };
  };

  it('is told, and changed, by the name that jobs gave what they share', async () => {
    const { loom } = await threeOf(CI);
    const listed = await loom.call<Group[]>('GET', '/resource_groups');
    expect([listed.status, listed.body]).toEqual([
      ...[200, [expect.objectContaining({ key: 'live/eu', process_mode: 'unordered', id: expect.any(Number) })]],
    ]);
    expect((await loom.call('GET', ONE)).body).toEqual(listed.body[0]);
    expect(await setMode(loom, 'oldest_first')).toMatchObject({ status: 200, body: { process_mode: 'oldest_first' } });
    expect((await setMode(loom, 'random')).status).toBe(400);
    expect((await loom.call('PUT', ONE, {})).body).toMatchObject({ process_mode: 'oldest_first' });
    for (const [method, path] of [
      ['GET', '/resource_groups/other'],
      ['PUT', '/resource_groups/other?process_mode=unordered'],
      ['GET', '/resource_groups/other/upcoming_jobs'],
    ] as const)
      expect(await loom.call(method, path)).toMatchObject({
        status: 404,
        body: { message: expect.stringContaining('Resource Group') },
      });
  });

  it('is of the oldest pipeline first, for which the newer ones wait until its job is done, or does not come', async () => {
    const { loom, standing, build, runNamed, upcoming } = await threeOf(CI);
    await setMode(loom, 'oldest_first');
    await build(2);
    await build(1);
    expect(await standing()).toEqual(['created', WAITING, WAITING]);
    expect(await upcoming()).toEqual([1, 2, 3]);
    await build(0);
    expect(await standing()).toEqual(['pending', WAITING, WAITING]);
    expect(await upcoming()).toEqual([2, 3]);
    await runNamed('deploy');
    expect(await standing()).toEqual(['success', 'pending', WAITING]);
  });

  it('goes on past a pipeline that fails', async () => {
    const { loom, standing, build } = await threeOf(CI);
    await setMode(loom, 'oldest_first');
    await build(1);
    await build(0, { state: 'failed', failure_reason: 'script_failure' });
    expect(await standing()).toEqual(['skipped', 'pending', 'created']);
  });

  it('is of the newest pipeline first', async () => {
    const { loom, standing, build, runNamed, upcoming } = await threeOf(CI);
    await setMode(loom, 'newest_first');
    await build(0);
    expect(await standing()).toEqual([WAITING, 'created', 'created']);
    expect(await upcoming()).toEqual([3, 2, 1]);
    await build(2);
    expect(await standing()).toEqual([WAITING, 'created', 'pending']);
    await runNamed('deploy');
    expect(await standing()).toEqual([WAITING, 'created', 'success']);
    await build(1);
    await runNamed('deploy');
    expect(await standing()).toEqual(['pending', 'success', 'success']);
  });

  it('doesn’t wait for a pipeline that waits for somebody', async () => {
    const { loom, pipelines, standing, build, runNamed, upcoming } = await threeOf(GATED);
    await setMode(loom, 'oldest_first');
    const { body } = await loom.call<Shown[]>('GET', `/pipelines/${pipelines[1]}/jobs`);
    await build(1);
    await loom.call('POST', `/jobs/${body.find(({ name }) => name === 'gate')!.id}/play`);
    await runNamed('gate');
    expect([await standing(), await upcoming()]).toEqual([
      ['created', WAITING, 'created'],
      [1, 2, 3],
    ]);
    await build(0);
    expect([await standing(), await upcoming()]).toEqual([['created', 'pending', 'created'], [3]]);
  });

  it('gives what is free to who is first now, once it is changed', async () => {
    const { loom, standing, build } = await threeOf(CI);
    await setMode(loom, 'oldest_first');
    await build(2);
    expect(await standing()).toEqual(['created', 'created', WAITING]);
    await setMode(loom, 'unordered');
    expect(await standing()).toEqual(['created', 'created', 'pending']);
  });

  it('is a matter of those who run pipelines', async () => {
    const { loom } = await threeOf(CI);
    const [reporter, developer] = [await writing.service.addUser('rep'), await writing.service.addUser('dev')];
    await loom.addMember(reporter, REPORTER);
    await loom.addMember(developer, DEVELOPER);
    const all = ['/resource_groups', ONE, `${ONE}/upcoming_jobs`];
    const statuses = async (user: typeof reporter) => [
      ...(await Promise.all(all.map(async (path) => (await loom.call('GET', path, undefined, user)).status))),
      (await setMode(loom, 'newest_first', user)).status,
    ];
    expect(await statuses(developer)).toEqual([200, 200, 200, 200]);
    expect(await statuses(reporter)).toEqual([403, 403, 403, 403]);
    expect(await statuses(writing.grace)).toEqual([404, 404, 404, 404]);
    expect((await writing.service.call('GET', `/projects/${loom.id}/resource_groups`)).status).toBe(401);
  });
});
