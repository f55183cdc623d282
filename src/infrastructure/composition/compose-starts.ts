import { FollowDownstream } from '../../application/pipelines/follow-downstream.js';
import { PipelineSchedules } from '../../application/pipelines/pipeline-schedules.js';
import { PipelineStarters } from '../../application/pipelines/pipeline-starters.js';
import { PipelineTriggers } from '../../application/pipelines/pipeline-triggers.js';
import { RunSchedules } from '../../application/pipelines/run-schedules.js';
import { StartByTrigger } from '../../application/pipelines/start-by-trigger.js';
import { StartDownstream } from '../../application/pipelines/start-downstream.js';
import type { Clock } from '../../application/shared/ports/clock.js';
import type { UnitOfWork } from '../../application/shared/unit-of-work.js';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import { KnexBridgeReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-bridge-reader.js';
import { KnexScheduleReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-schedule-reader.js';
import { KnexStarterReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-starter-reader.js';
import { KnexTriggerReader } from '../../adapters/outbound/persistence/knex/pipelines/knex-trigger-reader.js';
import { cronTimes } from '../../adapters/outbound/system/cron-times.js';
import type { actorBy } from './people-behind-works.js';
import type { PipelineUseCases } from './pipelines.tokens.js';
import type { RepositoryUseCases } from './repositories.tokens.js';
import type { Repositories } from './storages.js';
import type { Secrecy } from './tokens.js';
import type { WorkspaceUseCases } from './workspace.tokens.js';

type Starts = ReturnType<typeof composeBridges> &
  ReturnType<typeof composeSchedules> &
  ReturnType<typeof composeTriggers>;
type Around = Omit<AroundBridges, 'box'> & Omit<AroundSchedules, 'box'> & AroundTriggers;

/** What starts pipelines beside pushes and people: jobs, the clock, and programs elsewhere. */
export const composeStarts = (session: Database['reader'], around: Around): Starts => {
  const { secretBox: box } = around.secrecy;
  return {
    ...composeTriggers(session, around),
    ...composeBridges(session, { ...around, box }),
    ...composeSchedules(session, { ...around, box }),
  };
};

type AroundBridges = Omit<ConstructorParameters<typeof StartDownstream>[0], 'bridges' | 'starters' | 'enter'> &
  Pick<WorkspaceUseCases, 'access'> & { readonly unitOfWork: UnitOfWork<Repositories> };

/** Jobs that start pipelines. */
const composeBridges = (
  session: Database['reader'],
  { unitOfWork, access, ...around }: AroundBridges,
): Pick<PipelineUseCases, 'startDownstream' | 'followDownstream' | 'bridgeReader'> => {
  const bridges = new KnexBridgeReader(session);
  return {
    bridgeReader: bridges,
    startDownstream: new StartDownstream({
      ...around,
      ...{ bridges, starters: new KnexStarterReader(session) },
      enter: (starter, project) => access.project(starter, project, 'run_pipelines'),
    }),
    followDownstream: new FollowDownstream({ unitOfWork, bridges, clock: around.clock }),
  };
};

interface AroundSchedules
  extends
    Pick<WorkspaceUseCases, 'access'>,
    Pick<PipelineUseCases, 'createPipelines'>,
    Pick<RepositoryUseCases, 'protections'> {
  readonly unitOfWork: UnitOfWork<Repositories>;
  readonly refs: RepositoryUseCases['refReader'];
  readonly ownerBy: ReturnType<typeof actorBy>;
  readonly box: Secrecy['secretBox'];
  readonly clock: Clock;
}

const composeSchedules = (
  session: Database['reader'],
  { unitOfWork, access, refs, protections, ownerBy, createPipelines, box, clock }: AroundSchedules,
): Pick<PipelineUseCases, 'pipelineSchedules' | 'scheduleReader' | 'runSchedules'> => {
  const reader = new KnexScheduleReader(session);
  const around = { unitOfWork, reader, times: cronTimes, box, clock };
  return {
    scheduleReader: reader,
    pipelineSchedules: new PipelineSchedules({ ...around, refs, protections }),
    runSchedules: new RunSchedules({
      ...around,
      ...{ ownerBy, createPipelines },
      enter: (owner, projectId) => access.project(owner, String(projectId), 'run_pipelines'),
    }),
  };
};

interface AroundTriggers
  extends Pick<WorkspaceUseCases, 'access'>, Pick<PipelineUseCases, 'createPipelines' | 'jobTokens'> {
  readonly unitOfWork: UnitOfWork<Repositories>;
  readonly ownerBy: ReturnType<typeof actorBy>;
  readonly secrecy: Secrecy;
  readonly clock: Clock;
}

const composeTriggers = (
  session: Database['reader'],
  {
    unitOfWork,
    access,
    ownerBy,
    createPipelines,
    jobTokens,
    secrecy: { secrets, digester, secretBox: box },
    clock,
  }: AroundTriggers,
): Pick<PipelineUseCases, 'pipelineTriggers' | 'startByTrigger' | 'pipelineStarters' | 'starterReader'> => {
  const reader = new KnexTriggerReader(session);
  const starterReader = new KnexStarterReader(session);
  return {
    starterReader,
    pipelineStarters: new PipelineStarters(unitOfWork, clock),
    pipelineTriggers: new PipelineTriggers({ unitOfWork, reader, secrecy: { secrets, digester, box }, clock }),
    startByTrigger: new StartByTrigger({
      ...{ unitOfWork, reader, digester, createPipelines, jobTokens, ownerBy, clock },
      starters: starterReader,
      enter: (owner, projectId) => access.project(owner, projectId, 'run_pipelines'),
    }),
  };
};
