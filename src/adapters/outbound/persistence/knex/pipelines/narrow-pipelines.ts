import type { Knex } from 'knex';
import type { PipelineQuery } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { CHILD, type PipelineStatus } from '../../../../../domain/pipelines/pipeline.js';
import type { Session } from '../session.js';

const FINISHED: readonly PipelineStatus[] = ['success', 'failed', 'canceled'];

type Scope = NonNullable<PipelineQuery['scope']>;

const SCOPES: Readonly<Record<Scope, (list: Knex.QueryBuilder, query: Knex, projectId: ProjectId) => void>> = {
  running: (list) => void list.where('pipelines.status', 'running'),
  pending: (list) => void list.where('pipelines.status', 'pending'),
  finished: (list) => void list.whereIn('pipelines.status', [...FINISHED]),
  branches: (list, query, projectId) => void list.whereIn('pipelines.id', newestOfRefs(query, projectId, false)),
  tags: (list, query, projectId) => void list.whereIn('pipelines.id', newestOfRefs(query, projectId, true)),
};

const newestOfRefs = (query: Knex, projectId: ProjectId, tag: boolean) =>
  query('pipelines')
    .where({ project_id: projectId, tag, source_branch: null })
    .whereNot({ source: CHILD })
    .groupBy('ref')
    .max('id');

/** Leaves those that are asked for. */
export const narrowPipelines = (
  { query, dialect }: Session,
  list: Knex.QueryBuilder,
  { projectId, scope, username, scheduleId, ...asked }: PipelineQuery,
): void => {
  if (scope !== undefined) SCOPES[scope](list, query, projectId);
  for (const column of ['status', 'source', 'ref', 'sha', 'name'] as const)
    if (asked[column] !== undefined) void list.where(`pipelines.${column}`, asked[column]);
  if (asked.source === undefined) void list.whereNot('pipelines.source', CHILD);
  if (scheduleId !== undefined) void list.where('pipelines.schedule_id', scheduleId);
  if (username !== undefined) void list.whereIn('pipelines.user_id', query('users').where({ username }).select('id'));
  if (asked.broken === true) void list.whereNotNull('pipelines.yaml_errors');
  if (asked.broken === false) void list.whereNull('pipelines.yaml_errors');
  const bounds = [
    ['created_at', '>', asked.createdAfter],
    ['created_at', '<', asked.createdBefore],
    ['updated_at', '>', asked.updatedAfter],
    ['updated_at', '<', asked.updatedBefore],
  ] as const;
  for (const [column, than, at] of bounds)
    if (at !== undefined) void list.where(`pipelines.${column}`, than, dialect.writeInstant(at));
};
