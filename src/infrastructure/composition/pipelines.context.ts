import { ContainerModule } from 'inversify';
import { forgetPipelines, forgetRunners } from '../../application/pipelines/pipelines.js';
import { createArtifactRoutes } from '../../adapters/inbound/http/api-v4/pipelines/artifact-routes.js';
import { createArtifactProtocolRoutes } from '../../adapters/inbound/http/api-v4/pipelines/artifact-protocol-routes.js';
import { createCiLintRoutes } from '../../adapters/inbound/http/api-v4/pipelines/ci-lint-routes.js';
import { createCommitStatusRoutes } from '../../adapters/inbound/http/api-v4/pipelines/commit-status-routes.js';
import { createCiJobRoutes } from '../../adapters/inbound/http/api-v4/pipelines/ci-job-routes.js';
import { getOwnJob } from '../../adapters/inbound/http/api-v4/pipelines/own-job-route.js';
import { createTestReportRoutes } from '../../adapters/inbound/http/api-v4/pipelines/test-report-routes.js';
import { createJobTokenScopeRoutes } from '../../adapters/inbound/http/api-v4/pipelines/job-token-scope-routes.js';
import { createPipelineRoutes } from '../../adapters/inbound/http/api-v4/pipelines/pipeline-routes.js';
import { createFreezePeriodRoutes } from '../../adapters/inbound/http/api-v4/pipelines/freeze-period-routes.js';
import { createResourceGroupRoutes } from '../../adapters/inbound/http/api-v4/pipelines/resource-group-routes.js';
import { createScheduleRoutes } from '../../adapters/inbound/http/api-v4/pipelines/schedule-routes.js';
import { createScheduleVariableRoutes } from '../../adapters/inbound/http/api-v4/pipelines/schedule-variable-routes.js';
import { createTriggerRoutes } from '../../adapters/inbound/http/api-v4/pipelines/trigger-routes.js';
import { createRunnerProtocolRoutes } from '../../adapters/inbound/http/api-v4/pipelines/runner-protocol-routes.js';
import { createRunnerRoutes } from '../../adapters/inbound/http/api-v4/pipelines/runner-routes.js';
import { addCiFilePage } from '../../adapters/inbound/http/pages/ci/ci-file-page.js';
import { addArtifactPages } from '../../adapters/inbound/http/pages/pipelines/artifact-pages.js';
import { addCiJobPages } from '../../adapters/inbound/http/pages/pipelines/ci-job-pages.js';
import { addFreezePeriodPages } from '../../adapters/inbound/http/pages/pipelines/freeze-period-pages.js';
import { addJobTokenPages } from '../../adapters/inbound/http/pages/pipelines/job-token-pages.js';
import { addPipelineTestsPage } from '../../adapters/inbound/http/pages/pipelines/pipeline-tests-page.js';
import { addPipelinePages } from '../../adapters/inbound/http/pages/pipelines/pipeline-pages.js';
import { addRunnerPages } from '../../adapters/inbound/http/pages/pipelines/runner-pages.js';
import { addRunPipelinePage } from '../../adapters/inbound/http/pages/pipelines/run-pipeline-page.js';
import { addSchedulePages } from '../../adapters/inbound/http/pages/pipelines/schedule-pages.js';
import { addTriggerPages } from '../../adapters/inbound/http/pages/pipelines/trigger-pages.js';
import { VERSION } from '../version.js';
import { CI_VARIABLE_TOKENS } from './ci-variables.tokens.js';
import { composePipelines } from './compose-pipelines.js';
import type { Context } from './context.js';
import { ENVIRONMENT_TOKENS } from './environments.tokens.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { pipelinesStorage } from './pipelines.storage.js';
import { OAUTH_TOKENS } from './oauth.tokens.js';
import { PIPELINE_TOKENS } from './pipelines.tokens.js';
import { REPOSITORY_TOKENS } from './repositories.tokens.js';
import { EVERY_MINUTE } from './schedules.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const pipelinesModule = new ContainerModule(({ bind }) => {
  bind(PIPELINE_TOKENS.pipelines).toResolvedValue(composePipelines, [
    TOKENS.database,
    TOKENS.unitOfWork,
    REPOSITORY_TOKENS.repositories,
    REPOSITORY_TOKENS.gitStores,
    WORKSPACE_TOKENS.workspace,
    IDENTITY_TOKENS.identityReaders,
    CI_VARIABLE_TOKENS.ciVariables,
    ENVIRONMENT_TOKENS.environments,
    TOKENS.secrecy,
    TOKENS.clock,
    TOKENS.config,
    TOKENS.webUrls,
  ]);
});

