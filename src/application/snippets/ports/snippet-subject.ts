import { ACCESS_LEVEL } from '../../../domain/shared/access-level.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Snippet } from '../../../domain/snippets/snippet.js';
import type { SubjectDetails } from '../../collaboration/ports/subject-ports.js';
import type { SubjectFacts } from '../../shared/domain-events.js';

/** A snippet of a project: people talk about these alone. */
export type DiscussedSnippet = Snippet & { readonly projectId: ProjectId; readonly subjectId: number };

export const isDiscussed = (snippet: Snippet): snippet is DiscussedSnippet =>
  snippet.projectId !== null && snippet.subjectId !== null;

/** Whether its comments are told to those alone who see what is confidential: others may not see it. */
export const isConcealed = ({ visibility }: Pick<Snippet, 'visibility'>): boolean => visibility === 'private';

export const factsOfSnippet = (snippet: DiscussedSnippet): SubjectFacts => ({
  id: snippet.subjectId,
  kind: 'snippet',
  projectId: snippet.projectId,
  iid: null,
  ownId: snippet.id,
  title: snippet.title,
  confidential: isConcealed(snippet),
});

/** A snippet of a project as a subject. */
export const subjectOfSnippet = (snippet: DiscussedSnippet, projectPath: string): SubjectDetails => {
  const { id, description, authorId, visibility } = snippet;
  const isPrivate = visibility === 'private';
  return {
    ...factsOfSnippet(snippet),
    projectPath,
    description: description ?? '',
    authorId,
    assignees: [],
    dueDate: null,
    reference: `$${id}`,
    page: `snippets/${id}`,
    resolvable: false,
    locked: false,
    readers: {
      level: isPrivate ? ACCESS_LEVEL.guest : ACCESS_LEVEL.none,
      people: isPrivate && authorId !== null ? [authorId] : [],
    },
  };
};
