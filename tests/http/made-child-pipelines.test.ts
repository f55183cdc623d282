import { expect, it } from '@jest/globals';
import { CI_FILE } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { bridgeOf, pipelinesOf, upstreamOf } from '../support/downstream.js';
import { describeWriting } from '../support/written-project.js';
import { withEncryption, withNoise, withSize, zipOf } from '../support/zips.js';

const PASSED = { state: 'success' };
const MAKE = 'make: {stage: build, script: make, artifacts: {paths: [ci]}}\n';

describeWriting('parts of pipelines that jobs write themselves', (writing) => {
  /** A pipeline whose first job leaves these files, and what its other job starts then. */
  const started = async (
    include: string,
    files: Readonly<Record<string, string>> | Buffer | null,
    beside: Readonly<Record<string, string>> = {},
  ) => {
    const text = `${MAKE}next: {stage: test, trigger: {include: ${include}}}`;
    const { loom, runner } = await upstreamOf(writing, { [CI_FILE]: text, ...beside });
    const [parent] = await pipelinesOf(loom);
    const job = await runner.takeNamed('make');
    const left = files === null || Buffer.isBuffer(files) ? files : await zipOf(files);
    if (left !== null) expect((await runner.leave(job, left)).status).toBe(201);
    await runner.end(job, PASSED);
    await pushesFollowed(writing.service);
    const bridge = await bridgeOf(loom, parent!.id);
    const child = bridge.downstream_pipeline;
    const jobs = child && (await loom.call<{ name: string }[]>('GET', `/pipelines/${child.id}/jobs`)).body;
    return { bridge, jobs: (jobs ?? []).map(({ name }) => name).sort() };
  };
  const FAILED = { status: 'failed', failure_reason: 'downstream_pipeline_creation_failed' };

  it('do what a file says that a job of the pipeline left, beside other files and with inputs', async () => {
    const one = await started('[{artifact: ci/made.yml, job: make}]', { 'ci/made.yml': 'made: {script: make}' });
    expect([one.bridge.status, one.jobs]).toEqual(['success', ['made']]);
    const several = await started(
      '[{artifact: ci/made.yml, job: make, inputs: {name: given}}, {local: own.yml}]',
      { 'ci/made.yml': 'spec: {inputs: {name: {}}}\n---\n"$[[ inputs.name ]]": {script: make}' },
      { 'own.yml': 'own: {script: make}' },
    );
    expect(several.jobs).toEqual(['given', 'own']);
  });

  it.each([
    ['the file is not in the archive', '[{artifact: ci/other.yml, job: make}]', { 'ci/made.yml': 'x: {script: x}' }],
    ['the job left none', '[{artifact: ci/made.yml, job: make}]', null],
    ['there is no such job', '[{artifact: ci/made.yml, job: other}]', { 'ci/made.yml': 'x: {script: x}' }],
    ['it is no CI file', '[{artifact: ci/made.yml, job: make}]', { 'ci/made.yml': 'x: 1' }],
    ['it is too long', '[{artifact: ci/made.yml, job: make}]', { 'ci/made.yml': `#${'x'.repeat(5_000_000)}` }],
    [
      'it includes another one itself',
      '[{artifact: ci/made.yml, job: make}]',
      { 'ci/made.yml': 'include: {artifact: ci/more.yml, job: make}', 'ci/more.yml': 'x: {script: x}' },
    ],
  ])('are not started where %s', async (_, include, files) => {
    const { bridge, jobs } = await started(include, files as Readonly<Record<string, string>> | null);
    expect([bridge, jobs]).toEqual([expect.objectContaining(FAILED), []]);
  });

  const made = () => zipOf({ 'ci/made.yml': `made: {script: make}\n#${'x'.repeat(10_000)}` });

  it.each([
    ['is larger than its archive says', async () => withSize(await made(), 10)],
    ['is smaller than its archive says', async () => withSize(await made(), 100_000)],
    ['can not be unpacked', async () => withNoise(await made(), 'ci/made.yml')],
    ['is encrypted', async () => withEncryption(await made())],
    ['lies in what is no archive', () => Promise.resolve(Buffer.from('made: {script: make}'))],
  ])('are not started where the file %s, and the job that starts them waits no longer', async (_, zip) => {
    const { bridge, jobs } = await started('[{artifact: ci/made.yml, job: make}]', await zip());
    expect([bridge, jobs]).toEqual([expect.objectContaining(FAILED), []]);
  });
});
