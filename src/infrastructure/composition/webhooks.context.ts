import { ContainerModule } from 'inversify';
import { createComposeWebhook } from '../../application/webhooks/compose-webhook.js';
import { DeliverWebhooks } from '../../application/webhooks/deliver-webhooks.js';
import { Webhooks } from '../../application/webhooks/webhooks.js';
import { lineCode, presentPosition } from '../../adapters/inbound/http/api-v4/collaboration/position-schema.js';
import { createHookRoutes } from '../../adapters/inbound/http/api-v4/webhooks/hook-routes.js';
import { addWebhookPages } from '../../adapters/inbound/http/pages/webhook-pages.js';
import { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import { createMayReach } from '../../adapters/outbound/network/reachable-hosts.js';
import { createSendWebhook } from '../../adapters/outbound/network/send-webhook.js';
import { KnexWebhookReader } from '../../adapters/outbound/persistence/knex/webhooks/knex-webhook-reader.js';
import { VERSION } from '../version.js';
import { COLLABORATION_TOKENS } from './collaboration.tokens.js';
import type { Context } from './context.js';
import { ENVIRONMENT_TOKENS } from './environments.tokens.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { PLANNING_TOKENS } from './planning.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { REVIEW_TOKENS } from './review.tokens.js';
import { TOKENS } from './tokens.js';
import { webhooksStorage } from './webhooks.storage.js';
import { WEBHOOK_TOKENS } from './webhooks.tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const webhooksModule = new ContainerModule(({ bind }) => {
  bind(WEBHOOK_TOKENS.webhooks).toResolvedValue(
    (get, database, unitOfWork, { secretBox }, clock, config) => {
      const mayReach = createMayReach(config.outboundAllowlist);
      const urls = get(TOKENS.webUrls);
      const deliverWebhooks = new DeliverWebhooks({
        unitOfWork,
        compose: createComposeWebhook({
          workspace: get(WORKSPACE_TOKENS.workspace).reader,
          users: get(IDENTITY_TOKENS.identityReaders).users,
          planning: get(PLANNING_TOKENS.planning).planningReader,
          milestones: get(PLANNING_TOKENS.planning).milestoneReader,
          notes: get(COLLABORATION_TOKENS.collaboration).noteReader,
          mergeRequests: get(REVIEW_TOKENS.review).mergeRequestReader,
          pipelines: get(PIPELINE_TOKENS.pipelines).pipelineReader,
          ciJobs: get(PIPELINE_TOKENS.pipelines).ciJobReader,
          discussedCommits: get(REVIEW_TOKENS.commits).discussedCommits,
          environments: get(ENVIRONMENT_TOKENS.environments).environmentReader,
          refs: get(REPOSITORY_TOKENS.repositories).refReader,
          releases: get(REPOSITORY_TOKENS.repositories).releaseReader,
          history: get(REPOSITORY_TOKENS.gitStores).history,
          objects: get(REPOSITORY_TOKENS.gitStores).objects,
          lines: { position: presentPosition, code: lineCode },
          urls,
        }),
        send: createSendWebhook({ mayReach }),
        secretBox,
        instance: () => get(TOKENS.publicAddress).baseUrl,
        userAgent: `Gatehouse/${VERSION}`,
        clock,
        counters: get(TOKENS.metrics),
        logger: get(TOKENS.logger),
      });
      return {
        deliverWebhooks,
        webhooks: new Webhooks(unitOfWork, secretBox, mayReach, clock, deliverWebhooks),
        webhookReader: new KnexWebhookReader(database.reader),
      };
    },
    [TOKENS.get, TOKENS.database, TOKENS.unitOfWork, TOKENS.secrecy, TOKENS.clock, TOKENS.config],
  );
});

/** What happens in projects, sent to other programs. */
export const webhooksContext: Context<typeof webhooksStorage> = {
  storage: webhooksStorage,
  modules: [webhooksModule],
  routes: (get) => createHookRoutes({ ...get(WORKSPACE_TOKENS.workspace), ...get(WEBHOOK_TOKENS.webhooks) }),
  pages: (get) => (pages) =>
    addWebhookPages(pages, { ...get(WORKSPACE_TOKENS.workspace), ...get(WEBHOOK_TOKENS.webhooks) }),
  loops: (get) => {
    const { deliverWebhooks } = get(WEBHOOK_TOKENS.webhooks);
    const loop = new JobLoop(() => deliverWebhooks.runDue(), get(TOKENS.logger), 'webhooks could not be delivered');
    return [{ does: 'webhook deliveries', loop, hurryUp: () => deliverWebhooks.stop() }];
  },
};
