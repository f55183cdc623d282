import { ContainerModule } from 'inversify';
import { createPagesRouter } from '../../adapters/inbound/http/pages/create-pages-router.js';
import { PageFlash } from '../../adapters/inbound/http/pages/page-flash.js';
import { PageSessions } from '../../adapters/inbound/http/pages/page-session.js';
import { createSignInLimit } from '../../adapters/inbound/http/middleware/sign-in-limit.js';
import { TOKENS } from './tokens.js';

export const pagesModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.pagesRouter).toResolvedValue(
    ({ users, personalAccessTokens: tokenReader }, identity, workspace, clock, logger, address, config, secretBox) =>
      createPagesRouter({
        ...identity,
        ...workspace,
        users,
        tokenReader,
        clock,
        logger,
        pageSessions: new PageSessions(identity.sessions, users, () => address.baseUrl),
        flash: new PageFlash(secretBox, () => address.baseUrl.startsWith('https://')),
        limitSignIn: createSignInLimit(config.rateLimits.signIn),
      }),
    [
      TOKENS.identityReaders,
      TOKENS.identity,
      TOKENS.workspace,
      TOKENS.clock,
      TOKENS.logger,
      TOKENS.publicAddress,
      TOKENS.config,
      TOKENS.secretBox,
    ],
  );
});
