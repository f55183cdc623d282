import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Crawler } from '../support/crawler.js';
import { describeEachDatabase } from '../support/databases.js';
import { browserOf, liveIn, VIEWERS, type LivedIn } from '../support/lived-in-service.js';
import { TestService } from '../support/test-service.js';

describeEachDatabase('pages lead nowhere in vain', (openTestDatabase) => {
  let service: TestService;
  let startsOf: LivedIn['startsOf'];

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ({ startsOf } = await liveIn(service));
  });

  afterAll(() => service.close());

  for (const name of VIEWERS) {
    it(`for a ${name}: every link and form that they are shown is there for them`, async () => {
      const crawler = new Crawler(await browserOf(service, name), service.url);
      await crawler.crawl(startsOf(name));
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
