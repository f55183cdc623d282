import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { Response } from 'express';
import { csrfToken, type Browser } from './page-session.js';

const eta = new Eta({ views: fileURLToPath(new URL('./templates', import.meta.url)), cache: true, autoEscape: true });

/** Messages beside the fields of a form, by field. */
export type FieldProblems = Readonly<Record<string, readonly string[]>>;

export interface PageData {
  readonly title: string;
  readonly notice?: string;
  readonly problem?: string;
  readonly problems?: FieldProblems;
  readonly [name: string]: unknown;
}

/** Sends a page; every page knows who is signed in, and the token of their forms. */
export const sendPage = (response: Response, browser: Browser, template: string, data: PageData): void => {
  const html = eta.render(`./${template}`, {
    problems: {},
    ...data,
    user: browser.user,
    token: csrfToken(browser),
  });
  response.type('text/html').send(html);
};
