import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CI_FILE } from '../support/ci-project.js';
import { pushesFollowed } from '../support/ci-runner.js';
import { describeEachDatabase } from '../support/databases.js';
import { Elsewhere } from '../support/elsewhere.js';
import { withGit } from '../support/git.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';

interface Lint {
  readonly errors: readonly string[];
  readonly merged_yaml: string | null;
}

withGit('CI files that are elsewhere', () => {
  describeEachDatabase('CI files that are elsewhere', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let elsewhere: Elsewhere;
    const at = (path: string): string => `http://127.0.0.1:${elsewhere.port}${path}`;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase(), { outboundAllowlist: ['127.0.0.1'] });
      ada = await service.addUser('ada');
      elsewhere = await Elsewhere.start(({ url = '' }, response) => {
        if (url === '/moved.yml') response.writeHead(302, { Location: '/jobs.yml' }).end();
        else if (url === '/jobs.yml') response.end('build: { script: make }');
        else if (url === '/slow.yml') {
          service.clock.advance(5_000);
          response.end('build: { script: make }');
        } else if (url === '/asks.yml') response.end('include: .gitlab-ci.yml');
        else response.writeHead(404).end();
      });
    });

    afterAll(async () => {
      await elsewhere.close();
      await service.close();
    });

    const projectWith = async (text: string, fields: object = {}) => {
      const loom = await WrittenProject.make(service, ada, { name: `p${Math.random()}`.replace('.', ''), ...fields });
      await loom.write('main', { [CI_FILE]: text });
      await pushesFollowed(service);
      return loom;
    };
    const newest = async (loom: WrittenProject) => {
      const [{ id }] = (await loom.call<{ id: number }[]>('GET', '/pipelines')).body as [{ id: number }];
      const { yaml_errors } = (await loom.call<{ yaml_errors: string | null }>('GET', `/pipelines/${id}`)).body;
      const jobs = await loom.call<{ name: string }[]>('GET', `/pipelines/${id}/jobs`);
      return yaml_errors ?? jobs.body.map(({ name }) => name).sort();
    };

    it('are fetched anew for each pipeline, and once for it', async () => {
      elsewhere.asked.length = 0;
      const twice = `include: [{ remote: ${at('/jobs.yml')} }, ${at('/jobs.yml')}]\nown: { script: make }`;
      const loom = await projectWith(twice);
      expect(await newest(loom)).toEqual(['build', 'own']);
      expect(elsewhere.asked).toEqual(['GET /jobs.yml']);
      expect((await loom.call('POST', '/pipeline', { ref: 'main' })).status).toBe(201);
      expect(elsewhere.asked).toHaveLength(2);
    });

    it('are told of where they can not be had, by the pipeline and by lint', async () => {
      for (const [path, reason] of [
        ['/none.yml', 'could not be fetched: the server answered with status 404.'],
        ['/moved.yml', 'could not be fetched: the server redirects elsewhere, which is not followed.'],
      ] as const) {
        const text = `include: { remote: ${at(path)} }`;
        const problem = `Remote file \`${at(path)}\` ${reason}`;
        const loom = await projectWith(text);
        expect(await newest(loom)).toBe(problem);
        for (const json of [{ content: text }, { content: text, dry_run: true }])
          expect((await loom.call<Lint>('POST', '/ci/lint', json)).body.errors).toEqual([problem]);
      }
    });

    it('include nothing of the project that includes them', async () => {
      const loom = await projectWith(`include: ${at('/asks.yml')}\nown: { script: make }`);
      expect(await newest(loom)).toBe(
        'include: a remote file can include remote files and templates, and nothing else.',
      );
    });

    it('that take long for who may only read a project are had by its pipelines all the same', async () => {
      const loom = await projectWith(`include: ${at('/slow.yml')}`, { visibility: 'public' });
      const eve = await service.addUser('eve');
      const lint = async () =>
        (await service.call<Lint>('GET', `/projects/${loom.id}/ci/lint`, { token: eve.token })).body.errors;
      for (let count = 0; count < 4; count += 1) expect(await lint()).toEqual([]);
      expect(await lint()).toEqual([expect.stringContaining('those that you had fetched took too long just now')]);
      expect((await loom.call('POST', '/pipeline', { ref: 'main' })).status).toBe(201);
      expect(await newest(loom)).toEqual(['build']);
    });

    it('are fetched for lint of those alone who are signed in', async () => {
      const loom = await projectWith(`include: ${at('/jobs.yml')}`, { visibility: 'public' });
      const lint = `/projects/${loom.id}/ci/lint`;
      elsewhere.asked.length = 0;
      const { errors } = (await service.call<Lint>('GET', lint)).body;
      expect([errors, elsewhere.asked]).toEqual([[`Remote file \`${at('/jobs.yml')}\` is not fetched here.`], []]);
      expect((await loom.call<Lint>('GET', '/ci/lint')).body).toMatchObject({
        ...{ errors: [], merged_yaml: expect.stringContaining('build:') },
      });
    });
  });
});
