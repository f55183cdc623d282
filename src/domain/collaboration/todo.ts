import { mentionedNames } from './mentions.js';

/** Why somebody is to do something: the words of the API. */
export const TODO_ACTIONS = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
  'review_requested',
] as const;
export type TodoAction = (typeof TODO_ACTIONS)[number];

/** Those of somebody who is named in a text. */
export const MENTIONS = ['mentioned', 'directly_addressed'] as const satisfies readonly TodoAction[];

export const TODO_STATES = ['pending', 'done'] as const;
export type TodoState = (typeof TODO_STATES)[number];

const BEGINNING = /^\s*(?:@[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}(?:[\s,:]+(?:and\s+)?|$))+/;

/** Those of the names in a text that it begins with: it speaks to them. */
export const addressedNames = (text: string): readonly string[] =>
  mentionedNames(BEGINNING.exec(text.slice(0, 10_000))?.[0] ?? '');
