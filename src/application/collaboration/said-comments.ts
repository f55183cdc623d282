import { mayResolve } from '../../domain/collaboration/discussion.js';
import { checkNote, mayComment } from '../../domain/collaboration/note.js';
import type { DiscussionPlace } from '../../domain/shared/diff-position.js';
import { BadRequest, Forbidden } from '../../domain/shared/domain-error.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { UserActor } from '../shared/actor.js';
import type { SaidPosition, SubjectDetails } from './ports/subject-ports.js';
import type { DiffsOf } from './read-suggestions.js';
import type { DiscussableSubject } from './subjects.js';

/** @throws Forbidden for who is no member where the discussion is locked; Invalid at `note`. */
export const checkComment = (found: DiscussableSubject, body: string): void => {
  if (!mayComment(found.subject, found)) throw new Forbidden();
  const problems = new ProblemCollector();
  checkNote(problems, body);
  problems.refuse();
};

/** @throws BadRequest where the kind of the subject knows no such thing; Forbidden. */
export const requireResolver = ({ id }: UserActor, { subject, level }: DiscussableSubject): void => {
  if (!subject.resolvable) throw new BadRequest('Note is not resolvable');
  if (!mayResolve(subject, { userId: id, level })) throw new Forbidden();
};

/** @throws BadRequest where no diff of the subject shows such lines; Unavailable. */
export const placeSaid = async (
  diffsOf: DiffsOf,
  subject: SubjectDetails,
  said: SaidPosition,
): Promise<DiscussionPlace> => {
  const diffs = diffsOf(subject);
  if (diffs === undefined) throw new BadRequest('position is of a diff, and this has none');
  return diffs.place(subject, said);
};
