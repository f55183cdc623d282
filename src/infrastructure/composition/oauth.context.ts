import { ContainerModule } from 'inversify';
import { TokenUses } from '../../application/shared/token-uses.js';
import { Applications } from '../../application/oauth/applications.js';
import { AuthenticateClient } from '../../application/oauth/authenticate-client.js';
import { Authorize } from '../../application/oauth/authorize.js';
import { ConnectedApplications } from '../../application/oauth/connected-applications.js';
import { ExchangePassword } from '../../application/oauth/exchange-password.js';
import { IdTokenHints } from '../../application/oauth/id-token-hints.js';
import { IdTokens } from '../../application/oauth/id-tokens.js';
import { SignClaims } from '../../application/oauth/sign-claims.js';
import { InspectToken } from '../../application/oauth/inspect-token.js';
import { TokenMint } from '../../application/oauth/issued-token.js';
import { RedeemCode } from '../../application/oauth/redeem-code.js';
import { RefreshAccess } from '../../application/oauth/refresh-access.js';
import { ResolveAccessToken } from '../../application/oauth/resolve-access-token.js';
import { RevokeToken } from '../../application/oauth/revoke-token.js';
import { SigningKeys } from '../../application/oauth/signing-keys.js';
import { createApplicationRoutes } from '../../adapters/inbound/http/api-v4/applications/application-routes.js';
import { addApplicationPages } from '../../adapters/inbound/http/pages/application-pages.js';
import { addAuthorizePages } from '../../adapters/inbound/http/pages/authorize-pages.js';
import { KnexAccessTokenReader } from '../../adapters/outbound/persistence/knex/oauth/knex-access-token-reader.js';
import { KnexApplicationReader } from '../../adapters/outbound/persistence/knex/oauth/knex-application-repository.js';
import { KnexAuthorizationCodeReader } from '../../adapters/outbound/persistence/knex/oauth/knex-authorization-code-repository.js';
import { KnexGrantReader } from '../../adapters/outbound/persistence/knex/oauth/knex-grant-repository.js';
import { KnexRefreshTokenReader } from '../../adapters/outbound/persistence/knex/oauth/knex-refresh-token-repository.js';
import { KnexSigningKeyReader } from '../../adapters/outbound/persistence/knex/oauth/knex-signing-key-repository.js';
import { joseKeyPairs } from '../../adapters/outbound/security/jose-key-pairs.js';
import { createJoseTokenSigner } from '../../adapters/outbound/security/jose-token-signer.js';
import { joseTokenVerifier } from '../../adapters/outbound/security/jose-token-verifier.js';
import type { Context } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { createOAuthEndpoints } from './oauth-endpoints.js';
import { oauthStorage } from './oauth.storage.js';
import { OAUTH_TOKENS } from './oauth.tokens.js';
import { EVERY_HOUR, EVERY_TEN_SECONDS } from './schedules.js';
import { TOKENS } from './tokens.js';

