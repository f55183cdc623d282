import type { SubjectSource } from '../../../../../application/collaboration/ports/subject-ports.js';
import type { SnippetReader } from '../../../../../application/snippets/ports/snippet-ports.js';
import type { WebUrls } from '../../web-urls.js';
import type { SubjectOfApi } from '../collaboration/subject-of-api.js';
import { presentSnippet, SnippetSchema } from './snippet-schema.js';

/** Snippets of projects as subjects. */
export const snippetsOfApi = (source: SubjectSource, reader: SnippetReader, urls: WebUrls): SubjectOfApi => ({
  source,
  name: 'ProjectSnippet',
  words: 'a snippet of a project',
  collection: 'snippets',
  parameter: ['snippet_id', 'Numeric id of the snippet'],
  subscribed: false,
  schema: SnippetSchema,
  present: async (subjects) => {
    const ids = subjects.flatMap(({ ownId }) => ownId ?? []);
    const found = new Map((await reader.ofProjects(ids)).map((snippet) => [snippet.id, snippet]));
    return new Map(
      subjects.flatMap(({ id, ownId }) => {
        const snippet = found.get(ownId ?? 0);
        return snippet === undefined ? [] : [[id, presentSnippet(snippet, urls)]];
      }),
    );
  },
});
