import { ContainerModule } from 'inversify';
import { SensitiveActs } from '../../application/identity/operations/sensitive-acts.js';
import { SecurityLog } from '../../application/identity/security-log.js';
import { AccessTokens, forgetBotsOfGroup, forgetBotsOfProject } from '../../application/keys/access-tokens.js';
import { DeployKeys, forgetDeployKeys, type ManagedProjects } from '../../application/keys/deploy-keys.js';
import { DeployTokens } from '../../application/keys/deploy-tokens.js';
import { HostKeys } from '../../application/keys/host-keys.js';
import { Machines } from '../../application/keys/machines.js';
import { UserKeys } from '../../application/keys/user-keys.js';
import { TokenUses } from '../../application/shared/token-uses.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import { PROJECT_PERMISSIONS } from '../../domain/workspace/workspace-policy.js';
import { createAccessTokenRoutes } from '../../adapters/inbound/http/api-v4/keys/access-token-routes.js';
import { createAllDeployKeyRoutes } from '../../adapters/inbound/http/api-v4/keys/all-deploy-key-routes.js';
import { createDeployKeyRoutes } from '../../adapters/inbound/http/api-v4/keys/deploy-key-routes.js';
import { createDeployTokenRoutes } from '../../adapters/inbound/http/api-v4/keys/deploy-token-routes.js';
import { createFindKeyRoutes } from '../../adapters/inbound/http/api-v4/keys/find-key-routes.js';
import { createUserKeyRoutes } from '../../adapters/inbound/http/api-v4/keys/user-key-routes.js';
import { addAccessTokenPages } from '../../adapters/inbound/http/pages/deploy/access-token-pages.js';
import { addDeployKeyPages } from '../../adapters/inbound/http/pages/deploy/deploy-key-pages.js';
import { addDeployTokenPages } from '../../adapters/inbound/http/pages/deploy/deploy-token-pages.js';
import { addKeyPages } from '../../adapters/inbound/http/pages/key-pages.js';
import { KnexAccessTokenReader } from '../../adapters/outbound/persistence/knex/keys/knex-access-token-reader.js';
import { KnexDeployTokenReader } from '../../adapters/outbound/persistence/knex/keys/knex-deploy-token-repository.js';
import { KnexKeyReader } from '../../adapters/outbound/persistence/knex/keys/knex-key-reader.js';
import { keyFingerprints } from '../../adapters/outbound/security/key-fingerprints.js';
import { sshHostKeys } from '../../adapters/outbound/security/ssh-host-keys.js';
import type { Context } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { keysStorage } from './keys.storage.js';
import { KEY_TOKENS } from './keys.tokens.js';
import { EVERY_TEN_SECONDS } from './schedules.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS, type WorkspaceUseCases } from './workspace.tokens.js';

const managedBy = ({ access, reader }: Pick<WorkspaceUseCases, 'access' | 'reader'>): ManagedProjects => ({
  managesKeysOf: async (actor, projectId) => {
    try {
      await access.project(actor, String(projectId), 'manage_deploy_keys');
      return true;
    } catch (error) {
      if (error instanceof NotFound || error instanceof Forbidden) return false;
      throw error;
    }
  },
  whoseKeysAreManagedBy: async (actor, limit) => {
    const { items } = await reader.listProjects({
      viewer: access.viewer(actor),
      minAccessLevel: PROJECT_PERMISSIONS.manage_deploy_keys,
      orderBy: 'last_activity_at',
      sort: 'desc',
      page: { page: 1, perPage: limit, counted: false },
    });
    return items;
  },
});

const keysModule = new ContainerModule(({ bind }) => {
  bind(KEY_TOKENS.keys).toResolvedValue(
    ({ reader }, unitOfWork, secrecy, workspace, clock, metrics, address) => {
      const keyReader = new KnexKeyReader(reader);
      const accessTokenReader = new KnexAccessTokenReader(reader);
      const deployTokenReader = new KnexDeployTokenReader(reader);
      const securityLog = new SecurityLog(() => address.baseUrl, metrics);
      const sensitiveActs = new SensitiveActs(securityLog);
      const deployTokenUses = new TokenUses((uses) =>
        unitOfWork.execute(({ deployTokens }) => deployTokens.recordUses(uses)),
      );
      return {
        keyReader,
        deployTokenReader,
        deployTokenUses,
        accessTokenReader,
        accessTokens: new AccessTokens(unitOfWork, accessTokenReader, sensitiveActs, secrecy, clock, metrics),
        hostKeys: new HostKeys(unitOfWork, sshHostKeys, secrecy.secretBox, clock),
        machines: new Machines(keyReader, workspace.reader, clock),
        keyUses: new TokenUses((uses) => unitOfWork.execute(({ keys }) => keys.recordUses(uses))),
        userKeys: new UserKeys(unitOfWork, keyFingerprints, sensitiveActs, clock),
        deployKeys: new DeployKeys(unitOfWork, keyReader, managedBy(workspace), keyFingerprints, clock),
        deployTokens: new DeployTokens(unitOfWork, deployTokenReader, secrecy, deployTokenUses, clock),
      };
    },
    [
      TOKENS.database,
      TOKENS.unitOfWork,
      TOKENS.secrecy,
      WORKSPACE_TOKENS.workspace,
      TOKENS.clock,
      TOKENS.metrics,
      TOKENS.publicAddress,
    ],
  );
});

/** What opens repositories beside the tokens of people: SSH keys, deploy keys, deploy tokens. */
export const keysContext: Context<typeof keysStorage> = {
  storage: keysStorage,
  modules: [keysModule],
  routes: (get) => {
    const { users } = get(IDENTITY_TOKENS.identityReaders);
    const parts = { ...get(KEY_TOKENS.keys), users, urls: get(TOKENS.webUrls), clock: get(TOKENS.clock) };
    const workspace = get(WORKSPACE_TOKENS.workspace);
    return [
      ...createUserKeyRoutes(parts),
      ...createFindKeyRoutes(parts),
      ...createDeployKeyRoutes({ ...parts, access: workspace.access }),
      ...createAllDeployKeyRoutes({ ...parts, reader: workspace.reader }),
      ...createAccessTokenRoutes({ ...parts, access: workspace.access, ...get(IDENTITY_TOKENS.identity) }),
      ...createDeployTokenRoutes({ ...parts, access: workspace.access }),
    ];
  },
  pages: (get) => (pages) => {
    const { access } = get(WORKSPACE_TOKENS.workspace);
    const parts = { ...get(TOKENS.pageParts), ...get(KEY_TOKENS.keys), access, clock: get(TOKENS.clock) };
    addKeyPages(pages, parts);
    addDeployKeyPages(pages, parts);
    addDeployTokenPages(pages, parts);
    addAccessTokenPages(pages, parts);
  },
  forgetProject: [forgetDeployKeys, forgetBotsOfProject],
  forgetGroup: [forgetBotsOfGroup],
  cleanUp: (get) => (stopping) => get(KEY_TOKENS.keys).accessTokens.endExpired(stopping),
  tasks: (get) => {
    const { keyUses, deployTokenUses } = get(KEY_TOKENS.keys);
    return [
      { name: 'uses of keys', pattern: EVERY_TEN_SECONDS, run: () => keyUses.flush() },
      { name: 'uses of deploy tokens', pattern: EVERY_TEN_SECONDS, run: () => deployTokenUses.flush() },
    ];
  },
};
