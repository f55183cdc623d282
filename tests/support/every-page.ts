import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { launchBrowser } from './browser.js';
import { Crawler } from './crawler.js';
import { describeAnyDatabase } from './databases.js';
import { browserOf, liveIn, type LivedIn, type Viewer } from './lived-in-service.js';
import { PageRoutes } from './page-routes.js';
import { examine, PageSurvey, type Look } from './page-survey.js';
import { TestService } from './test-service.js';

/** Pages that no link leads to, and why. */
const NOT_LED_TO: Readonly<Record<string, string>> = {
  '/favicon.ico': 'browsers ask for it',
  '/^\\/(?<username>[^/]+)\\.keys$/': 'programs ask for it',
  '/admin/users/:id/unblock': 'nobody is blocked',
  '/admin/users/:id/demote': 'there is one administrator',
  '/admin/users/:id/disable_two_factor': 'nobody has a second factor',
  '/admin/users/:id/send_password_link': 'mail is not set up',
  '/admin/jobs/:id/run': 'no job waits',
  '/users/sign_up': 'sign-up is by invitation',
  '/users/sign_in/verify': 'the second step of a sign-in: accessibility.test.ts',
  '/*path/-/access_requests': 'who looks has access everywhere: access-request-pages.test.ts',
  '/groups/*path/-/access_requests': 'who looks has access everywhere',
  '/groups/*path/-/members/requests/:id': 'of groups those are opened first that nobody asks for access to',
  '/users/invitation/join': 'the invitation is for somebody without an account',
  '/groups/*path/-/invitations/:id/withdraw': 'nobody was invited to a group',
  '/profile/account/recovery_codes': 'nobody has a second factor',
  '/profile/account/two_factor/disable': 'nobody has a second factor',
  '/profile/emails/:id/primary': 'an address is not confirmed yet',
  '/profile/emails/:id/recovery': 'an address is not confirmed yet',
  '/*path/-/settings/operations/integrations/:id/enable': 'every integration is enabled',
  '/-/unsubscribe/:token': 'in the headers of mail: notifications.test.ts',
  '/*path/-/merge_requests/:iid/suggestions/:id/apply': 'nobody has suggested anything',
  '/dashboard/todos/:id/undo': 'nothing on the list was done just before',
  '/*path/-/labels/:id/promote': 'of labels those are opened first whose project is in no group',
  '/*path/-/settings/mirrors/:id/update': 'the mirror is disabled, so that nobody asks for its host',
  '/*path/-/settings/mirrors/pull/update': 'what is followed is disabled, so that nobody asks for its host',
  '/*path/-/import': 'no project gets its code from elsewhere: code-imports.test.ts',
  '/*path/-/merge_requests/:iid/rebase': 'projects merge by commits of their own',
};

/**
 * A file of a snippet as it was written: the address of its first file without a name. What conversations of more than one page have:
 * activity.test.ts. And what is no page: files that are attached to texts (uploads.test.ts), badges as READMEs written elsewhere call them
 * (badge-pictures.test.ts), and what the newest release leads to, by an address for programs (files-by-token.test.ts).
 */
const NEITHER_LED_TO =
  /snippets.*raw\$\/$|^\/assets\/.*-comments\.js$|\/uploads\\\/\(\?<secret>|permalink\\\/latest\\\/\(\?<rest>downloads|\(\?!-\\\/\).*badges/;

/** How thoroughly pages are looked at. */
interface Thoroughness {
  readonly viewers: readonly Viewer[];
  /** Of pages of the same kind so many are asked for as each viewer, and their links followed. */
  readonly mostOfKind: number;
  /** In which one of each kind is opened, and measured. */
  readonly looks: readonly Look[];
  /** Whether that one alone is opened, and held against WCAG in one of these, and as a visitor sees it in another one. */
  readonly inTurn?: boolean;
}

/** What holds for every page that anybody is led to, in a real browser. */
export const describeEveryPage = ({ viewers, mostOfKind, looks, inTurn = false }: Thoroughness): void => {
  describeAnyDatabase('every page', (openTestDatabase) => {
    let service: TestService;
    let browser: Browser;
    let routes: PageRoutes;
    let startsOf: LivedIn['startsOf'];
    const opened = new Set<string>();
    const examined = new Set<string>();

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      routes = new PageRoutes(service.service.container.get(TOKENS.pagesRouter));
      ({ startsOf } = await liveIn(service));
      browser = await launchBrowser();
    });
    afterAll(async () => {
      await browser.close();
      await service.close();
    });

    /** Pages of one route that are asked for the same are of one kind. */
    const kindOf = (address: string): string => {
      const asked = new URL(address, service.url).searchParams;
      return `${routes.of(address) ?? ''} ${[...asked.keys()].sort().join()}`;
    };

    const crawl = async (viewer: Viewer) => {
      const form = await browserOf(service, viewer);
      const crawler = new Crawler(form, service.url, { atMost: { most: mostOfKind, kindOf } });
      await crawler.crawl(startsOf(viewer));
      for (const address of crawler.seen) opened.add(routes.of(address) ?? '');
      return { form, shown: crawler.shown };
    };

    /** Whether none of its kind was yet. A visitor is shown another frame. */
    const isToBeExamined = (viewer: Viewer, address: string): boolean => {
      const kind = `${viewer === 'visitor' ? 'visitor' : 'member'} ${kindOf(address)}`;
      const isNew = !examined.has(kind);
      examined.add(kind);
      return isNew;
    };

    /** Always the same for a kind of page, and another one as a visitor sees it. */
    const lookInTurn = (viewer: Viewer, kind: string): readonly Look[] => {
      const letters = Buffer.from(kind).reduce((sum, letter) => sum + letter, 0);
      return [looks[(letters + Number(viewer === 'visitor')) % looks.length]!];
    };
    const examineAs = (viewer: Viewer, page: Page, address: string): Promise<readonly string[]> =>
      examine(page, looks, inTurn ? lookInTurn(viewer, kindOf(address)) : looks);

    for (const viewer of viewers)
      it(`as a ${viewer}: no complaint of the browser, no request to anybody else, WCAG 2.2 AA, and no scrolling sideways`, async () => {
        const { form, shown } = await crawl(viewer);
        const survey = new PageSurvey(browser, service.url);
        const measured = new Set(shown.filter((address) => isToBeExamined(viewer, address)));
        const found = await survey.open(form, inTurn ? [...measured] : shown, async (page, address) =>
          measured.has(address) ? examineAs(viewer, page, address) : [],
        );
        expect(found).toEqual({});
      });

    it('is among those that were opened', () => {
      const left = [...routes.all].filter((route) => !opened.has(route));
      expect(left.filter((route) => NOT_LED_TO[route] === undefined && !NEITHER_LED_TO.test(route))).toEqual([]);
    });
  });
};
