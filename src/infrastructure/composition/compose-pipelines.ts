import type { CiVariableSource } from '../../application/ci-variables/ports/ci-variable-ports.js';
import type { UserReader } from '../../application/identity/ports/identity-readers.js';
import { Artifacts } from '../../application/pipelines/artifacts.js';
import { ChangedPaths } from '../../application/pipelines/changed-paths.js';
import { CiFiles } from '../../application/pipelines/ci-files.js';
import { CiJobs } from '../../application/pipelines/ci-jobs.js';
import { CiRunners } from '../../application/pipelines/ci-runners.js';
import { CommitStatuses } from '../../application/pipelines/commit-statuses.js';
import { CreatePipelines } from '../../application/pipelines/create-pipelines.js';
import { CreateMergeRequestPipelines } from '../../application/pipelines/create-merge-request-pipelines.js';
import { DelayedJobs } from '../../application/pipelines/delayed-jobs.js';
import { FilesElsewhere } from '../../application/pipelines/files-elsewhere.js';
import { GiveJobs } from '../../application/pipelines/give-jobs.js';
import { KnownVariables } from '../../application/pipelines/known-variables.js';
import { LintCiFiles } from '../../application/pipelines/lint-ci-files.js';
import { JobLogs } from '../../application/pipelines/job-logs.js';
import { OfferedVariables } from '../../application/pipelines/offered-variables.js';
import { OldPipelines } from '../../application/pipelines/old-pipelines.js';
import { JobTokens } from '../../application/pipelines/job-tokens.js';
import { MergeRequestsOfPipelines } from '../../application/pipelines/merge-requests-of-pipelines.js';
import { Pipelines } from '../../application/pipelines/pipelines.js';
import { PlanFromFile } from '../../application/pipelines/plan-from-file.js';
import { PreparePipelines } from '../../application/pipelines/prepare-pipelines.js';
import type { FetchText } from '../../application/pipelines/ports/fetch-text.js';
import type { PublicAddresses } from '../../application/pipelines/ports/public-addresses.js';
import type { JobEnvironments } from '../../application/pipelines/ports/job-environments.js';
import { MOST_VERSIONS, ReachOtherCode } from '../../application/pipelines/reach-other-code.js';
import { RemoteCiFiles } from '../../application/pipelines/remote-ci-files.js';
import { RunJobs } from '../../application/pipelines/run-jobs.js';
import { TestReports } from '../../application/pipelines/test-reports.js';
import type { Clock } from '../../application/shared/ports/clock.js';
import type { UnitOfWork } from '../../application/shared/unit-of-work.js';
import { FolderArtifactFiles } from '../../adapters/outbound/artifacts/folder-artifact-files.js';
import { FileTemplates } from '../../adapters/outbound/templates/file-templates.js';
import { isOpenAsWell } from '../../application/shared/is-open-as-well.js';
import { isObjectId } from '../../domain/repositories/object-id.js';
import { regexCompiler } from '../../adapters/outbound/ci/compile-regex.js';
import { findCoverage } from '../../adapters/outbound/ci/find-coverage.js';
import { readYaml } from '../../adapters/outbound/ci/read-yaml.js';
import { createFetchText } from '../../adapters/outbound/network/fetch-text.js';
import { createFindAddress } from '../../adapters/outbound/network/find-address.js';
import { createIsAllowed, createMayReach } from '../../adapters/outbound/network/reachable-hosts.js';
import type { GitStores } from '../../adapters/outbound/git/open-git-stores.js';
import { StoredTestReports } from '../../adapters/outbound/ci/stored-test-reports.js';
import { writeYaml } from '../../adapters/outbound/ci/write-yaml.js';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { KnexBridgeReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-bridge-reader.js';
import { KnexCiArtifactReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-ci-artifact-reader.js';
import { KnexCiJobReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-ci-job-reader.js';
import { KnexJobQueue } from '../../adapters/outbound/persistence/knex/pipelines/knex-job-queue.js';
import { KnexCiRunnerReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-ci-runner-reader.js';
import { KnexOldPipelineReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-old-pipeline-reader.js';
import { KnexStarterReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-starter-reader.js';
import { KnexPipelineReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-pipeline-reader.js';
import { KnexMergeRequestsOfCode } from '../../adapters/outbound/persistence/knex/review/knex-merge-requests-of-code.js';
import type { Config } from '../configuration/config.js';
import { VERSION } from '../version.js';
import { actorBy, letInNow } from './people-behind-works.js';
import { composeSharedByJobs } from './compose-shared-by-jobs.js';
import { composeStarts } from './compose-starts.js';
import type { PipelineUseCases } from './pipelines.tokens.js';
import type { RepositoryUseCases } from './repositories.tokens.js';
import type { Repositories } from './storages.js';
import type { Secrecy } from './tokens.js';
import type { WorkspaceUseCases } from './workspace.tokens.js';

type LeftSettings = Pick<
  Config,
  | 'artifactsDirectory'
  | 'artifactLimitBytes'
  | 'artifactsProjectLimitBytes'
  | 'jobLogRetentionDays'
  | 'pipelineRetentionDays'
  | 'outboundAllowlist'
>;

/** Joins what pipelines are made of with who runs them, and for whom. */
export const composePipelines = (
  { reader: session }: Database,
  unitOfWork: UnitOfWork<Repositories>,
  { refReader: refs, protections, revisions, releaseReader, containingRefs }: RepositoryUseCases,
  { history, objects }: GitStores,
  { access, reader: workspace }: WorkspaceUseCases,
  { users }: { readonly users: UserReader },
  variables: CiVariableSource,
  { environmentReader: environments }: { readonly environmentReader: JobEnvironments },
  secrecy: Secrecy,
  clock: Clock,
  settings: LeftSettings,
  addresses: PublicAddresses,
): PipelineUseCases => {
  const { secrets, digester, secretBox: box } = secrecy;
  const reader = new KnexPipelineReader(session);
  const ciJobReader = new KnexCiJobReader(session);
  const ciRunnerReader = new KnexCiRunnerReader(session);
  const { files, artifacts, ...left } = composeLeft({ session, unitOfWork, clock }, ciJobReader, settings);
  const ownerBy = actorBy(users);
  const known = new KnownVariables({ addresses, users, version: VERSION });
  const code = { access, revisions, refReader: refs, releaseReader, ownerBy, addresses, known, clock };
  const { ciFiles, planner, changedPaths, ...reaching } = composeCiFiles({ objects, history }, code, settings);
  const { mayRead, mayReadMergeRequests, whoRuns } = rightsNow(access, users, ownerBy);
  const ofCode = new KnexMergeRequestsOfCode(session);
  const mergeRequests = new MergeRequestsOfPipelines({ mergeRequests: ofCode, protections, mayReadMergeRequests });
  const holdingUp = composeSharedByJobs(session, { unitOfWork, reader: ciJobReader, clock });
  const making = { protections, known, variables, planner, files: ciFiles, box, clock };
  const prepare = new PreparePipelines({ ...making, freezePeriods: holdingUp.freezePeriods });
  const creating = { unitOfWork, refs, workspace, objects, history, protections, prepare, mergeRequests, clock };
  const createPipelines = new CreatePipelines({ ...creating, reader, box });
  const jobTokens = new JobTokens({ reader: ciJobReader, protections, digester, actorOf: ownerBy, mayRead });
  const filesElsewhere = composeFilesElsewhere(session, access, { ...left, jobs: ciJobReader, jobTokens });
  const running = { unitOfWork, reader: ciJobReader, workspace, actorOf: ownerBy, findCoverage, digester, clock };
  return {
    ciFiles,
    lintCiFiles: new LintCiFiles(ciFiles, writeYaml, known, protections, changedPaths),
    ...reaching,
    commitStatuses: new CommitStatuses({ unitOfWork, reader, refs, protections, containingRefs, clock }),
    pipelines: new Pipelines(unitOfWork, clock),
    pipelineReader: reader,
    createPipelines,
    createMergeRequestPipelines: new CreateMergeRequestPipelines(creating),
    ...composeStarts(session, {
      ...{ unitOfWork, access, workspace, refs, protections, reader: ciJobReader, jobTokens, createPipelines, whoRuns },
      ...{ left: artifacts, ownerBy, secrecy, clock },
    }),
    ciJobs: new CiJobs({ unitOfWork, protections, files, box, clock }),
    ...holdingUp,
    runJobs: new RunJobs(running),
    giveJobs: new GiveJobs({
      ...{ unitOfWork, reader: ciJobReader, queue: new KnexJobQueue(session), files: ciFiles },
      ...{ workspace, refs, objects, protections, variables, environments, mergeRequests },
      ...{ whoRuns, left: artifacts, elsewhere: filesElsewhere, secrecy: { secrets, digester, box }, clock },
    }),
    jobTokens,
    ciRunners: new CiRunners({ unitOfWork, reader: ciRunnerReader, secrecy: { secrets, digester }, clock }),
    ...{ artifacts, artifactFiles: files, filesElsewhere, ciJobReader, ciRunnerReader, ...left },
  };
};

const fetchTextBy = ({ outboundAllowlist: allowlist }: Pick<Config, 'outboundAllowlist'>): FetchText =>
  createFetchText({
    ...{ findAddress: createFindAddress(createMayReach(allowlist)), mayAskPlainly: createIsAllowed(allowlist) },
  });

const composeFilesElsewhere = (
  session: Database['reader'],
  access: WorkspaceUseCases['access'],
  {
    artifactReader: reader,
    ...parts
  }: { readonly artifactReader: KnexCiArtifactReader; readonly jobs: KnexCiJobReader; readonly jobTokens: JobTokens },
) =>
  new FilesElsewhere({
    ...{ reader, jobs: parts.jobs, jobTokens: parts.jobTokens },
    ...{ starters: new KnexStarterReader(session), bridges: new KnexBridgeReader(session) },
    enter: (actor, project) => access.project(actor, project, 'read_pipelines'),
  });

interface AroundCiFiles
  extends Pick<WorkspaceUseCases, 'access'>, Pick<RepositoryUseCases, 'revisions' | 'refReader' | 'releaseReader'> {
  readonly addresses: PublicAddresses;
  readonly known: KnownVariables;
  readonly clock: Clock;
  readonly ownerBy: ReturnType<typeof actorBy>;
}

/** Templates are named as files are. */
const TEMPLATE_ENDING = /(?:\.(?:gitlab|platform)-ci)?\.ya?ml$/;

/** What CI files say, with files of other projects that they include. */
const composeCiFiles = (
  { objects, history }: Pick<GitStores, 'objects' | 'history'>,
  { access, revisions, refReader: refs, releaseReader, ownerBy, addresses, known, clock }: AroundCiFiles,
  settings: Pick<Config, 'outboundAllowlist'>,
) => {
  const templates = new FileTemplates();
  const remoteCiFiles = new RemoteCiFiles(fetchTextBy(settings), clock);
  const ciFiles = new CiFiles({
    ...{ objects, history },
    tools: () => ({ readYaml, compile: regexCompiler(), host: new URL(addresses.root).host }),
    template: async (name) => (await templates.find('gitlab_ci_ymls', name.replace(TEMPLATE_ENDING, '')))?.content,
  });
  const reachOtherCode = new ReachOtherCode({
    actorOf: ownerBy,
    find: (permitted, ref) => revisions.find(permitted, ref),
    enter: (actor, project) => access.project(actor, project, 'read_code'),
    releasedTags: async (permitted) =>
      isOpenAsWell(permitted, 'read_releases')
        ? releaseReader.tagsOut(permitted.project.id, clock.now(), MOST_VERSIONS)
        : [],
    refs,
  });
  const changedPaths = new ChangedPaths(history, async ({ projectId, store }, name) => {
    const ref = (await refs.resolveIn(projectId, name))?.ref;
    const target = ref?.target ?? (isObjectId(name) ? name : undefined);
    return target === undefined ? undefined : (await objects.commit(store, target))?.id;
  });
  const planner = new PlanFromFile({
    ...{ files: ciFiles, objects, changedPaths },
    fetchFor: (projectId) => remoteCiFiles.forPipeline(projectId),
    reachAs: (userId) => reachOtherCode.asUser(userId),
  });
  const offeredVariables = new OfferedVariables(ciFiles, known, reachOtherCode, remoteCiFiles, (permitted, ref) =>
    revisions.find(permitted, ref),
  );
  return { ciFiles, reachOtherCode, remoteCiFiles, offeredVariables, changedPaths, planner };
};

/** What jobs leave, and how long it stays; and what the clock has happen to jobs. */
const composeLeft = (
  {
    session,
    unitOfWork,
    clock,
  }: {
    readonly session: Database['reader'];
    readonly unitOfWork: UnitOfWork<Repositories>;
    readonly clock: Clock;
  },
  ciJobReader: KnexCiJobReader,
  settings: LeftSettings,
) => {
  const files = new FolderArtifactFiles(settings.artifactsDirectory);
  const artifactReader = new KnexCiArtifactReader(session);
  const limits = { mostBytes: settings.artifactLimitBytes, mostOfProject: settings.artifactsProjectLimitBytes };
  return {
    files,
    artifactReader,
    artifacts: new Artifacts({ unitOfWork, reader: artifactReader, files, ...limits, clock }),
    testReports: new TestReports({
      ...{ jobs: ciJobReader, artifacts: artifactReader, reports: new StoredTestReports(files) },
    }),
    delayedJobs: new DelayedJobs({ unitOfWork, reader: ciJobReader, clock }),
    jobLogs: new JobLogs({ unitOfWork, reader: ciJobReader, retentionDays: settings.jobLogRetentionDays, clock }),
    oldPipelines: new OldPipelines({
      unitOfWork,
      reader: new KnexOldPipelineReader(session),
      retentionDays: settings.pipelineRetentionDays,
      clock,
    }),
  };
};

/** What somebody who isn't asking may do in a project as things stand. */
const rightsNow = (
  access: WorkspaceUseCases['access'],
  users: UserReader,
  activeActor: ReturnType<typeof actorBy>,
): Pick<ConstructorParameters<typeof JobTokens>[0], 'mayRead'> &
  Pick<ConstructorParameters<typeof MergeRequestsOfPipelines>[0], 'mayReadMergeRequests'> &
  Pick<ConstructorParameters<typeof GiveJobs>[0], 'whoRuns'> => {
  const letIn = letInNow(access, activeActor);
  return {
    mayRead: async (userId, projectId) => (await letIn(userId, projectId, 'read_code')) !== undefined,
    mayReadMergeRequests: async (userId, projectId) =>
      (await letIn(userId, projectId, 'read_merge_requests')) !== undefined,
    whoRuns: async (userId, projectId) => {
      const place = await letIn(userId, projectId, 'run_pipelines');
      const user = place && (await users.find(userId));
      return user && { user, place };
    },
  };
};
