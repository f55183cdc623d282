import { expect, it } from '@jest/globals';
import { PIPELINE_TOKENS } from '../../src/infrastructure/composition/pipelines.tokens.js';
import { pushesFollowed, TestRunner, type TakenJob } from '../support/ci-runner.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { withGit } from '../support/git.js';
import { TestService } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';
import { zipOf } from '../support/zips.js';

const CI = JSON.stringify({
  build: { script: ['make'], artifacts: { paths: ['out/'] } },
  deploy: { script: ['deploy'], when: 'manual', environment: { name: 'production' } },
});
const DAY_MS = 86_400_000;

interface Shown {
  readonly id: number;
  readonly name: string;
}

/** A project with a runner, whose pipelines are kept for 30 days. */
const prepare = async (databaseUrl: string) => {
  const service = await TestService.start(databaseUrl, { pipelineRetentionDays: 30 });
  const ada = await service.addUser('ada', { password: PASSWORD });
  const project = await WrittenProject.make(service, ada, { name: 'mill' });
  const runner = await TestRunner.make(service, ada, {
    ...{ runner_type: 'project_type', project_id: project.id, run_untagged: true },
  });
  const list = async () => (await project.call<Shown[]>('GET', '/pipelines?per_page=100')).body.map(({ id }) => id);
  const jobOf = async (pipeline: number, wanted: string): Promise<number> => {
    const { body } = await project.call<Shown[]>('GET', `/pipelines/${pipeline}/jobs`);
    return body.find(({ name }) => name === wanted)?.id ?? 0;
  };
  const end = async (job: TakenJob | undefined): Promise<void> => {
    await runner.end(job!, { state: 'success' });
  };
  const start = async (ref: string): Promise<number> =>
    (await project.call<Shown>('POST', '/pipeline', { ref })).body.id;
  /** One whose job has ended, and left a file. */
  const run = async (): Promise<number> => {
    const id = await start('main');
    const job = (await runner.take())!;
    await runner.leave(job, await zipOf({ report: 'x' }));
    await end(job);
    return id;
  };
  const removeSome = () => service.service.container.get(PIPELINE_TOKENS.pipelines).oldPipelines.removeSome();
  return { service, project, runner, list, jobOf, end, start, run, removeSome };
};

