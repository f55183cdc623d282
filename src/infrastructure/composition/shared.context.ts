import { createApiChangeRoutes } from '../../adapters/inbound/http/api-v4/api-changes/api-change-routes.js';
import { createVersionRoutes } from '../../adapters/inbound/http/api-v4/version/version-routes.js';
import { wholeDocument } from '../../adapters/inbound/http/openapi/openapi-document.js';
import { addApiDocsPages } from '../../adapters/inbound/http/pages/api-docs-pages.js';
import { VERSION } from '../version.js';
import type { Context } from './context.js';
import { OAUTH_TOKENS } from './oauth.tokens.js';
import { sharedStorage } from './shared.storage.js';
import { TOKENS } from './tokens.js';

/** What every context stands on, and what is said of the API as a whole. */
export const sharedContext: Context<typeof sharedStorage> = {
  storage: sharedStorage,
  modules: [],
  routes: () => [...createVersionRoutes({ version: VERSION }), ...createApiChangeRoutes()],
  pages: (get) => (pages) => {
    const baseUrl = () => get(TOKENS.publicAddress).baseUrl;
    const document = () => wholeDocument(get(TOKENS.routes), get(OAUTH_TOKENS.oauthEndpoints), baseUrl(), VERSION);
    addApiDocsPages(pages, { document, baseUrl });
  },
};
