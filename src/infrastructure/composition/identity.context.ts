import { ContainerModule } from 'inversify';
import { Account } from '../../application/identity/account.js';
import { AdministerUsers } from '../../application/identity/administer-users.js';
import { Authenticate } from '../../application/identity/authenticate.js';
import { CreateUser } from '../../application/identity/create-user.js';
import { EmailAddresses } from '../../application/identity/email-addresses.js';
import { ForgottenPassword } from '../../application/identity/forgotten-password.js';
import { OneTimeLinks } from '../../application/identity/one-time-links.js';
import { PersonalAccessTokens } from '../../application/identity/personal-access-tokens.js';
import { ProveIdentity } from '../../application/identity/prove-identity.js';
import { ResolvePersonalAccessToken } from '../../application/identity/resolve-personal-access-token.js';
import { SecondFactor } from '../../application/identity/second-factor.js';
import { SecurityLog } from '../../application/identity/security-log.js';
import { Sessions } from '../../application/identity/sessions.js';
import { SignIn } from '../../application/identity/sign-in.js';
import { TokenUses } from '../../application/shared/token-uses.js';
import { TwoFactorSettings } from '../../application/identity/two-factor.js';
import { createEmailRoutes } from '../../adapters/inbound/http/api-v4/emails/email-routes.js';
import { createPersonalAccessTokenRoutes } from '../../adapters/inbound/http/api-v4/personal-access-tokens/personal-access-token-routes.js';
import { createAdministerUserRoutes } from '../../adapters/inbound/http/api-v4/users/administer-user-routes.js';
import { createUserRoutes } from '../../adapters/inbound/http/api-v4/users/user-routes.js';
import { addProfilePages } from '../../adapters/inbound/http/pages/profile-pages.js';
import { addSignInPages } from '../../adapters/inbound/http/pages/sign-in-pages.js';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { KnexPersonalAccessTokenReader } from '../../adapters/outbound/persistence/knex/identity/knex-personal-access-token-reader.js';
import { KnexSecurityEventReader } from '../../adapters/outbound/persistence/knex/identity/knex-security-event-repository.js';
import { KnexSessionReader } from '../../adapters/outbound/persistence/knex/identity/knex-session-repository.js';
import { KnexUserReader } from '../../adapters/outbound/persistence/knex/identity/knex-user-reader.js';
import { otpOneTimeCodes } from '../../adapters/outbound/security/otp-one-time-codes.js';
import type { Context } from './context.js';
import { identityStorage } from './identity.storage.js';
import type { IdentityReaders } from './identity.tokens.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { EVERY_TEN_SECONDS } from './schedules.js';
import { TOKENS } from './tokens.js';

const createIdentityReaders = ({ reader }: Database): IdentityReaders => ({
  users: new KnexUserReader(reader),
  personalAccessTokens: new KnexPersonalAccessTokenReader(reader),
  sessions: new KnexSessionReader(reader),
  securityEvents: new KnexSecurityEventReader(reader),
});

const identityModule = new ContainerModule(({ bind }) => {
  bind(IDENTITY_TOKENS.identityReaders).toResolvedValue(createIdentityReaders, [TOKENS.database]);
  bind(IDENTITY_TOKENS.identity).toResolvedValue(
    (readers, contexts, get, unitOfWork, secrets, digester, passwordHasher, clock, metrics, address, secretBox) => {
      const links = new OneTimeLinks(secrets, digester, () => address.baseUrl, metrics);
      const securityLog = new SecurityLog(() => address.baseUrl, metrics);
      const secondFactor = new SecondFactor(unitOfWork, otpOneTimeCodes, secretBox, digester, clock);
      const tokenUses = new TokenUses((uses) =>
        unitOfWork.execute(({ personalAccessTokens }) => personalAccessTokens.recordUses(uses)),
      );
      const own = new ResolvePersonalAccessToken(readers.personalAccessTokens, tokenUses);
      // Its own last: most bearers are tokens of other contexts.
      const resolvers = [...contexts.flatMap(({ tokenResolvers }) => tokenResolvers?.(get) ?? []), own];
      return {
        tokenUses,
        authenticate: new Authenticate(resolvers, readers.users, digester, clock),
        createUser: new CreateUser(unitOfWork, passwordHasher, links, clock),
        administerUsers: new AdministerUsers(unitOfWork, passwordHasher, links, securityLog, clock),
        emailAddresses: new EmailAddresses(unitOfWork, links, securityLog, digester, clock),
        signIn: new SignIn(unitOfWork, passwordHasher, secondFactor, clock, metrics),
        sessions: new Sessions(unitOfWork, readers.sessions, secrets, digester, clock),
        proveIdentity: new ProveIdentity(unitOfWork, passwordHasher, secondFactor, clock),
        account: new Account(unitOfWork, passwordHasher, securityLog, digester, clock),
        forgottenPassword: new ForgottenPassword(unitOfWork, links, clock),
        twoFactor: new TwoFactorSettings(
          unitOfWork,
          secondFactor,
          securityLog,
          otpOneTimeCodes,
          secrets,
          digester,
          secretBox,
          clock,
        ),
        personalAccessTokens: new PersonalAccessTokens(
          unitOfWork,
          securityLog,
          { secrets, digester },
          clock,
          metrics,
          readers.personalAccessTokens,
        ),
      };
    },
    [
      IDENTITY_TOKENS.identityReaders,
      TOKENS.contexts,
      TOKENS.get,
      TOKENS.unitOfWork,
      TOKENS.secretSource,
      TOKENS.secretDigester,
      TOKENS.passwordHasher,
      TOKENS.clock,
      TOKENS.metrics,
      TOKENS.publicAddress,
      TOKENS.secretBox,
    ],
  );
});

/** Sign-in, users, addresses and tokens. */
export const identityContext: Context<typeof identityStorage> = {
  storage: identityStorage,
  modules: [identityModule],
  routes: (get) => {
    const { users, personalAccessTokens: reader } = get(IDENTITY_TOKENS.identityReaders);
    const parts = { ...get(IDENTITY_TOKENS.identity), users };
    const urls = get(TOKENS.webUrls);
    return [
      ...createUserRoutes({ users, urls }),
      ...createAdministerUserRoutes({
        ...parts,
        secrets: get(TOKENS.secretSource),
        limitSignIn: get(TOKENS.limitSignIn),
        urls,
      }),
      ...createEmailRoutes(parts),
      ...createPersonalAccessTokenRoutes({ ...parts, reader, clock: get(TOKENS.clock) }),
    ];
  },
  pages: (get) => (pages) => {
    const { users, personalAccessTokens: tokenReader, securityEvents } = get(IDENTITY_TOKENS.identityReaders);
    const parts = { ...get(IDENTITY_TOKENS.identity), ...get(TOKENS.pageParts) };
    addSignInPages(pages, { ...parts, offersSignUp: get(TOKENS.config).signUp === 'open' });
    addProfilePages(pages, { ...parts, users, tokenReader, securityEvents, clock: get(TOKENS.clock) });
  },
  jobs: (get) => ({
    send_password_link: async (repositories, address) => {
      await get(IDENTITY_TOKENS.identity).forgottenPassword.send(repositories, address);
      return 'done';
    },
  }),
  tasks: (get) => [
    {
      name: 'uses of tokens',
      pattern: EVERY_TEN_SECONDS,
      run: () => get(IDENTITY_TOKENS.identity).tokenUses.flush(),
    },
  ],
};
