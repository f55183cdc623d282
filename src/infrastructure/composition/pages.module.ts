import { ContainerModule } from 'inversify';
import { createPagesRouter } from '../../adapters/inbound/http/pages/create-pages-router.js';
import { PageFlash } from '../../adapters/inbound/http/pages/page-flash.js';
import { PageSessions } from '../../adapters/inbound/http/pages/page-session.js';
import { createSignInLimit } from '../../adapters/inbound/http/middleware/sign-in-limit.js';
import { TOKENS } from './tokens.js';

export const pagesModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.limitSignIn).toResolvedValue((config) => createSignInLimit(config.rateLimits.signIn), [TOKENS.config]);
  bind(TOKENS.pageSessions).toResolvedValue(
    ({ users }, { sessions }, address) => new PageSessions(sessions, users, () => address.baseUrl),
    [TOKENS.identityReaders, TOKENS.identity, TOKENS.publicAddress],
  );
  bind(TOKENS.pagesRouter).toResolvedValue(
    (
      { users, personalAccessTokens: tokenReader, securityEvents },
      identity,
      workspace,
      planning,
      alerts,
      errorTracking,
      notifications,
      activity,
      oauth,
      shared,
      clock,
      logger,
      address,
    ) =>
      createPagesRouter({
        ...identity,
        ...workspace,
        ...planning,
        ...alerts,
        ...errorTracking,
        ...notifications,
        ...activity,
        ...oauth,
        ...shared,
        users,
        securityEvents,
        tokenReader,
        clock,
        logger,
        issuer: () => address.baseUrl,
      }),
    [
      TOKENS.identityReaders,
      TOKENS.identity,
      TOKENS.workspace,
      TOKENS.planning,
      TOKENS.alerts,
      TOKENS.errorTracking,
      TOKENS.notifications,
      TOKENS.activity,
      TOKENS.oauth,
      TOKENS.pageParts,
      TOKENS.clock,
      TOKENS.logger,
      TOKENS.publicAddress,
    ],
  );
  bind(TOKENS.pageParts).toResolvedValue(
    (pageSessions, limitSignIn, secretBox, address, urls) => ({
      pageSessions,
      urls,
      limitSignIn,
      flash: new PageFlash(secretBox, () => address.baseUrl.startsWith('https://')),
    }),
    [TOKENS.pageSessions, TOKENS.limitSignIn, TOKENS.secretBox, TOKENS.publicAddress, TOKENS.webUrls],
  );
});
