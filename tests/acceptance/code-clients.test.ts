import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import { pushCodeProject } from '../support/code-project.js';
import { describeEachDatabase } from '../support/databases.js';
import { refsOf, remoteOf } from '../support/git-service.js';
import { git, temporaryFolder, withGit } from '../support/git.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';
import { makeKey } from '../support/ssh-keys.js';
import { TestService, type TestUser } from '../support/test-service.js';

withGit('stock clients that write code', () => {
  describeEachDatabase('stock clients that write code', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
    });

    afterAll(() => service.close());

    /** What they leave is sound, and stock git clones it. */
    const expectSound = async (id: ProjectId, path: string): Promise<string> => {
      const { rows, files, problems } = await refsOf(service, id);
      expect(problems).toEqual([]);
      expect(files).toEqual(rows);
      const folder = join(temporaryFolder(), 'clone');
      await git(['clone', '--quiet', remoteOf(service, path, 'oauth2', ada.token), folder]);
      await git(['fsck', '--strict'], { cwd: folder });
      return folder;
    };

    it('python-gitlab, unmodified, does everything that it knows', async () => {
      if (withoutPythonGitlab()) return;
      const walked = await runPythonGitlab('code_writing.py', service.url, ada.token);
      const { id, path, ...seen } = walked as { id: ProjectId; path: string };
      expect(seen).toEqual({
        created: ['docs/read me.rst', 'main'],
        content: 'Initial content',
        saved: '006e6577',
        commit: ['blah blah blah', 2],
        branch: ['topic/one', true, true],
        picked: 'Pick me',
        picked_again: 400,
        reverted: 'Revert "Pick me"',
        reverted_again: 400,
        tag: ['v1.0', 'One'],
        release: ['First', 'It still works', ['b']],
        releases: [],
        protected: ['rel/*', ['main', 'rel/*']],
        protected_tags: ['v*'],
        default_stays: [400, 'The default branch of a project cannot be deleted.'],
        default: 'next',
      });
      const folder = await expectSound(id, path);
      expect(await git(['branch', '--show-current'], { cwd: folder })).toBe('next\n');
    });

    it('gitbeaker, unmodified, does everything that it knows', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const project = await client.Projects.create({ name: 'Mill' });
      const { id } = project;
      await client.RepositoryFiles.create(id, 'src/a.txt', 'main', 'one\n', 'Add it');
      await client.RepositoryFiles.edit(id, 'src/a.txt', 'main', 'two\n', 'Change it');
      const commit = await client.Commits.create(id, 'main', 'Many', [
        { action: 'create', filePath: 'b', content: 'Yg==', encoding: 'base64' },
        { action: 'move', filePath: 'c', previousPath: 'src/a.txt' },
      ]);
      expect(commit).toMatchObject({ title: 'Many', stats: { additions: 1, total: 1 } });
      expect(await client.Branches.create(id, 'topic', 'main')).toMatchObject({
        name: 'topic',
        commit: { id: commit.id },
      });
      const topic = await client.Commits.create(id, 'topic', 'On topic', [{ action: 'delete', filePath: 'b' }]);
      expect(await client.Commits.cherryPick(id, topic.id, 'main')).toMatchObject({ title: 'On topic' });
      expect(await client.Commits.revert(id, topic.id, 'topic')).toMatchObject({ title: 'Revert "On topic"' });
      expect(await client.Tags.create(id, 'v1', 'main', { message: 'One' })).toMatchObject({ message: 'One' });
      expect(await client.ProjectReleases.create(id, { tagName: 'v1', description: 'It works' })).toMatchObject({
        tag_name: 'v1',
      });
      const link = await client.ReleaseLinks.create(id, 'v1', 'guide', 'https://example.com/guide');
      expect(await client.ReleaseLinks.all(id, 'v1')).toMatchObject([{ id: link.id }]);
      await client.ReleaseLinks.remove(id, 'v1', link.id);
      expect(await client.ProjectReleases.edit(id, 'v1', { name: 'First' })).toMatchObject({ name: 'First' });
      await client.ProjectReleases.remove(id, 'v1');
      expect(await client.ProtectedBranches.create(id, 'rel/*', { pushAccessLevel: 30 })).toMatchObject({
        name: 'rel/*',
      });
      expect(await client.ProtectedBranches.edit(id, 'rel/*', { allowForcePush: true })).toMatchObject({
        allow_force_push: true,
      });
      await client.ProtectedBranches.remove(id, 'rel/*');
      await client.ProtectedTags.create(id, 'v*', { createAccessLevel: 30 });
      expect(await client.ProtectedTags.all(id)).toMatchObject([{ name: 'v*' }]);
      await client.ProtectedTags.remove(id, 'v*');
      await client.Tags.remove(id, 'v1');
      await client.Branches.remove(id, 'topic');
      await client.Branches.removeMerged(id);
      await client.RepositoryFiles.remove(id, 'c', 'main', 'Remove it');
      const folder = await expectSound(id as ProjectId, project.path_with_namespace as string);
      expect(await git(['log', '--format=%s'], { cwd: folder })).toBe('Remove it\nOn topic\nMany\nChange it\nAdd it\n');
    });

    it('python-gitlab, unmodified, keeps keys, tokens, rules, releases and hooks', async () => {
      if (withoutPythonGitlab()) return;
      const [one, other] = [
        await pushCodeProject(service, ada, { name: 'ruled' }),
        await pushCodeProject(service, ada, { name: 'ruled-too' }),
      ];
      const argv = [service.url, ada.token, makeKey().line, makeKey().line, String(one.id), String(other.id)];
      expect(await runPythonGitlab('code_rules.py', ...argv)).toEqual({
        keys: ['laptop', ['laptop']],
        keys_left: 0,
        deploy_keys: ['machine', true, 1],
        deploy_keys_left: [0, 0],
        access_tokens: [30, true, 401, true, ['ci']],
        access_tokens_left: 0,
        deploy_tokens: ['robot', true, 'ci', [false]],
        deploy_tokens_left: 0,
        branch_rule: [40, [409, "Protected branch 'rel/*' already exists"]],
        branch_rule_left: 404,
        tag_rule: 40,
        tags: [false, [404, '404 Signature Not Found']],
        release: [true, ['v1.0'], 'runbook', [409, 'Release already exists'], 'v1.0'],
        release_left: 404,
        hook: [true, false],
        heads: ['README.md', '7', true, true],
        comment: 'Here',
        dry_run: 'success',
        starrers: [],
        starred: true,
        starrers_now: ['ada'],
        unstarred: 0,
      });
    });

    it('gitbeaker, unmodified, reads one of each: keys, tokens, rules, releases, links, hooks, signatures', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const { id, commits } = await pushCodeProject(service, ada, { name: 'single' });
      const own = await client.UserSSHKeys.create('laptop', makeKey().line);
      expect(await client.UserSSHKeys.show(own.id)).toMatchObject({ title: 'laptop' });
      expect(await client.UserSSHKeys.all({ userId: ada.id })).toMatchObject([{ id: own.id }]);
      await client.UserSSHKeys.remove(own.id);
      const key = await client.DeployKeys.create(id, 'robot', makeKey().line);
      expect(await client.DeployKeys.show(id, key.id)).toMatchObject({ title: 'robot', can_push: false });
      const token = await client.DeployTokens.create('ci', ['read_repository'], { projectId: id });
      expect(await client.DeployTokens.show(token.id, { projectId: id })).toMatchObject({ name: 'ci' });
      await client.ProtectedBranches.protect(id, 'rel/*');
      expect(await client.ProtectedBranches.show(id, 'rel/*')).toMatchObject({ name: 'rel/*' });
      expect(await client.ProtectedBranches.all(id)).toHaveLength(2);
      await client.ProtectedBranches.unprotect(id, 'rel/*');
      await client.ProtectedTags.protect(id, 'v*');
      expect(await client.ProtectedTags.show(id, 'v*')).toMatchObject({ name: 'v*' });
      await client.ProtectedTags.unprotect(id, 'v*');
      await expect(client.Tags.showSignature(id, 'v1.0')).rejects.toThrow('404 Signature Not Found');
      await client.ProjectReleases.create(id, { tagName: 'v1.0', description: 'One' });
      const link = await client.ReleaseLinks.create(id, 'v1.0', 'guide', 'https://example.com/guide');
      expect(await client.ReleaseLinks.show(id, 'v1.0', link.id)).toMatchObject({ name: 'guide' });
      expect(await client.ReleaseLinks.edit(id, 'v1.0', link.id, { name: 'manual' })).toMatchObject({ name: 'manual' });
      expect(await client.ProjectReleases.show(id, 'v1.0')).toMatchObject({ description: 'One' });
      expect(await client.ProjectReleases.all(id)).toMatchObject([{ tag_name: 'v1.0' }]);
      expect(await client.ProjectReleases.showLatest(id)).toMatchObject({ tag_name: 'v1.0' });
      const hook = await client.ProjectHooks.add(id, 'https://receiver.example/hook');
      expect(await client.ProjectHooks.show(id, hook.id)).toMatchObject({ url: 'https://receiver.example/hook' });
      expect(await client.Repositories.editChangelog(id, '2.0.0', { to: commits[1]!, from: commits[0]! })).toEqual({});
      expect(await client.RepositoryFiles.showRaw(id, 'CHANGELOG.md', 'main')).toContain('## 2.0.0');
    });
  });
});
