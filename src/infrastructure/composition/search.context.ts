import { createSearchRoutes } from '../../adapters/inbound/http/api-v4/search/search-routes.js';
import { addSearchPage } from '../../adapters/inbound/http/pages/search-page.js';
import { KnexPlanningSearch } from '../../adapters/outbound/persistence/knex/planning/knex-planning-search.js';
import type { Context } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { PLANNING_TOKENS } from './planning.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { REVIEW_TOKENS } from './review.tokens.js';
import { searchStorage } from './search.storage.js';
import { shownProjects } from './shown-projects.js';
import { SNIPPET_TOKENS } from './snippets.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

/** Finds what the other parts of the product keep, by their readers. */
export const searchContext: Context<typeof searchStorage> = {
  storage: searchStorage,
  modules: [],
  routes: (get) => {
    const { revisions } = get(REPOSITORY_TOKENS.repositories);
    const { history, objects, search } = get(REPOSITORY_TOKENS.gitStores);
    return createSearchRoutes({
      ...get(WORKSPACE_TOKENS.workspace),
      ...get(PLANNING_TOKENS.planning),
      ...get(SNIPPET_TOKENS.snippets),
      ...get(REVIEW_TOKENS.review),
      planningSearch: new KnexPlanningSearch(get(TOKENS.database).reader),
      ...shownProjects(get),
      revisions,
      history,
      objects,
      fileSearch: search,
    });
  },
  pages: (get) => (pages) =>
    addSearchPage(pages, {
      ...get(WORKSPACE_TOKENS.workspace),
      ...get(PLANNING_TOKENS.planning),
      users: get(IDENTITY_TOKENS.identityReaders).users,
      planningSearch: new KnexPlanningSearch(get(TOKENS.database).reader),
      mergeRequestReader: get(REVIEW_TOKENS.review).mergeRequestReader,
    }),
};
