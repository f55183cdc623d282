import { spawnSync } from 'node:child_process';
import fs, { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import isomorphic from 'isomorphic-git';
import http from 'isomorphic-git/http/node';
import { pushCodeProject, type CodeProject } from '../support/code-project.js';
import { describeEachDatabase } from '../support/databases.js';
import { refsOf, remoteOf } from '../support/git-service.js';
import { git, temporaryFolder, tryProgram, withGit } from '../support/git.js';
import { leftOutWithout } from '../support/system-package.js';
import { TestService, type TestUser } from '../support/test-service.js';

const PYTHON = '/usr/bin/python3';
const ADA = { name: 'Ada', email: 'ada@example.com' };

withGit('clients that are not git', () => {
  describeEachDatabase('clients that are not git', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let serial = 0;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
    });

    afterAll(() => service.close());

    const addProject = (): Promise<CodeProject> => pushCodeProject(service, ada, { name: `mill-${(serial += 1)}` });

    const expectSound = async ({ id, tree }: CodeProject, commit: string, title: string): Promise<void> => {
      const { rows, files, problems } = await refsOf(service, id);
      expect([rows, problems]).toEqual([files, []]);
      await tree.git('pull', '--quiet', 'origin', 'main');
      expect(await tree.head()).toBe(commit);
      expect((await tree.git('log', '-1', '--format=%s')).trim()).toBe(title);
      await tree.git('fsck', '--strict');
    };

    describe('isomorphic-git', () => {
      const parts = (dir: string, project: CodeProject) => ({
        fs,
        http,
        dir,
        url: remoteOf(service, project.path),
        onAuth: () => ({ username: 'oauth2', password: ada.token }),
      });

      it('clones, commits, pushes, fetches what git pushed, and removes a branch', async () => {
        const project = await addProject();
        const dir = join(temporaryFolder(), 'clone');
        const with_ = parts(dir, project);
        await isomorphic.clone({ ...with_, ref: 'main' });
        expect(await isomorphic.resolveRef({ fs, dir, ref: 'HEAD' })).toBe(project.commits.at(-1));
        expect((await isomorphic.listBranches({ fs, dir, remote: 'origin' })).sort()).toEqual([
          'HEAD',
          'feature/pumps',
          'main',
          'old.fix',
        ]);
        expect((await isomorphic.listTags({ fs, dir })).sort()).toEqual(['v1.0', 'v1.10', 'v1.9']);

        writeFileSync(join(dir, 'isomorphic.txt'), 'from isomorphic-git\n'.repeat(500));
        await isomorphic.add({ fs, dir, filepath: 'isomorphic.txt' });
        const made = await isomorphic.commit({ fs, dir, message: 'From isomorphic-git', author: ADA });
        expect(await isomorphic.push({ ...with_, ref: 'main' })).toMatchObject({ ok: true });
        await isomorphic.branch({ fs, dir, ref: 'topic' });
        expect(await isomorphic.push({ ...with_, ref: 'topic' })).toMatchObject({ ok: true });
        expect(await isomorphic.push({ ...with_, ref: 'topic', delete: true })).toMatchObject({ ok: true });
        await expectSound(project, made, 'From isomorphic-git');

        const next = await project.tree.commit('next.txt', 'next\n', 'From git');
        await project.tree.git('push', '--quiet', 'origin', 'main');
        await isomorphic.fetch({ ...with_, ref: 'main' });
        expect(await isomorphic.resolveRef({ fs, dir, ref: 'refs/remotes/origin/main' })).toBe(next);
      });

      it('clones a part of the history', async () => {
        const project = await addProject();
        const dir = join(temporaryFolder(), 'shallow');
        await isomorphic.clone({ ...parts(dir, project), ref: 'main', depth: 1, singleBranch: true });
        expect(await isomorphic.log({ fs, dir })).toHaveLength(1);
        expect(existsSync(join(dir, 'README.md'))).toBe(true);
      });

      it('is refused with the words of the service', async () => {
        const project = await addProject();
        const dir = join(temporaryFolder(), 'refused');
        const nobody = { ...parts(dir, project), onAuth: () => ({ username: 'oauth2', password: 'wrong' }) };
        await expect(isomorphic.clone({ ...nobody, ref: 'main' })).rejects.toMatchObject({ code: 'HttpError' });
        await isomorphic.clone({ ...parts(dir, project), ref: 'main' });
        await isomorphic.commit({ fs, dir, message: 'Other', author: ADA, amend: true });
        const forced = isomorphic.push({ ...parts(dir, project), ref: 'main', force: true });
        await expect(forced).rejects.toMatchObject({ code: 'GitPushError' });
      });
    });

    describe('dulwich', () => {
      it('clones, commits, pushes, removes a branch and fetches', async () => {
        const present = spawnSync(PYTHON, ['-c', 'import dulwich']).status === 0;
        if (leftOutWithout('python3-dulwich', present)) return;
        const project = await addProject();
        const script = join(import.meta.dirname, 'clients', 'dulwich_walk.py');
        const folder = join(temporaryFolder(), 'clone');
        const remote = remoteOf(service, project.path, 'oauth2', ada.token);
        const { code, stdout, stderr } = await tryProgram(PYTHON, ['-B', script, remote, folder]);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        const seen = JSON.parse(stdout) as { cloned: string; made: string; refs: string[] };
        expect(seen.cloned).toBe(project.commits.at(-1));
        expect(seen.refs).toEqual([
          'HEAD',
          'refs/heads/feature/pumps',
          'refs/heads/main',
          'refs/heads/old.fix',
          'refs/tags/v1.0',
          'refs/tags/v1.10',
          'refs/tags/v1.9',
        ]);
        await expectSound(project, seen.made, 'From dulwich');
        expect(await git(['fsck', '--strict'], { cwd: folder })).toBe('');
      });
    });
  });
});
