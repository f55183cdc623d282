import { randomBytes } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { addProject, refsOf, remoteOf, WorkTree, type TestProject } from '../support/git-service.js';
import { git, temporaryFolder } from '../support/git.js';
import { describeWithPackage } from '../support/system-package.js';
import { TestService, type TestUser } from '../support/test-service.js';

const DISK_MEGABYTES = 8;

const run = (program: string, ...argv: readonly string[]): boolean => spawnSync(program, argv).status === 0;

/** Only the administrator of a machine mounts a small disk. */
const mayMount = ((): boolean => {
  const folder = temporaryFolder();
  const mounted = run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
  return mounted && run('umount', folder);
})();

describeWithPackage('mount (as root)', mayMount, 'repositories on a full disk', () => {
  describeEachDatabase('repositories on a full disk', (openTestDatabase) => {
    const disk = temporaryFolder();
    const ballast = join(disk, 'ballast');
    let service: TestService;
    let ada: TestUser;
    let project: TestProject;
    let tree: WorkTree;

    beforeAll(async () => {
      run('mount', '-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', disk);
      const repositoriesDirectory = join(disk, 'repositories');
      mkdirSync(repositoriesDirectory);
      service = await TestService.start(await openTestDatabase(), { repositoriesDirectory });
      ada = await service.addUser('ada');
      project = await addProject(service, ada, { name: 'mill' });
      tree = await WorkTree.init();
      await tree.commit('README.md', '# Mill\n');
      await tree.git('push', '--quiet', remote(), 'main');
    });

    afterAll(async () => {
      await service.close();
      // Children that are just ending may still have a file open.
      run('umount', '--lazy', disk);
    });

    const remote = () => remoteOf(service, project.path, 'x', ada.token);
    const fill = () => {
      try {
        writeFileSync(ballast, Buffer.alloc(DISK_MEGABYTES * 2 ** 20));
      } catch {
        // As many bytes as fit are there.
      }
    };
    const commit = (path: string) =>
      service.call<object>('POST', `/projects/${project.id}/repository/commits`, {
        token: ada.token,
        json: {
          branch: 'main',
          commit_message: path,
          actions: [{ action: 'create', file_path: path, content: randomBytes(50_000).toString('hex') }],
        },
      });
    const leftovers = () =>
      readdirSync(join(disk, 'repositories'), { recursive: true, encoding: 'utf8' }).filter((path) =>
        /incoming-|unfinished-|tmp_/.test(path),
      );
    const expectWhole = async () => {
      const { rows, files, problems } = await refsOf(service, project.id);
      expect(problems).toEqual([]);
      expect(files).toEqual(rows);
      return rows;
    };

    it('refuses a push that does not fit, keeps nothing of it, and takes it when there is room', async () => {
      const head = await tree.commit('large', randomBytes(DISK_MEGABYTES * 2 ** 20));
      const { code, stderr } = await tree.try('push', remote(), 'main');
      expect(code).not.toBe(0);
      expect(stderr).not.toContain(disk);
      expect(leftovers()).toEqual([]);
      expect(await expectWhole()).not.toContainEqual(expect.stringContaining(head));
      await tree.git('reset', '--quiet', '--hard', 'HEAD~1');
      await tree.commit('small', 'small');
      await tree.git('push', '--quiet', remote(), 'main');
      await expectWhole();
    });

    it('answers 503 to a commit while nothing fits, serves readers, and goes on afterwards', async () => {
      fill();
      const refused = await commit('refused');
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([503, expect.not.stringContaining(disk)]);
      expect((await git(['ls-remote', remote()])).split('\n')).toHaveLength(3);
      await git(['clone', '--quiet', remote(), join(temporaryFolder(), 'clone')]);
      const pushed = await tree.commit('while-full', 'x').then(() => tree.try('push', remote(), 'main'));
      expect(pushed.stderr).not.toContain(disk);
      rmSync(ballast);
      expect(leftovers()).toEqual([]);
      await tree.try('push', '--quiet', remote(), 'main');
      expect((await commit('taken')).status).toBe(201);
      await expectWhole();
    });
  });
});
