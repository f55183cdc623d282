import type { MergeRequest } from '../../../domain/review/merge-request.js';
import { ACCESS_LEVEL } from '../../../domain/shared/access-level.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Visibility } from '../../../domain/shared/visibility.js';
import type { SubjectDetails } from '../../collaboration/ports/subject-ports.js';

interface Person {
  readonly id: UserId;
  readonly name: string;
}

type MergeRequestWithPeople = Pick<
  MergeRequest,
  'id' | 'projectId' | 'iid' | 'title' | 'description' | 'authorId' | 'discussionLocked' | 'state' | 'branchesThere'
> & {
  readonly projectPath: string;
  readonly visibility: Visibility;
  readonly assignees: readonly Person[];
  readonly reviewers: readonly Person[];
};

/** A merge request as a subject. Whoever is asked to look at it is concerned like those that it is assigned to. */
export const subjectOfMergeRequest = (mergeRequest: MergeRequestWithPeople): SubjectDetails => {
  const { id, projectId, projectPath, iid, title, description, authorId, assignees, reviewers } = mergeRequest;
  const concerned = new Map([...assignees, ...reviewers].map((person) => [person.id, person]));
  return {
    ...{ id, kind: 'merge_request', projectId, projectPath, iid, title, description, authorId, dueDate: null },
    assignees: [...concerned.values()],
    reviewers: reviewers.map((reviewer) => reviewer.id),
    confidential: false,
    resolvable: true,
    takesSuggestions: mergeRequest.state === 'opened' && mergeRequest.branchesThere,
    locked: mergeRequest.discussionLocked === true,
    reference: `!${iid}`,
    page: `merge_requests/${iid}`,
    // It shows code.
    readers: { level: mergeRequest.visibility === 'private' ? ACCESS_LEVEL.reporter : ACCESS_LEVEL.none, people: [] },
  };
};
