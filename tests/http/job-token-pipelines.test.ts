import { expect, it } from '@jest/globals';
import { ciProjectWith, runnerOf } from '../support/ci-project.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Pipeline {
  readonly id: number;
  readonly source: string;
  readonly user: { readonly username: string };
  readonly message?: unknown;
}

const [DEVELOPER, MAINTAINER] = [30, 40];
const TARGET = `
told: { script: make, only: [pipelines] }
by-source: { script: make, rules: [{ if: '$CI_PIPELINE_SOURCE == "pipeline" && $COLOR == "red"' }] }
pushed: { script: make, except: [pipelines] }`;

describeWriting('the token of a job that runs', (writing) => {
  const target = async () => {
    const loom = await writing.newProject();
    await loom.write('main', { '.gitlab-ci.yml': TARGET });
    return loom;
  };
  const start = (loom: WrittenProject, token: string, more: object = {}) =>
    writing.service.call<Pipeline>('POST', `/projects/${loom.id}/trigger/pipeline`, {
      json: { ref: 'main', variables: { COLOR: 'red' }, ...more, token },
    });
  const letIn = (loom: WrittenProject, other: WrittenProject, user?: TestUser) =>
    loom.call('POST', '/job_token_scope/allowlist', { target_project_id: other.id }, user);
  const allowed = async (loom: WrittenProject, user?: TestUser) =>
    (await loom.call<{ id: number }[]>('GET', '/job_token_scope/allowlist', undefined, user)).body.map(({ id }) => id);
  const running = async () => {
    const { loom, runner } = await ciProjectWith(writing, 'deploy: { script: make }');
    return { loom, runner, job: await runner.takeNamed('deploy') };
  };
  const REFUSED = {
    status: 403,
    body: { message: '403 Forbidden - Jobs of that project are not let in: Maintainers of this one decide' },
  };

  it('starts pipelines of a project that lets it in, as whoever the job runs for', async () => {
    const [{ loom, runner, job }, other] = [await running(), await target()];
    expect(await start(other, job.token)).toMatchObject(REFUSED);
    expect(await letIn(other, loom)).toMatchObject({
      ...{ status: 201, body: { source_project_id: other.id, target_project_id: loom.id } },
    });
    const { status, body } = await start(other, job.token);
    expect([status, body]).toMatchObject([201, { source: 'pipeline', user: { username: 'ada' } }]);
    const jobs = await other.call<{ name: string }[]>('GET', `/pipelines/${body.id}/jobs`);
    expect(jobs.body.map(({ name }) => name).sort()).toEqual(['by-source', 'told']);
    const listed = await other.call<Pipeline[]>('GET', '/pipelines?source=pipeline');
    expect(listed.body.map(({ id }) => id)).toEqual([body.id]);
    expect(await other.call('DELETE', `/job_token_scope/allowlist/${loom.id}`)).toMatchObject({ status: 204 });
    expect(await start(other, job.token)).toMatchObject(REFUSED);
    await letIn(other, loom);
    await runner.end(job, { state: 'success' });
    expect(await start(other, job.token)).toMatchObject({ status: 404 });
  });

  it('starts nothing where they may not, and isn’t told of what they don’t see', async () => {
    const [{ loom, job }, other] = [await running(), await target()];
    await letIn(other, loom);
    await loom.addMember(writing.grace, MAINTAINER);
    const again = await loom.call<{ id: number }>('POST', '/pipeline', { ref: 'main' }, writing.grace);
    expect(again.status).toBe(201);
    const runner = await runnerOf(writing, loom);
    const hers = await runner.takeNamed('deploy');
    expect(await start(other, hers.token)).toMatchObject({ status: 404 });
    await other.addMember(writing.grace, DEVELOPER);
    expect(await start(other, hers.token)).toMatchObject({
      ...{
        status: 400,
        body: { message: { base: ["You do not have sufficient permission to run a pipeline on 'main'."] } },
      },
    });
    expect(await start(other, job.token, { ref: 'none' })).toMatchObject({
      ...{ status: 400, body: { message: { base: ['Reference not found'] } } },
    });
    expect(await start(other, 'no-token')).toMatchObject({ status: 404 });
  });

  it('starts pipelines of its own project, but none that those who may push to its branch may not start', async () => {
    const { loom, job } = await running();
    expect(await start(loom, job.token)).toMatchObject({ status: 201, body: { source: 'pipeline' } });
    await loom.commit('topic', 'Begin', [{ action: 'create', file_path: 'a', content: 'a' }], { start_branch: 'main' });
    expect(await loom.call('POST', '/pipeline', { ref: 'topic' })).toMatchObject({ status: 201 });
    const runner = await runnerOf(writing, loom);
    const jobs = [await runner.take(), await runner.take(), await runner.take()];
    const ofTopic = jobs.find((each) =>
      each?.variables.some(({ key, value }) => key === 'CI_COMMIT_BRANCH' && value === 'topic'),
    );
    expect(await start(loom, ofTopic!.token)).toMatchObject({
      ...{
        status: 400,
        body: { message: { base: ["You do not have sufficient permission to run a pipeline on 'main'."] } },
      },
    });
    expect(await start(loom, ofTopic!.token, { ref: 'topic' })).toMatchObject({ status: 201 });
  });

  it('is let in by Maintainers, who know the other project, once and by name', async () => {
    const [loom, other, unseen] = [await target(), await writing.newProject(), await writing.newProject()];
    await loom.addMember(writing.grace, DEVELOPER);
    for (const path of ['/job_token_scope', '/job_token_scope/allowlist'])
      expect((await loom.call('GET', path, undefined, writing.grace)).status).toBe(403);
    expect((await letIn(loom, other, writing.grace)).status).toBe(403);
    await loom.call('PUT', `/members/${writing.grace.id}`, { access_level: MAINTAINER });
    expect((await letIn(loom, other, writing.grace)).status).toBe(404);
    expect((await letIn(loom, loom)).status).toBe(400);
    for (const each of [other, unseen]) expect((await letIn(loom, each)).status).toBe(201);
    expect(await letIn(loom, other)).toMatchObject({ status: 400 });
    await other.addMember(writing.grace, DEVELOPER);
    expect([await allowed(loom), await allowed(loom, writing.grace)]).toEqual([[other.id, unseen.id], [other.id]]);
    expect((await loom.call('GET', '/job_token_scope')).body).toEqual({
      inbound_enabled: true,
      outbound_enabled: false,
    });
    expect(await loom.call('DELETE', '/job_token_scope/allowlist/999999')).toMatchObject({ status: 404 });
    const { schema } = writing.service.service.database;
    const told = await schema('audit_entries').whereIn('kind', ['pipeline_starter_let_in']).select('subject', 'place');
    expect(told).toContainEqual({ subject: other.project.path, place: loom.project.path });
  });
});
