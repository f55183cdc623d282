import { expect, it } from '@jest/globals';
import { ciProjectWith } from '../support/ci-project.js';
import { TestRunner } from '../support/ci-runner.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Shown {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly detailed_status?: object;
}

const CI = `
build: {stage: build, script: make}
deploy: {stage: deploy, script: deploy, resource_group: $CI_PROJECT_NAME/production}
`;
const PASSED = { state: 'success' };

describeWriting('jobs that share something, of which one runs at a time', (writing) => {
  const projectWith = (text = CI) => ciProjectWith(writing, text);

  const start = async (loom: WrittenProject): Promise<number> =>
    (await loom.call<Shown>('POST', '/pipeline', { ref: 'main' })).body.id;

  const jobOf = async (loom: WrittenProject, pipeline: number, name = 'deploy'): Promise<Shown> =>
    (await loom.call<Shown[]>('GET', `/pipelines/${pipeline}/jobs`)).body.find((job) => job.name === name)!;

  const statusOf = async (...of: Parameters<typeof jobOf>) => (await jobOf(...of)).status;

  /** Three pipelines, of which every job but the last has ended. */
  const threeThatDeploy = async () => {
    const { loom, runner, pipeline: first } = await projectWith();
    const [second, third] = [await start(loom), await start(loom)];
    const builds = [await runner.takeNamed('build'), await runner.takeNamed('build'), await runner.takeNamed('build')];
    for (const build of builds) await runner.end(build, PASSED);
    return { loom, runner, first, second, third };
  };

  it('begin one after another, whichever pipeline they are of, and their pipelines say for what they wait', async () => {
    const { loom, runner, first, second, third } = await threeThatDeploy();
    const standing = async () => [
      await statusOf(loom, first),
      await statusOf(loom, second),
      await statusOf(loom, third),
    ];
    const waiting = 'waiting_for_resource';
    expect(await standing()).toEqual(['pending', waiting, waiting]);
    const { body } = await loom.call<Shown>('GET', `/pipelines/${second}`);
    expect(body).toMatchObject({
      status: waiting,
      detailed_status: { label: 'waiting for resource', group: 'waiting-for-resource' },
    });
    expect((await loom.call<Shown[]>('GET', `/jobs?scope=${waiting}`)).body).toHaveLength(2);
    const deploying = await runner.takeNamed('deploy');
    expect(await runner.take()).toBeUndefined();
    await runner.end(deploying, { state: 'failed', failure_reason: 'script_failure' });
    expect(await standing()).toEqual(['failed', 'pending', waiting]);
    await runner.end(await runner.takeNamed('deploy'), PASSED);
    await runner.end(await runner.takeNamed('deploy'), PASSED);
    expect(await standing()).toEqual(['failed', 'success', 'success']);
    expect((await loom.call<Shown>('GET', `/pipelines/${third}`)).body.status).toBe('success');
  });

  it('make way for the next one when they are canceled, or go with their pipeline', async () => {
    const { loom, first, second, third } = await threeThatDeploy();
    expect((await loom.call('DELETE', `/pipelines/${first}`)).status).toBe(204);
    expect(await statusOf(loom, second)).toBe('pending');
    const { id } = await jobOf(loom, second);
    expect((await loom.call('POST', `/jobs/${id}/cancel`)).status).toBe(201);
    expect(await statusOf(loom, third)).toBe('pending');
    const fourth = await start(loom);
    expect((await loom.call('POST', `/pipelines/${third}/cancel`)).status).toBe(200);
    expect(await statusOf(loom, fourth)).toBe('created');
  });

  it('wait for their turn when they are canceled, and run once more', async () => {
    const { loom, runner, first, second } = await threeThatDeploy();
    const { id } = await jobOf(loom, second);
    expect((await loom.call<Shown>('POST', `/jobs/${id}/cancel`)).body.status).toBe('canceled');
    const { body: again } = await loom.call<Shown>('POST', `/jobs/${id}/retry`);
    expect(again).toMatchObject({ name: 'deploy', status: 'waiting_for_resource' });
    await runner.end(await runner.takeNamed('deploy'), PASSED);
    expect(await statusOf(loom, first)).toBe('success');
    // The third has waited longer.
    expect(await statusOf(loom, second)).toBe('waiting_for_resource');
    await runner.end(await runner.takeNamed('deploy'), PASSED);
    expect((await runner.takeNamed('deploy')).id).toBe(again.id);
  });

  it('share within a pipeline, too, and wait for somebody first where their file says so', async () => {
    const {
      loom,
      runner,
      pipeline: first,
    } = await projectWith(`
a: {script: make, resource_group: one}
b: {script: make, resource_group: one}
c: {script: make, resource_group: one, when: manual}
other: {script: make, resource_group: other}
`);
    const standing = async () => Promise.all(['a', 'b', 'c', 'other'].map((name) => statusOf(loom, first, name)));
    const waiting = 'waiting_for_resource';
    expect(await standing()).toEqual(['pending', waiting, 'manual', 'pending']);
    const { id } = await jobOf(loom, first, 'c');
    expect((await loom.call<Shown>('POST', `/jobs/${id}/play`)).body.status).toBe(waiting);
    await runner.runAll();
    expect(await standing()).toEqual(['success', 'success', 'success', 'success']);
  });

  it('are never given out two at once, however many runners ask at once', async () => {
    const jobs = Array.from({ length: 6 }, (_, index) => `j${index}: {script: make, resource_group: one}`);
    const { loom, pipeline: first } = await projectWith(jobs.join('\n'));
    const runners = await Promise.all(
      jobs.map(() =>
        TestRunner.make(writing.service, writing.ada, {
          ...{ runner_type: 'project_type', project_id: loom.id, run_untagged: true },
        }),
      ),
    );
    for (let turn = 0; turn < jobs.length; turn += 1) {
      const taken = await Promise.all(runners.map(async (runner) => ({ runner, job: await runner.take() })));
      const given = taken.filter(({ job }) => job !== undefined);
      expect(given).toHaveLength(1);
      const [{ runner, job }] = given as [(typeof given)[number]];
      await runner.end(job!, PASSED);
    }
    expect((await loom.call<Shown>('GET', `/pipelines/${first}`)).body.status).toBe('success');
  });
});
