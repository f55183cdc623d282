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

/** A day and a minute as a commit has them, with its offset left out of the text. */
const dayOf = (instant: string): string => instant.slice(0, 10);
const minuteOf = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

/** What templates say of commits. */
export const COMMIT_WORDS = { titleOf, dayOf, minuteOf };
