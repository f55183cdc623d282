import { expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { describeEachDeployment } from '../support/deployments.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';

describeEachDeployment('mirrors by stock clients', (deploy) => {
  it('gitbeaker reaches all of it', async () => {
    const { service, close } = await deploy();
    try {
      const { token } = await service.addUser('ada');
      const { Projects, ProjectRemoteMirrors } = new Gitlab({ host: service.url, token });
      const { id } = await Projects.create({ name: 'Engine' });
      const made = await ProjectRemoteMirrors.createPushMirror(id, 'https://ada:hush@git.example/a.git', {
        enabled: true,
        keepDivergentRefs: true,
      });
      expect(made).toMatchObject({
        ...{ enabled: true, keep_divergent_refs: true, only_protected_branches: false },
        ...{ url: 'https://*****:*****@git.example/a.git', update_status: 'none', last_error: null },
      });
      // Its `edit` sends a POST, which the API has for no mirror.
      const json = { only_protected_branches: true, enabled: false };
      const changed = await service.call('PUT', `/projects/${id}/remote_mirrors/${made.id}`, { token, json });
      expect(changed).toMatchObject({ status: 200, body: { ...json, keep_divergent_refs: true } });
      expect(await ProjectRemoteMirrors.show(id, made.id)).toMatchObject({ id: made.id });
      expect(await ProjectRemoteMirrors.all(id)).toHaveLength(1);
      await expect(ProjectRemoteMirrors.sync(id, made.id)).rejects.toThrow('disabled');
      await ProjectRemoteMirrors.remove(id, made.id);
      expect(await ProjectRemoteMirrors.all(id)).toEqual([]);
      await expect(Projects.create({ name: 'Inside', importUrl: 'http://10.0.0.1/a.git' })).rejects.toThrow();
    } finally {
      await close();
    }
  });

  it('python-gitlab reaches all of it', async () => {
    if (withoutPythonGitlab()) return;
    const { service, close } = await deploy();
    try {
      const { token } = await service.addUser('ada');
      expect(await runPythonGitlab('mirrors.py', service.url, token)).toEqual({
        ...{ made: [true, 'https://*****:*****@git.example/a.git', 'none', 'password'], listed: [true] },
        ...{ refused: 400, left: 0, import_refused: 400, import_status: 'none' },
      });
    } finally {
      await close();
    }
  });
});
