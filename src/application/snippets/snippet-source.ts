import { NotFound } from '../../domain/shared/domain-error.js';
import { identifierIn } from '../../domain/shared/identifiers.js';
import { maySee } from '../../domain/snippets/snippet.js';
import type { SubjectSource } from '../collaboration/ports/subject-ports.js';
import { isAdmin, userIdOf } from '../shared/actor.js';
import type { SnippetReader } from './ports/snippet-ports.js';
import { isDiscussed, subjectOfSnippet } from './ports/snippet-subject.js';

/** Snippets of projects as subjects, called by their id. */
export const createSnippetSource = (reader: SnippetReader): SubjectSource => ({
  kind: 'snippet',
  find: async (actor, { project, level }, name) => {
    const id = identifierIn(name);
    const snippet = id === undefined ? undefined : await reader.find(project.id, id);
    const viewer = { userId: userIdOf(actor), admin: isAdmin(actor), level };
    if (snippet === undefined || !isDiscussed(snippet) || !maySee(snippet, viewer)) throw new NotFound('Snippet');
    return subjectOfSnippet(snippet, project.fullPath);
  },
});
