import { titleOf as firstLineOf } from '../../../../../domain/repositories/commit-message.js';
import { cutAt } from '../page-texts.js';

const TITLE = 200;

/** The first line of a message. */
export const titleOf = (message: string): string => {
  const line = firstLineOf(message.trimStart());
  return cutAt(line.trim() === '' ? 'No message' : line, TITLE);
};

/** What follows the first line. */
export const bodyOf = (message: string): string => {
  const text = message.trim();
  const end = text.indexOf('\n');
  return end === -1 ? '' : text.slice(end + 1).trim();
};

/** When a commit says that it was made. Its offset and year are whatever was pushed: one that no clock has is left out. */
export const instantOf = (at: string): Date => {
  const found = [at, `${at.slice(0, 23)}Z`].map((text) => new Date(text)).find((date) => !Number.isNaN(date.getTime()));
  return found ?? new Date(0);
};

/** What templates say of commits. */
export const COMMIT_WORDS = { titleOf, instantOf };
