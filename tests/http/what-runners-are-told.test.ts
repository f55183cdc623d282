import { expect, it } from '@jest/globals';
import { ciProjectWith } from '../support/ci-project.js';
import { describeWriting } from '../support/written-project.js';

const FILE = 'job: { script: make }\n';

describeWriting('programs that run jobs, or ask about them', (writing) => {
  const project = () => ciProjectWith(writing, FILE);

  const call = <Body = unknown>(method: string, path: string, json: object) =>
    writing.service.call<Body>(method, path, { json });

  it('are told that a job has ended where runners look for it: in the message, and the standing in the head', async () => {
    const { runner } = await project();
    const job = await runner.takeNamed('job');
    await runner.end(job, { state: 'success' });
    const late = await runner.say(job, { state: 'success' });
    expect(late).toMatchObject({ status: 403, body: { message: '403 Forbidden - Job is not running' } });
    expect(late.headers.get('Job-Status')).toBe('success');
  });

  it('register no runner by a token for all, and are told so in words that they show', async () => {
    const refused = await call('POST', '/runners', { token: 'shared', description: 'mill', info: { name: 'runner' } });
    expect(refused.status).toBe(410);
    expect(refused.body).toEqual({ message: expect.stringMatching(/^410 Gone - runner registration disallowed/) });
  });

  it('take one machine of a runner away, which leaves the runner', async () => {
    const { runner } = await project();
    const { token } = runner;
    expect((await call('DELETE', '/runners/managers', { token, system_id: 's_1' })).status).toBe(204);
    expect((await call('DELETE', '/runners/managers', { token: 'glrt-wrong', system_id: 's_1' })).status).toBe(403);
    expect((await runner.ask()).status).toBe(201);
  });

  it('renew the token of a runner by the one that it has, which is no good from then on', async () => {
    const { runner } = await project();
    const renewed = await call<{ token: string }>('POST', '/runners/reset_authentication_token', {
      token: runner.token,
    });
    expect(renewed).toMatchObject({ status: 201, body: { token: expect.any(String), token_expires_at: null } });
    expect((await runner.ask()).status).toBe(403);
    expect((await runner.ask(renewed.body.token)).status).toBe(201);
    const again = await call('POST', '/runners/reset_authentication_token', { token: runner.token });
    expect(again.status).toBe(403);
  });

  it('ask for ways to stand that no job and no pipeline has here, and find none', async () => {
    const { loom } = await project();
    const found = async (path: string) => {
      const { status, body } = await loom.call<readonly unknown[]>('GET', path);
      return [status, body.length];
    };
    for (const status of ['preparing', 'canceling', 'waiting_for_callback']) {
      expect(await found(`/jobs?scope[]=${status}`)).toEqual([200, 0]);
      expect(await found(`/jobs?scope[]=${status}&scope[]=pending`)).toEqual([200, 1]);
      expect(await found(`/pipelines?status=${status}`)).toEqual([200, 0]);
    }
    expect((await loom.call('GET', '/jobs?scope[]=waiting')).status).toBe(400);
  });
});