withGit('how long pipelines are kept', () =>
  describeEachDatabase('how long pipelines are kept', (openTestDatabase) => {
    it('is so many days after they ended, unless somebody needs them or ran a job of theirs again', async () => {
      const { service, project, runner, list, jobOf, end, start, run, removeSome } = await prepare(
        await openTestDatabase(),
      );
      try {
        await project.write('main', { '.gitlab-ci.yml': CI });
        await pushesFollowed(service);
        await end(await runner.take());
        const [deployed = 0] = await list();
        await project.call('POST', `/jobs/${await jobOf(deployed, 'deploy')}/play`);
        await end(await runner.take());
        const [kept, plain, retried, newest] = [await run(), await run(), await run(), await run()];
        await project.call('POST', `/jobs/${await jobOf(kept, 'build')}/artifacts/keep`);
        const gone = await jobOf(plain, 'build');

        service.clock.advance(29 * DAY_MS);
        await removeSome();
        expect(await list()).toHaveLength(5);
        await project.call('POST', `/jobs/${await jobOf(retried, 'build')}/retry`);
        await end(await runner.take());
        service.clock.advance(2 * DAY_MS);
        await removeSome();
        expect((await list()).toReversed()).toEqual([deployed, kept, retried, newest]);
        expect((await project.call('GET', `/jobs/${gone}`)).status).toBe(404);
        expect((await project.call('GET', `/jobs/${gone}/artifacts`)).status).toBe(404);

        await project.call('POST', `/jobs/${await jobOf(retried, 'deploy')}/play`);
        await end(await runner.take());
        await project.call('POST', '/repository/branches?branch=other&ref=main');
        const [waiting, newestOfOther] = [await start('other'), await start('other')];
        const all = (await list()).toSorted((one, other) => one - other);
        expect(all).toEqual(expect.arrayContaining([deployed, kept, retried, newest, waiting, newestOfOther]));
        // What was deployed since makes the older one dispensable, and is needed itself.
        service.clock.advance(31 * DAY_MS);
        await removeSome();
        expect((await list()).toReversed()).toEqual(all.filter((id) => id !== deployed));
        const [production] = (await project.call<Shown[]>('GET', '/environments')).body;
        await project.call('POST', `/environments/${production?.id}/stop`);
        service.clock.advance(31 * DAY_MS);
        await removeSome();
        const left = await list();
        expect(left).not.toContain(retried);
        expect(left).toEqual(expect.arrayContaining([kept, newest, waiting, newestOfOther]));
        expect((await project.call<Shown[]>('GET', '/deployments')).body).toHaveLength(2);
        const browser = new FormBrowser(service.url);
        await browser.signIn('ada');
        const page = await (await browser.get(`/${project.project.path}/-/pipelines`)).text();
        expect(page).toContain('Pipelines are kept for 30 days after they ended');
      } finally {
        await service.close();
      }
    });

    it('is as long as it is deployed, also where that is an older one again, whose job stops the environment', async () => {
      const { service, project, runner, list, jobOf, end, start, removeSome } = await prepare(await openTestDatabase());
      try {
        const environment = { name: 'production' };
        await project.write('main', {
          '.gitlab-ci.yml': JSON.stringify({
            deploy: { script: ['deploy'], when: 'manual', environment: { ...environment, on_stop: 'stop' } },
            stop: { script: ['stop'], when: 'manual', environment: { ...environment, action: 'stop' } },
          }),
        });
        await pushesFollowed(service);
        const [first, second, newest] = [(await list())[0]!, await start('main'), await start('main')];
        for (const pipeline of [first, second]) {
          await project.call('POST', `/jobs/${await jobOf(pipeline, 'deploy')}/play`);
          await end(await runner.take());
        }
        await project.call('POST', `/jobs/${await jobOf(first, 'deploy')}/retry`);
        await end(await runner.take());
        const [production] = (await project.call<Shown[]>('GET', '/environments')).body;
        // What a client tells of a deployment has no pipeline.
        const { id: sha } = (await project.call<{ commit: { id: string } }>('GET', '/repository/branches/main')).body
          .commit;
        const told = { environment: 'production', sha, ref: 'main', tag: false, status: 'success' };
        expect((await project.call('POST', '/deployments', told)).status).toBe(201);
        service.clock.advance(31 * DAY_MS);
        await removeSome();
        expect(await list()).toEqual([newest, first]);
        await project.call('POST', `/environments/${production?.id}/stop`);
        expect((await runner.take())?.job_info).toMatchObject({ name: 'stop' });
      } finally {
        await service.close();
      }
    });

    it('ends for one with more logs than go at once by one request', async () => {
      const { service, project, runner, list, start } = await prepare(await openTestDatabase());
      try {
        await project.write('main', {
          '.gitlab-ci.yml': JSON.stringify({ build: { parallel: 12, script: ['make'] } }),
        });
        await pushesFollowed(service);
        const id = await start('main');
        for (let job = await runner.take(); job !== undefined; job = await runner.take())
          expect((await runner.write(job, 0, 'made')).status).toBe(202);
        expect((await project.call('DELETE', `/pipelines/${id}`)).status).toBe(204);
        expect((await project.call('DELETE', `/pipelines/${id}`)).status).toBe(404);
        expect(await list()).not.toContain(id);
        const left = await service.service.database.reader.query('ci_job_log_parts').select('job_id');
        expect(left).toHaveLength(12);
      } finally {
        await service.close();
      }
    });

    it('is as long as their project where nobody set it', async () => {
      const service = await TestService.start(await openTestDatabase());
      try {
        const ada = await service.addUser('ada');
        const project = await WrittenProject.make(service, ada, { name: 'mill' });
        const { id } = await project.write('main', { a: 'a' });
        for (const name of ['one', 'two'])
          await project.call('POST', `/statuses/${id}`, { state: 'success', name, ref: name });
        service.clock.advance(5_000 * DAY_MS);
        await service.service.container.get(PIPELINE_TOKENS.pipelines).oldPipelines.removeSome();
        expect((await project.call<Shown[]>('GET', '/pipelines')).body).toHaveLength(2);
      } finally {
        await service.close();
      }
    });
  }),
);
