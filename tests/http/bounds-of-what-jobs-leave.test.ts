import { once } from 'node:events';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PIPELINE_TOKENS } from '../../src/infrastructure/composition/pipelines.tokens.js';
import { pushesFollowed, TestRunner, type TakenJob } from '../support/ci-runner.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { temporaryFolder, withGit } from '../support/git.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';

const CI = 'build: { script: make, parallel: 3, artifacts: { paths: [out/] } }';
const LIMIT = 1_000;
const PARTS = 256;
const DAY_MS = 86_400_000;

withGit('room for files of jobs', () =>
  describeEachDatabase('room for files of jobs', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    const folder = temporaryFolder();

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase(), {
        ...{ artifactsDirectory: folder, artifactsProjectLimitBytes: LIMIT, artifactLimitBytes: 900 },
      });
      ada = await service.addUser('ada', { password: PASSWORD });
    });
    afterAll(() => service.close());

    const made = async (name: string, at = service) => {
      const owner = at === service ? ada : await at.addUser('ada', { password: PASSWORD });
      const project = await WrittenProject.make(at, owner, { name });
      const runner = await TestRunner.make(at, owner, {
        ...{ runner_type: 'project_type', project_id: project.id, run_untagged: true },
      });
      await project.write('main', { '.gitlab-ci.yml': CI });
      await pushesFollowed(at);
      const jobs = [await runner.take(), await runner.take(), await runner.take()] as [TakenJob, TakenJob, TakenJob];
      return { project, runner, jobs };
    };
    const filesThere = () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map(({ parentPath, name }) => join(parentPath, name));
    const sizeOf = async ({ id }: WrittenProject) => {
      const answer = await service.call<{ statistics: { job_artifacts_size: number } }>(
        'GET',
        `/projects/${id}?statistics=true`,
        { token: ada.token },
      );
      return answer.body.statistics.job_artifacts_size;
    };
    const authorize = (job: TakenJob) =>
      service.call<{ MaximumSize: number }>('POST', `/jobs/${job.id}/artifacts/authorize`, {
        headers: { 'JOB-TOKEN': job.token },
      });

    it('is what the project has left: what does not fit is refused with 413, and leaves nothing', async () => {
      const { project, runner, jobs } = await made('one');
      expect(await authorize(jobs[0])).toMatchObject({ status: 200, body: { MaximumSize: 900 } });
      expect(await runner.leave(jobs[0], Buffer.alloc(700))).toMatchObject({ status: 201 });
      expect(await authorize(jobs[1])).toMatchObject({ status: 200, body: { MaximumSize: 300 } });
      const before = filesThere().length;
      const refused = await runner.leave(jobs[1], Buffer.alloc(301));
      expect([refused.status, JSON.parse(refused.text)]).toEqual([
        413,
        { message: '413 There is no room: files that jobs of a project leave have at most 1000 bytes together.' },
      ]);
      expect(filesThere()).toHaveLength(before);
      expect(await runner.leave(jobs[1], Buffer.alloc(300))).toMatchObject({ status: 201 });
      expect(await authorize(jobs[2])).toMatchObject({ status: 413 });
      expect(await sizeOf(project)).toBe(LIMIT);
      const browser = new FormBrowser(service.url);
      await browser.signIn('ada');
      const page = await (await browser.get(`/${project.project.path}/-/pipelines`)).text();
      expect(page).toContain('Files that jobs left: 1000 bytes of 1000 bytes.');
      // Another project has its own.
      const other = await made('two');
      expect(await other.runner.leave(other.jobs[0], Buffer.alloc(900))).toMatchObject({ status: 201 });
      // What is removed makes room.
      await project.call('DELETE', `/jobs/${jobs[0].id}/artifacts`);
      expect(await runner.leave(jobs[2], Buffer.alloc(700))).toMatchObject({ status: 201 });
      expect(await sizeOf(project)).toBe(LIMIT);
    });

    it('is all that is written of a file, however much more of it comes', async () => {
      const large = { artifactsProjectLimitBytes: LIMIT, artifactLimitBytes: 10_000_000 };
      const own = await TestService.start(await openTestDatabase(), {
        ...large,
        artifactsDirectory: temporaryFolder(),
      });
      try {
        const { runner, jobs } = await made('coming', own);
        expect(await runner.leave(jobs[0], Buffer.alloc(700))).toMatchObject({ status: 201 });
        for (const query of ['', '?artifact_type=sast']) {
          const { id, token } = jobs[1];
          const headers = { 'JOB-TOKEN': token, 'Content-Type': 'multipart/form-data; boundary=b' };
          const sending = request(`${own.url}/api/v4/jobs/${id}/artifacts${query}`, { method: 'POST', headers });
          sending.on('error', () => undefined);
          // The file does not end.
          sending.write(`--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n${'x'.repeat(5_000)}`);
          const [answer] = (await once(sending, 'response')) as [IncomingMessage];
          expect([answer.statusCode, JSON.parse(await text(answer))]).toEqual([
            413,
            { message: '413 There is no room: files that jobs of a project leave have at most 1000 bytes together.' },
          ]);
          sending.destroy();
        }
      } finally {
        await own.close();
      }
    });

    it('is given to one of those that come at once, also while others expire', async () => {
      const { project, runner, jobs } = await made('at-once');
      expect(await runner.leave(jobs[0], Buffer.alloc(400), { query: 'expire_in=1%20day' })).toMatchObject({
        status: 201,
      });
      const { database } = service.service;
      const past = database.reader.dialect.writeInstant(new Date(0));
      await database.schema('ci_artifacts').where({ job_id: jobs[0].id }).update({ due_at: past });
      const kinds = ['archive', 'sast', 'dast'];
      const sent = await Promise.all([
        ...kinds.map((kind) => runner.leave(jobs[1], Buffer.alloc(400), { query: `artifact_type=${kind}` })),
        ...kinds.map((kind) => runner.leave(jobs[2], Buffer.alloc(400), { query: `artifact_type=${kind}` })),
        service.service.container.get(PIPELINE_TOKENS.pipelines).artifacts.cleanUp(),
      ]);
      const statuses = sent.flatMap((answer) => (answer === undefined ? [] : [answer.status]));
      const kept = statuses.filter((status) => status === 201).length;
      expect([...new Set(statuses)].sort()).toEqual([201, 413]);
      expect([1, 2]).toContain(kept);
      expect(await sizeOf(project)).toBe(kept * 400);
    });

    it('is swept of what no row names, also when nobody has files any more', async () => {
      const { runner, jobs } = await made('last');
      expect(await runner.leave(jobs[0], Buffer.alloc(10))).toMatchObject({ status: 201 });
      await service.service.database.schema('ci_artifacts').delete();
      const longAgo = new Date(Date.now() - 2 * 3_600_000);
      for (const path of filesThere()) utimesSync(path, longAgo, longAgo);
      const left = filesThere();
      expect(left.length).toBeGreaterThan(0);

      // One that never had any leaves alone what lies there.
      const stranger = await TestService.start(await openTestDatabase(), { artifactsDirectory: folder });
      const sweep = async ({ service: { container } }: TestService) => {
        const { artifacts } = container.get(PIPELINE_TOKENS.pipelines);
        for (let part = 0; part < PARTS; part += 16) await artifacts.cleanUp();
      };
      try {
        await sweep(stranger);
        expect(left.every((path) => existsSync(path))).toBe(true);
      } finally {
        await stranger.close();
      }
      await sweep(service);
      expect(filesThere()).toEqual([]);
    });
  }),
);