/** What is checked of commits, and what that comes to. */
export const pipelinesContext: Context<typeof pipelinesStorage> = {
  storage: pipelinesStorage,
  modules: [pipelinesModule],
  routes: (get) => {
    const { access, reader: workspaceReader } = get(WORKSPACE_TOKENS.workspace);
    const { revisions, refReader } = get(REPOSITORY_TOKENS.repositories);
    const { objects } = get(REPOSITORY_TOKENS.gitStores);
    const around = {
      access,
      workspaceReader,
      revisions,
      refReader,
      objects,
      urls: get(TOKENS.webUrls),
      clock: get(TOKENS.clock),
    };
    const { signClaims } = get(OAUTH_TOKENS.oauth);
    const parts = { ...around, version: VERSION, signClaims, ...get(PIPELINE_TOKENS.pipelines) };
    return [
      ...createCommitStatusRoutes(parts),
      ...createPipelineRoutes(parts),
      ...createTestReportRoutes(parts),
      ...createTriggerRoutes(parts),
      ...createJobTokenScopeRoutes(parts),
      ...createScheduleRoutes(parts),
      ...createScheduleVariableRoutes(parts),
      ...createCiLintRoutes(parts),
      ...createArtifactRoutes(parts),
      ...createCiJobRoutes(parts),
      ...createResourceGroupRoutes(parts),
      ...createFreezePeriodRoutes(parts),
      getOwnJob(parts),
      ...createRunnerProtocolRoutes(parts),
      ...createArtifactProtocolRoutes(parts),
      ...createRunnerRoutes(parts),
    ];
  },
  pages: (get) => (pages) => {
    const parts = { ...get(REPOSITORY_TOKENS.codePages), ...get(PIPELINE_TOKENS.pipelines) };
    // Before what numbers name.
    addRunPipelinePage(pages, parts);
    addPipelinePages(pages, parts);
    addPipelineTestsPage(pages, parts);
    addCiJobPages(pages, parts);
    const { flash } = get(TOKENS.pageParts);
    addRunnerPages(pages, { ...parts, flash, clock: get(TOKENS.clock) });
    addSchedulePages(pages, parts);
    addTriggerPages(pages, { ...parts, flash });
    addJobTokenPages(pages, { ...parts, workspaceReader: get(WORKSPACE_TOKENS.workspace).reader });
    addFreezePeriodPages(pages, parts);
    addArtifactPages(pages, parts);
    addCiFilePage(pages, get(WORKSPACE_TOKENS.workspace));
  },
  forgetProject: [forgetPipelines, forgetRunners],
  tasks: (get) => {
    const { runJobs, delayedJobs, runSchedules, followDownstream } = get(PIPELINE_TOKENS.pipelines);
    return [
      { name: 'jobs that are given up', pattern: EVERY_MINUTE, run: () => runJobs.giveUp() },
      { name: 'jobs that begin later', pattern: EVERY_MINUTE, run: (stopping) => delayedJobs.beginDue(stopping) },
      { name: 'pipelines of schedules', pattern: EVERY_MINUTE, run: (stopping) => runSchedules.runDue(stopping) },
      {
        name: 'jobs that wait for pipelines',
        pattern: EVERY_MINUTE,
        run: (stopping) => followDownstream.lookAgain(stopping),
      },
    ];
  },
  cleanUp: (get) => async (stopping) => {
    const { artifacts, jobLogs, oldPipelines } = get(PIPELINE_TOKENS.pipelines);
    try {
      await artifacts.cleanUp(stopping);
    } finally {
      await jobLogs.removeOld(stopping).finally(() => oldPipelines.removeSome(stopping));
    }
  },
};
