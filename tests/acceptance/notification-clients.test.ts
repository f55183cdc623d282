import { Gitlab } from '@gitbeaker/rest';
import { expect, it } from '@jest/globals';
import { describeEachDeployment } from '../support/deployments.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';

describeEachDeployment('notification settings by clients that we did not write', (deploy) => {
  it('are shown and changed by gitbeaker: global, of a group and of a project', async () => {
    const { service, close } = await deploy();
    try {
      const ada = await service.addUser('ada');
      const client = new Gitlab({ host: service.url, token: ada.token });
      const group = await client.Groups.create('Engines', 'engines');
      const project = await client.Projects.create({ name: 'Difference', namespaceId: group.id });
      expect(await client.NotificationSettings.show()).toEqual({
        level: 'participating',
        notification_email: 'ada@example.com',
      });
      expect(await client.NotificationSettings.edit({ level: 'watch', notificationEmail: 'ada@example.com' })).toEqual({
        level: 'watch',
        notification_email: 'ada@example.com',
      });
      expect(await client.NotificationSettings.edit({ groupId: group.id, level: 'mention' })).toEqual({
        level: 'mention',
      });
      const custom = await client.NotificationSettings.edit({
        projectId: 'engines/difference',
        level: 'custom',
        newNote: true,
        issueDue: true,
      });
      expect(custom).toMatchObject({
        level: 'custom',
        events: { new_note: true, issue_due: true, new_issue: false, moved_project: true, new_epic: false },
      });
      expect(await client.NotificationSettings.show({ projectId: project.id })).toEqual(custom);
      expect(await client.NotificationSettings.show({ groupId: group.id })).toEqual({ level: 'mention' });
      const refused = client.NotificationSettings.edit({ notificationEmail: 'grace@example.com' });
      await expect(refused).rejects.toMatchObject({
        cause: { description: '{"notification_email":["is not an email you own"]}' },
      });
      const issue = await client.Issues.create(project.id, 'Cogs jam');
      expect(await client.Issues.unsubscribe(project.id, issue.iid)).toMatchObject({ subscribed: false });
      expect(await client.Issues.subscribe(project.id, issue.iid)).toMatchObject({ subscribed: true });
    } finally {
      await close();
    }
  });

  it('are shown and changed by python-gitlab, which also subscribes and moves projects', async () => {
    if (withoutPythonGitlab()) return;
    const { service, close } = await deploy();
    try {
      const ada = await service.addUser('ada');
      expect(await runPythonGitlab('notifications.py', service.url, ada.token)).toEqual({
        global: ['participating', 'ada@example.com'],
        saved: 'watch',
        bad_level: [400, "'explosive' is not a valid level"],
        not_owned: [400, { notification_email: ['is not an email you own'] }],
        group: ['global', 'mention'],
        project: ['custom', true, false],
        events: 17,
        hidden: [404, '404 Project Not Found'],
        subscribed: [true, false, true],
        moved: 'python/cogs',
      });
    } finally {
      await close();
    }
  });
});
