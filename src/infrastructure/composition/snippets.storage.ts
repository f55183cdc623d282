import { KnexSnippetRepository } from '../../adapters/outbound/persistence/knex/snippets/knex-snippet-repository.js';
import { storedSnippets } from '../../adapters/outbound/persistence/knex/snippets/stored-snippets.js';
import { defineStorage } from './storage.js';

export const snippetsStorage = defineStorage({
  name: 'snippets',
  stores: {
    snippets: ({ session }) => new KnexSnippetRepository(session),
  },
  subjectKinds: [storedSnippets],
});
