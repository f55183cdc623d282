import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { TestRunner } from '../support/ci-runner.js';
import { zipOf } from '../support/zips.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';
import { TestService, type TestUser } from '../support/test-service.js';

withGit('stock clients, every day', () => {
  describeEachDatabase('stock clients with templates, snippets and search', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let root: TestUser;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
      root = await service.addUser('root', { admin: true });
    });

    afterAll(() => service.close());

    it('python-gitlab, unmodified, reads templates', async () => {
      if (withoutPythonGitlab()) return;
      expect(await runPythonGitlab('templates.py', service.url, ada.token)).toEqual({
        gitignores: [true, 'Python', true],
        ci: [true, 'Nodejs', true],
        dockerfiles: [true, 'Node', true],
        licenses: true,
        license: ['mit', true],
        none: [404, '404 License Not Found'],
      });
    });

    it('gitbeaker, unmodified, reads templates', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      expect(await client.GitignoreTemplates.all()).toContainEqual({ key: 'Go', name: 'Go' });
      expect(await client.GitignoreTemplates.show('Go')).toMatchObject({ name: 'Go' });
      expect(await client.GitLabCIYMLTemplates.show('Rust')).toMatchObject({ name: 'Rust' });
      expect(await client.DockerfileTemplates.all()).toContainEqual({ key: 'Golang', name: 'Golang' });
      const { id } = await client.Projects.create({ name: 'Mill' });
      expect(await client.ProjectTemplates.all(id, 'gitlab_ci_ymls')).toContainEqual({ key: 'Rust', name: 'Rust' });
      expect(await client.ProjectTemplates.all(id, 'licenses')).toContainEqual({ key: 'mit', name: 'MIT License' });
      expect(await client.ProjectTemplates.show(id, 'licenses', 'mit', { fullname: 'Ada Lovelace' })).toMatchObject({
        content: expect.stringContaining('Ada Lovelace'),
      });
    });

    it('python-gitlab, unmodified, keeps snippets', async () => {
      if (withoutPythonGitlab()) return;
      expect(await runPythonGitlab('snippets.py', service.url, ada.token)).toEqual({
        made: ['internal', ['a.txt', 'b.txt']],
        content: 'one',
        renamed: ['Renamed', 'one'],
        moved: ['c.txt', 'one'],
        listed: true,
        public: [],
        removed: [404, '404 Snippet Not Found'],
        project: ['private', 'two'],
        project_changed: ['Changed', 'three'],
        project_listed: true,
        project_removed: [404, '404 Snippet Not Found'],
      });
    });

    it('gitbeaker, unmodified, keeps snippets', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const files = [{ filePath: 'a.txt', content: 'one' }];
      const { id } = await client.Snippets.create('Notes', { files, visibility: 'public' } as never);
      expect(await client.Snippets.showContent(id)).toBe('one');
      const changes = [{ action: 'create' as const, filePath: 'b/c.txt', content: 'two' }];
      const changed = await client.Snippets.edit(id, { description: 'About', files: changes });
      expect(changed).toMatchObject({ description: 'About', file_name: 'a.txt' });
      expect(await client.Snippets.showRepositoryFileContent(id, 'main', 'b/c.txt')).toBe('two');
      expect(await client.Snippets.all({ public: true })).toContainEqual(expect.objectContaining({ id }));
      expect(await client.Snippets.all()).toContainEqual(expect.objectContaining({ id }));
      await client.Snippets.remove(id);
      const project = await client.Projects.create({ name: 'Lathe' });
      const made = await client.ProjectSnippets.create(project.id, 'Notes', {
        visibility: 'private',
        files,
      } as never);
      expect(await client.ProjectSnippets.show(project.id, made.id)).toMatchObject({ project_id: project.id });
      expect(await client.ProjectSnippets.all(project.id)).toMatchObject([{ id: made.id }]);
      await client.ProjectSnippets.remove(project.id, made.id);
    });

    it('python-gitlab and gitbeaker, unmodified, have Markdown rendered', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      expect(await client.Markdown.render('*a* | b', { gfm: 'true' })).toEqual({ html: '<p><em>a</em> | b</p>\n' });
      if (withoutPythonGitlab()) return;
      expect(await runPythonGitlab('markdown.py', service.url, ada.token)).toEqual(['<p><em>a</em></p>\n']);
    });

    it('python-gitlab and gitbeaker, unmodified, attach files', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const { id } = await client.Projects.create({ name: 'Attached mill' });
      const file = { filename: 'plan [1].txt', content: new Blob(['a plan']) };
      const made = await client.Projects.uploadForReference(id, file);
      expect(made).toMatchObject({
        alt: 'plan [1].txt',
        url: expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\/plan%20%5B1%5D\.txt$/),
        markdown: `[plan \\[1\\].txt](${made.url})`,
      });
      if (withoutPythonGitlab()) return;
      expect(await runPythonGitlab('uploads.py', service.url, ada.token, String(id))).toEqual({
        alt: 'plan.png',
        url: [true, true],
        markdown: true,
        listed: ['plan.png', 'plan [1].txt'],
        content: true,
      });
    });

    it('python-gitlab and gitbeaker, unmodified, link issues', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const { id } = await client.Projects.create({ name: 'Linked mill' });
      const [one, two] = [await client.Issues.create(id, 'One'), await client.Issues.create(id, 'Two')];
      await client.IssueLinks.create(id, one.iid, id, two.iid, { linkType: 'blocks' });
      const [link] = await client.IssueLinks.all(id, two.iid);
      expect(link).toMatchObject({ iid: one.iid, link_type: 'is_blocked_by' });
      await client.IssueLinks.remove(id, two.iid, Number(link?.issue_link_id));
      if (withoutPythonGitlab()) return;
      const seen = await runPythonGitlab('issue_links.py', service.url, ada.token, String(id));
      expect(seen).toEqual({ linked: ['One', 'Two'], listed: ['relates_to'], left: [] });
    });

    it('python-gitlab and gitbeaker, unmodified, tell what they find of commits, and wait for it', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const { id } = await client.Projects.create({ name: 'Checked mill' });
      await client.RepositoryFiles.create(id, 'a.c', 'main', 'int a;\n', 'Begin');
      await client.Branches.create(id, 'topic', 'main');
      await client.RepositoryFiles.create(id, 'b.c', 'topic', 'int b;\n', 'Go on');
      const { iid } = await client.MergeRequests.create(id, 'topic', 'main', 'Go on');
      const [newest] = await client.Commits.all(id, { refName: 'topic' });
      const sha = newest!.id;
      const lint = await client.Commits.editStatus(id, sha, 'success', { name: 'lint', coverage: 87.5 });
      expect(lint).toMatchObject({ status: 'success', name: 'lint', coverage: 87.5 });
      expect(await client.Commits.allStatuses(id, sha)).toMatchObject([{ name: 'lint' }]);
      expect(await client.Pipelines.all(id, { sha })).toMatchObject([{ status: 'success', ref: 'topic' }]);
      expect(await client.MergeRequests.allPipelines(id, iid)).toMatchObject([{ sha, status: 'success' }]);
      if (withoutPythonGitlab()) return;
      expect(await runPythonGitlab('pipelines.py', service.url, ada.token, String(id), sha)).toEqual({
        running: ['running', 'running', 'topic'],
        waits: [true, 'running'],
        canceled: { status: 'success' },
        statuses: [
          ['lint', 'success'],
          ['build', 'failed'],
        ],
        pipelines: ['failed'],
        of_merge_request: ['failed'],
        commit: 'failed',
        twice: [
          400,
          'Cannot transition status via :drop from :failed (Reason(s): Status cannot transition via "drop")',
        ],
      });
    });

    it('python-gitlab and gitbeaker, unmodified, run the jobs of a CI file, and look after runners', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const { id } = await client.Projects.create({ name: 'Job mill' });
      const file = 'stages: [build]\nbuild: { stage: build, script: make }\n';
      await client.RepositoryFiles.create(id, '.gitlab-ci.yml', 'main', file, 'Begin [skip ci]');
      const made = await client.Pipelines.create(id, 'main', { variables: [{ key: 'COLOR', value: 'blue' }] });
      expect(made).toMatchObject({ status: 'pending', source: 'api', ref: 'main' });
      const [job] = await client.Jobs.all(id, { pipelineId: made.id });
      expect(job).toMatchObject({ name: 'build', stage: 'build', status: 'pending', pipeline: { id: made.id } });
      expect(await client.Jobs.cancel(id, job!.id)).toMatchObject({ status: 'canceled' });
      expect(await client.Jobs.retry(id, job!.id)).toMatchObject({ name: 'build', status: 'pending' });
      expect(await client.Pipelines.cancel(id, made.id)).toMatchObject({ status: 'canceled' });
      expect(await client.Pipelines.allVariables(id, made.id)).toMatchObject([{ key: 'COLOR', value: 'blue' }]);
      const trigger = await client.PipelineTriggerTokens.create(id, 'Nightly');
      expect(await client.PipelineTriggerTokens.all(id)).toMatchObject([{ id: trigger.id, description: 'Nightly' }]);
      const options = { variables: { COLOR: 'green' } };
      expect(await client.PipelineTriggerTokens.trigger(id, 'main', trigger.token, options)).toMatchObject({
        source: 'trigger',
      });
      await client.PipelineTriggerTokens.remove(id, trigger.id);
      const { PipelineSchedules, PipelineScheduleVariables } = client;
      const schedule = await PipelineSchedules.create(id, 'Nightly', 'main', '0 4 * * *', { cronTimezone: 'UTC' });
      await PipelineScheduleVariables.create(id, schedule.id, 'COLOR', 'red');
      await PipelineScheduleVariables.edit(id, schedule.id, 'COLOR', 'blue');
      expect(await PipelineScheduleVariables.all(id, schedule.id)).toMatchObject([{ key: 'COLOR', value: 'blue' }]);
      await PipelineScheduleVariables.remove(id, schedule.id, 'COLOR');
      expect(await PipelineSchedules.edit(id, schedule.id, { cron: '0 5 * * *' })).toMatchObject({ cron: '0 5 * * *' });
      expect(await PipelineSchedules.takeOwnership(id, schedule.id)).toMatchObject({ owner: { username: 'ada' } });
      await PipelineSchedules.run(id, schedule.id);
      expect(await PipelineSchedules.allTriggeredPipelines(id, schedule.id)).toMatchObject([{ source: 'schedule' }]);
      expect(await PipelineSchedules.show(id, schedule.id)).toMatchObject({ variables: [], active: true });
      expect(await PipelineSchedules.all(id, { scope: 'inactive' })).toEqual([]);
      await PipelineSchedules.remove(id, schedule.id);
      if (withoutPythonGitlab()) return;
      expect(await runPythonGitlab('ci_jobs.py', service.url, ada.token, String(id))).toEqual({
        pipeline: ['api', 'main'],
        variables: [['COLOR', 'red']],
        failed: ['failed', 'script_failure', 'build', ''],
        again: ['pending'],
        canceled: 'canceled',
        runner: ['never_contacted', 'online'],
        of_group: [['group_type', false, true], ['With runners']],
        of_project: 1,
        triggered: ['trigger', 'green', ['Weekly'], 0],
        scheduled: [...['Europe/Berlin', 'ada', [['COLOR', 'blue']], 'schedule', [['COLOR', 'blue']], ['Nightly']], 0],
        jobs: 1,
      });
    });

    it('python-gitlab and gitbeaker, unmodified, fetch the files that jobs leave', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const { id } = await client.Projects.create({ name: 'File mill' });
      const file = 'build: { stage: build, script: make, artifacts: { paths: [out] } }\n';
      await client.RepositoryFiles.create(id, '.gitlab-ci.yml', 'main', file, 'Begin [skip ci]');
      await client.Branches.create(id, 'release/1', 'main');
      await client.Pipelines.create(id, 'release/1');
      const runner = await TestRunner.make(service, ada, { runner_type: 'project_type', project_id: id });
      const job = await runner.takeNamed('build');
      const zip = await zipOf({ 'out/a b.txt': 'A' });
      await runner.leave(job, zip);
      await runner.end(job, { state: 'success' });
      const textOf = async (found: unknown) => Buffer.from(await (found as Blob).arrayBuffer()).toString('latin1');
      const ofBranch = { ref: 'release/1', job: 'build' };
      const { JobArtifacts } = client;
      const whole = zip.toString('latin1');
      expect(await textOf(await JobArtifacts.downloadArchive(id, { jobId: job.id }))).toBe(whole);
      expect(await textOf(await JobArtifacts.downloadArchive(id, ofBranch))).toBe(whole);
      const artifactPath = 'out/a b.txt';
      expect(await textOf(await JobArtifacts.downloadArchive(id, { jobId: job.id, artifactPath }))).toBe('A');
      expect(await textOf(await JobArtifacts.downloadArchive(id, { ...ofBranch, artifactPath }))).toBe('A');
      if (withoutPythonGitlab()) return;
      expect(await runPythonGitlab('ci_artifacts.py', service.url, ada.token, String(id), String(job.id))).toEqual({
        file: 'artifacts.zip',
        same: [true, true, 'PK'],
        files: ['A', 'A'],
        expiry: [true, null],
        gone: 404,
      });
    });

    it('python-gitlab and gitbeaker, unmodified, send, fetch, list and remove packages', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const group = await client.Groups.create('Package works', 'package-works');
      const { id } = await client.Projects.create({ name: 'Packed mill', namespaceId: group.id });
      const file = { filename: 'tool 1.txt', content: new Blob(['by gitbeaker']) };
      const { PackageRegistry, Packages } = client;
      expect(await PackageRegistry.publish(id, 'tools', '1.0.0', file)).toEqual({ message: '201 Created' });
      const fetched = await PackageRegistry.download(id, 'tools', '1.0.0', 'tool 1.txt');
      expect(await (fetched as unknown as Blob).text()).toBe('by gitbeaker');
      const [made] = await Packages.all({ projectId: id });
      expect(made).toMatchObject({ name: 'tools', version: '1.0.0', package_type: 'generic', status: 'default' });
      expect(await Packages.all({ groupId: group.id })).toMatchObject([{ id: made!.id, project_id: id }]);
      const [kept] = await Packages.allFiles(id, made!.id);
      expect(kept).toMatchObject({ file_name: 'tool 1.txt', size: 12, package_id: made!.id });
      await Packages.removeFile(id, made!.id, kept!.id);
      expect(await Packages.allFiles(id, made!.id)).toEqual([]);
      await Packages.remove(id, made!.id);
      expect(await Packages.all({ projectId: id })).toEqual([]);
      if (withoutPythonGitlab()) return;
      const args = [String(id), String(group.id)];
      expect(await runPythonGitlab('generic_packages.py', service.url, ada.token, ...args)).toEqual({
        sent: '201 Created',
        fetched: ['by python', 'by python'],
        package: ['3.0.0', 'generic', 'tools'],
        files: [['tool.txt', 9]],
        ofGroup: ['package-works/packed-mill'],
        left: 0,
        gone: 404,
      });
    });

    it('python-gitlab and gitbeaker, unmodified, look after CI variables', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const group = await client.Groups.create('Variable works', 'variable-works');
      const { id } = await client.Projects.create({ name: 'Variable mill', namespaceId: group.id });
      const ofProject = { masked: true, environmentScope: 'production' };
      const made = await client.ProjectVariables.create(id, 'TOKEN', 'abcdefgh', ofProject);
      expect(made).toMatchObject({ key: 'TOKEN', value: 'abcdefgh', masked: true, environment_scope: 'production' });
      const filter = { environment_scope: 'production' };
      expect(await client.ProjectVariables.edit(id, 'TOKEN', 'ijklmnop', { filter })).toMatchObject({ masked: true });
      expect(await client.ProjectVariables.show(id, 'TOKEN', { filter })).toMatchObject({ value: 'ijklmnop' });
      await client.ProjectVariables.remove(id, 'TOKEN', { filter });
      await client.GroupVariables.create(group.id, 'REGION', 'north', { variableType: 'file' });
      expect(await client.GroupVariables.all(group.id)).toMatchObject([{ key: 'REGION', variable_type: 'file' }]);
      await client.GroupVariables.remove(group.id, 'REGION');
      expect(await client.ProjectVariables.all(id)).toEqual([]);
      if (withoutPythonGitlab()) return;
      const args = [String(id), String(group.id), root.token];
      const each = { made: ['A', 'one', 'env_var'], changed: ['two', true], listed: ['A'], left: [] };
      expect(await runPythonGitlab('ci_variables.py', service.url, ada.token, ...args)).toEqual({
        project: each,
        group: each,
        instance: each,
        twice: [400, { key: ['(TWICE) has already been taken'] }],
        gone: [404, '404 Variable Not Found'],
      });
    });

    it('python-gitlab and gitbeaker, unmodified, look after environments, and deploy to them', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const { id } = await client.Projects.create({ name: 'Deployed mill' });
      await client.RepositoryFiles.create(id, 'a.c', 'main', 'int a;\n', 'Begin');
      const [newest] = await client.Commits.all(id);
      const sha = newest!.id;
      const made = await client.Environments.create(id, 'production', { externalUrl: 'https://mill.example' });
      expect(made).toMatchObject({ name: 'production', slug: 'production', state: 'available', project: { id } });
      expect(await client.Environments.edit(id, made.id, { tier: 'other' })).toMatchObject({ tier: 'other' });
      const deployed = await client.Deployments.create(id, 'production', sha, 'main', false, { status: 'running' });
      expect(deployed).toMatchObject({ status: 'running', environment: { name: 'production' } });
      expect(await client.Deployments.edit(id, deployed.id, 'success')).toMatchObject({ status: 'success' });
      expect(await client.Deployments.all(id, { environment: 'production' })).toMatchObject([{ id: deployed.id }]);
      expect(await client.Environments.show(id, made.id)).toMatchObject({ last_deployment: { sha } });
      expect(await client.Environments.stop(id, made.id)).toMatchObject({ state: 'stopped' });
      await client.Environments.remove(id, made.id);
      expect(await client.Environments.all(id)).toEqual([]);
      if (withoutPythonGitlab()) return;
      expect(await runPythonGitlab('environments.py', service.url, ada.token, String(id), sha)).toEqual({
        listed: ['review/one'],
        changed: 'https://two.example',
        shown: ['success', 'review/one', null],
        last: 2,
        early: 403,
        stopped: 'stopped',
        left: [[], []],
      });
    });

    it('python-gitlab and gitbeaker, unmodified, find things', async () => {
      const client = new Gitlab({ host: service.url, token: ada.token });
      const group = await client.Groups.create('Search works', 'search-works');
      const { id } = await client.Projects.create({ name: 'Search lathe', namespaceId: group.id });
      const issue = await client.Issues.create(id, 'The spindle squeaks');
      await client.IssueNotes.create(id, issue.iid, 'Oil the spindle');
      await client.ProjectMilestones.create(id, 'First turn');
      await client.RepositoryFiles.create(id, 'a.c', 'main', 'int a;\nint spindle;\n', 'Add the spindle');
      expect(await client.Search.all('projects', 'search lathe')).toMatchObject([{ id }]);
      expect(await client.Search.all('issues', 'spindle', { groupId: group.id })).toMatchObject([{ id: issue.id }]);
      expect(await client.Search.all('blobs', 'spindle', { projectId: id })).toMatchObject([{ path: 'a.c' }]);
      if (withoutPythonGitlab()) return;
      expect(await runPythonGitlab('search.py', service.url, ada.token, String(id), String(group.id))).toEqual({
        projects: ['Search lathe'],
        issues: ['The spindle squeaks'],
        milestones: ['First turn'],
        users: ['ada'],
        blobs: [['a.c', 2]],
        commits: ['Add the spindle'],
        notes: ['Oil the spindle'],
      });
    });
  });
});
