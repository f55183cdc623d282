import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { pushCodeProject, type CodeProject } from '../support/code-project.js';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';
import { makeKey } from '../support/ssh-keys.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const README = '# Mill\n';
const GONE = 404;
const WRONG = 400;

/** One for each row of the lists of changes that is about code, called by its words: stock clients of V4 live by what comes after, and V3 is refused. */
withGit('changes from V3 to V4 that are about code, by stock clients', () => {
  describeEachDatabase('changes from V3 to V4 that are about code, by stock clients', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let project: CodeProject;
    let client: InstanceType<typeof Gitlab>;
    /** What python-gitlab saw of each row, in a project of its own; undefined where it is not installed. */
    let python: Readonly<Record<string, unknown>> | undefined;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
      project = await pushCodeProject(service, ada, { name: 'mill', visibility: 'public' });
      client = new Gitlab({ host: service.url, token: ada.token });
      if (withoutPythonGitlab()) return;
      const grace = await service.addUser('grace');
      const { id, commits } = await pushCodeProject(service, grace, { name: 'python-mill', visibility: 'public' });
      const argv = [service.url, grace.token, String(id), commits[0]!, makeKey().line, 'python-fork'];
      python = (await runPythonGitlab('code_rows.py', ...argv)) as typeof python;
    });

    afterAll(() => service.close());

    const expectOfPython = (row: string, seen: unknown): void => {
      if (python !== undefined) expect(python[row]).toEqual(seen);
    };
    const namesOf = (items: readonly { readonly name?: unknown }[]) => items.map(({ name }) => name);

    it('row "GET /projects/:id/keys": deploy keys are at /deploy_keys alone', async () => {
      const key = await client.DeployKeys.create(project.id, 'robot', makeKey().line);
      expect(await client.DeployKeys.all({ projectId: project.id })).toMatchObject([{ id: key.id, title: 'robot' }]);
      await client.DeployKeys.remove(project.id, key.id);
      expectOfPython('keys', [['robot'], GONE]);
    });

    it('row "DELETE /projects/:id/star": a star is taken back by POST /projects/:id/unstar', async () => {
      expect(await client.Projects.star(project.id)).toMatchObject({ star_count: 1 });
      expect(await client.Projects.unstar(project.id)).toMatchObject({ star_count: 0 });
      expectOfPython('unstar', [1, 405, 1, 0]);
    });

    it('row "POST /projects/fork/:id": a fork is made by POST /projects/:id/fork', async () => {
      const fork = await client.Projects.fork(project.id, { path: 'my-mill', name: 'My mill' });
      expect(fork).toMatchObject({ forked_from_project: { id: project.id } });
      await until(async () => (await client.Projects.show(fork.id))['import_status'] === 'finished');
      expect(namesOf(await client.Branches.all(fork.id))).toContain('main');
      expectOfPython('fork', [GONE, 'finished', true]);
    });

    it('row "GET /projects/starred": starred projects are GET /projects?starred=true', async () => {
      await client.Projects.star(project.id);
      expect(await client.Projects.all({ starred: true })).toMatchObject([{ id: project.id }]);
      await client.Projects.unstar(project.id);
      expect(await client.Projects.all({ starred: true })).toEqual([]);
      expectOfPython('starred', [true, GONE]);
    });

    it('row "DELETE /projects/:id/deploy_keys/:key_id/disable": a key is removed at its own address', async () => {
      const key = await client.DeployKeys.create(project.id, 'robot', makeKey().line);
      await client.DeployKeys.remove(project.id, key.id);
      await expect(client.DeployKeys.show(project.id, key.id)).rejects.toThrow();
      expectOfPython('disable', [GONE, 1, 0]);
    });

    it('row "GET …/repository/files?file_path=<path>": a file is named in the path, encoded', async () => {
      const file = await client.RepositoryFiles.show(project.id, 'src/a b/ünï.txt', 'main');
      expect(file).toMatchObject({ file_path: 'src/a b/ünï.txt', encoding: 'base64' });
      expectOfPython('file', ['src/mill.c', GONE]);
    });

    it('row "GET …/commits/:sha/blob and GET …/blobs/:sha?file_path=<path>": bytes are at …/files/:file_path/raw?ref=:sha', async () => {
      expect(await client.RepositoryFiles.showRaw(project.id, 'README.md', project.commits[0]!)).toBe(README);
      expectOfPython('raw', [README, GONE, GONE]);
    });

    it('row "GET …/repository/commits/:sha/jobs": dropped', () => {
      expectOfPython('jobs', GONE);
    });

    it('row "branch_name renamed branch": on POST of branches, and in what DELETE of one answers', async () => {
      expect(await client.Branches.create(project.id, 'topic', 'main')).toMatchObject({ name: 'topic' });
      expect(await client.Branches.remove(project.id, 'topic', { showExpanded: true })).toMatchObject({
        status: 200,
        data: { branch: 'topic' },
      });
      expectOfPython('branch', [WRONG, 'topic']);
      expectOfPython('branch_removed', [200, { branch: 'topic' }]);
    });

    it('row "branch_name renamed branch": on POST of commits', async () => {
      const actions = [{ action: 'create' as const, filePath: 'by-commit', content: 'x\n' }];
      expect(await client.Commits.create(project.id, 'main', 'Add it', actions)).toMatchObject({ title: 'Add it' });
      expectOfPython('commit', [WRONG, 'Add it']);
    });

    it('row "branch_name renamed branch": on POST, PUT and DELETE of files', async () => {
      const { RepositoryFiles } = client;
      const made = { file_path: 'by-file', branch: 'main' };
      expect(await RepositoryFiles.create(project.id, 'by-file', 'main', 'x', 'Add it')).toEqual(made);
      expect(await RepositoryFiles.edit(project.id, 'by-file', 'main', 'y', 'Change it')).toEqual(made);
      expect(await RepositoryFiles.showRaw(project.id, 'by-file', 'main')).toBe('y');
      await RepositoryFiles.remove(project.id, 'by-file', 'main', 'Remove it');
      await expect(RepositoryFiles.show(project.id, 'by-file', 'main')).rejects.toThrow();
      expectOfPython('files', [WRONG, WRONG, WRONG, 'y', GONE]);
    });

    it('row "Asynchronous removals": DELETE of merged branches and of a project answer 202 with a JSON body, and they go', async () => {
      const accepted = { message: '202 Accepted' };
      await client.Branches.create(project.id, 'done', 'main');
      expect(await client.Branches.removeMerged(project.id, { showExpanded: true } as never)).toMatchObject({
        status: 202,
        data: accepted,
      });
      await until(async () => !namesOf(await client.Branches.all(project.id)).includes('done'));
      expect(namesOf(await client.Branches.all(project.id))).toContain('main');
      const { id } = await client.Projects.create({ name: 'Short' });
      expect(await client.Projects.remove(id, { showExpanded: true })).toMatchObject({ status: 202, data: accepted });
      await expect(client.Projects.show(id)).rejects.toThrow();
      expectOfPython('removals', [[202, accepted], false, true, [202, accepted]]);
    });

    it('row "GET …/repository/commits": the first page is 1, and Link leads on', async () => {
      const of = { refName: 'v1.10', perPage: 2, showExpanded: true, pagination: 'offset' } as const;
      const walked = await client.Commits.all(project.id, { refName: 'v1.10', perPage: 2 });
      expect(new Set(walked.map(({ id }) => id))).toEqual(new Set(project.commits));
      const second = await client.Commits.all(project.id, { ...of, page: 2, maxPages: 1 });
      expect(second.data.map(({ id }) => id)).toEqual(walked.slice(2, 4).map(({ id }) => id));
      expect(second.paginationInfo).toMatchObject({ previous: 1, current: 2, next: 3, perPage: 2 });
      expectOfPython('commits', [[1, null, 2], true, true]);
    });

    it('row "GET …/repository/blobs/:sha": answers JSON attributes of the blob', async () => {
      const tree = await client.Repositories.allRepositoryTrees(project.id, { ref: 'v1.10' });
      const { id } = tree.find(({ path }) => path === 'README.md')!;
      const content = Buffer.from(README).toString('base64');
      expect(await client.Repositories.showBlob(project.id, id)).toEqual({
        sha: id,
        size: README.length,
        encoding: 'base64',
        content,
      });
      expectOfPython('blob', [true, README.length, 'base64', README]);
    });

    it('row "GET …/repository/tree": `ref_name` is `ref`', async () => {
      const tree = await client.Repositories.allRepositoryTrees(project.id, { ref: 'feature/pumps' });
      expect(namesOf(tree)).toContain('pump.txt');
      expectOfPython('tree', [true, false]);
    });
  });
});
