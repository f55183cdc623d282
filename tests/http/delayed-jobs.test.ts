import { expect, it } from '@jest/globals';
import { PIPELINE_TOKENS } from '../../src/infrastructure/composition/pipelines.tokens.js';
import { ciProjectWith } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { FormBrowser } from '../support/form-browser.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

interface Shown {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly detailed_status?: object;
}

const CI = `
build: {stage: build, script: make}
rollout: {stage: deploy, script: deploy, when: delayed, start_in: 30 minutes}
tell: {stage: .post, script: tell}
`;
const PASSED = { state: 'success' };
const MINUTE_MS = 60_000;

describeWriting('jobs that begin later', (writing) => {
  const projectWith = (text = CI) => ciProjectWith(writing, text);

  const standing = async (loom: WrittenProject, pipeline: number) => {
    const { body } = await loom.call<Shown[]>('GET', `/pipelines/${pipeline}/jobs`);
    const statuses = body.sort((one, other) => one.id - other.id).map(({ status }) => status);
    return [(await loom.call<Shown>('GET', `/pipelines/${pipeline}`)).body.status, ...statuses];
  };

  const idOf = async (loom: WrittenProject, pipeline: number, wanted: string): Promise<number> => {
    const { body } = await loom.call<Shown[]>('GET', `/pipelines/${pipeline}/jobs`);
    return body.find(({ name }) => name === wanted)!.id;
  };

  const beginDue = () => writing.service.service.container.get(PIPELINE_TOKENS.pipelines).delayedJobs.beginDue();

  const later = async (minutes: number) => {
    writing.service.clock.advance(minutes * MINUTE_MS);
    await beginDue();
  };

  it('wait for their time once those before them have succeeded, and hold up what comes after', async () => {
    const { loom, runner, pipeline } = await projectWith();
    await later(60);
    expect(await standing(loom, pipeline)).toEqual(['pending', 'pending', 'created', 'created']);
    await runner.end(await runner.takeNamed('build'), PASSED);
    expect(await standing(loom, pipeline)).toEqual(['scheduled', 'success', 'scheduled', 'created']);
    const { body } = await loom.call<Shown>('GET', `/pipelines/${pipeline}`);
    expect(body).toMatchObject({ detailed_status: { text: 'delayed', label: 'waiting for delayed job' } });
    expect((await loom.call<Shown[]>('GET', '/jobs?scope=scheduled')).body).toHaveLength(1);
    await later(29);
    expect(await runner.take()).toBeUndefined();
    await later(1);
    await runner.end(await runner.takeNamed('rollout'), PASSED);
    await runner.end(await runner.takeNamed('tell'), PASSED);
    expect((await standing(loom, pipeline))[0]).toBe('success');
  });

  it('begin at once for whoever plays them or runs them again, and are canceled like others', async () => {
    const { loom, runner, pipeline } = await projectWith();
    await runner.end(await runner.takeNamed('build'), PASSED);
    const id = await idOf(loom, pipeline, 'rollout');
    expect((await loom.call<Shown>('POST', `/jobs/${id}/play`)).body.status).toBe('pending');
    await runner.end(await runner.takeNamed('rollout'), { state: 'failed', failure_reason: 'script_failure' });
    const { body: again } = await loom.call<Shown>('POST', `/jobs/${id}/retry`);
    expect(again.status).toBe('pending');
    expect((await loom.call<Shown>('POST', `/jobs/${again.id}/cancel`)).body.status).toBe('canceled');
    await later(120);
    expect(await runner.take()).toBeUndefined();
    expect((await standing(loom, pipeline))[0]).toBe('canceled');
  });

  it('wait for what they share once their time has come', async () => {
    const { loom, runner, pipeline } = await projectWith(`
first: {script: make, resource_group: one}
second: {script: make, resource_group: one, when: delayed, start_in: 5 minutes}
`);
    expect(await standing(loom, pipeline)).toEqual(['running', 'pending', 'scheduled']);
    await later(5);
    expect(await standing(loom, pipeline)).toEqual(['running', 'pending', 'waiting_for_resource']);
    await runner.end(await runner.takeNamed('first'), PASSED);
    await runner.end(await runner.takeNamed('second'), PASSED);
    expect((await standing(loom, pipeline))[0]).toBe('success');
  });

  it('are chosen by rules, of which each may say another time', async () => {
    const { loom, pipeline } = await projectWith(`
x:
  script: make
  rules:
    - if: $CI_COMMIT_TAG
      when: delayed
      start_in: 1 day
    - when: delayed
      start_in: 2 minutes
`);
    expect(await standing(loom, pipeline)).toEqual(['scheduled', 'scheduled']);
    await later(2);
    expect(await standing(loom, pipeline)).toEqual(['pending', 'pending']);
  });

  it('end with the pipeline that a newer push replaces', async () => {
    const { loom, pipeline } = await projectWith('x: {script: make, when: delayed, start_in: 1 hour}');
    await loom.write('main', { 'README.md': 'newer' });
    await pushesFollowed(writing.service);
    expect(await standing(loom, pipeline)).toEqual(['canceled', 'canceled']);
  });

  it('tell on their page when they begin, and that they can be run now', async () => {
    const { loom, pipeline } = await projectWith('x: {script: make, when: delayed, start_in: 1 hour}');
    const id = await idOf(loom, pipeline, 'x');
    const browser = new FormBrowser(writing.service.url);
    await browser.signIn('ada');
    const page = await (await browser.get(`/${loom.project.path}/-/jobs/${id}`)).text();
    expect(page).toContain('The job waits for its time.');
    expect(page).toMatch(/<dt>Begins<\/dt><dd><time datetime="/);
    expect(page).toContain('>Run</button>');
  });
});
