import { expect, it } from '@jest/globals';
import { CI_FILE, ciProjectOf, ciProjectWith } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const AT_ONCE = 'workflow: {auto_cancel: {on_job_failure: all}}';
const FAILED = { state: 'failed', failure_reason: 'script_failure' };
const JOBS = `
a: {stage: build, script: make}
b: {stage: build, script: make}
c: {stage: test, script: make}
`;

describeWriting('a pipeline that fails at once', (writing) => {
  const jobsOf = async (loom: WrittenProject, pipeline: number) => {
    const { body } = await loom.call<{ name: string; status: string }[]>('GET', `/pipelines/${pipeline}/jobs`);
    return body.map(({ name, status }) => `${name} ${status}`).sort();
  };
  const statusOf = async (loom: WrittenProject, pipeline: number) =>
    (await loom.call<{ status: string }>('GET', `/pipelines/${pipeline}`)).body.status;

  it('has its other jobs canceled where one fails, and only where its file asks for that', async () => {
    const failing = await ciProjectWith(writing, `${AT_ONCE}\n${JOBS}`);
    const [first] = [(await failing.runner.take())!, (await failing.runner.take())!];
    await failing.runner.end(first, FAILED);
    const { loom, pipeline } = failing;
    expect(await jobsOf(loom, pipeline)).toEqual(['a failed', 'b canceled', 'c canceled']);
    expect(await statusOf(loom, pipeline)).toBe('failed');
    const other = await ciProjectWith(writing, JOBS);
    await other.runner.end((await other.runner.take())!, FAILED);
    expect(await jobsOf(other.loom, other.pipeline)).toEqual(['a failed', 'b pending', 'c created']);
  });

  it('goes on where a job fails that may, or that is run once more', async () => {
    const text = `${AT_ONCE}\na: {script: make, allow_failure: true}\nb: {script: make, retry: 1}\nc: {script: make}`;
    const { loom, runner, pipeline } = await ciProjectWith(writing, text);
    await runner.end(await runner.takeNamed('a'), FAILED);
    await runner.end(await runner.takeNamed('b'), FAILED);
    expect(await jobsOf(loom, pipeline)).toEqual(['a failed', 'b pending', 'c pending']);
    await runner.takeNamed('c');
    await runner.end(await runner.takeNamed('b'), FAILED);
    expect(await jobsOf(loom, pipeline)).toEqual(['a failed', 'b failed', 'c canceled']);
  });

  it('leaves what waits for somebody to them, such as a job that stops an environment', async () => {
    const text = `${AT_ONCE}\na: {script: make}\nb: {script: make}\nstop: {script: make, when: manual}`;
    const { loom, runner, pipeline } = await ciProjectWith(writing, text);
    await runner.end(await runner.takeNamed('a'), FAILED);
    expect(await jobsOf(loom, pipeline)).toEqual(['a failed', 'b canceled', 'stop manual']);
    expect(await statusOf(loom, pipeline)).toBe('failed');
  });

  it('ends its parts, too, and a job that is run again then ends nothing', async () => {
    const files = {
      [CI_FILE]: `${AT_ONCE}\nnext: {trigger: {include: child.yml, strategy: depend}}\na: {script: make}`,
      'child.yml': 'x: {script: make}',
    };
    const { loom, runner, pipeline } = await ciProjectOf(writing, files);
    await pushesFollowed(writing.service);
    const taken = await runner.takeNamed('a');
    await runner.end(taken, FAILED);
    const [child] = (await loom.call<{ id: number }[]>('GET', '/pipelines?source=parent_pipeline')).body;
    expect([await jobsOf(loom, pipeline), await jobsOf(loom, child!.id)]).toEqual([['a failed'], ['x canceled']]);
    expect((await loom.call('POST', `/jobs/${taken.id}/retry`)).status).toBe(201);
    expect(await statusOf(loom, pipeline)).toBe('running');
  });
});
