import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pushCodeProject, type CodeProject } from '../support/code-project.js';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { makeKey } from '../support/ssh-keys.js';
import { TestService, type ApiRequest, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const README = '# Mill\n';

/** One for each row of the lists of changes that is about code, called by its words; forks and stars have theirs beside their other tests. */
withGit('changes from V3 to V4 that are about code', () => {
  describeEachDatabase('changes from V3 to V4 that are about code', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let project: CodeProject;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
      project = await pushCodeProject(service, ada, { name: 'mill', visibility: 'public' });
    });

    afterAll(() => service.close());

    const call = <Body = unknown>(method: string, path: string, request: ApiRequest = {}) =>
      service.call<Body>(method, `/projects/${project.id}${path}`, { token: ada.token, ...request });
    const file = (path: string) => `/repository/files/${encodeURIComponent(path)}`;

    it('row "GET /projects/:id/keys": deploy keys are at /deploy_keys alone', async () => {
      expect(await call('GET', '/deploy_keys')).toMatchObject({ status: 200, body: [] });
      expect((await call('GET', '/keys')).status).toBe(404);
    });

    it('row "DELETE /projects/:id/deploy_keys/:key_id/disable": a key is removed at its own address', async () => {
      const json = { title: 'robot', key: makeKey().line };
      const { body } = await call<{ id: number }>('POST', '/deploy_keys', { json });
      expect((await call('DELETE', `/deploy_keys/${body.id}/disable`)).status).toBe(404);
      expect((await call('DELETE', `/deploy_keys/${body.id}`)).status).toBe(204);
      expect((await call('GET', `/deploy_keys/${body.id}`)).status).toBe(404);
    });

    it('row "GET /projects/:id/repository/files?file_path=<path>": a file is named in the path, encoded', async () => {
      expect((await call('GET', '/repository/files?file_path=src/mill.c&ref=main')).status).toBe(404);
      const { status, body } = await call('GET', `${file('src/mill.c')}?ref=main`);
      expect([status, body]).toEqual([200, expect.objectContaining({ file_path: 'src/mill.c', encoding: 'base64' })]);
    });

    it('row "GET …/commits/:sha/blob and GET …/blobs/:sha?file_path=<path>": bytes are at …/files/:file_path/raw?ref=:sha', async () => {
      const [first = ''] = project.commits;
      expect((await call('GET', `/repository/commits/${first}/blob?file_path=README.md`)).status).toBe(404);
      expect((await call('GET', `/repository/blobs/${first}?file_path=README.md`)).status).toBe(404);
      expect(await call('GET', `${file('README.md')}/raw?ref=${first}`)).toMatchObject({ status: 200, body: README });
    });

    it('row "GET /projects/:id/repository/commits/:sha/jobs": dropped', async () => {
      expect((await call('GET', `/repository/commits/${project.commits[0]}/jobs`)).status).toBe(404);
    });

    it('row "branch_name renamed branch": on POST of branches and commits, POST, PUT and DELETE of files, and in what DELETE of a branch answers', async () => {
      const json = (fields: object) => ({ json: { commit_message: 'Change it', content: 'x\n', ...fields } });
      const old = json({ branch_name: 'main' });
      const now = json({ branch: 'main' });
      const actions = [{ action: 'create', file_path: 'by-commit', content: 'x\n' }];
      expect((await call('POST', '/repository/branches', { json: { branch_name: 'b', ref: 'main' } })).status).toBe(
        400,
      );
      expect((await call('POST', '/repository/branches', { json: { branch: 'b', ref: 'main' } })).status).toBe(201);
      expect((await call('POST', '/repository/commits', json({ branch_name: 'main', actions }))).status).toBe(400);
      expect((await call('POST', '/repository/commits', json({ branch: 'main', actions }))).status).toBe(201);
      for (const [method, status] of [
        ['POST', 201],
        ['PUT', 200],
        ['DELETE', 204],
      ] as const) {
        expect([method, (await call(method, file('by-file'), old)).status]).toEqual([method, 400]);
        expect([method, (await call(method, file('by-file'), now)).status]).toEqual([method, status]);
      }
      expect(await call('DELETE', '/repository/branches/b')).toMatchObject({ status: 200, body: { branch: 'b' } });
    });

    it('row "Asynchronous removals": DELETE …/merged_branches answers 202 with a JSON body, and they go', async () => {
      await call('POST', '/repository/branches', { json: { branch: 'done', ref: 'main' } });
      const { status, body, headers } = await call('DELETE', '/repository/merged_branches');
      expect([status, headers.get('content-type')]).toEqual([202, expect.stringContaining('application/json')]);
      expect(body).toEqual({ message: '202 Accepted' });
      await until(async () => (await call('GET', '/repository/branches/done')).status === 404);
      expect((await call('GET', '/repository/branches/main')).status).toBe(200);
    });

    it('row "GET /projects/:id/repository/commits": the first page is 1, and Link leads on', async () => {
      const ids = async (query: string) => {
        const { body, headers } = await call<{ id: string }[]>('GET', `/repository/commits?${query}`);
        return { ids: body.map(({ id }) => id), link: headers.get('link') ?? '' };
      };
      const all = (await ids('ref_name=v1.10')).ids;
      expect((await ids('ref_name=v1.10&page=1&per_page=2')).ids).toEqual(all.slice(0, 2));
      const second = await ids('ref_name=v1.10&page=2&per_page=2');
      expect(second.ids).toEqual(all.slice(2, 4));
      const next = /<([^>]+)>; rel="next"/.exec(second.link)?.[1] ?? '';
      const address = new URL(next);
      expect([address.searchParams.get('page'), address.searchParams.get('ref_name')]).toEqual(['3', 'v1.10']);
      expect(/<([^>]+)>; rel="prev"/.exec(second.link)?.[1]).toContain('page=1');
      // Version 3 began there.
      expect((await ids('ref_name=v1.10&page=0&per_page=2')).ids).toEqual(all.slice(0, 2));
    });

    it('row "GET /projects/:id/repository/blobs/:sha": answers JSON attributes of the blob', async () => {
      const id = createHash('sha1').update(`blob ${README.length}\0${README}`).digest('hex');
      expect(await call('GET', `/repository/blobs/${id}`)).toMatchObject({
        status: 200,
        body: { sha: id, size: README.length, encoding: 'base64', content: Buffer.from(README).toString('base64') },
      });
    });

    it('row "GET /projects/:id/repository/tree": `ref_name` is `ref`', async () => {
      const names = async (query: string) =>
        (await call<{ name: string }[]>('GET', `/repository/tree?${query}`)).body.map(({ name }) => name);
      expect(await names('ref=feature%2Fpumps')).toContain('pump.txt');
      expect(await names('ref_name=feature%2Fpumps')).not.toContain('pump.txt');
    });
  });
});
