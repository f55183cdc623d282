import { ContainerModule } from 'inversify';
import { RemoteMirrors } from '../../application/mirrors/remote-mirrors.js';
import { UpdateMirrors } from '../../application/mirrors/update-mirrors.js';
import { createMirrorRoutes } from '../../adapters/inbound/http/api-v4/mirrors/mirror-routes.js';
import { addMirrorPages } from '../../adapters/inbound/http/pages/mirrors/mirror-pages.js';
import { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import { createMayReach } from '../../adapters/outbound/network/reachable-hosts.js';
import { KnexRemoteMirrorReader } from '../../adapters/outbound/persistence/knex/mirrors/knex-remote-mirror-reader.js';
import { pause } from './code-imports.js';
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
      return {
        remoteMirrors: new RemoteMirrors(
          unitOfWork,
          secrecy.secretBox,
          createMayReach(config.outboundAllowlist),
          clock,
        ),
        remoteMirrorReader: new KnexRemoteMirrorReader(reader),
        updateMirrors: new UpdateMirrors({
          ...{ unitOfWork, reader: refReader, protections, projectRefs, secrecy, pause, clock },
          remotes: get(REPOSITORY_TOKENS.gitStores).remotes,
          counters: get(TOKENS.metrics),
          logger: get(TOKENS.logger),
        }),
      };
    },
    [TOKENS.get, TOKENS.database, TOKENS.unitOfWork, TOKENS.secrecy, TOKENS.clock, TOKENS.config],
  );
});

/** What is pushed to projects, pushed on to repositories elsewhere. */
export const mirrorsContext: Context<typeof mirrorsStorage> = {
  storage: mirrorsStorage,
  modules: [mirrorsModule],
  routes: (get) => createMirrorRoutes({ ...get(WORKSPACE_TOKENS.workspace), ...get(MIRROR_TOKENS.mirrors) }),
  pages: (get) => (pages) =>
    addMirrorPages(pages, { ...get(WORKSPACE_TOKENS.workspace), ...get(MIRROR_TOKENS.mirrors) }),
  loops: (get) => {
    const { updateMirrors } = get(MIRROR_TOKENS.mirrors);
    const loop = new JobLoop(() => updateMirrors.runDue(), get(TOKENS.logger), 'mirrors could not be updated');
    return [{ does: 'pushes to mirrors', loop, hurryUp: () => updateMirrors.stop() }];
  },
};
