import { expect, it } from '@jest/globals';
import { ENVIRONMENT_TOKENS } from '../../src/infrastructure/composition/environments.tokens.js';
import { CI_FILE, ciProjectOf, ciProjectWith, jobsOfNewest } from '../support/ci-project.js';
import { pushesFollowed, type TakenJob } from '../support/ci-runner.js';
import { bridgeOf, runOf } from '../support/downstream.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';
import { zipOf } from '../support/zips.js';

const PASSED = { state: 'success' };
const [DEVELOPER, MAINTAINER] = [30, 40];

interface WithId {
  readonly id: number;
  readonly name: string;
}

/** Grace is a Developer of a project of Ada's, whose `main` is protected: she may neither push to it nor run its jobs. */
describeWriting('Developers beside protected branches', (writing) => {
  const followed = () => pushesFollowed(writing.service);

  const byGrace = (loom: WrittenProject, method: string, path: string, json?: object) =>
    loom.call<WithId & { message: unknown }>(method, path, json, writing.grace);

  const letIn = (loom: WrittenProject) => loom.addMember(writing.grace, DEVELOPER);

  const environmentNamed = async (loom: WrittenProject, name: string) =>
    (await loom.call<(WithId & { state: string })[]>('GET', `/environments?name=${name}`)).body[0]!;

  const tell = (loom: WrittenProject, sha: string, ref: string, by = writing.grace) =>
    loom.call('POST', '/deployments', { environment: 'production', sha, ref, tag: false, status: 'success' }, by);

  const valueOf = ({ variables }: TakenJob, key: string) => variables.find((each) => each.key === key);

  const rulesOfMain = 'rules: [{if: $CI_COMMIT_BRANCH == "main"}]';

  it('stop nothing that others brought by telling of a deployment of a branch that goes', async () => {
    const { loom, runner } = await ciProjectWith(
      writing,
      `
deploy: {script: make, ${rulesOfMain}, environment: {name: production, on_stop: stop}}
stop: {script: make, when: manual, ${rulesOfMain.replace('}]', ', when: manual}]')}, environment: {name: production, action: stop}}`,
    );
    await letIn(loom);
    expect(await runner.runAll()).toEqual(['deploy']);
    await byGrace(loom, 'POST', '/repository/branches', { branch: 'topic', ref: 'main' });
    expect((await tell(loom, (await loom.head('main'))!, 'topic')).status).toBe(201);
    const { id } = await environmentNamed(loom, 'production');
    expect((await byGrace(loom, 'POST', `/environments/${id}/stop`, {})).status).toBe(403);
    await loom.call('DELETE', '/repository/branches/topic');
    await followed();
    expect([await runner.take(), (await environmentNamed(loom, 'production')).state]).toEqual([undefined, 'available']);
  });

  it('have a job of theirs that stops an environment run in their own name, and not for what came later', async () => {
    const { loom, runner } = await ciProjectWith(writing, `x: {script: make, ${rulesOfMain}}`);
    await letIn(loom);
    await runner.runAll();
    const content = `
deploy: {script: make, environment: {name: production, on_stop: stop, auto_stop_in: 1 hour}}
stop: {script: make, when: manual, environment: {name: production, action: stop}}`;
    const deployed = async () => {
      await followed();
      expect(await runner.runAll()).toEqual(['deploy']);
    };
    const timeIsOver = async () => {
      const { service, clock } = writing.service;
      clock.advance(2 * 3_600_000);
      await service.container.get(ENVIRONMENT_TOKENS.environments).endEnvironments.whoseTimeIsOver();
      return runner.take();
    };
    const actions = [{ action: 'update', file_path: CI_FILE, content }];
    await loom.commit('topic', 'Mine', actions, { start_branch: 'main' }, writing.grace);
    await deployed();
    await tell(loom, (await loom.head('main'))!, 'main', writing.ada);
    expect(await timeIsOver()).toBeUndefined();
    await loom.commit('topic', 'Again', [{ action: 'create', file_path: 'a', content: 'a' }], {}, writing.grace);
    await deployed();
    const stop = (await timeIsOver())!;
    expect([stop.job_info.name, valueOf(stop, 'GITLAB_USER_LOGIN')?.value]).toEqual(['stop', 'grace']);
  });

  it('take nothing out of protected jobs by the address of an environment', async () => {
    const { loom, runner } = await ciProjectWith(writing, 'deploy: {script: make, environment: {name: production}}');
    await letIn(loom);
    await runner.runAll();
    const { id } = await environmentNamed(loom, 'production');
    const external_url = 'https://there.example/$DEPLOY_PASSWORD';
    expect((await byGrace(loom, 'PUT', `/environments/${id}`, { external_url })).status).toBe(200);
    await runOf(writing, loom);
    const told = valueOf(await runner.takeNamed('deploy'), 'CI_ENVIRONMENT_URL');
    expect(told).toMatchObject({ value: external_url, raw: true });
  });

  it('give protected jobs no secrets of another environment by calling it like theirs', async () => {
    const { loom, runner } = await ciProjectWith(
      writing,
      'prod: {script: make, environment: production}\nstage: {script: make, when: manual, environment: staging}',
    );
    await letIn(loom);
    await runner.runAll();
    const secret = { key: 'PW', value: 's3cret-of-production', protected: true, environment_scope: 'production' };
    await loom.call('POST', '/variables', secret);
    const rename = async (from: string, name: string) =>
      byGrace(loom, 'PUT', `/environments/${(await environmentNamed(loom, from)).id}`, { name });
    expect((await rename('production', 'old')).status).toBe(200);
    expect((await rename('staging', 'production')).status).toBe(200);
    const [stage] = (await loom.call<WithId[]>('GET', '/jobs?scope=manual')).body;
    expect((await loom.call('POST', `/jobs/${stage!.id}/play`)).status).toBe(200);
    const job = await runner.takeNamed('stage');
    expect([valueOf(job, 'CI_ENVIRONMENT_NAME')?.value, valueOf(job, 'PW')]).toEqual(['staging', undefined]);
  });

  it('say nothing of a pipeline whose jobs they may not run, and all they want of one of programs elsewhere', async () => {
    const { loom, runner, pipeline } = await ciProjectWith(writing, `build: {script: make, ${rulesOfMain}}`);
    await letIn(loom);
    await runner.runAll();
    const sha = await loom.head('main');
    const said = (more: object, by = writing.grace) =>
      loom.call('POST', `/statuses/${sha!}`, { state: 'failed', name: 'x', ...more }, by);
    expect((await said({ pipeline_id: pipeline })).status).toBe(403);
    expect((await said({ ref: 'main' })).status).toBe(403);
    expect((await loom.call('GET', `/pipelines/${pipeline}`)).body).toMatchObject({ status: 'success' });
    const other = await loom.commit(
      'topic',
      'Else',
      [{ action: 'create', file_path: 'a', content: 'a' }],
      { start_branch: 'main' },
      writing.grace,
    );
    expect((await byGrace(loom, 'POST', `/statuses/${other.body.id}`, { state: 'failed', name: 'x' })).status).toBe(
      201,
    );
    await loom.call('PUT', `/members/${writing.grace.id}`, { access_level: MAINTAINER });
    expect((await said({ pipeline_id: pipeline })).status).toBe(201);
  });

  it('put no tag in the place of a protected branch where files of jobs are looked for', async () => {
    const { loom, runner } = await ciProjectWith(
      writing,
      `build: {script: make, rules: [{if: $CI_COMMIT_TAG}]}\nother: {script: make, rules: [{if: $CI_COMMIT_BRANCH}]}`,
    );
    await letIn(loom);
    await runner.runAll();
    await loom.call('POST', '/protected_branches', { name: 'stable' });
    await loom.call('POST', '/repository/branches', { branch: 'stable', ref: 'main' });
    await followed();
    const file = () => loom.call('GET', '/jobs/artifacts/stable/download?job=build');
    await byGrace(loom, 'POST', '/repository/branches', { branch: 'topic', ref: 'main' });
    expect((await byGrace(loom, 'POST', '/repository/tags', { tag_name: 'stable', ref: 'topic' })).status).toBe(201);
    await followed();
    for (let job = await runner.take(); job !== undefined; job = await runner.take()) {
      if (job.job_info.name === 'build') await runner.leave(job, await zipOf({ out: 'of the tag' }));
      await runner.end(job, PASSED);
    }
    expect((await file()).status).toBe(404);
    await loom.call('DELETE', '/protected_branches/stable');
    await loom.call('POST', '/protected_tags', { name: 'stable', create_access_level: 40 });
    expect((await file()).status).toBe(404);
  });

  it('put no branch in the place of the released versions of a component', async () => {
    const component = await writing.newProject();
    await letIn(component);
    await component.write('main', { 'templates/build.yml': 'good: {script: make}' });
    await component.call('POST', '/protected_tags', { name: '*', create_access_level: 40 });
    const released = { tag_name: 'v1.0.0', ref: 'main', description: 'x' };
    expect((await component.call('POST', '/releases', released)).status).toBe(201);
    expect((await byGrace(component, 'POST', '/repository/tags', { tag_name: 'v1.9.9', ref: 'main' })).status).toBe(
      403,
    );
    const actions = [{ action: 'update', file_path: 'templates/build.yml', content: 'other: {script: make}' }];
    for (const branch of ['1', '1.0', 'next'])
      await component.commit(branch, 'Else', actions, { start_branch: 'main' }, writing.grace);
    const jobsWith = async (version: string) => {
      const include = `include: [{component: $CI_SERVER_FQDN/${component.project.path}/build@${version}}]`;
      const { loom } = await ciProjectWith(writing, include);
      return jobsOfNewest(writing, loom);
    };
    expect([await jobsWith('1'), await jobsWith('1.0'), await jobsWith('next')]).toEqual([
      ['good'],
      ['good'],
      ['other'],
    ]);
  });

  it('are not told the variables of what they did not start, nor of what follows from it', async () => {
    const { loom } = await ciProjectOf(writing, {
      [CI_FILE]: 'x: {script: make}\nnext: {trigger: {include: child.yml, forward: {pipeline_variables: true}}}',
      'child.yml': 'use: {script: make}',
    });
    await letIn(loom);
    const owned = { description: 'nightly', ref: 'main', cron: '0 4 * * *' };
    const schedule = (await loom.call<WithId>('POST', '/pipeline_schedules', owned)).body.id;
    const given = { key: 'DEPLOY_PASSWORD', value: 's3cret-of-ada' };
    await loom.call('POST', `/pipeline_schedules/${schedule}/variables`, given);
    await loom.call('POST', `/pipeline_schedules/${schedule}/play`, {});
    await followed();
    const scheduled = (await loom.call<WithId[]>('GET', '/pipelines?source=schedule')).body[0]!.id;
    const started = (await loom.call<WithId>('POST', '/pipeline', { ref: 'main', variables: [given] })).body.id;
    await followed();
    for (const parent of [scheduled, started]) {
      const child = (await bridgeOf(loom, parent)).downstream_pipeline!.id;
      for (const id of [parent, child]) {
        const asked = (by = loom.owner) => loom.call('GET', `/pipelines/${id}/variables`, undefined, by);
        expect((await asked()).body).toMatchObject([given]);
        expect((await asked(writing.grace)).status).toBe(403);
      }
    }
    await loom.commit(
      'topic',
      'Mine',
      [{ action: 'create', file_path: 'a', content: 'a' }],
      { start_branch: 'main' },
      writing.grace,
    );
    const own = await byGrace(loom, 'POST', '/pipeline', { ref: 'topic', variables: [{ key: 'A', value: 'b' }] });
    await followed();
    const child = (await bridgeOf(loom, own.body.id)).downstream_pipeline!.id;
    for (const id of [own.body.id, child])
      expect((await byGrace(loom, 'GET', `/pipelines/${id}/variables`)).body).toMatchObject([{ key: 'A', value: 'b' }]);
  });
});
