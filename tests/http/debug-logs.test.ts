import { expect, it } from '@jest/globals';
import { ciProjectWith } from '../support/ci-project.js';
import type { TakenJob } from '../support/ci-runner.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const [REPORTER, DEVELOPER] = [20, 30];
const LOG = 'PASSWORD=kept-for-jobs\n';

interface Place {
  readonly loom: WrittenProject;
  readonly job: Pick<TakenJob, 'id'>;
}

describeWriting('logs that may tell the variables of their job', (writing) => {
  const get = async (path: string, user?: TestUser) => {
    const answer = await fetch(`${writing.service.url}${path}`, user && { headers: { 'PRIVATE-TOKEN': user.token } });
    return { status: answer.status, text: await answer.text() };
  };
  const trace = ({ loom, job }: Place, user?: TestUser) =>
    get(`/api/v4/projects/${loom.id}/jobs/${job.id}/trace`, user);
  const pageOf = ({ loom, job }: Place, more = '') => get(`/${loom.project.path}/-/jobs/${job.id}${more}`);

  /** The job of a public project, which wrote something. */
  const written = async (
    said: string,
    { prepare, debugTrace = '' }: { prepare?: (loom: WrittenProject) => Promise<unknown>; debugTrace?: string } = {},
  ) => {
    const { loom, runner } = await ciProjectWith(writing, `x: {script: make, variables: {${said}}}`);
    await loom.call('PUT', '', { visibility: 'public' });
    await prepare?.(loom);
    const job = await runner.takeNamed('x');
    expect(await runner.write(job, 0, LOG, job.token, debugTrace)).toMatchObject({ status: 202 });
    return { loom, runner, job };
  };

  it('are for Developers and above, and others are told so beside how the job went', async () => {
    const place = await written('CI_DEBUG_TRACE: "true"');
    const { loom } = place;
    for (const [level, status] of [
      [REPORTER, 403],
      [DEVELOPER, 200],
    ] as const) {
      await loom.addMember(writing.grace, level);
      expect((await trace(place, writing.grace)).status).toBe(status);
      await loom.call('DELETE', `/members/${writing.grace.id}`);
    }
    expect(await trace(place, writing.ada)).toEqual({ status: 200, text: LOG });
    expect((await trace(place)).status).toBe(403);
    expect((await pageOf(place, '/raw')).status).toBe(403);
    const page = await pageOf(place);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Developers of the project see it');
    expect(page.text).toContain('Runner');
    expect(page.text).not.toContain('kept-for-jobs');
  });

  it.each([
    ['of their services', 'CI_DEBUG_SERVICES: "true"', {}],
    ['by another variable, of which the runner alone knows what it is', 'CI_DEBUG_TRACE: $WANTED', {}],
    [
      'by a variable that is kept',
      'A: b',
      { prepare: (loom: WrittenProject) => loom.call('POST', '/variables', { key: 'CI_DEBUG_TRACE', value: 'True' }) },
    ],
    ['by the word of their runner', 'A: b', { debugTrace: 'debug_trace=true' }],
  ])('are such %s', async (_how, said, more) => {
    expect((await trace(await written(said, more))).status).toBe(403);
  });

  it('are such by what whoever begins the job gives it', async () => {
    const { loom, runner } = await ciProjectWith(writing, 'x: {script: make, when: manual}');
    await loom.call('PUT', '', { visibility: 'public' });
    const [{ id }] = (await loom.call<{ id: number }[]>('GET', '/jobs')).body as [{ id: number }];
    await loom.call('POST', `/jobs/${id}/play`, { job_variables_attributes: [{ key: 'CI_DEBUG_TRACE', value: '1' }] });
    const job = await runner.takeNamed('x');
    await runner.write(job, 0, LOG);
    expect((await trace({ loom, job })).status).toBe(403);
  });

  it('are no others', async () => {
    const place = await written('CI_DEBUG_TRACE: "false", CI_DEBUG_SERVICES: ""', { debugTrace: 'debug_trace=false' });
    expect(await trace(place)).toEqual({ status: 200, text: LOG });
    expect((await pageOf(place)).text).toContain('kept-for-jobs');
    expect(await pageOf(place, '/raw')).toEqual({ status: 200, text: LOG });
  });
});