withGit('how long logs of jobs are kept', () =>
  describeEachDatabase('how long logs of jobs are kept', (openTestDatabase) => {
    it('is so many days after their last line: then their page and the API say so', async () => {
      const service = await TestService.start(await openTestDatabase(), { jobLogRetentionDays: 30 });
      const ada = await service.addUser('ada', { password: PASSWORD });
      const project = await WrittenProject.make(service, ada, { name: 'one' });
      const runner = await TestRunner.make(service, ada, {
        ...{ runner_type: 'project_type', project_id: project.id, run_untagged: true },
      });
      await project.write('main', { '.gitlab-ci.yml': CI });
      await pushesFollowed(service);
      const ended = (await runner.take())!;
      await runner.write(ended, 0, 'first line\n');
      await runner.end(ended, { state: 'success' });
      const removeOld = () => service.service.container.get(PIPELINE_TOKENS.pipelines).jobLogs.removeOld();
      const logOf = async ({ id }: TakenJob) => {
        const address = `${service.url}/api/v4/projects/${project.id}/jobs/${id}/trace`;
        return (await fetch(address, { headers: { 'PRIVATE-TOKEN': ada.token } })).text();
      };
      const shown = async ({ id }: TakenJob) => (await project.call('GET', `/jobs/${id}`)).body;
      try {
        const running = (await runner.take())!;
        await runner.write(running, 0, 'still there\n');
        service.clock.advance(29 * DAY_MS);
        await removeOld();
        expect(await logOf(ended)).toBe('first line\n');
        expect(await shown(ended)).toMatchObject({ log_removed_at: null });
        service.clock.advance(2 * DAY_MS);
        await removeOld();
        expect([await logOf(ended), await logOf(running)]).toEqual(['', 'still there\n']);
        expect(await shown(ended)).toMatchObject({
          log_removed_at: service.clock.now().toISOString(),
          erased_at: null,
        });
        const browser = new FormBrowser(service.url);
        await browser.signIn('ada');
        const page = await (await browser.get(`/${project.project.path}/-/jobs/${ended.id}`)).text();
        expect(page).toMatch(/It was removed <time[^>]*>[^<]*<\/time>: logs are kept for 30 days\./);
        // Whoever throws the rest away may do so all the same.
        expect(await project.call('POST', `/jobs/${ended.id}/erase`)).toMatchObject({ status: 201 });
      } finally {
        await service.close();
      }
    });
  }),
);
