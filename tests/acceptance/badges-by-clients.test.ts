import { expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { describeEachDeployment } from '../support/deployments.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';

const LINK = 'https://ci.example/%{project_path}';
const IMAGE = 'https://ci.example/a.svg';

describeEachDeployment('badges by stock clients', (deploy) => {
  it('gitbeaker reaches all of it', async () => {
    const { service, close } = await deploy();
    try {
      const { token } = await service.addUser('ada');
      const { Projects, Groups, ProjectBadges, GroupBadges } = new Gitlab({ host: service.url, token });
      const { id: groupId } = await Groups.create('Works', 'works');
      const { id: projectId } = await Projects.create({ name: 'Engine', namespaceId: groupId });
      for (const [badges, id, kind] of [
        [ProjectBadges, projectId, 'project'],
        [GroupBadges, groupId, 'group'],
      ] as const) {
        const rendered_link_url = kind === 'project' ? 'https://ci.example/works/engine' : LINK;
        const made = await badges.add(id, LINK, IMAGE, { name: 'State' });
        expect(made).toMatchObject({ kind, name: 'State', link_url: LINK, image_url: IMAGE, rendered_link_url });
        expect(await badges.all(id, { name: 'State' })).toHaveLength(1);
        expect(await badges.show(id, made.id)).toMatchObject({ id: made.id, rendered_image_url: IMAGE });
        expect(await badges.preview(id, LINK, IMAGE)).toMatchObject({ rendered_link_url });
        expect(await badges.edit(id, made.id, { imageUrl: `${IMAGE}?b` })).toMatchObject({ image_url: `${IMAGE}?b` });
        await badges.remove(id, made.id);
        expect(await badges.all(id)).toEqual([]);
      }
    } finally {
      await close();
    }
  });

  it('python-gitlab reaches all of it', async () => {
    if (withoutPythonGitlab()) return;
    const { service, close } = await deploy();
    try {
      const { token } = await service.addUser('ada');
      const reached = [
        'State',
        'https://ci.example/works/engine',
        'https://ci.example/b.svg',
        'https://ci.example/works/engine',
        0,
      ];
      expect(await runPythonGitlab('badges.py', service.url, token)).toEqual({
        project: reached,
        group: ['State', LINK, 'https://ci.example/b.svg', LINK, 0],
        kinds: ['group', 'project'],
      });
    } finally {
      await close();
    }
  });
});
