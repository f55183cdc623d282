import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { addProject, refsOf, remoteOf, WorkTree, type TestProject } from '../support/git-service.js';
import { git, temporaryFolder, withGit } from '../support/git.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { TestService, type TestUser } from '../support/test-service.js';

const PUSHES = 12;

withGit('git on two nodes', () => {
  // An embedded database belongs to one process.
  for (const database of selectedDatabases().filter((name) => name === 'postgres'))
    describeDatabase(database, 'git on two nodes of one database and one folder', (openTestDatabase) => {
      let nodes: readonly [TestService, TestService];
      let ada: TestUser;
      let project: TestProject;

      beforeAll(async () => {
        const url = await openTestDatabase();
        const [key, repositoriesDirectory] = [randomBytes(32), temporaryFolder()];
        nodes = [
          await TestService.start(url, { repositoriesDirectory }, key),
          await TestService.start(url, { repositoriesDirectory }, key),
        ];
        ada = await nodes[0].addUser('ada');
        project = await addProject(nodes[0], ada, { name: 'mill' });
      });

      afterAll(() => Promise.all(nodes.map((node) => node.close())));

      const remote = (index: number): string => remoteOf(nodes[index % 2]!, project.path, 'x', ada.token);

      it('takes what is pushed to either, shows it on both, and lets one win a race', async () => {
        const first = await WorkTree.init();
        await first.commit('README.md', '# Mill\n');
        await first.git('push', '--quiet', remote(0), 'main');
        const trees = await Promise.all(
          Array.from({ length: PUSHES }, async (_, index) => {
            const tree = new WorkTree(temporaryFolder());
            await git(['clone', '--quiet', remote(index), tree.folder]);
            await tree.commit(`file-${index}`, `${index}\n`);
            return tree;
          }),
        );
        const own = await Promise.all(trees.map((tree, index) => tree.try('push', remote(index), `main:own/${index}`)));
        expect(own.map(({ code }) => code)).toEqual(own.map(() => 0));
        const races = await Promise.all(trees.map((tree, index) => tree.try('push', remote(index), 'main:main')));
        expect(races.filter(({ code }) => code === 0)).toHaveLength(1);
        const listed = await Promise.all([0, 1].map((index) => git(['ls-remote', '--heads', remote(index)])));
        expect(listed[0]).toBe(listed[1]);
        const { rows, files, problems } = await refsOf(nodes[0], project.id);
        expect(problems).toEqual([]);
        expect(files).toEqual(rows);
        expect(rows).toHaveLength(PUSHES + 1);
      });
    });
});
