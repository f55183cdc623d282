import { ACCESS_LEVEL } from '../shared/access-level.js';
import type { UserId } from '../shared/identifiers.js';
import type { ProblemCollector } from '../shared/problem-collector.js';

export const MAX_NOTE = 1_000_000;

export const checkNote = (problems: ProblemCollector, body: string): void => {
  problems
    .check(body.trim() !== '', 'note', "can't be blank")
    .check(body.length <= MAX_NOTE, 'note', `is too long (maximum is ${MAX_NOTE} characters)`);
};

/** Everybody who sees a subject comments on it; while it is locked, its members do. */
export const mayComment = ({ locked }: { readonly locked: boolean }, { level }: { readonly level: number }): boolean =>
  !locked || level >= ACCESS_LEVEL.guest;

/** What says who may change a comment. */
export interface ChangeableNote {
  readonly authorId: UserId | null;
  readonly system: boolean;
}

/** Whose words they are: their author's own, and from Maintainer up everybody's. What the service wrote stays. */
export const mayChangeNote = (
  { authorId, system }: ChangeableNote,
  { userId, level }: { readonly userId: UserId; readonly level: number },
): boolean => !system && (authorId === userId || level >= ACCESS_LEVEL.maintainer);
