import { expect, it } from '@jest/globals';
import { describeEachDeployment } from '../support/deployments.js';
import { PASSWORD } from '../support/form-browser.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';

/** What was done in the busy project of the walk. */
const EVERYTHING = ['closed Issue', 'commented on Note', 'created Project', 'opened Issue', 'opened Milestone'];

describeEachDeployment('python-gitlab, unmodified', (deploy) => {
  it.each([
    ['a personal access token', 'private_token'],
    ['an OAuth token', 'oauth_token'],
  ])('reads and changes everything there is with %s, and is told why when it may not', async (_name, kind) => {
    if (withoutPythonGitlab()) return;
    const { service, close } = await deploy();
    try {
      const root = await service.addUser('root', { admin: true, scopes: ['api', 'sudo'], password: PASSWORD });
      const token = kind === 'oauth_token' ? await service.addOAuthToken('root', PASSWORD, 'api sudo') : root.token;
      const grace = await service.addUser('grace');
      expect(await runPythonGitlab('walk.py', service.url, token, String(grace.id), kind)).toEqual({
        current_user: 'root',
        version: expect.stringMatching(/^13\.12\.0-gatehouse\./),
        users: ['grace', 'root'],
        blocked: 'blocked',
        unblocked: 'active',
        group: 'python/core',
        project: 'by python',
        duplicate_member: [409, 'Member already exists'],
        bad_level: [400, { access_level: ['is not included in the list'] }],
        member_level: 40,
        members: [],
        milestones: ['1.0', '2.0'],
        milestone_by_number: ['1.0'],
        milestone: ['closed', '2026-03-31'],
        planned: ['Write it down'],
        issues_of_milestone: [1],
        backwards: [400, { due_date: ['must be greater than start date'] }],
        unplanned: null,
        events: {
          mine: EVERYTHING,
          everybody: EVERYTHING,
          of_user: EVERYTHING,
          of_project: EVERYTHING,
          action: ['commented on Note'],
          target_type: ['opened Milestone'],
          before: [],
          after: [],
          together: ['closed Issue'],
          note: 'Here, too',
          title: 'Leak',
          bad_action: [400, 'action does not have a valid value'],
        },
        events_walked: [EVERYTHING.length, true, true],
        emails: ['second@example.com'],
        total: 7,
        walked: [0, 1, 2, 3, 4, 5, 6].map((number) => `Page ${number}`),
        sudo: grace.id,
        removed: [404, '404 Project Not Found'],
        unauthenticated: [401, '401 Unauthorized'],
      });
    } finally {
      await close();
    }
  });
});
