import { ACCESS_LEVEL } from '../shared/access-level.js';
import { Invalid } from '../shared/domain-error.js';
import type { UserId } from '../shared/identifiers.js';

/** What a discussion holds at most: it is read and sent in one. */
export const MAX_NOTES_OF_DISCUSSION = 500;
const MAX_BYTES_OF_DISCUSSION = 2_000_000;

export interface DiscussionSize {
  readonly notes: number;
  readonly bytes: number;
}

/** @throws Invalid at `note` where a discussion would hold more than it may. */
export const checkDiscussionSize = ({ notes, bytes }: DiscussionSize): void => {
  if (notes > MAX_NOTES_OF_DISCUSSION)
    throw new Invalid({ note: [`is beyond the ${MAX_NOTES_OF_DISCUSSION} of a discussion: begin another one`] });
  if (bytes > MAX_BYTES_OF_DISCUSSION)
    throw new Invalid({ note: ['makes the discussion too long: begin another one'] });
};

/** Developers say that what others asked for is done, and so does whoever opened what is talked about. */
export const mayResolve = (
  { authorId }: { readonly authorId: UserId | null },
  { userId, level }: { readonly userId: UserId; readonly level: number },
): boolean => level >= ACCESS_LEVEL.developer || authorId === userId;

const KEY = /^[0-9a-f]{40}$/;

/** What the API calls the discussion that begins with a note: 40 hexadecimal digits. */
export const discussionKey = (firstNoteId: number): string => firstNoteId.toString(16).padStart(40, '0');

/** The note that a discussion of this name begins with; undefined for what names none. */
export const firstNoteIn = (key: string): number | undefined => {
  const id = KEY.test(key) ? Number.parseInt(key, 16) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
};
