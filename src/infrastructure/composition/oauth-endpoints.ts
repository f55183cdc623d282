import { createDiscoveryEndpoints } from '../../adapters/inbound/http/oauth/discovery-endpoints.js';
import { createIntrospectionEndpoint } from '../../adapters/inbound/http/oauth/introspection-endpoint.js';
import type { OAuthEndpoint } from '../../adapters/inbound/http/oauth/oauth-endpoint.js';
import { createRegistrationEndpoint } from '../../adapters/inbound/http/oauth/registration-endpoint.js';
import { createRevocationEndpoint } from '../../adapters/inbound/http/oauth/revocation-endpoint.js';
import { createTokenEndpoint } from '../../adapters/inbound/http/oauth/token-endpoint.js';
import { createTokenInfoEndpoint } from '../../adapters/inbound/http/oauth/token-info-endpoint.js';
import { createUserinfoEndpoints } from '../../adapters/inbound/http/oauth/userinfo-endpoints.js';
import type { LimitPerAddress } from '../../adapters/inbound/http/middleware/limit-per-address.js';
import type { LimitSignIn } from '../../adapters/inbound/http/middleware/sign-in-limit.js';
import type { WebUrls } from '../../adapters/inbound/http/web-urls.js';
import type { Config } from '../configuration/config.js';
import type { IdentityReaders, IdentityUseCases } from './identity.tokens.js';
import type { OAuthUseCases } from './oauth.tokens.js';
import type { PublicAddress } from './tokens.js';

/** Every endpoint of `/oauth` for machines, and the metadata that leads to them. */
export const createOAuthEndpoints = (
  oauth: OAuthUseCases,
  { authenticate }: IdentityUseCases,
  { users }: IdentityReaders,
  limitSignIn: LimitSignIn,
  {
    oauthDisabledFlows: disabledFlows,
    oauthPasswordGrantWithoutClient: withoutClient,
    oauthRegistration: registration,
  }: Config,
  limitRegistration: LimitPerAddress,
  urls: WebUrls,
  address: PublicAddress,
): readonly OAuthEndpoint[] => {
  const issuer = () => address.baseUrl;
  const passwordGrant = { enabled: !disabledFlows.includes('password'), withoutClient };
  return [
    createTokenEndpoint({ ...oauth, limitSignIn, passwordGrant }),
    createTokenInfoEndpoint(oauth.inspectToken),
    createRevocationEndpoint(oauth),
    createIntrospectionEndpoint({ ...oauth, issuer }),
    ...createUserinfoEndpoints({ authenticate, users, urls }),
    ...createDiscoveryEndpoints({ ...oauth, issuer, disabledFlows, registers: registration !== 'off' }),
    ...(registration === 'off'
      ? []
      : [
          createRegistrationEndpoint({
            ...oauth,
            authenticate,
            limit: limitRegistration,
            open: registration === 'open',
          }),
        ]),
  ];
};
