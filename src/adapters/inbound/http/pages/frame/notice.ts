import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Response } from 'express';
import type { Browser } from '../page-session.js';
import { cutAt } from '../page-texts.js';

const COOKIE = 'gatehouse_notice';
const MAX_AGE_SECONDS = 60;
/** With its signature it fits into a cookie, whatever its characters are. */
const LONGEST = 400;

const signatureOf = (text: string, { secret }: Browser): Buffer =>
  createHmac('sha256', secret).update(`notice ${text}`).digest();

const setCookie = (response: Response, value: string, maxAge: number): void => {
  const cookie = { name: COOKIE, value, maxAge, httpOnly: true, sameSite: 'lax', path: '/' } as const;
  response.append('Set-Cookie', stringifySetCookie(cookie));
};

/** Says on the next page what was done. It is signed for this browser, so that nobody else can put words there. */
export const tell = (response: Response, browser: Browser, notice: string): void => {
  const text = Buffer.from(cutAt(notice, LONGEST)).toString('base64url');
  setCookie(response, `${text}.${signatureOf(text, browser).toString('base64url')}`, MAX_AGE_SECONDS);
};

/** What is to be said on this page, once. */
export const takeNotice = (response: Response, browser: Browser): string | undefined => {
  const told = parseCookie(response.req.headers.cookie ?? '')[COOKIE];
  if (told === undefined || told === '') return undefined;
  setCookie(response, '', 0);
  const [text = '', signature = ''] = told.split('.');
  const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(text, browser)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return Buffer.from(text, 'base64url').toString();
};
