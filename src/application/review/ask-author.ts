import type { MergeRequest } from '../../domain/review/merge-request.js';
import { askPeople, type TodoRepositories } from '../collaboration/operations/todos.js';
import type { MergeRequestRepository } from './ports/merge-request-ports.js';

type Needs = TodoRepositories & { readonly mergeRequests: Pick<MergeRequestRepository, 'choosable'> };

/** Somebody else's change stands in the way of theirs. */
export const askAuthor = async (
  repositories: Needs,
  { id, projectId, authorId }: MergeRequest,
  at: Date,
): Promise<void> => {
  const wanted = authorId === null ? [] : [authorId];
  const people = await repositories.mergeRequests.choosable(projectId, wanted, at.toISOString().slice(0, 10));
  const asked = people.map((userId) => ({
    userId,
    subjectId: id,
    noteId: null,
    authorId,
    action: 'unmergeable' as const,
  }));
  await askPeople(repositories, asked, at);
};
