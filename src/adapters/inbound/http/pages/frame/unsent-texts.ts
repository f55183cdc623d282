import type { Request } from 'express';
import { field } from '../form-fields.js';

/** The fields of forms that people write texts in, by the words beside them. None of them is a secret. */
const TEXTS = Object.entries({
  title: 'Title',
  description: 'Description',
  body: 'Comment',
  content: 'Content',
  message: 'Message',
  squash_message: 'Message of the squashed commit',
  bio: 'About you',
});

export interface UnsentText {
  readonly name: string;
  readonly label: string;
  readonly text: string;
}

/** What somebody wrote into a form that can't be taken. */
export const unsentTexts = (request: Request): readonly UnsentText[] =>
  TEXTS.map(([name, label]) => ({ name, label, text: field(request, name) })).filter(({ text }) => text.trim() !== '');

/**
 * Whether one of our own pages sent a form, whoever was signed in when it was made: browsers say so, and no page of another site can.
 * Over plain HTTP they say nothing.
 */
export const isFromOurPage = (request: Request): boolean => request.get('sec-fetch-site') === 'same-origin';
