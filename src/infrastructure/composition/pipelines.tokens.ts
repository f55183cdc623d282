import type { Artifacts } from '../../application/pipelines/artifacts.js';
import type { FilesElsewhere } from '../../application/pipelines/files-elsewhere.js';
import type { CiFiles } from '../../application/pipelines/ci-files.js';
import type { CiJobs } from '../../application/pipelines/ci-jobs.js';
import type { CiRunners } from '../../application/pipelines/ci-runners.js';
import type { CreatePipelines } from '../../application/pipelines/create-pipelines.js';
import type { CreateMergeRequestPipelines } from '../../application/pipelines/create-merge-request-pipelines.js';
import type { JobLogs } from '../../application/pipelines/job-logs.js';
import type { OfferedVariables } from '../../application/pipelines/offered-variables.js';
import type { OldPipelines } from '../../application/pipelines/old-pipelines.js';
import type { JobTokens } from '../../application/pipelines/job-tokens.js';
import type { DelayedJobs } from '../../application/pipelines/delayed-jobs.js';
import type { FollowDownstream } from '../../application/pipelines/follow-downstream.js';
import type { FreezePeriods } from '../../application/pipelines/freeze-periods.js';
import type { GiveJobs } from '../../application/pipelines/give-jobs.js';
import type { ReachOtherCode } from '../../application/pipelines/reach-other-code.js';
import type { RemoteCiFiles } from '../../application/pipelines/remote-ci-files.js';
import type { ResourceGroups } from '../../application/pipelines/resource-groups.js';
import type { RunSchedules } from '../../application/pipelines/run-schedules.js';
import type { RunJobs } from '../../application/pipelines/run-jobs.js';
import type { ArtifactFiles, CiArtifactReader } from '../../application/pipelines/ports/artifact-ports.js';
import type { CiJobReader, CiRunnerReader } from '../../application/pipelines/ports/ci-job-ports.js';
import type { CommitStatuses } from '../../application/pipelines/commit-statuses.js';
import type { LintCiFiles } from '../../application/pipelines/lint-ci-files.js';
import type { PipelineSchedules } from '../../application/pipelines/pipeline-schedules.js';
import type { PipelineTriggers } from '../../application/pipelines/pipeline-triggers.js';
import type { BridgeReader } from '../../application/pipelines/ports/bridge-ports.js';
import type { StartDownstream } from '../../application/pipelines/start-downstream.js';
import type { StartByTrigger } from '../../application/pipelines/start-by-trigger.js';
import type { Pipelines } from '../../application/pipelines/pipelines.js';
import type { ScheduleReader } from '../../application/pipelines/ports/schedule-ports.js';
import type { PipelineReader } from '../../application/pipelines/ports/pipeline-ports.js';
import type { TestReports } from '../../application/pipelines/test-reports.js';
import type { PipelineStarters } from '../../application/pipelines/pipeline-starters.js';
import type { StarterReader } from '../../application/pipelines/ports/starter-ports.js';
import { token } from './token.js';

/** What is checked of commits. */
export interface PipelineUseCases {
  readonly ciFiles: CiFiles;
  readonly lintCiFiles: LintCiFiles;
  readonly reachOtherCode: ReachOtherCode;
  readonly remoteCiFiles: RemoteCiFiles;
  readonly offeredVariables: OfferedVariables;
  readonly commitStatuses: CommitStatuses;
  readonly pipelines: Pipelines;
  readonly pipelineReader: PipelineReader;
  readonly createPipelines: CreatePipelines;
  readonly createMergeRequestPipelines: CreateMergeRequestPipelines;
  readonly pipelineTriggers: PipelineTriggers;
  readonly startByTrigger: StartByTrigger;
  readonly pipelineStarters: PipelineStarters;
  readonly starterReader: StarterReader;
  readonly pipelineSchedules: PipelineSchedules;
  readonly scheduleReader: ScheduleReader;
  readonly runSchedules: RunSchedules;
  readonly ciJobs: CiJobs;
  readonly delayedJobs: DelayedJobs;
  readonly startDownstream: StartDownstream;
  readonly followDownstream: FollowDownstream;
  readonly bridgeReader: BridgeReader;
  readonly giveJobs: GiveJobs;
  readonly runJobs: RunJobs;
  readonly jobTokens: JobTokens;
  readonly ciRunners: CiRunners;
  readonly jobLogs: JobLogs;
  readonly oldPipelines: OldPipelines;
  readonly artifacts: Artifacts;
  /** Where files lie: packages keep theirs beside them. */
  readonly artifactFiles: ArtifactFiles;
  readonly filesElsewhere: FilesElsewhere;
  readonly resourceGroups: ResourceGroups;
  readonly freezePeriods: FreezePeriods;
  readonly testReports: TestReports;
  readonly artifactReader: CiArtifactReader;
  readonly ciJobReader: CiJobReader;
  readonly ciRunnerReader: CiRunnerReader;
}

export const PIPELINE_TOKENS = {
  pipelines: token<PipelineUseCases>('PipelineUseCases'),
} as const;