const oauthModule = new ContainerModule(({ bind }) => {
  bind(OAUTH_TOKENS.oauthReaders).toResolvedValue(
    ({ reader }, unitOfWork) => ({
      applications: new KnexApplicationReader(reader),
      accessTokens: new KnexAccessTokenReader(reader),
      refreshTokens: new KnexRefreshTokenReader(reader),
      authorizationCodes: new KnexAuthorizationCodeReader(reader),
      grants: new KnexGrantReader(reader),
      grantUses: new TokenUses((uses) => unitOfWork.execute(({ grants }) => grants.recordUses(uses))),
    }),
    [TOKENS.database, TOKENS.unitOfWork],
  );
  bind(OAUTH_TOKENS.signingKeys).toResolvedValue(
    ({ reader }, unitOfWork, secretBox, clock) =>
      new SigningKeys(unitOfWork, new KnexSigningKeyReader(reader), joseKeyPairs, secretBox, clock),
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.secretBox, TOKENS.clock],
  );
  bind(OAUTH_TOKENS.oauth).toResolvedValue(
    (readers, identity, signingKeys, unitOfWork, secrets, digester, clock, config, metrics, logger, address) => {
      const { applications, accessTokens, refreshTokens, authorizationCodes, grants } = readers;
      const mint = new TokenMint(secrets, digester, config.accessTokenTtlSeconds);
      const requireHttps = config.nodeEnv === 'production';
      const implicitEnabled = !config.oauthDisabledFlows.includes('implicit');
      const issuer = () => address.baseUrl;
      const signClaims = new SignClaims(signingKeys, createJoseTokenSigner(), issuer, clock);
      const hints = new IdTokenHints(signingKeys, joseTokenVerifier, issuer);
      const granting = { unitOfWork, mint, digester, clock, counters: metrics, logger };
      return {
        signingKeys,
        applicationReader: applications,
        applications: new Applications(unitOfWork, secrets, digester, clock, requireHttps),
        authenticateClient: new AuthenticateClient(applications, digester),
        authorize: new Authorize(unitOfWork, applications, grants, hints, mint, secrets, digester, clock, metrics, {
          requireHttps,
          implicitEnabled,
        }),
        redeemCode: new RedeemCode({ ...granting, codes: authorizationCodes }),
        refreshAccess: new RefreshAccess({ ...granting, refreshTokens, graceSeconds: config.refreshGraceSeconds }),
        exchangePassword: new ExchangePassword(unitOfWork, identity.signIn, mint, clock, metrics),
        signClaims,
        idTokens: new IdTokens(signClaims),
        inspectToken: new InspectToken(accessTokens, refreshTokens, digester, clock),
        revokeToken: new RevokeToken(unitOfWork, accessTokens, refreshTokens, digester, clock),
        connectedApplications: new ConnectedApplications(unitOfWork, grants, clock),
      };
    },
    [
      OAUTH_TOKENS.oauthReaders,
      IDENTITY_TOKENS.identity,
      OAUTH_TOKENS.signingKeys,
      TOKENS.unitOfWork,
      TOKENS.secretSource,
      TOKENS.secretDigester,
      TOKENS.clock,
      TOKENS.config,
      TOKENS.metrics,
      TOKENS.logger,
      TOKENS.publicAddress,
    ],
  );
  bind(OAUTH_TOKENS.oauthEndpoints).toResolvedValue(createOAuthEndpoints, [
    OAUTH_TOKENS.oauth,
    IDENTITY_TOKENS.identity,
    IDENTITY_TOKENS.identityReaders,
    TOKENS.limitSignIn,
    TOKENS.config,
    TOKENS.limitRegistration,
    TOKENS.webUrls,
    TOKENS.publicAddress,
  ]);
});

/** Applications that may ask people for access, and what they are given. */
export const oauthContext: Context<typeof oauthStorage> = {
  storage: oauthStorage,
  modules: [oauthModule],
  routes: (get) => {
    const { applications, applicationReader: reader } = get(OAUTH_TOKENS.oauth);
    return createApplicationRoutes({ applications, reader });
  },
  pages: (get) => (pages) => {
    const parts = { ...get(OAUTH_TOKENS.oauth), ...get(TOKENS.pageParts) };
    const address = get(TOKENS.publicAddress);
    addApplicationPages(pages, parts);
    addAuthorizePages(pages, { ...parts, issuer: () => address.baseUrl });
  },
  tokenResolvers: (get) => {
    const { accessTokens, grantUses } = get(OAUTH_TOKENS.oauthReaders);
    return [new ResolveAccessToken(accessTokens, grantUses)];
  },
  tasks: (get) => [
    {
      name: 'applications that nobody lets in',
      pattern: EVERY_HOUR,
      run: () => get(OAUTH_TOKENS.oauth).applications.removeUnused(),
    },
    { name: 'uses of grants', pattern: EVERY_TEN_SECONDS, run: () => get(OAUTH_TOKENS.oauthReaders).grantUses.flush() },
  ],
};
