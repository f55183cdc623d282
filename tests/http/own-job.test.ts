import { expect, it } from '@jest/globals';
import { TestRunner } from '../support/ci-runner.js';
import { describeWriting } from '../support/written-project.js';

describeWriting('the job of a token', (writing) => {
  const ask = async (headers: Readonly<Record<string, string>>, query = '') => {
    const answer = await fetch(`${writing.service.url}/api/v4/job${query}`, { headers });
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
  };

  it('is told to who has its token while it runs, and to nobody else', async () => {
    const loom = await writing.newProject({ visibility: 'private' });
    await loom.write('main', { '.gitlab-ci.yml': 'build: { script: make }' });
    const runner = await TestRunner.make(writing.service, loom.owner, {
      ...{ runner_type: 'project_type', project_id: loom.id, run_untagged: true },
    });
    await loom.call('POST', '/pipeline', { ref: 'main' });
    const job = await runner.takeNamed('build');
    const { body: shown } = await loom.call(`GET`, `/jobs/${job.id}`);
    const told = await ask({ 'JOB-TOKEN': job.token });
    expect([told.status, told.body['id'], Object.keys(told.body)]).toEqual([200, job.id, Object.keys(shown as object)]);
    expect(await ask({}, `?job_token=${job.token}`)).toMatchObject({ status: 200, body: { id: job.id } });
    const unknown = { status: 404, body: { message: '404 Job Not Found' } };
    expect(await ask({})).toMatchObject(unknown);
    expect(await ask({ 'JOB-TOKEN': 'nobody' })).toMatchObject(unknown);
    expect(await ask({ 'PRIVATE-TOKEN': loom.owner.token })).toMatchObject(unknown);
    await runner.end(job, { state: 'success' });
    expect(await ask({ 'JOB-TOKEN': job.token })).toMatchObject(unknown);
  });
});
