import { ContainerModule } from 'inversify';
import { forgetPackages, Packages } from '../../application/packages/packages.js';
import { createPackageRoutes } from '../../adapters/inbound/http/api-v4/packages/package-routes.js';
import { addPackagePages } from '../../adapters/inbound/http/pages/packages/package-pages.js';
import { KnexPackageReader } from '../../adapters/outbound/persistence/knex/packages/knex-package-reader.js';
import type { Context } from './context.js';
import { KEY_TOKENS } from './keys.tokens.js';
import { packagesStorage } from './packages.storage.js';
import { PACKAGE_TOKENS } from './packages.tokens.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const packagesModule = new ContainerModule(({ bind }) => {
  bind(PACKAGE_TOKENS.packages).toResolvedValue(
    ({ reader: session }, unitOfWork, { artifactFiles: files }, clock, config) => {
      const reader = new KnexPackageReader(session);
      const limits = { mostBytes: config.packageFileLimitBytes, mostOfProject: config.packagesProjectLimitBytes };
      return { packages: new Packages({ unitOfWork, reader, files, ...limits, clock }), packageReader: reader };
    },
    [TOKENS.database, TOKENS.unitOfWork, PIPELINE_TOKENS.pipelines, TOKENS.clock, TOKENS.config],
  );
});

/** Files of versions of projects that are kept for others. */
export const packagesContext: Context<typeof packagesStorage> = {
  storage: packagesStorage,
  modules: [packagesModule],
  routes: (get) => {
    const { access } = get(WORKSPACE_TOKENS.workspace);
    const { jobTokens } = get(PIPELINE_TOKENS.pipelines);
    const { deployTokens, machines } = get(KEY_TOKENS.keys);
    const { identifyActor } = get(TOKENS.callers);
    const urls = get(TOKENS.webUrls);
    return createPackageRoutes({
      ...{ access, jobTokens, deployTokens, machines, identifyActor, urls },
      ...get(PACKAGE_TOKENS.packages),
    });
  },
  pages: (get) => (pages) => {
    const { access } = get(WORKSPACE_TOKENS.workspace);
    addPackagePages(pages, { access, urls: get(TOKENS.webUrls), ...get(PACKAGE_TOKENS.packages) });
  },
  forgetProject: [forgetPackages],
};
