import { expect, it } from '@jest/globals';
import { describeEachDeployment } from '../support/deployments.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';

describeEachDeployment('labels of groups', (deploy) => {
  it('are made, changed, followed, used and promoted by python-gitlab', async () => {
    if (withoutPythonGitlab()) return;
    const { service, close } = await deploy();
    try {
      const { token } = await service.addUser('ada');
      expect(await runPythonGitlab('group_labels.py', service.url, token)).toEqual({
        made: ['to do', '#FF0000', 'later'],
        listed: [['done', 0]],
        subscribed: true,
        labelled: ['own', 'past'],
        in_project: [
          ['own', true],
          ['past', false],
        ],
        own: ['own'],
        same: true,
        refused: [403, '403 Forbidden - The label belongs to the group works, and is changed there.'],
        promoted: ['own', 'past'],
        left: ['own'],
      });
    } finally {
      await close();
    }
  });
});
