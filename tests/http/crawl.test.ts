import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Crawler } from '../support/crawler.js';
import { describeEachDatabase } from '../support/databases.js';
import { fillProject, makesFor } from '../support/filled-project.js';
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

  const fill = async (): Promise<void> => {
    const make = makesFor(service, owner);
    await make('/snippets', { title: 'Own', content: 'one', file_name: 'src/a.txt', visibility: 'public' });
    const { id: closed } = await make('/groups', { name: 'Closed works', path: 'closed' });
    const { id: inner } = await make('/groups', { name: 'Inner', path: 'inner', parent_id: closed });
    const hidden = await fillProject(service, owner, { name: 'Hidden mill', path: 'mill', namespace_id: inner });
    const open = await fillProject(service, owner, { name: 'Open mill', path: 'open-mill', visibility: 'public' });
    await make('/groups', { name: 'Open works', path: 'open', visibility: 'public' });
    for (const [name, level] of Object.entries({ maintainer: 40, developer: 30, guest: 10, stranger: 0 })) {
      const { id } = await service.addUser(name, { password: PASSWORD });
      if (level === 0) continue;
      const json = { user_id: id, access_level: level };
      // Of the project alone: the groups that hold it are not for them to see.
      for (const project of [hidden, open]) await make(`/projects/${project}/members`, json);
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
      expect(crawler.paths.has('/dashboard/todos')).toBe(name !== 'visitor');
      const guestsToo = seesHidden && name !== 'guest';
      expect(crawler.paths.has('/closed/inner/mill/-/merge_requests/1/diffs')).toBe(guestsToo);
      expect(crawler.paths.has('/owner/open-mill/-/merge_requests/2/commits')).toBe(true);
      expect(crawler.paths.has('/owner/open-mill/-/alert_management/1/details')).toBe(
        ['root', 'owner', 'maintainer', 'developer'].includes(name),
      );
    });
  }
});
