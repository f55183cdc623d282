import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { ContainerModule } from 'inversify';
import { describeMove } from '../../application/storage/move-in-sight.js';
import { createIdentifyActor } from '../../adapters/inbound/http/authentication/identify-actor.js';
import { MovedAddresses } from '../../adapters/inbound/http/moved-addresses.js';
import { LargeBodies } from '../../adapters/inbound/http/body/large-bodies.js';
import { createHttpApp } from '../../adapters/inbound/http/create-http-app.js';
import { createApiLimit } from '../../adapters/inbound/http/middleware/api-limit.js';
import { withOpenApiRoute } from '../../adapters/inbound/http/openapi/openapi-route.js';
import { createOperationsRouter } from '../../adapters/inbound/http/operations/operations-router.js';
import { createOAuthRouter } from '../../adapters/inbound/http/oauth/create-oauth-router.js';
import { createOAuthLeanPath } from '../../adapters/inbound/http/oauth/lean-path.js';
import { LoopWatchdog } from '../../adapters/inbound/http/server/loop-watchdog.js';
import { createHttpServer } from '../../adapters/inbound/http/server/create-http-server.js';
import { WebUrls } from '../../adapters/inbound/http/web-urls.js';
import { ALERT_TOKENS } from './alerts.tokens.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { OAUTH_TOKENS } from './oauth.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';
import { createFolderCheck } from '../new-file.js';
import { VERSION } from '../version.js';

export const httpModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.webUrls).toResolvedValue(
    (address) =>
      new WebUrls(
        () => address.baseUrl,
        () => address.sshPort,
      ),
    [TOKENS.publicAddress],
  );
  bind(TOKENS.routes).toResolvedValue(
    (contexts, get, endpoints, address) =>
      withOpenApiRoute(
        contexts.flatMap(({ routes }) => routes?.(get) ?? []),
        endpoints,
        () => address.baseUrl,
        VERSION,
      ),
    [TOKENS.contexts, TOKENS.get, OAUTH_TOKENS.oauthEndpoints, TOKENS.publicAddress],
  );
  bind(TOKENS.operationsRouter).toResolvedValue(
    (database, { keeper }, metrics, endpoints, logger, probes, config, moves) => {
      const { metricsToken, repositoriesDirectory, artifactsDirectory } = config;
      const tryRepositories = createFolderCheck('REPOSITORIES_DIR', repositoriesDirectory);
      const tryArtifacts = createFolderCheck('ARTIFACTS_DIR', artifactsDirectory);
      return Router().use(
        createOperationsRouter({
          checks: { database: () => database.ping() },
          remarks: () => (moves.move === undefined ? {} : { storage: describeMove(moves.move) }),
          partialChecks: {
            repositories: async () => {
              await keeper.ready();
              tryRepositories();
            },
            artifacts: () => Promise.resolve().then(tryArtifacts),
          },
          exposeMetrics: () => metrics.expose(),
          metricsToken: metricsToken?.reveal(),
        }),
        createOAuthRouter({ endpoints, logger, ...probes }),
      );
    },
    [
      TOKENS.database,
      REPOSITORY_TOKENS.gitStores,
      TOKENS.metrics,
      OAUTH_TOKENS.oauthEndpoints,
      TOKENS.logger,
      TOKENS.probes,
      TOKENS.config,
      TOKENS.moves,
    ],
  );
  bind(TOKENS.callers).toResolvedValue(
    ({ authenticate }, pageSessions, unitOfWork, config, counting) => ({
      identifyActor: createIdentifyActor(
        authenticate,
        (request) => pageSessions.actorOfApiRequest(request),
        ({ username: account }) =>
          unitOfWork.execute(({ auditLog }) => auditLog.record({ kind: 'sudo_used', account })),
      ),
      limitRequests: createApiLimit(config.rateLimits.api, counting),
    }),
    [IDENTITY_TOKENS.identity, TOKENS.pageSessions, TOKENS.unitOfWork, TOKENS.config, TOKENS.counting],
  );
  bind(TOKENS.app).toResolvedValue(
    (routes, callers, operations, pages, config, address, logger, probes, database, workspace) =>
      createHttpApp({
        routes,
        services: {
          ...callers,
          readList: (read) => database.readList?.(read) ?? read(),
          largeBodies: new LargeBodies(),
          movedAddresses: new MovedAddresses({ ...workspace, baseUrl: () => address.baseUrl }),
          baseUrl: () => address.baseUrl,
          ...probes,
        },
        operations,
        pages,
        logger,
        trustProxy: config.trustProxy,
      }),
    [
      TOKENS.routes,
      TOKENS.callers,
      TOKENS.operationsRouter,
      TOKENS.pagesRouter,
      TOKENS.config,
      TOKENS.publicAddress,
      TOKENS.logger,
      TOKENS.probes,
      TOKENS.database,
      WORKSPACE_TOKENS.workspace,
    ],
  );
  bind(TOKENS.server).toResolvedValue(
    (app, alertIntake, gitHttp, endpoints, logger, metrics, probes, database) => {
      const watchdog = new LoopWatchdog({ logger, counters: metrics });
      metrics.gauge('event_loop_delay_seconds', () => [[{}, watchdog.longestDelaySeconds]]);
      return createHttpServer({
        app,
        leanPaths: [alertIntake, gitHttp, createOAuthLeanPath({ endpoints, logger, ...probes })],
        logger,
        metrics: {
          observe: ({ route }, method, status, seconds) => metrics.observeRequest(method, route, status, seconds),
        },
        watchdog,
        newRequestId: randomUUID,
        requestCame: () => database.requestCame?.(),
      });
    },
    [
      TOKENS.app,
      ALERT_TOKENS.alertIntake,
      REPOSITORY_TOKENS.gitHttp,
      OAUTH_TOKENS.oauthEndpoints,
      TOKENS.logger,
      TOKENS.metrics,
      TOKENS.probes,
      TOKENS.database,
    ],
  );
});
