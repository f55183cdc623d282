import { ContainerModule } from 'inversify';
import { CommitStatuses } from '../../application/pipelines/commit-statuses.js';
import { forgetPipelines, Pipelines } from '../../application/pipelines/pipelines.js';
import { createCommitStatusRoutes } from '../../adapters/inbound/http/api-v4/pipelines/commit-status-routes.js';
import { createPipelineRoutes } from '../../adapters/inbound/http/api-v4/pipelines/pipeline-routes.js';
import { addPipelinePages } from '../../adapters/inbound/http/pages/pipelines/pipeline-pages.js';
import { KnexPipelineReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-pipeline-reader.js';
import type { Context } from './context.js';
import { pipelinesStorage } from './pipelines.storage.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const pipelinesModule = new ContainerModule(({ bind }) => {
  bind(PIPELINE_TOKENS.pipelines).toResolvedValue(
    (database, unitOfWork, { refReader: refs }, { history }, clock) => {
      const reader = new KnexPipelineReader(database.reader);
      return {
        commitStatuses: new CommitStatuses({ unitOfWork, reader, refs, history, clock }),
        pipelines: new Pipelines(unitOfWork, clock),
        pipelineReader: reader,
      };
    },
    [TOKENS.database, TOKENS.unitOfWork, REPOSITORY_TOKENS.repositories, REPOSITORY_TOKENS.gitStores, TOKENS.clock],
  );
});

/** What is checked of commits, and what that comes to. */
export const pipelinesContext: Context<typeof pipelinesStorage> = {
  storage: pipelinesStorage,
  modules: [pipelinesModule],
  routes: (get) => {
    const { access } = get(WORKSPACE_TOKENS.workspace);
    const { revisions } = get(REPOSITORY_TOKENS.repositories);
    const parts = { access, revisions, urls: get(TOKENS.webUrls), ...get(PIPELINE_TOKENS.pipelines) };
    return [...createCommitStatusRoutes(parts), ...createPipelineRoutes(parts)];
  },
  pages: (get) => (pages) => addPipelinePages(pages, get(REPOSITORY_TOKENS.codePages)),
  forgetProject: [forgetPipelines],
};
