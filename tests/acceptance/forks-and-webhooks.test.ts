import { expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { describeEachDeployment } from '../support/deployments.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';
import { until } from '../support/until.js';

describeEachDeployment('stars, archives, forks and webhooks by stock clients', (deploy) => {
  it('gitbeaker reaches all of it', async () => {
    const { service, close } = await deploy();
    try {
      const [ada, grace] = [await service.addUser('ada'), await service.addUser('grace')];
      const [asAda, asGrace] = [ada, grace].map(({ token }) => new Gitlab({ host: service.url, token }));
      const { Projects, ProjectHooks } = asAda!;
      const { id } = await Projects.create({ name: 'Engine', visibility: 'public' });
      expect(await Projects.star(id)).toMatchObject({ id, star_count: 1 });
      expect(await Projects.allStarrers(id)).toMatchObject([{ user: { username: 'ada' } }]);
      expect(await Projects.all({ starred: true })).toMatchObject([{ id }]);
      expect(await asGrace!.Users.allStarredProjects(ada.id)).toMatchObject([{ id }]);
      expect(await Projects.unstar(id)).toMatchObject({ star_count: 0 });
      expect(await Projects.archive(id)).toMatchObject({ archived: true });
      await expect(asAda!.Issues.create(id, 'Too late')).rejects.toThrow();
      expect(await Projects.unarchive(id)).toMatchObject({ archived: false });

      const fork = await asGrace!.Projects.fork(id, { path: 'my-engine', name: 'My engine' });
      await until(async () => (await asGrace!.Projects.show(fork.id))['import_status'] === 'finished');
      expect(await asGrace!.Projects.show(fork.id)).toMatchObject({ forked_from_project: { id } });
      expect(await Projects.allForks(id)).toMatchObject([{ id: fork.id }]);
      await asGrace!.Projects.removeForkRelationship(fork.id);
      expect(await Projects.allForks(id)).toEqual([]);
      await asGrace!.Projects.createForkRelationship(fork.id, id);
      expect(await Projects.show(id)).toMatchObject({ forks_count: 1 });

      const hook = await ProjectHooks.add(id, 'https://receiver.example/hook', { issuesEvents: true, token: 'hush' });
      expect(hook).toMatchObject({ push_events: true, issues_events: true });
      expect(await ProjectHooks.edit(id, hook.id, 'https://receiver.example/hook', { noteEvents: true })).toMatchObject(
        {
          note_events: true,
        },
      );
      expect(await ProjectHooks.all(id)).toHaveLength(1);
      await ProjectHooks.remove(id, hook.id);
      expect(await ProjectHooks.all(id)).toEqual([]);
    } finally {
      await close();
    }
  });

  it('python-gitlab reaches all of it', async () => {
    if (withoutPythonGitlab()) return;
    const { service, close } = await deploy();
    try {
      const [ada, grace] = [await service.addUser('ada'), await service.addUser('grace')];
      expect(await runPythonGitlab('projects.py', service.url, ada.token, grace.token)).toEqual({
        starred: ['Python engine'],
        star_count: 1,
        archived: true,
        refused: 403,
        import_status: 'finished',
        forked_from: true,
        forks: ['Python fork'],
        forks_left: 0,
        forks_again: 1,
        hook: [true, true, true, false],
        hooks: 0,
      });
    } finally {
      await close();
    }
  });
});
