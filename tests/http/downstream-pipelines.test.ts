import { expect, it } from '@jest/globals';
import { PIPELINE_TOKENS } from '../../src/infrastructure/composition/pipelines.tokens.js';
import { CI_FILE, ciProjectWith } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import {
  bridgeOf,
  bridgesOf,
  pipelinesOf,
  runOf,
  startedIn,
  statusOf,
  turnOf,
  upstreamOf,
  type ShownBridge,
} from '../support/downstream.js';
import { describeWriting } from '../support/written-project.js';

const PASSED = { state: 'success' };
const FAILED = { state: 'failed', failure_reason: 'script_failure' };
const MINUTE_MS = 60_000;

describeWriting('jobs that start pipelines of other projects', (writing) => {
  const followed = () => pushesFollowed(writing.service);
  const useCases = () => writing.service.service.container.get(PIPELINE_TOKENS.pipelines);

  it('start one of the default branch, in the name of whoever they run for, and have succeeded then', async () => {
    const target = await ciProjectWith(
      writing,
      'told: {script: make, only: [pipelines]}\npushed: {script: make, except: [pipelines]}',
    );
    const path = target.loom.project.path;
    const { loom, pipeline } = await upstreamOf(writing, `next: {trigger: ${path}}`, target.loom);
    const bridge = await bridgeOf(loom, pipeline);
    expect(bridge).toMatchObject({
      ...{ name: 'next', status: 'success', user: { username: 'ada' } },
      downstream_pipeline: { project_id: target.loom.id, ref: 'main', source: 'pipeline', status: 'pending' },
    });
    expect(await statusOf(loom, pipeline)).toBe('success');
    const jobs = await target.loom.call<ShownBridge[]>('GET', `/pipelines/${bridge.downstream_pipeline!.id}/jobs`);
    expect(jobs.body.map(({ name }) => name)).toEqual(['told']);
  });

  it('are no jobs of runners: lists leave them out, and they have no log', async () => {
    const target = await ciProjectWith(writing, 'x: {script: make}');
    const { loom, runner, pipeline } = await upstreamOf(
      writing,
      `build: {script: make}\nnext: {trigger: ${target.loom.project.path}, stage: deploy}`,
      target.loom,
    );
    const names = async (at: string) => (await loom.call<ShownBridge[]>('GET', at)).body.map(({ name }) => name);
    expect(await names(`/pipelines/${pipeline}/jobs`)).toEqual(['build']);
    expect(await names('/jobs')).toEqual(['build']);
    expect(await names(`/pipelines/${pipeline}/bridges?scope[]=created`)).toEqual(['next']);
    expect(await names(`/pipelines/${pipeline}/bridges?scope[]=running`)).toEqual([]);
    const { headers } = await loom.call('GET', `/pipelines/${pipeline}/bridges?per_page=1`);
    expect(['X-Total', 'X-Page', 'X-Per-Page'].map((name) => headers.get(name))).toEqual(['1', '1', '1']);
    const { id } = await bridgeOf(loom, pipeline);
    for (const path of ['', '/trace', '/artifacts'])
      expect((await loom.call('GET', `/jobs/${id}${path}`)).status).toBe(404);
    expect((await loom.call('POST', `/jobs/${id}/erase`)).status).toBe(404);
    expect(await runner.runAll()).toEqual(['build']);
    await followed();
    expect(await startedIn(target.loom)).toHaveLength(1);
  });

  it('give it the variables of their file, and those of their own pipeline where they are to', async () => {
    const target = await ciProjectWith(writing, 'x: {script: make}');
    const path = target.loom.project.path;
    const { loom } = await upstreamOf(
      writing,
      `
variables: {LEVEL: top, ALL: all}
own:
  trigger: {project: ${path}, branch: main}
  variables: {LEVEL: job, OF: "$CI_PROJECT_ID/$CI_PIPELINE_ID/$CI_COMMIT_BRANCH/$SECRET", RAW: {value: "$LEVEL", expand: false}}
given:
  trigger: {project: ${path}, forward: {yaml_variables: false, pipeline_variables: true}}
neither:
  trigger: {project: ${path}, forward: {yaml_variables: false}}
  inherit: {variables: false}
`,
      target.loom,
    );
    const secret = { key: 'SECRET', value: 'hidden-value', masked: true };
    expect((await loom.call('POST', '/variables', secret)).status).toBe(201);
    const asked = { ref: 'main', variables: [{ key: 'COLOR', value: 'red' }] };
    const { body } = await loom.call<{ id: number }>('POST', '/pipeline', asked);
    await followed();
    const told: Record<string, Record<string, string>> = {};
    for (const { name, downstream_pipeline: started } of await bridgesOf(loom, body.id)) {
      const given = await target.loom.call<{ key: string; value: string }[]>(
        ...(['GET', `/pipelines/${started!.id}/variables`] as const),
      );
      told[name] = Object.fromEntries(given.body.map(({ key, value }) => [key, value]));
    }
    expect(told).toEqual({
      own: { LEVEL: 'job', ALL: 'all', OF: `${loom.id}/${body.id}/main/`, RAW: '$LEVEL' },
      given: { COLOR: 'red' },
      neither: {},
    });
  });

  it('tell its jobs which job of which pipeline started them', async () => {
    const target = await ciProjectWith(
      writing,
      'x: {script: make, only: [pipelines]}\ny: {script: make, except: [pipelines]}',
    );
    await target.runner.runAll();
    const { loom, pipeline } = await upstreamOf(writing, `next: {trigger: ${target.loom.project.path}}`, target.loom);
    const job = await target.runner.takeNamed('x');
    const told = new Map(job.variables.map(({ key, value }) => [key, value]));
    const { id } = await bridgeOf(loom, pipeline);
    expect(
      ['CI_PIPELINE_SOURCE', 'CI_UPSTREAM_PROJECT_ID', 'CI_UPSTREAM_PIPELINE_ID', 'CI_UPSTREAM_JOB_ID'].map((key) =>
        told.get(key),
      ),
    ).toEqual(['pipeline', String(loom.id), String(pipeline), String(id)]);
  });

  it('find the project and the branch by variables that may be shown', async () => {
    const target = await ciProjectWith(writing, 'x: {script: make}');
    await target.loom.commit('main', 'More', [{ action: 'create', file_path: 'a', content: 'a' }]);
    await target.loom.call('POST', '/repository/branches?branch=topic&ref=main');
    const [group, name] = target.loom.project.path.split('/');
    const { loom, pipeline } = await upstreamOf(
      writing,
      `next: {trigger: {project: $CI_PROJECT_ROOT_NAMESPACE/$NAME, branch: $WHERE}, variables: {NAME: ${name!}, WHERE: topic}}`,
      target.loom,
    );
    expect(loom.project.path.split('/')[0]).toBe(group);
    expect((await bridgeOf(loom, pipeline)).downstream_pipeline).toMatchObject({ ref: 'topic' });
  });

  it('wait for it where they are to, end as it does, and once more when it is run again', async () => {
    const target = await ciProjectWith(writing, 'x: {script: make}');
    await target.runner.runAll();
    const { loom, runner, pipeline } = await upstreamOf(
      writing,
      `next: {stage: build, trigger: {project: ${target.loom.project.path}, strategy: depend}}\nlast: {stage: deploy, script: make}`,
      target.loom,
    );
    const standing = async () => {
      await followed();
      const jobs = await loom.call<ShownBridge[]>('GET', `/pipelines/${pipeline}/jobs`);
      return [await statusOf(loom, pipeline), (await bridgeOf(loom, pipeline)).status, jobs.body[0]?.status];
    };
    expect(await standing()).toEqual(['running', 'running', 'created']);
    await target.runner.end(await target.runner.takeNamed('x'), FAILED);
    expect(await standing()).toEqual(['failed', 'failed', 'skipped']);
    const { downstream_pipeline: started } = await bridgeOf(loom, pipeline);
    await target.loom.call('POST', `/pipelines/${started!.id}/retry`);
    expect(await standing()).toEqual(['running', 'running', 'created']);
    await target.runner.end(await target.runner.takeNamed('x'), PASSED);
    expect(await standing()).toEqual(['running', 'success', 'pending']);
    expect(await runner.runAll()).toEqual(['last']);
    expect(await standing()).toEqual(['success', 'success', 'success']);
    expect(await startedIn(target.loom)).toHaveLength(1);
  });

  it('are canceled with it, and where it is removed', async () => {
    const target = await ciProjectWith(writing, 'x: {script: make}');
    const text = `next: {trigger: {project: ${target.loom.project.path}, strategy: depend}}`;
    const { loom, pipeline } = await upstreamOf(writing, text, target.loom);
    const { downstream_pipeline: started } = await bridgeOf(loom, pipeline);
    await target.loom.call('POST', `/pipelines/${started!.id}/cancel`);
    await followed();
    expect((await bridgeOf(loom, pipeline)).status).toBe('canceled');
    const next = await runOf(writing, loom);
    const again = await bridgeOf(loom, next);
    expect(again.status).toBe('running');
    expect((await target.loom.call('DELETE', `/pipelines/${again.downstream_pipeline!.id}`)).status).toBe(204);
    await followed();
    expect(await bridgeOf(loom, next)).toMatchObject({ status: 'canceled', downstream_pipeline: null });
  });

  it('end by the clock where nobody told them of its end', async () => {
    const target = await ciProjectWith(writing, 'x: {script: make}');
    const text = `next: {trigger: {project: ${target.loom.project.path}, strategy: depend}}`;
    const { loom, pipeline } = await upstreamOf(writing, text, target.loom);
    const { downstream_pipeline: started } = await bridgeOf(loom, pipeline);
    const { schema } = writing.service.service.database;
    await schema('pipelines').where({ id: started!.id }).update({ status: 'success' });
    expect((await bridgeOf(loom, pipeline)).status).toBe('running');
    await useCases().followDownstream.lookAgain();
    expect((await bridgeOf(loom, pipeline)).status).toBe('success');
  });

  it('leave it alone once they are canceled, and stay canceled when it ends', async () => {
    const target = await ciProjectWith(writing, 'x: {script: make}');
    await target.runner.runAll();
    const text = `next: {trigger: {project: ${target.loom.project.path}, strategy: depend}}`;
    const { loom, pipeline } = await upstreamOf(writing, text, target.loom);
    const { id, downstream_pipeline: started } = await bridgeOf(loom, pipeline);
    expect(await loom.call('POST', `/jobs/${id}/cancel`)).toMatchObject({ status: 201, body: { status: 'canceled' } });
    expect(await statusOf(target.loom, started!.id)).toBe('pending');
    await target.runner.end(await target.runner.takeNamed('x'), PASSED);
    await followed();
    expect((await bridgeOf(loom, pipeline)).status).toBe('canceled');
  });

  it('start nothing that was canceled before its turn, and another one each time they are run again', async () => {
    const target = await ciProjectWith(writing, 'x: {script: make}');
    const { loom, pipeline } = await upstreamOf(
      writing,
      `next: {trigger: ${target.loom.project.path}, when: manual}\nlate: {trigger: ${target.loom.project.path}, when: delayed, start_in: 5 minutes}`,
      target.loom,
    );
    expect(await startedIn(target.loom)).toEqual([]);
    const named = async (name: string) => (await bridgesOf(loom, pipeline)).find((each) => each.name === name)!;
    const late = await named('late');
    await loom.call('POST', `/jobs/${late.id}/cancel`);
    writing.service.clock.advance(6 * MINUTE_MS);
    await useCases().delayedJobs.beginDue();
    await followed();
    expect(await startedIn(target.loom)).toEqual([]);
    const played = await loom.call('POST', `/jobs/${(await named('next')).id}/play`, {
      job_variables_attributes: [{ key: 'COLOR', value: 'blue' }],
    });
    expect(played).toMatchObject({ status: 200, body: { status: 'pending' } });
    await followed();
    const [first] = await startedIn(target.loom);
    const given = await target.loom.call('GET', `/pipelines/${first!.id}/variables`);
    expect(given.body).toMatchObject([{ key: 'COLOR', value: 'blue' }]);
    const retried = await loom.call<ShownBridge>('POST', `/jobs/${(await named('next')).id}/retry`);
    expect(retried).toMatchObject({ status: 201, body: { status: 'pending' } });
    await followed();
    expect((await named('next')).downstream_pipeline!.id).not.toBe(first!.id);
    expect(await startedIn(target.loom)).toHaveLength(2);
    expect((await loom.call('POST', `/jobs/${late.id}/retry`)).status).toBe(201);
    await followed();
    expect(await startedIn(target.loom)).toHaveLength(3);
  });

  it('start it once, however many begin them at once, and however often that is begun anew', async () => {
    const target = await ciProjectWith(writing, 'x: {script: make}');
    const { loom, pipeline } = await upstreamOf(
      writing,
      `next: {trigger: ${target.loom.project.path}, when: manual}`,
      target.loom,
    );
    const start = await turnOf(writing, loom, await bridgeOf(loom, pipeline));
    await Promise.all([start(), start(), start()]);
    expect(await startedIn(target.loom)).toHaveLength(1);
    expect(await bridgeOf(loom, pipeline)).toMatchObject({
      ...{ status: 'success', downstream_pipeline: { project_id: target.loom.id } },
    });
    // As if the service had ended before the work was taken off the queue: whoever takes it then does it again.
    expect(await start()).toBeUndefined();
    expect(await startedIn(target.loom)).toHaveLength(1);
  });

  it('are known to the lint, and so is what they may not say', async () => {
    const loom = await writing.newProject();
    const lint = async (content: string) => (await loom.call('POST', '/ci/lint', { content, include_jobs: true })).body;
    expect(await lint('next: {stage: deploy, trigger: {project: a/b, strategy: depend}, when: manual}')).toMatchObject({
      ...{ valid: true, errors: [], warnings: [] },
      jobs: [{ name: 'next', stage: 'deploy', script: [], when: 'manual', allow_failure: true }],
    });
    expect(await lint('next: {trigger: {include: {artifact: a.yml}}, script: make}')).toMatchObject({
      ...{ valid: false },
      errors: [
        "jobs:next config: `script` can't be used with `trigger`; the job starts a pipeline, and runs nothing itself.",
        'jobs:next:trigger include: `job` should be a string',
      ],
    });
  });

  it('go no deeper than five levels, a project of its own too', async () => {
    const loom = await writing.newProject();
    await loom.write('main', { [CI_FILE]: `next: {trigger: ${loom.project.path}}` });
    await followed();
    const all = await pipelinesOf(loom);
    expect(all.map(({ source }) => source)).toEqual([...Array.from({ length: 5 }, () => 'pipeline'), 'push']);
    expect(await bridgeOf(loom, all[0]!.id)).toMatchObject({
      ...{ status: 'failed', failure_reason: 'reached_max_descendant_pipelines_depth' },
    });
  });
});
