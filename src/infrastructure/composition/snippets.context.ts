import { ContainerModule } from 'inversify';
import { createSnippetSource } from '../../application/snippets/snippet-source.js';
import { SnippetAccess } from '../../application/snippets/snippet-access.js';
import { forgetSnippets, Snippets } from '../../application/snippets/snippets.js';
import { createSnippetReadingRoutes } from '../../adapters/inbound/http/api-v4/snippets/snippet-reading-routes.js';
import { snippetsOfApi } from '../../adapters/inbound/http/api-v4/snippets/snippets-of-api.js';
import { createSnippetWritingRoutes } from '../../adapters/inbound/http/api-v4/snippets/snippet-writing-routes.js';
import { addSnippetPages } from '../../adapters/inbound/http/pages/snippets/snippet-pages.js';
import { KnexSnippetReader } from '../../adapters/outbound/persistence/knex/snippets/knex-snippet-reader.js';
import { COLLABORATION_TOKENS } from './collaboration.tokens.js';
import type { Context } from './context.js';
import { markdownBy } from './markdown-by.js';
import { snippetsStorage } from './snippets.storage.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { SNIPPET_TOKENS } from './snippets.tokens.js';
import { TOKENS } from './tokens.js';
import { UPLOAD_TOKENS } from './uploads.tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const snippetsModule = new ContainerModule(({ bind }) => {
  bind(SNIPPET_TOKENS.snippets).toResolvedValue(
    ({ reader }, unitOfWork, { access }, clock) => {
      const snippetReader = new KnexSnippetReader(reader);
      return {
        snippetReader,
        snippets: new Snippets(unitOfWork, clock),
        snippetAccess: new SnippetAccess(access, snippetReader),
      };
    },
    [TOKENS.database, TOKENS.unitOfWork, WORKSPACE_TOKENS.workspace, TOKENS.clock],
  );
});

/** Pieces of text that people keep and show around. */
export const snippetsContext: Context<typeof snippetsStorage> = {
  storage: snippetsStorage,
  modules: [snippetsModule],
  subjects: (get) => {
    const { snippetReader } = get(SNIPPET_TOKENS.snippets);
    return [snippetsOfApi(createSnippetSource(snippetReader), snippetReader, get(TOKENS.webUrls))];
  },
  routes: (get) => {
    const { access } = get(WORKSPACE_TOKENS.workspace);
    const parts = { access, urls: get(TOKENS.webUrls), ...get(SNIPPET_TOKENS.snippets) };
    return [...createSnippetReadingRoutes(parts), ...createSnippetWritingRoutes(parts)];
  },
  pages: (get) => (pages) =>
    addSnippetPages(pages, {
      ...get(WORKSPACE_TOKENS.workspace),
      ...get(COLLABORATION_TOKENS.collaboration),
      ...get(SNIPPET_TOKENS.snippets),
      ...get(UPLOAD_TOKENS.uploads),
      urls: get(TOKENS.webUrls),
      markdown: markdownBy(get, get(REPOSITORY_TOKENS.codePages).markup),
    }),
  forgetProject: [forgetSnippets],
};
