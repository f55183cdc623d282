import type { CommitStatusWord } from '../../../../../domain/pipelines/commit-status.js';
import type { PipelineSource, PipelineStatus } from '../../../../../domain/pipelines/pipeline.js';
import {
  bigInteger,
  boolean,
  code,
  id,
  instant,
  integer,
  key,
  link,
  nullable,
  reference,
  table,
  text,
} from './table.js';

export const PIPELINE_TABLES = {
  pipelines: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      project_id: reference('projects'),
      iid: bigInteger,
      sha: text,
      ref: key,
      tag: boolean,
      source: code<PipelineSource>(),
      status: code<PipelineStatus>(),
      user_id: link('users'),
      created_at: instant,
      updated_at: instant,
      started_at: nullable(instant),
      finished_at: nullable(instant),
      told: nullable(code<PipelineStatus>()),
    },
  }),
  commit_statuses: table({
    key: ['id'],
    size: 'many',
    columns: {
      id,
      pipeline_id: reference('pipelines'),
      name: key,
      status: code<CommitStatusWord>(),
      author_id: link('users'),
      target_url: nullable(text),
      description: nullable(text),
      coverage: nullable(integer),
      created_at: instant,
      started_at: nullable(instant),
      finished_at: nullable(instant),
      latest: boolean,
    },
  }),
};
