import { ContainerModule } from 'inversify';
import { RemoteMirrors } from '../../application/mirrors/remote-mirrors.js';
import { PullMirrors } from '../../application/mirrors/pull-mirrors.js';
import { UpdatePullMirrors } from '../../application/mirrors/update-pull-mirrors.js';
import { UpdateMirrors } from '../../application/mirrors/update-mirrors.js';
import { createMirrorRoutes } from '../../adapters/inbound/http/api-v4/mirrors/mirror-routes.js';
import { createPullMirrorRoutes } from '../../adapters/inbound/http/api-v4/mirrors/pull-mirror-routes.js';
import { addMirrorPages } from '../../adapters/inbound/http/pages/mirrors/mirror-pages.js';
import { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import { createMayReach } from '../../adapters/outbound/network/reachable-hosts.js';
import { KnexPullMirrorReader } from '../../adapters/outbound/persistence/knex/mirrors/knex-pull-mirror-reader.js';
import { KnexRemoteMirrorReader } from '../../adapters/outbound/persistence/knex/mirrors/knex-remote-mirror-reader.js';
import { CODE_IMPORTS, pause } from './code-imports.js';
import type { Context } from './context.js';
import { mirrorsStorage } from './mirrors.storage.js';
import { MIRROR_TOKENS } from './mirrors.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const mirrorsModule = new ContainerModule(({ bind }) => {
  bind(MIRROR_TOKENS.mirrors).toResolvedValue(
    (get, { reader }, unitOfWork, secrecy, clock, config) => {
      const { refReader, protections, projectRefs } = get(REPOSITORY_TOKENS.repositories);
      const mayReach = createMayReach(config.outboundAllowlist);
      const working = { unitOfWork, secrecy, pause, clock, counters: get(TOKENS.metrics), logger: get(TOKENS.logger) };
      const everyMs = config.pullMirrorMinutes * 60_000;
      return {
        pullMirrors: new PullMirrors(unitOfWork, secrecy.secretBox, mayReach, clock, everyMs),
        pullMirrorReader: new KnexPullMirrorReader(reader),
        updatePullMirrors: new UpdatePullMirrors({ ...working, pullCode: get(CODE_IMPORTS).pullCode, everyMs }),
        remoteMirrors: new RemoteMirrors(unitOfWork, secrecy.secretBox, mayReach, clock),
        remoteMirrorReader: new KnexRemoteMirrorReader(reader),
        updateMirrors: new UpdateMirrors({
          ...{ ...working, reader: refReader, protections, projectRefs },
          remotes: get(REPOSITORY_TOKENS.gitStores).remotes,
        }),
      };
    },
    [TOKENS.get, TOKENS.database, TOKENS.unitOfWork, TOKENS.secrecy, TOKENS.clock, TOKENS.config],
  );
});

/** What is pushed to projects, pushed on to repositories elsewhere; and what projects follow there. */
export const mirrorsContext: Context<typeof mirrorsStorage> = {
  storage: mirrorsStorage,
  modules: [mirrorsModule],
  routes: (get) => {
    const parts = { ...get(WORKSPACE_TOKENS.workspace), ...get(MIRROR_TOKENS.mirrors) };
    return [...createMirrorRoutes(parts), ...createPullMirrorRoutes(parts)];
  },
  pages: (get) => (pages) =>
    addMirrorPages(pages, { ...get(WORKSPACE_TOKENS.workspace), ...get(MIRROR_TOKENS.mirrors) }),
  loops: (get) => {
    const { updateMirrors, updatePullMirrors } = get(MIRROR_TOKENS.mirrors);
    const logger = get(TOKENS.logger);
    const pushes = new JobLoop(() => updateMirrors.runDue(), logger, 'mirrors could not be updated');
    const pulls = new JobLoop(() => updatePullMirrors.runDue(), logger, 'projects could not be updated from elsewhere');
    return [
      { does: 'pushes to mirrors', loop: pushes, hurryUp: () => updateMirrors.stop() },
      { does: 'updates from elsewhere', loop: pulls, hurryUp: () => updatePullMirrors.stop() },
    ];
  },
};
