import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';

withGit('stock clients that keep repositories', () => {
  describeEachDatabase('stock clients that keep repositories', (openTestDatabase) => {
    let service: TestService;
    let root: TestUser;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      root = await service.addUser('root', { admin: true });
    });

    afterAll(() => service.close());

    const makeProject = async (fields: object): Promise<WrittenProject> => {
      const project = await WrittenProject.make(service, root, fields);
      await project.write('main', { a: 'a' });
      return project;
    };

    it('python-gitlab, unmodified, packs, counts, locates and copies', async () => {
      if (withoutPythonGitlab()) return;
      const { id } = await makeProject({ name: 'engine' });
      expect(await runPythonGitlab('code_upkeep.py', service.url, root.token, String(id))).toEqual({
        housekeeping: null,
        again: [409, 'Somebody already triggered housekeeping for this resource in the past 1 hour.'],
        fetches: 0,
        storage: 'default',
        snapshot: ['HEAD', 'objects', 'packed-refs', 'refs'],
      });
    });

    it('gitbeaker, unmodified, packs, counts, locates and copies, and lists the releases of a group', async () => {
      const client = new Gitlab({ host: service.url, token: root.token });
      const { id: groupId } = await client.Groups.create('Guild', 'guild');
      const { id } = await makeProject({ name: 'mill', namespace_id: groupId });
      await client.Projects.housekeeping(id);
      expect(await client.ProjectStatistics.show(id)).toEqual({ fetches: { total: 0, days: [] } });
      expect(await client.Projects.allStoragePaths(id)).toMatchObject({
        project_id: id,
        repository_storage: 'default',
      });
      const snapshot = (await client.Projects.downloadSnapshot(id)) as unknown as Blob;
      expect(snapshot.size).toBeGreaterThan(0);
      await client.ProjectReleases.create(id, { tagName: 'v1', ref: 'main' });
      expect(await client.GroupReleases.all(groupId)).toMatchObject([{ tag_name: 'v1', assets: { count: 4 } }]);
    });
  });
});
