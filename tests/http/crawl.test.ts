import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { Crawler } from '../support/crawler.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';

/** Pages that nothing in the frame leads to, but that people know. */
const KNOWN = ['/', '/explore/projects', '/explore/groups', '/users/sign_in', '/search?search=mill', '/api/docs'];

describeEachDatabase('pages lead nowhere in vain', (openTestDatabase) => {
  let service: TestService;
  let owner: TestUser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    await service.addUser('root', { admin: true, password: PASSWORD });
    owner = await service.addUser('owner', { password: PASSWORD });
    await fill();
  });

  afterAll(() => service.close());

  const call = async <Body = { id: number }>(method: string, path: string, json: object): Promise<Body> =>
    (await service.call<Body>(method, path, { token: owner.token, json })).body;

  /** A project with something of everything. */
  const fillProject = async (fields: object): Promise<number> => {
    const { id } = await call('POST', '/projects', fields);
    const below = (path: string, json: object) =>
      call<{ id: number; iid: number }>('POST', `/projects/${id}${path}`, json);
    await below('/labels', { name: 'bug', color: '#d9534f' });
    const milestone = await below('/milestones', {
      title: 'First light',
      description: 'See #1.',
      due_date: '2027-01-01',
    });
    for (const title of ['Leak', 'Smoke'])
      await below('/issues', { title, labels: 'bug', milestone_id: milestone.id, assignee_ids: [owner.id] });
    const issue = await below('/issues', { title: 'Hidden', confidential: true });
    await below(`/issues/${issue.iid}/notes`, { body: 'Hush' });
    await below('/repository/commits', {
      branch: 'main',
      commit_message: 'Begin',
      actions: [
        { action: 'create', file_path: 'README.md', content: '# Mill\n\nSee [the source](src/a.c).\n' },
        { action: 'create', file_path: 'src/a.c', content: 'int a;\n' },
      ],
    });
    await below('/repository/tags', { tag_name: 'v1', ref: 'main' });
    await below('/repository/branches', { branch: 'work/pumps', ref: 'main' });
    await fillMergeRequests(below);
    await below('/snippets', { title: 'Notes', content: 'one', file_name: 'a b.txt', visibility: 'private' });
    await below('/hooks', { url: 'https://hooks.example/' });
    const alerting = AlertingProject.of(service, owner, id);
    const integration = await alerting.integrate();
    await alerting.call('PUT', '/alert_settings', { create_incident: true });
    await sendAlert(integration, { title: 'On fire', environment: 'production', severity: 'high' });
    return id;
  };

  /** One that can be merged, and a draft that goes the other way, both discussed. */
  const fillMergeRequests = async (
    below: (path: string, json: object) => Promise<{ readonly iid: number }>,
  ): Promise<void> => {
    await below('/repository/commits', {
      branch: 'work/pumps',
      commit_message: 'Build the pumps',
      actions: [{ action: 'update', file_path: 'src/a.c', content: 'int a, b;\n' }],
    });
    const people = { reviewer_ids: [owner.id], assignee_ids: [owner.id] };
    for (const [title, source_branch, target_branch] of [
      ['Build the pumps', 'work/pumps', 'main'],
      ['Draft: Turn', 'main', 'work/pumps'],
    ]) {
      const fields = { source_branch, target_branch, title, description: 'Closes #1, after !1.', labels: 'bug' };
      const { iid } = await below('/merge_requests', { ...fields, ...people });
      await below(`/merge_requests/${iid}/notes`, { body: 'Seen' });
      await below(`/merge_requests/${iid}/discussions`, { body: 'Test it?' });
    }
  };

  const fill = async (): Promise<void> => {
    await call('POST', '/snippets', { title: 'Own', content: 'one', file_name: 'src/a.txt', visibility: 'public' });
    const { id: closed } = await call('POST', '/groups', { name: 'Closed works', path: 'closed' });
    const { id: inner } = await call('POST', '/groups', { name: 'Inner', path: 'inner', parent_id: closed });
    const hidden = await fillProject({ name: 'Hidden mill', path: 'mill', namespace_id: inner });
    const open = await fillProject({ name: 'Open mill', path: 'open-mill', visibility: 'public' });
    await call('POST', '/groups', { name: 'Open works', path: 'open', visibility: 'public' });
    for (const [name, level] of Object.entries({ maintainer: 40, developer: 30, guest: 10, stranger: 0 })) {
      const { id } = await service.addUser(name, { password: PASSWORD });
      if (level === 0) continue;
      const json = { user_id: id, access_level: level };
      // Of the project alone: the groups that hold it are not for them to see.
      for (const project of [hidden, open]) await call('POST', `/projects/${project}/members`, json);
    }
  };

  const viewers = ['root', 'owner', 'maintainer', 'developer', 'guest', 'stranger', 'visitor'] as const;
  for (const name of viewers) {
    it(`for a ${name}: every link and form that they are shown is there for them`, async () => {
      const viewer = name === 'visitor' ? new FormBrowser(service.url) : await signedIn(service, name);
      const crawler = new Crawler(viewer, service.url);
      await crawler.crawl(KNOWN);
      expect(crawler.deadEnds).toEqual([]);
      const seesHidden = name !== 'stranger' && name !== 'visitor';
      expect(crawler.paths.has('/closed/inner/mill/-/issues/1')).toBe(seesHidden);
      expect(crawler.paths.has('/owner/open-mill/-/issues/1')).toBe(true);
      const guestsToo = seesHidden && name !== 'guest';
      expect(crawler.paths.has('/closed/inner/mill/-/merge_requests/1/diffs')).toBe(guestsToo);
      expect(crawler.paths.has('/owner/open-mill/-/merge_requests/2/commits')).toBe(true);
      expect(crawler.paths.has('/owner/open-mill/-/alert_management/1/details')).toBe(
        ['root', 'owner', 'maintainer', 'developer'].includes(name),
      );
    });
  }
});
