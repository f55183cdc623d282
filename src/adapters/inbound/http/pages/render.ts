import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { Response } from 'express';
import { assetAddress } from './frame/assets.js';
import { hueOf, initialsOf } from './frame/avatar.js';
import { inOneDirection } from './frame/one-direction.js';
import { takeNotice } from './frame/notice.js';
import { lengthInWords, timeElement } from './frame/shown-time.js';
import { themeOf } from './frame/theme.js';
import { zoneOf } from './frame/viewer-zone.js';
import type { PlaceFrame } from './frame/places.js';
import { milestonePath, type MilestoneAddress } from '../milestone-path.js';
import { withoutCredentials } from '../pagination/page-headers.js';
import { csrfToken, localPath, type Browser } from './page-session.js';

const eta = new Eta({ views: fileURLToPath(new URL('./templates', import.meta.url)), cache: true, autoEscape: true });

const SIGN_IN = '/users/sign_in';

/** Messages beside the fields of a form, by field. */
export type FieldProblems = Readonly<Record<string, readonly string[]>>;

export interface PageData {
  readonly title: string;
  readonly notice?: string;
  readonly problem?: string;
  readonly problems?: FieldProblems;
  readonly [name: string]: unknown;
}

/** What the frame of every page needs to know of its request. */
export interface PageLocals {
  readonly now: Date;
  readonly version: string;
  /** Whether mail is sent at all: without it no page may claim so. */
  readonly mailIsSetUp: boolean;
  /** How much whoever is signed in has to do, in words; nothing where it is nothing. It is counted while the page is made. */
  openTodos?: string | Promise<string>;
  /** A page that waits for that. */
  sent?: Promise<void>;
}

/** The page to come back to: this one, where it can be read again, without a token of the API that its address may have. */
const addressOf = ({ method, originalUrl }: Response['req']): string => {
  if (method !== 'GET' && method !== 'HEAD') return '/';
  const { pathname, searchParams } = new URL(localPath(originalUrl), 'http://localhost');
  const query = withoutCredentials(searchParams).toString();
  return query === '' ? pathname : `${pathname}?${query}`;
};

/** Pages about signing in: whoever comes from one has no page to come back to. */
const OF_SIGN_IN = /^\/(?:users\/(?:sign_in|sign_up|password|confirmation)(?:[/?]|$)|$)/;

/** Where a stranger signs in, to come back to the page that they are on. */
const signInFrom = (here: string): string =>
  OF_SIGN_IN.test(here) ? SIGN_IN : `${SIGN_IN}?${new URLSearchParams({ return_to: here }).toString()}`;

/** Sends a page, once it is known what its frame says; every page knows who is signed in, and the token of their forms. */
export const sendPage = (response: Response, browser: Browser, template: string, data: PageData): void => {
  const locals = response.locals as PageLocals;
  const { openTodos = '' } = locals;
  const show = (words: string) => showPage(response, browser, template, { ...data, openTodos: words });
  if (typeof openTodos === 'string') {
    show(openTodos);
    return;
  }
  locals.sent = openTodos.then(show);
  // Whoever waits for it hears of it. Where the page itself has failed by then nobody does.
  locals.sent.catch(() => undefined);
};

/** Undefined for one of a group that the frame of the page leads to no more: a member of a project need not see the groups that hold it. */
const milestoneHrefIn =
  (place: PlaceFrame | undefined) =>
  (milestone: MilestoneAddress): string | undefined => {
    const { group } = milestone;
    const leadsThere =
      group === null || place?.crumbs.some(({ href }) => href === `/groups/${group.fullPath}`) !== false;
    return leadsThere ? milestonePath(milestone) : undefined;
  };

/** What pages say of names in sentences of theirs. */
const sentencesOf = ({ title, notice, problem }: PageData, told: string | undefined) => ({
  title: inOneDirection(title),
  notice: inOneDirection(notice ?? told ?? ''),
  problem: inOneDirection(problem ?? ''),
});

const showPage = (
  response: Response,
  browser: Browser,
  template: string,
  data: PageData & { readonly openTodos: string },
): void => {
  const { now, version, mailIsSetUp } = response.locals as PageLocals;
  const here = addressOf(response.req);
  const zone = zoneOf(browser.user, response.req);
  const html = eta.render(`./${template}`, {
    problems: {},
    ...data,
    ...sentencesOf(data, takeNotice(response, browser)),
    user: browser.user,
    token: csrfToken(browser),
    theme: themeOf(response.req),
    here,
    signIn: signInFrom(here),
    openPath: response.req.path,
    version,
    mailIsSetUp,
    openTodos: browser.user === undefined ? '' : data.openTodos,
    when: (at: Date) => timeElement(at, now, zone),
    took: (from: Date, to: Date | null) => lengthInWords((to ?? now).getTime() - from.getTime()),
    asset: assetAddress,
    milestoneHref: milestoneHrefIn(data['place'] as PlaceFrame | undefined),
    initials: initialsOf,
    hue: hueOf,
  });
  response.type('text/html').send(html);
};
