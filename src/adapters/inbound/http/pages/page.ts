import { Router, type Request, type Response } from 'express';
import { Invalid } from '../../../../domain/shared/domain-error.js';
import { API_FORMATS, PAGE_FORMATS, readBody, SMALL_BODY } from '../body/read-body.js';
import { exchangeOf } from '../server/exchange.js';
import { isStorable } from '../validation/storable-text.js';
import { localPath, type Browser, type PageSessions } from './page-session.js';
import type { FieldProblems } from './render.js';

export interface PageContext {
  readonly browser: Browser;
  readonly request: Request;
  readonly response: Response;
}

type PageHandler = (context: PageContext) => Promise<void> | void;

/** Whether somebody must be signed in. */
type PageAccess = 'anyone' | 'signed_in';

/** Registers pages: each knows its browser, forms are checked before anything else, and who must sign in is sent to do so. */
export class Pages {
  readonly router = Router({ caseSensitive: true });

  constructor(private readonly sessions: PageSessions) {}

  get(path: string | RegExp, access: PageAccess, handle: PageHandler): void {
    this.router.get(path, (request, response) => this.#run(path, access, request, response, handle));
  }

  /** Answers of forms are seen once: after success the handler redirects with 303. */
  post(path: string, access: PageAccess, handle: PageHandler): void {
    this.router.post(path, (request, response) =>
      this.#run(path, access, request, response, async (context) => {
        request.body = await readBody(request, PAGE_FORMATS, SMALL_BODY);
        this.sessions.checkForm(context.browser, request);
        await handle(context);
      }),
    );
  }

  /**
   * A form that may come from anywhere, as from a mail program: the address itself proves that it may be sent, so that the handler
   * must check that, and nothing of the browser's session.
   */
  postFromAnywhere(path: string, handle: PageHandler): void {
    this.router.post(path, (request, response) =>
      this.#run(path, 'anyone', request, response, async (context) => {
        // Mail programs send what they like (RFC 8058 §3.1 has both kinds of forms): what can't be read says nothing.
        request.body = await readBody(request, API_FORMATS, SMALL_BODY).catch(() => undefined);
        await handle(context);
      }),
    );
  }

  async #run(
    path: string | RegExp,
    access: PageAccess,
    request: Request,
    response: Response,
    handle: PageHandler,
  ): Promise<void> {
    const exchange = exchangeOf(request);
    exchange.route = String(path);
    const browser = await this.sessions.read(request, response);
    if (browser.user !== undefined) exchange.actor = `user:${browser.user.id}`;
    response.set('Cache-Control', 'no-store');
    if (access === 'signed_in' && browser.user === undefined) {
      response.redirect(303, `/users/sign_in?return_to=${encodeURIComponent(localPath(request.originalUrl))}`);
      return;
    }
    await handle({ browser, request, response });
  }
}

/** A text field of a form; absent, or not to be kept, is empty. */
export const field = (request: Request, name: string): string => {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && isStorable(value) ? value : '';
};

/** A field that may be given several times, as checkboxes are. */
export const fields = (request: Request, name: string): readonly string[] => {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each): each is string => typeof each === 'string' && isStorable(each));
};

/** What to show beside the fields; any other error is passed on. */
export const problemsOf = (error: unknown): FieldProblems => {
  if (error instanceof Invalid) return error.problems;
  throw error;
};
