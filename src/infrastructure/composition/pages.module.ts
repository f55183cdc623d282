import { ContainerModule } from 'inversify';
import { createIdentifyByToken } from '../../adapters/inbound/http/authentication/identify-by-token.js';
import { createPagesRouter } from '../../adapters/inbound/http/pages/create-pages-router.js';
import { PageFlash } from '../../adapters/inbound/http/pages/page-flash.js';
import { PageSessions } from '../../adapters/inbound/http/pages/page-session.js';
import { limitPerAddress } from '../../adapters/inbound/http/middleware/limit-per-address.js';
import { createSignInLimit } from '../../adapters/inbound/http/middleware/sign-in-limit.js';
import { COLLABORATION_TOKENS } from './collaboration.tokens.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';
import { VERSION } from '../version.js';

export const pagesModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.limitSignIn).toResolvedValue(
    (config, counting) => createSignInLimit(config.rateLimits.signIn, counting),
    [TOKENS.config, TOKENS.counting],
  );
  bind(TOKENS.limitRegistration).toResolvedValue(
    (config, counting) => limitPerAddress('registration from', config.rateLimits.signIn, counting),
    [TOKENS.config, TOKENS.counting],
  );
  bind(TOKENS.pageSessions).toResolvedValue(
    ({ sessions }, address) => new PageSessions(sessions, () => address.baseUrl),
    [IDENTITY_TOKENS.identity, TOKENS.publicAddress],
  );
  bind(TOKENS.pagesRouter).toResolvedValue(
    (contexts, get, { pageSessions, limitSignIn }, callers, { jobTokens }, { proveIdentity }, clock, logger) => {
      const ofOwnPaths = contexts.flatMap(({ pages }) => pages?.(get) ?? []);
      // They catch what is left.
      const ofAnyPath = contexts.flatMap(({ pagesOfAnyPath }) => pagesOfAnyPath?.(get) ?? []);
      return createPagesRouter([...ofOwnPaths, ...ofAnyPath], {
        pageSessions,
        limitSignIn,
        proveIdentity,
        identifyByToken: createIdentifyByToken({ ...callers, jobTokens }),
        frames: {
          ...get(WORKSPACE_TOKENS.workspace),
          ...get(COLLABORATION_TOKENS.collaboration),
          users: get(IDENTITY_TOKENS.identityReaders).users,
        },
        clock,
        version: VERSION,
        mailIsSetUp: get(TOKENS.config).smtpUrl !== undefined,
        logger,
      });
    },
    [
      TOKENS.contexts,
      TOKENS.get,
      TOKENS.pageParts,
      TOKENS.callers,
      PIPELINE_TOKENS.pipelines,
      IDENTITY_TOKENS.identity,
      TOKENS.clock,
      TOKENS.logger,
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
