import { isStorable } from '../../validation/storable-text.js';
import { given } from '../../kit/given.js';
import type { PageContext } from '../page.js';

/** The text of a parameter, bounded. */
export const queryText = ({ request }: PageContext, name: string): string => {
  const value = request.query[name];
  return typeof value === 'string' && isStorable(value) ? value.trim().slice(0, 255) : '';
};

/** What is said after a form, by the word in the address that it led to. */
export const noticeOf = (context: PageContext, notices: ReadonlyMap<string, string>) =>
  given({ notice: notices.get(queryText(context, 'done')) });
