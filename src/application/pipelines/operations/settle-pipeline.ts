import {
  CHILD,
  hasEnded,
  statusOfAll,
  type Pipeline,
  type PipelineStatus,
} from '../../../domain/pipelines/pipeline.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { DomainEvents } from '../../shared/domain-events.js';
import type { LastSaid, PipelineRepositories } from '../ports/pipeline-ports.js';

export interface Happening {
  /** Null where nobody stands behind it any more: then nobody is told. */
  readonly by: UserId | null;
  readonly at: Date;
}

type Needs = Pick<PipelineRepositories, 'pipelines' | 'commitStatuses'> & { readonly events: DomainEvents };

interface Ending {
  readonly said: readonly LastSaid[];
  readonly before: PipelineStatus | null;
  readonly by: UserId;
  readonly at: Date;
}

/** People want to hear of these ends: of each once, until it ends otherwise. */
const TOLD: ReadonlySet<PipelineStatus> = new Set<PipelineStatus>(['success', 'failed']);
const BEFORE_IT_RUNS: ReadonlySet<PipelineStatus> = new Set<PipelineStatus>([
  ...(['created', 'waiting_for_resource', 'pending', 'manual', 'scheduled'] as const),
]);
const MOST_NAMED = 5;

/** Of a part of another one its job there tells what it came to, where it waits for it. */
const isNews = ({ source, told }: Pipeline, status: PipelineStatus): boolean =>
  source !== CHILD && TOLD.has(status) && status !== told;

/** Finds out how a pipeline stands, once one of its checks stands otherwise, and tells. It is held. @param empty how one without any stands. */
export const settlePipeline = async (
  repositories: Needs,
  pipeline: Pipeline,
  happening: Happening,
  empty: PipelineStatus = 'created',
): Promise<Pipeline> => {
  const { pipelines, commitStatuses, events } = repositories;
  const { by, at } = happening;
  const said = await commitStatuses.lastSaid(pipeline.id);
  const status = said.length === 0 ? empty : statusOfAll(said);
  const tells = by !== null && isNews(pipeline, status);
  const now = {
    ...pipeline,
    status,
    updatedAt: at,
    startedAt: pipeline.startedAt ?? (BEFORE_IT_RUNS.has(status) ? null : at),
    finishedAt: hasEnded(status) ? at : null,
    told: tells ? status : pipeline.told,
  };
  await pipelines.saveStanding(pipeline.id, now);
  if (by === null) return now;
  if (status !== pipeline.status)
    await events.publish({ kind: 'pipeline_changed', pipeline: now, from: pipeline.status, by, at });
  if (tells) await tellEnd(repositories, now, { said, before: pipeline.told, by, at });
  return now;
};

/** @param before how it had ended when people were last told. */
const tellEnd = async (
  { pipelines, events }: Needs,
  pipeline: Pipeline,
  { said, before, by, at }: Ending,
): Promise<void> => {
  const ended = before ?? (await pipelines.endedBefore(pipeline));
  const failed = said.filter((each) => each.status === 'failed' && !each.allowFailure).map(({ name }) => name);
  const fixed = pipeline.status === 'success' && ended === 'failed';
  await events.publish({ kind: 'pipeline_ended', pipeline, fixed, failed: failed.slice(0, MOST_NAMED), by, at });
};
