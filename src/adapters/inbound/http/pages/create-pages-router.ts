import { Router, type ErrorRequestHandler } from 'express';
import type { ProveIdentity } from '../../../../application/identity/prove-identity.js';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { NotFound, NotPossible, Overloaded, Unavailable } from '../../../../domain/shared/domain-error.js';
import type { IdentifyByToken } from '../authentication/identify-by-token.js';
import { discardRest } from '../body/answer-and-discard.js';
import { describeError } from '../middleware/answer-errors.js';
import type { LimitSignIn } from '../middleware/sign-in-limit.js';
import { exchangeOf } from '../server/exchange.js';
import { serveAssets } from './frame/assets.js';
import { MissingPart } from './frame/missing-part.js';
import { countOpenTodos } from './frame/open-todos.js';
import { addThemeForm } from './frame/theme-form.js';
import { Pages, type PartsOfFrames } from './page.js';
import { pageSecurity } from './page-headers.js';
import { NOBODY, type Browser, type PageSessions } from './page-session.js';
import { ProofPage } from './proof-page.js';
import { sendPage, type PageLocals } from './render.js';

export interface PagesParts {
  readonly pageSessions: PageSessions;
  readonly proveIdentity: ProveIdentity;
  readonly limitSignIn: LimitSignIn;
  readonly frames: PartsOfFrames;
  readonly identifyByToken: IdentifyByToken;
  readonly clock: Clock;
  readonly version: string;
  readonly mailIsSetUp: boolean;
  readonly logger: Logger;
}

interface ErrorWords {
  readonly title: string;
  readonly explanation: string;
  readonly lead?: MissingPart['lead'];
}

const ERROR_WORDS: Readonly<Record<number, ErrorWords>> = {
  401: { title: 'Not let in', explanation: 'The token that was sent is none, or not good any more.' },
  403: { title: 'Not allowed', explanation: 'You may not do this.' },
  404: { title: 'Not found', explanation: 'There is no such page, or it is not for you to see.' },
  413: { title: 'Too large', explanation: 'What was sent is too large, and could not be read.' },
  429: { title: 'Too many attempts', explanation: 'Wait a minute and try again.' },
  503: { title: 'Out of reach', explanation: 'The database can’t be reached right now. Try again in a few seconds.' },
};
const BUSY: ErrorWords = {
  title: 'Busy',
  explanation: 'Too much is asked for at once right now. Try again in a few seconds.',
};
const NO_REPOSITORIES: ErrorWords = {
  title: 'Out of reach',
  explanation: 'The repositories can’t be reached right now. Try again in a few seconds.',
};
const UNEXPECTED: ErrorWords = {
  title: 'Something went wrong',
  explanation: 'The fault is ours, and it is in the log.',
};
const UNREADABLE: ErrorWords = { title: 'Not understood', explanation: 'The request could not be read.' };

const wordsFor = (status: number, error: unknown): ErrorWords => {
  if (error instanceof Overloaded) return BUSY;
  if (error instanceof Unavailable && error.dependency === 'repositories') return NO_REPOSITORIES;
  if (error instanceof NotPossible) return { title: 'Not possible', explanation: error.message };
  if (error instanceof MissingPart) return { title: 'Not found', explanation: error.explanation, lead: error.lead };
  const words = ERROR_WORDS[status] ?? (status < 500 ? UNREADABLE : UNEXPECTED);
  const reason = status === 403 && error instanceof Error && error.message !== 'Forbidden' ? error.message : undefined;
  return reason === undefined ? words : { ...words, explanation: reason };
};

const showErrors =
  ({ pageSessions, frames, logger }: Pick<PagesParts, 'pageSessions' | 'frames' | 'logger'>): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const { status, headers } = describeError(error, request, logger);
    discardRest(request);
    response.status(status).set(headers);
    const words = wordsFor(status, error);
    const requestId = exchangeOf(request).id;
    const locals = response.locals as PageLocals;
    locals.openTodos = '';
    const show = (browser: Browser) => {
      const mayHelp = status === 404 && browser.user === undefined;
      sendPage(response, browser, 'error', { ...words, requestId, mayHelp });
    };
    // Without the database nobody can be recognised.
    if (error instanceof Unavailable || status >= 500) return show(NOBODY);
    // A fault in this very page is answered like any other: an error that nobody takes would end the process.
    const recognize = async (): Promise<Browser> => {
      const browser = await pageSessions.read(request, response);
      // An error is told without the number, too.
      locals.openTodos = await countOpenTodos(frames, browser).catch(() => '');
      return browser;
    };
    recognize()
      .then(show, () => show(NOBODY))
      .catch(next);
  };

/**
 * Everything that a person sees in a browser: rendered here, and whole without scripts.
 * @param all add their pages, in the order in which they are asked.
 */
export const createPagesRouter = (all: readonly ((pages: Pages) => void)[], parts: PagesParts): Router => {
  const router = Router({ caseSensitive: true });
  router.use(pageSecurity);
  serveAssets(router);
  router.get('/favicon.ico', (_request, response) => void response.status(204).end());

  const { clock, version, mailIsSetUp } = parts;
  router.use((_request, response, next) => {
    Object.assign(response.locals, { now: clock.now(), version, mailIsSetUp } satisfies PageLocals);
    next();
  });
  const proofPage = new ProofPage(parts.proveIdentity, parts.limitSignIn);
  const pages = new Pages(parts.pageSessions, proofPage, parts.frames, parts.identifyByToken);
  addThemeForm(pages);
  for (const addPages of all) addPages(pages);
  router.use(pages.router);
  // Whatever the method: the framework's own answer would be none of ours.
  router.use(() => {
    throw new NotFound('Page');
  });
  router.use(showErrors(parts));
  return router;
};
