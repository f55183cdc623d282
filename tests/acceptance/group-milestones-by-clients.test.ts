import { expect, it } from '@jest/globals';
import { describeEachDeployment } from '../support/deployments.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';

describeEachDeployment('milestones of groups', (deploy) => {
  it('are made, changed, planned for, listed and promoted by python-gitlab', async () => {
    if (withoutPythonGitlab()) return;
    const { service, close } = await deploy();
    try {
      const { token } = await service.addUser('ada');
      expect(await runPythonGitlab('group_milestones.py', service.url, token)).toEqual({
        made: ['1.0', '2026-12-24', true],
        planned: ['1.1', true],
        issues: ['Smoke'],
        merge_requests: [],
        by_title: ['Smoke'],
        in_project: [],
        with_those_above: ['1.1'],
        closed: ['1.1'],
        promoted: ['2.0'],
        left: null,
      });
    } finally {
      await close();
    }
  });
});
