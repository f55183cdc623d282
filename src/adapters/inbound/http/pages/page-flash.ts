import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { SecretBox } from '../../../../application/shared/ports/secrets.js';

const COOKIE = 'gatehouse_flash';
const MAX_AGE_SECONDS = 60;

/**
 * What is shown once on the page after a form (a new token, say): it travels with the redirect, sealed, in a cookie that the
 * next page takes away. So a reload neither sends the form again nor shows it again.
 */
export class PageFlash {
  constructor(
    private readonly secretBox: SecretBox,
    private readonly secure: () => boolean,
  ) {}

  /** @param to the address of the page that shows it: the browser sends it to that one alone, and to those below. */
  put(response: Response, userId: number, shown: readonly string[], to: string): void {
    const value = this.secretBox.seal(JSON.stringify({ userId, shown }));
    this.#setCookie(response, { value, maxAge: MAX_AGE_SECONDS, path: to });
  }

  /** What was put for this user; empty when there is nothing. */
  take(request: Request, response: Response, userId: number): readonly string[] {
    const sealed = parseCookie(request.headers.cookie ?? '')[COOKIE];
    if (sealed === undefined || sealed === '') return [];
    this.#setCookie(response, { value: '', maxAge: 0, path: request.path });
    try {
      const flash = JSON.parse(this.secretBox.open(sealed)) as { userId: number; shown: string[] };
      return flash.userId === userId ? flash.shown : [];
    } catch {
      // Not ours, or sealed under another key.
      return [];
    }
  }

  #setCookie(response: Response, given: { value: string; maxAge: number; path: string }): void {
    const cookie = { name: COOKIE, ...given, httpOnly: true, sameSite: 'strict', secure: this.secure() } as const;
    response.append('Set-Cookie', stringifySetCookie(cookie));
  }
}
