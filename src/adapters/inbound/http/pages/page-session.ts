import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { Session } from '../../../../application/identity/ports/session-repository.js';
import type { UserProfile } from '../../../../application/identity/ports/identity-readers.js';
import type { OpenedSession, Sessions } from '../../../../application/identity/sessions.js';
import { ANONYMOUS, type Actor, type UserActor } from '../../../../application/shared/actor.js';
import { Forbidden, Unauthenticated } from '../../../../domain/shared/domain-error.js';

/** A browser: its secret, which its forms are bound to, and who is signed in with it. */
export interface Browser {
  readonly secret: string;
  readonly session: Session | undefined;
  /** The signed-in user; absent before the second factor. */
  readonly user: UserProfile | undefined;
}

/** Of whom nothing is known. */
export const NOBODY: Browser = { secret: '', session: undefined, user: undefined };

const SECRET_BYTES = 32;
const COOKIE_MAX_AGE_SECONDS = 90 * 24 * 3_600;

/** The token of the forms of one browser: nobody makes it who does not hold the cookie. */
export const csrfToken = ({ secret }: Pick<Browser, 'secret'>): string =>
  createHmac('sha256', secret).update('forms').digest('base64url');

const equal = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export class PageSessions {
  /** Browsers that are given their first secret, by the answer that gives it: its page of an error belongs to the same one. */
  readonly #strangers = new WeakMap<Response, Browser>();

  constructor(
    private readonly sessions: Sessions,
    private readonly baseUrl: () => string,
  ) {}

  /**
   * The signed-in user of a browser that calls the API: for reading always, and for changing only with the token of its forms
   * in `X-CSRF-Token`.
   */
  async actorOfApiRequest(request: Request): Promise<Actor> {
    const secret = this.#secretOf(request);
    if (secret === undefined) return ANONYMOUS;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads && !equal(request.get('x-csrf-token') ?? '', csrfToken({ secret }))) return ANONYMOUS;
    const browser = await this.#recognise(secret);
    return browser.user === undefined ? ANONYMOUS : actorOf(browser);
  }

  /**
   * The browser that asks; a new one gets a secret of its own, so that its first form is bound already. Not by a form: to those of other
   * sites browsers give no cookie along, and would take a new one in place of the one that they have.
   */
  async read(request: Request, response: Response): Promise<Browser> {
    const secret = this.#secretOf(request);
    if (secret !== undefined) return this.#recognise(secret);
    const known = this.#strangers.get(response);
    if (known !== undefined) return known;
    const fresh = randomBytes(SECRET_BYTES).toString('base64url');
    if (['GET', 'HEAD'].includes(request.method)) this.#setCookie(response, fresh);
    const stranger = { secret: fresh, session: undefined, user: undefined };
    this.#strangers.set(response, stranger);
    return stranger;
  }

  /** Hands the browser the secret of a session that was just opened. */
  carry(response: Response, { secret }: OpenedSession): void {
    this.#setCookie(response, secret);
  }

  /** A new, empty secret after signing out. */
  forget(response: Response): void {
    this.#setCookie(response, randomBytes(SECRET_BYTES).toString('base64url'));
  }

  /** Whether a form was made for this browser, also where its session has ended since. */
  isFormOf(browser: Browser, request: Request): boolean {
    const given =
      (request.body as Record<string, unknown> | undefined)?.['authenticity_token'] ?? request.get('x-csrf-token');
    return typeof given === 'string' && equal(given, csrfToken(browser));
  }

  /** @throws Forbidden unless the form was made for this browser. */
  checkForm(browser: Browser, request: Request): void {
    if (!this.isFormOf(browser, request))
      throw new Forbidden('The form has expired or was not made for this browser. Go back, reload and try again.');
  }

  #secretOf(request: Request): string | undefined {
    return parseCookie(request.headers.cookie ?? '')[this.#cookieName];
  }

  async #recognise(secret: string): Promise<Browser> {
    const { session, owner } = (await this.sessions.find(secret)) ?? {};
    const user = session?.stage === 'signed_in' && owner?.state === 'active' ? owner : undefined;
    return { secret, session, user };
  }

  get #secure(): boolean {
    return this.baseUrl().startsWith('https://');
  }

  get #cookieName(): string {
    return this.#secure ? '__Host-gatehouse_session' : 'gatehouse_session';
  }

  #setCookie(response: Response, value: string): void {
    const cookie = stringifySetCookie({
      name: this.#cookieName,
      value,
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#secure,
      path: '/',
      maxAge: COOKIE_MAX_AGE_SECONDS,
    });
    response.append('Set-Cookie', cookie);
  }
}

export const actorOf = ({ user }: Browser): UserActor => {
  if (user === undefined) throw new Unauthenticated();
  return { kind: 'user', id: user.id, username: user.username, admin: user.admin, credential: { kind: 'session' } };
};

/** An authorization request with all its parameters fits. */
export const MAX_PATH = 8_000;

/** A path of this service to return to; anything else is the start page. */
export const localPath = (path: unknown): string =>
  typeof path === 'string' && /^\/(?![/\\])[^\\\s]*$/.test(path) && path.length <= MAX_PATH ? path : '/';
