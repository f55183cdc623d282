import { ContainerModule } from 'inversify';
import { TokenUses } from '../../application/identity/token-uses.js';
import { Applications } from '../../application/oauth/applications.js';
import { AuthenticateClient } from '../../application/oauth/authenticate-client.js';
import { Authorize } from '../../application/oauth/authorize.js';
import { ConnectedApplications } from '../../application/oauth/connected-applications.js';
import { ExchangePassword } from '../../application/oauth/exchange-password.js';
import { IdTokens } from '../../application/oauth/id-tokens.js';
import { InspectToken } from '../../application/oauth/inspect-token.js';
import { TokenMint } from '../../application/oauth/issued-token.js';
import { RedeemCode } from '../../application/oauth/redeem-code.js';
import { RefreshAccess } from '../../application/oauth/refresh-access.js';
import { RevokeToken } from '../../application/oauth/revoke-token.js';
import { SigningKeys } from '../../application/oauth/signing-keys.js';
import { KnexAccessTokenReader } from '../../adapters/outbound/persistence/knex/oauth/knex-access-token-repository.js';
import { KnexApplicationReader } from '../../adapters/outbound/persistence/knex/oauth/knex-application-repository.js';
import { KnexGrantReader } from '../../adapters/outbound/persistence/knex/oauth/knex-grant-repository.js';
import { KnexRefreshTokenReader } from '../../adapters/outbound/persistence/knex/oauth/knex-refresh-token-repository.js';
import { KnexSigningKeyReader } from '../../adapters/outbound/persistence/knex/oauth/knex-signing-key-repository.js';
import { joseKeyPairs } from '../../adapters/outbound/security/jose-key-pairs.js';
import { createJoseTokenSigner } from '../../adapters/outbound/security/jose-token-signer.js';
import { TOKENS } from './tokens.js';

export const oauthModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.oauthReaders).toResolvedValue(
    ({ reader }, unitOfWork) => ({
      applications: new KnexApplicationReader(reader),
      accessTokens: new KnexAccessTokenReader(reader),
      refreshTokens: new KnexRefreshTokenReader(reader),
      grants: new KnexGrantReader(reader),
      grantUses: new TokenUses((uses) => unitOfWork.execute(({ grants }) => grants.recordUses(uses))),
    }),
    [TOKENS.database, TOKENS.unitOfWork],
  );
  bind(TOKENS.signingKeys).toResolvedValue(
    ({ reader }, unitOfWork, secretBox, clock) =>
      new SigningKeys(unitOfWork, new KnexSigningKeyReader(reader), joseKeyPairs, secretBox, clock),
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.secretBox, TOKENS.clock],
  );
  bind(TOKENS.oauth).toResolvedValue(
    (readers, identity, signingKeys, unitOfWork, secrets, digester, clock, config, metrics, logger, address) => {
      const { applications, accessTokens, refreshTokens, grants } = readers;
      const mint = new TokenMint(secrets, digester, config.accessTokenTtlSeconds);
      const requireHttps = config.nodeEnv === 'production';
      const implicitEnabled = !config.oauthDisabledFlows.includes('implicit');
      const grace = config.refreshGraceSeconds;
      return {
        signingKeys,
        applicationReader: applications,
        applications: new Applications(unitOfWork, secrets, digester, clock, requireHttps),
        authenticateClient: new AuthenticateClient(applications, digester),
        authorize: new Authorize(unitOfWork, applications, grants, mint, secrets, digester, clock, metrics, {
          requireHttps,
          implicitEnabled,
        }),
        redeemCode: new RedeemCode(unitOfWork, mint, digester, clock, metrics, logger),
        refreshAccess: new RefreshAccess(unitOfWork, mint, digester, clock, grace, metrics, logger),
        exchangePassword: new ExchangePassword(unitOfWork, identity.signIn, mint, clock, metrics),
        idTokens: new IdTokens(signingKeys, createJoseTokenSigner(), () => address.baseUrl, clock),
        inspectToken: new InspectToken(accessTokens, refreshTokens, digester, clock),
        revokeToken: new RevokeToken(unitOfWork, accessTokens, refreshTokens, digester, clock),
        connectedApplications: new ConnectedApplications(unitOfWork, grants, clock),
      };
    },
    [
      TOKENS.oauthReaders,
      TOKENS.identity,
      TOKENS.signingKeys,
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
});
