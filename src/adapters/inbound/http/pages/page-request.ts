import { ANONYMOUS, type Actor } from '../../../../application/shared/actor.js';
import type { PageRequest } from '../../../../domain/shared/page.js';
import { isStorable } from '../validation/storable-text.js';
import type { PageContext } from './page-context.js';
import { actorOf, type Browser } from './page-session.js';

const PER_PAGE = 20;
const LONGEST_TEXT = 255;

/** Whoever uses the browser; nobody before they sign in. */
export const actorFor = (browser: Browser): Actor => (browser.user === undefined ? ANONYMOUS : actorOf(browser));

/** Who asks: by a token where one counts, else whoever uses the browser. */
export const actorOfContext = ({ caller, browser }: Pick<PageContext, 'caller' | 'browser'>): Actor =>
  caller === undefined ? actorFor(browser) : caller.actor;

/** The page of a list that an address asks for. No page says how long its list is. */
export const pageRequest = ({ request }: Pick<PageContext, 'request'>): PageRequest => {
  const page = Number(request.query['page']);
  return { page: Number.isSafeInteger(page) && page > 0 && page < 1e9 ? page : 1, perPage: PER_PAGE, counted: false };
};

/** A text of the query; empty where there is none, or none that could be stored. */
export const queryText = ({ request }: Pick<PageContext, 'request'>, name: string): string => {
  const text = request.query[name];
  return typeof text === 'string' && isStorable(text) ? text.trim().slice(0, LONGEST_TEXT) : '';
};

/** One of a few words in the query; the first where it is none of them. */
export const queryChoice = <Choice extends string>(
  context: Pick<PageContext, 'request'>,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice => choices.find((choice) => choice === context.request.query[name]) ?? choices[0];
