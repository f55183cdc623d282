import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { Crawler } from './crawler.js';
import type { OpenTestDatabase } from './databases.js';
import { browserOf, liveIn, VIEWERS, type LivedIn } from './lived-in-service.js';
import { PageRoutes } from './page-routes.js';
import { TestService } from './test-service.js';

/** Pages that some are led to and others are not. */
const HIDDEN_ISSUE = '/closed/inner/mill/-/issues/1';
const OPEN_ISSUE = '/owner/open-mill/-/issues/1';
const HIDDEN_CHANGE = '/closed/inner/mill/-/merge_requests/1';
const HIDDEN_DIFFS = `${HIDDEN_CHANGE}/diffs`;
const OPEN_CHANGE = '/owner/open-mill/-/merge_requests/2';
const OPEN_COMMITS = `${OPEN_CHANGE}/commits`;
const LED_TO = new Set([HIDDEN_ISSUE, OPEN_ISSUE, HIDDEN_CHANGE, HIDDEN_DIFFS, OPEN_CHANGE, OPEN_COMMITS]);

/** Pages of one place that one route answers, asked for the same, are of one kind. */
const kindsOf =
  (routes: PageRoutes) =>
  (address: string): string => {
    const [path = '', query] = address.split('?');
    if (LED_TO.has(path)) return address;
    const [place = ''] = path.split('/-/', 1);
    return [routes.of(path), place, ...[...new URLSearchParams(query).keys()].sort()].join(' ');
  };

/** Instants of a page that don't tell their exact time where a pointer rests; a day alone has none. */
const bareTimesIn = (html: string): readonly string[] =>
  [...html.matchAll(/<time\b[^>]*>/g)]
    .map(([time]) => time)
    .filter((time) => time.includes('T') && !/ title="/.test(time));

/**
 * Whoever follows links and forms gets somewhere.
 * @param mostOfKind so many pages of a kind are opened.
 */
export const followEveryLink = (openTestDatabase: OpenTestDatabase, mostOfKind: number): void => {
  let service: TestService;
  let startsOf: LivedIn['startsOf'];
  let options: ConstructorParameters<typeof Crawler>[2];

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    const routes = new PageRoutes(service.service.container.get(TOKENS.pagesRouter));
    options = { atMost: { most: mostOfKind, kindOf: kindsOf(routes) } };
    ({ startsOf } = await liveIn(service));
  });

  afterAll(() => service.close());

  for (const name of VIEWERS) {
    it(`for a ${name}: every link and form that they are shown is there for them, and every time tells its zone`, async () => {
      const bareTimes: string[] = [];
      const look = (address: string, html: string): void =>
        void bareTimes.push(...bareTimesIn(html).map((time) => `${address} ${time}`));
      const crawler = new Crawler(await browserOf(service, name), service.url, { ...options, look });
      await crawler.crawl(startsOf(name));
      expect([crawler.deadEnds, bareTimes]).toEqual([[], []]);
      const seesHidden = name !== 'stranger' && name !== 'visitor';
      expect(crawler.paths.has(HIDDEN_ISSUE)).toBe(seesHidden);
      expect(crawler.paths.has(OPEN_ISSUE)).toBe(true);
      expect(crawler.paths.has('/dashboard/todos')).toBe(name !== 'visitor');
      const guestsToo = seesHidden && name !== 'guest';
      expect(crawler.paths.has(HIDDEN_DIFFS)).toBe(guestsToo);
      expect(crawler.paths.has(OPEN_COMMITS)).toBe(true);
      expect(crawler.paths.has('/owner/open-mill/-/alert_management/1/details')).toBe(
        ['root', 'owner', 'maintainer', 'developer'].includes(name),
      );
    });
  }
};
