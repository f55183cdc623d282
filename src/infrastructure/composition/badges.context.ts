import { ContainerModule } from 'inversify';
import { Badges } from '../../application/badges/badges.js';
import { RenderBadges } from '../../application/badges/render-badges.js';
import { addBadgePages } from '../../adapters/inbound/http/pages/badges/badge-pages.js';
import { addBadgePictures } from '../../adapters/inbound/http/pages/badges/badge-picture-pages.js';
import { createBadgeRoutes } from '../../adapters/inbound/http/api-v4/badges/badge-routes.js';
import { KnexBadgeReader } from '../../adapters/outbound/persistence/knex/badges/knex-badge-reader.js';
import { KnexCodeStateReader } from '../../adapters/outbound/persistence/knex/badges/knex-code-state-reader.js';
import { badgesStorage } from './badges.storage.js';
import { BADGE_TOKENS } from './badges.tokens.js';
import type { Context } from './context.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const badgesModule = new ContainerModule(({ bind }) => {
  bind(BADGE_TOKENS.badges).toResolvedValue(
    ({ reader }, unitOfWork, { refReader }, urls, clock) => ({
      badges: new Badges(unitOfWork, clock),
      badgeReader: new KnexBadgeReader(reader),
      renderBadges: new RenderBadges(refReader, () => urls.host()),
      codeStates: new KnexCodeStateReader(reader),
    }),
    [TOKENS.database, TOKENS.unitOfWork, REPOSITORY_TOKENS.repositories, TOKENS.webUrls, TOKENS.clock],
  );
});

/** Small pictures that tell how a project stands, and those that people put on its page. */
export const badgesContext: Context<typeof badgesStorage> = {
  storage: badgesStorage,
  modules: [badgesModule],
  routes: (get) => createBadgeRoutes({ ...get(WORKSPACE_TOKENS.workspace), ...get(BADGE_TOKENS.badges) }),
  pages: (get) => (pages) => {
    const parts = { ...get(WORKSPACE_TOKENS.workspace), ...get(BADGE_TOKENS.badges) };
    const { releaseReader } = get(REPOSITORY_TOKENS.repositories);
    addBadgePictures(pages, { ...parts, releaseReader, clock: get(TOKENS.clock) });
    addBadgePages(pages, { ...parts, urls: get(TOKENS.webUrls) });
  },
};
