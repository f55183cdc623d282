import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { WEBHOOK_TOKENS } from '../../src/infrastructure/composition/webhooks.tokens.js';
import { TestRunner } from '../support/ci-runner.js';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WrittenProject } from '../support/written-project.js';

interface Body {
  readonly deployment_id: number;
  readonly build_name?: string;
  readonly build_status?: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

const PASSING = { state: 'success' };

withGit('webhooks of jobs and deployments', () => {
  describeEachDatabase('webhooks of jobs and deployments', (openTestDatabase) => {
    let service: TestService;
    let server: Server;
    let ada: TestUser;
    let url: string;
    let headers: unknown[];
    let bodies: Body[];
    let serial = 0;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase(), { outboundAllowlist: ['127.0.0.1'] });
      ada = await service.addUser('ada');
      server = createServer((request, response) => {
        void json(request).then((body) => {
          headers.push(request.headers['x-gitlab-event']);
          bodies.push(body as Body);
          response.end();
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    });

    beforeEach(() => {
      headers = [];
      bodies = [];
    });

    afterAll(async () => {
      server.closeAllConnections();
      server.close();
      await service.close();
    });

    const project = async (files: Readonly<Record<string, string>>, flag = 'deployment_events') => {
      const loom = await WrittenProject.make(service, ada, { name: `loom-${(serial += 1)}` });
      const flags = { url, push_events: false };
      const { body: hook } = await loom.call<{ id: number }>('POST', '/hooks', { ...flags, [flag]: true });
      const { body: deaf } = await loom.call<{ id: number }>('POST', '/hooks', { ...flags, issues_events: true });
      const fields = { runner_type: 'project_type', project_id: loom.id, run_untagged: true };
      const runner = await TestRunner.make(service, ada, fields);
      const { id: sha } = await loom.write('main', files);
      await until(async () => {
        await service.service.container.get(REPOSITORY_TOKENS.codeWorks).runDue();
        return (await service.service.database.reader.query('code_works').select('id')).length === 0;
      });
      return { loom, hook, deaf, runner, sha };
    };

    /** What was noted for a hook, once all of it is delivered. */
    const delivered = async (loom: WrittenProject, { id }: { readonly id: number }) => {
      const log = async () =>
        (await loom.call<{ response_status: number | null }[]>('GET', `/hooks/${id}/events?per_page=100`)).body;
      await until(async () => {
        await service.service.container.get(WEBHOOK_TOKENS.webhooks).deliverWebhooks.runDue();
        return (await log()).every((each) => each.response_status === 200);
      });
      return (await log()).length;
    };

    const told = () => bodies.map((body) => `${body.deployment_id} ${body.status}`).sort();

    const jobsTold = () => bodies.map((body) => `${body.build_name} ${body.build_status}`).sort();

    it('tell of each job how it stands, once, and hooks that did not ask of none', async () => {
      const ci = { stages: ['build', 'ship'], a: { stage: 'build', script: ['make'] } };
      const ship = { stage: 'ship', script: ['ship'], when: 'manual', allow_failure: false };
      const files = { '.gitlab-ci.yml': JSON.stringify({ ...ci, b: ci.a, ship }) };
      const { loom, hook, deaf, runner, sha } = await project(files, 'job_events');
      const [a, b] = [await runner.takeNamed('a'), await runner.takeNamed('b')];
      await Promise.all([runner.end(a, PASSING), runner.end(b, { state: 'failed', failure_reason: 'script_failure' })]);
      expect((await loom.call('POST', `/jobs/${b.id}/retry`, {})).status).toBe(201);
      await runner.end(await runner.takeNamed('b'), PASSING);
      expect([await delivered(loom, hook), await delivered(loom, deaf)]).toEqual([13, 0]);
      const begun = ['pending', 'running'].flatMap((status) => [`a ${status}`, `b ${status}`, `b ${status}`]);
      const ended = ['a success', 'b failed', 'b success'];
      // It waits, is left out with what failed, waits again while that is run once more, and then for somebody.
      const waiting = ['ship created', 'ship skipped', 'ship created', 'ship manual'];
      expect(jobsTold()).toEqual([...begun, ...ended, ...waiting].sort());
      expect(new Set(headers)).toEqual(new Set(['Job Hook']));
      expect(bodies.find((body) => body.build_status === 'failed')).toMatchObject({
        object_kind: 'build',
        ...{ ref: 'main', tag: false, sha, build_id: b.id, build_stage: 'build', build_allow_failure: false },
        ...{ build_failure_reason: 'script_failure', build_started_at: expect.any(String) },
        ...{ build_duration: expect.any(Number), build_queued_duration: expect.any(Number) },
        runner: { runner_type: 'project_type', is_shared: false, active: true },
        ...{ project_id: loom.id, project: { id: loom.id }, user: { username: 'ada', email: '[REDACTED]' } },
        commit: { sha, author_name: 'ada Example', message: expect.any(String) },
      });
      // Nothing that a job is given, or writes, and no token.
      for (const secret of [a.token, b.token]) expect(JSON.stringify(bodies)).not.toContain(secret);
    });

    it('tell of no job that starts a pipeline, but of it with the others of its pipeline', async () => {
      const files = { '.gitlab-ci.yml': 'a: {script: make}\nnext: {trigger: no/where}' };
      const { runner } = await project(files, 'job_events');
      await runner.end(await runner.takeNamed('a'), PASSING);
      const { loom, hook } = await project(files, 'pipeline_events');
      await until(async () => (await delivered(loom, hook)) > 0);
      expect(jobsTold().filter((told) => told.startsWith('next'))).toEqual([]);
      const told = bodies.filter((body) => body['object_kind'] === 'pipeline').at(-1);
      expect((told?.['builds'] as { name: string }[]).map(({ name }) => name).sort()).toEqual(['a', 'next']);
    });

    it('tell of the first hundred jobs that change at once, and of the others with what changes next', async () => {
      const ci = { job: { script: ['make'], parallel: 120 } };
      const { runner } = await project({ '.gitlab-ci.yml': JSON.stringify(ci) }, 'job_events');
      const { deliverWebhooks } = service.service.container.get(WEBHOOK_TOKENS.webhooks);
      const arrived = async (count: number) => {
        await until(async () => {
          await deliverWebhooks.runDue();
          return bodies.length >= count;
        });
        await deliverWebhooks.runDue();
        return bodies.length;
      };
      expect(await arrived(100)).toBe(100);
      const job = (await runner.take())!;
      // One has begun, and twenty wait.
      expect(await arrived(121)).toBe(121);
      await runner.end(job, PASSING);
      expect(await arrived(122)).toBe(122);
    });

    it('tell of each change that a program elsewhere says of its deployment, once, and hooks that did not ask of none', async () => {
      const { loom, hook, deaf, sha } = await project({ 'README.md': '# Loom\n' });
      const made = { environment: 'production', sha, ref: 'main', tag: false, status: 'running' };
      const { body } = await loom.call<{ id: number }>('POST', '/deployments', made);
      for (const status of ['running', 'success', 'success'])
        expect((await loom.call('PUT', `/deployments/${body.id}`, { status })).status).toBe(200);
      expect((await loom.call('PUT', `/deployments/${body.id}`, { status: 'running' })).status).toBe(400);
      expect([await delivered(loom, hook), await delivered(loom, deaf)]).toEqual([2, 0]);
      expect(told()).toEqual([`${body.id} running`, `${body.id} success`]);
      expect(new Set(headers)).toEqual(new Set(['Deployment Hook']));
      expect(bodies[0]).toMatchObject({
        object_kind: 'deployment',
        status_changed_at: expect.any(String),
        ...{ deployable_id: null, deployable_url: null, environment: 'production', environment_tier: 'production' },
        ...{ environment_slug: 'production', environment_external_url: null, ref: 'main', short_sha: sha.slice(0, 8) },
        project: { id: loom.id },
        user: { username: 'ada', email: '[REDACTED]' },
        user_url: expect.stringMatching(/\/ada$/),
        commit_url: expect.stringMatching(new RegExp(`/-/commit/${sha}$`)),
        commit_title: expect.any(String),
      });
    });

    it('tell of what jobs deploy: also several that end at once, one that is run again, and one whose pipeline is removed', async () => {
      const ci = ['a', 'b'].map((name) => `${name}: { script: make, environment: production }\n`).join('');
      const { loom, hook, runner } = await project({ '.gitlab-ci.yml': ci });
      const [a, b] = [await runner.takeNamed('a'), await runner.takeNamed('b')];
      await Promise.all([runner.end(a, PASSING), runner.end(b, { state: 'failed', failure_reason: 'script_failure' })]);
      expect((await loom.call('POST', `/jobs/${b.id}/retry`, {})).status).toBe(201);
      await runner.takeNamed('b');
      const { body } = await loom.call<{ id: number }[]>('GET', '/deployments?sort=asc');
      const [first, second, third] = body.map(({ id }) => id);
      expect(await delivered(loom, hook)).toBe(5);
      expect(bodies.find(({ status }) => status === 'success')).toMatchObject({
        deployable_id: a.id,
        deployable_url: expect.stringMatching(new RegExp(`/-/jobs/${a.id}$`)),
      });
      const [{ id }] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body as [{ id: number }];
      expect((await loom.call('DELETE', `/pipelines/${id}`)).status).toBe(204);
      expect(await delivered(loom, hook)).toBe(6);
      const expected = [`${first} running`, `${first} success`, `${second} running`, `${second} failed`];
      expect(told()).toEqual([...expected, `${third} running`, `${third} canceled`].sort());
    });

    it('are tried by hand with made-up content', async () => {
      const { loom, hook } = await project({ 'README.md': '# Loom\n' });
      expect((await loom.call('POST', `/hooks/${hook.id}/test/deployment_events`, {})).status).toBe(201);
      expect(bodies).toMatchObject([
        {
          object_kind: 'deployment',
          status: 'success',
          deployment_id: 0,
          environment: 'test',
          project: { id: loom.id },
        },
      ]);
    });
  });
});
