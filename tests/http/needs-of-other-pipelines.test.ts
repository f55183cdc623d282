import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { CI_FILE, ciProjectOf, ciProjectWith, type CiProject } from '../support/ci-project.js';
import { pushesFollowed, type TakenJob } from '../support/ci-runner.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';
import { zipOf } from '../support/zips.js';

const PASSED = { state: 'success' };
const FAILED = { state: 'failed', failure_reason: 'script_failure' };
const MISSED = ['failed', 'missing_dependency_failure'];

interface Dependency {
  readonly id: number;
  readonly name: string;
}

describeWriting('files of jobs of other pipelines', (writing) => {
  const idsGivenTo = (job: TakenJob): readonly number[] =>
    (job['dependencies'] as readonly Dependency[]).map(({ id }) => id);

  const fetched = async ({ token }: TakenJob, id: number): Promise<number> => {
    const headers = { 'JOB-TOKEN': token };
    return (await fetch(`${writing.service.url}/api/v4/jobs/${id}/artifacts`, { headers })).status;
  };

  /** A job that has left an archive, and a report, and has ended so. */
  const left = async ({ runner }: Pick<CiProject, 'runner'>, name: string, end: object = PASSED): Promise<TakenJob> => {
    const job = await runner.takeNamed(name);
    expect((await runner.leave(job, await zipOf({ out: name }))).status).toBe(201);
    const report = { query: 'artifact_type=dotenv&artifact_format=gzip' };
    expect((await runner.leave(job, gzipSync(`TOLD=by ${name}\n`), report)).status).toBe(201);
    await runner.end(job, end);
    await pushesFollowed(writing.service);
    return job;
  };

  /** How the job of that name of a pipeline ended, once nothing is left to take. */
  const endOf = async ({ loom, runner }: CiProject, pipeline: number, name: string) => {
    await runner.runAll();
    const { body } = await loom.call<{ name: string; status: string; failure_reason?: string }[]>(
      ...(['GET', `/pipelines/${pipeline}/jobs`] as const),
    );
    const job = body.find((each) => each.name === name);
    return [job?.status, job?.failure_reason];
  };

  /** Another pipeline of its main branch. */
  const runWith = async (loom: WrittenProject, values: Readonly<Record<string, string>>): Promise<number> => {
    const variables = Object.entries(values).map(([key, value]) => ({ key, value }));
    const { status, body } = await loom.call<{ id: number }>('POST', '/pipeline', { ref: 'main', variables });
    expect(status).toBe(201);
    await pushesFollowed(writing.service);
    return body.id;
  };

  const childWith = (text: string, then: string): string =>
    `{stage: deploy, trigger: {include: ${text}}, variables: {MADE_IN: ${then}}}`;

  it('are given to the jobs of its parts, and to those of their parts, whoever fetches them last', async () => {
    const needs = '[{pipeline: $MADE_IN, job: build}]';
    const made = await ciProjectOf(writing, {
      [CI_FILE]: `build: {script: make}\nnext: ${childWith('child.yml', '$CI_PIPELINE_ID')}`,
      'child.yml': `use: {script: make, needs: [{pipeline: $CI_UPSTREAM_PIPELINE_ID, job: build}]}\nnext: ${childWith('deeper.yml', '$MADE_IN')}`,
      'deeper.yml': `deeper: {script: make, needs: ${needs}}`,
    });
    const { runner } = made;
    const build = await left(made, 'build');
    const use = await runner.takeNamed('use');
    const told = use.variables.find(({ key }) => key === 'TOLD');
    expect([idsGivenTo(use), told?.value, await fetched(use, build.id)]).toEqual([[build.id], 'by build', 200]);
    await runner.end(use, PASSED);
    expect(await fetched(use, build.id)).toBe(403);
    await pushesFollowed(writing.service);
    const deeper = await runner.takeNamed('deeper');
    expect([idsGivenTo(deeper), await fetched(deeper, build.id)]).toEqual([[build.id], 200]);
  });

  it('are those of another part of the same one, but not of what ended otherwise', async () => {
    const made = await ciProjectOf(writing, {
      [CI_FILE]: 'one: {trigger: {include: one.yml}}\ntwo: {stage: deploy, when: manual, trigger: {include: two.yml}}',
      'one.yml': 'build: {script: make}\nfails: {script: make}',
      'two.yml':
        'use: {script: make, needs: [{pipeline: $ONE, job: build}]}\nmiss: {script: make, needs: [{pipeline: $ONE, job: fails}]}',
    });
    const { loom, runner, pipeline } = made;
    const build = await left(made, 'build');
    const failed = await left(made, 'fails', FAILED);
    const bridges = await loom.call<{ id: number; name: string; downstream_pipeline: { id: number } | null }[]>(
      ...(['GET', `/pipelines/${pipeline}/bridges`] as const),
    );
    const [one, two] = ['one', 'two'].map((name) => bridges.body.find((each) => each.name === name)!);
    const ONE = String(one!.downstream_pipeline!.id);
    await loom.call('POST', '/variables', { key: 'ONE', value: ONE });
    expect((await loom.call('POST', `/jobs/${two!.id}/play`)).status).toBe(200);
    await pushesFollowed(writing.service);
    const use = await runner.takeNamed('use');
    expect(idsGivenTo(use)).toEqual([build.id]);
    expect([await fetched(use, build.id), await fetched(use, failed.id)]).toEqual([200, 404]);
    const after = await loom.call<typeof bridges.body>('GET', `/pipelines/${pipeline}/bridges`);
    const second = after.body.find(({ name }) => name === 'two')!.downstream_pipeline!.id;
    expect(await endOf(made, second, 'miss')).toEqual(MISSED);
  });

  const TEXT = `
build: {script: make, rules: [{if: "$FROM == null"}]}
use: {script: make, needs: [{pipeline: $FROM, job: build}], rules: [{if: $FROM}]}`;

  it('are missed of a pipeline that is no part of the same one, as of what is no pipeline: the job fails, and says so', async () => {
    const [made, other] = [await ciProjectWith(writing, TEXT), await ciProjectWith(writing, TEXT)];
    await left(made, 'build');
    await left(other, 'build');
    for (const from of [made.pipeline, other.pipeline, '999999999999', '9'.repeat(30), '-1', '1e3', 'build', '$NONE']) {
      const pipeline = await runWith(made.loom, { FROM: String(from) });
      expect([from, ...(await endOf(made, pipeline, 'use'))]).toEqual([from, ...MISSED]);
    }
  });

  it('are missed of its own pipeline, whose jobs are needed by their names', async () => {
    const made = await ciProjectWith(
      writing,
      'build: {script: make}\nuse: {script: make, needs: [build, {pipeline: $CI_PIPELINE_ID, job: build}]}',
    );
    await left(made, 'build');
    expect(await endOf(made, made.pipeline, 'use')).toEqual(MISSED);
  });
});
