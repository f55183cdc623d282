import { Type } from '@sinclair/typebox';
import type { Commit } from '../../../../../application/repositories/ports/object-stores.js';
import { titleOf, trailersOf } from '../../../../../domain/repositories/commit-message.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { BasicPipelineSchema, presentBasicPipeline } from '../pipelines/pipeline-schema.js';

const instant = Type.String({ format: 'date-time', description: 'With the offset of whoever made it' });

const StatsSchema = Type.Object({
  additions: Type.Integer(),
  deletions: Type.Integer(),
  total: Type.Integer(),
});

/** A commit as lists show it. */
export const CommitSchema = component(
  'schemas/Commit',
  Type.Object({
    id: Type.String(),
    short_id: Type.String(),
    created_at: instant,
    parent_ids: Type.Array(Type.String()),
    title: Type.String(),
    message: Type.String(),
    author_name: Type.String(),
    author_email: Type.String(),
    authored_date: instant,
    committer_name: Type.String(),
    committer_email: Type.String(),
    committed_date: instant,
    trailers: Type.Record(Type.String(), Type.String()),
    extended_trailers: Type.Object({}),
    web_url: Type.String(),
    stats: Type.Optional(StatsSchema),
  }),
);

/** One commit alone. */
export const CommitDetailSchema = component(
  'schemas/CommitDetail',
  Type.Object({
    ...CommitSchema.properties,
    status: nullable(Type.String({ description: 'How its newest pipeline stands' })),
    project_id: Type.Integer(),
    last_pipeline: nullable(BasicPipelineSchema),
  }),
);

export interface LineCount {
  readonly additions: number;
  readonly deletions: number;
}

export interface CommitOptions {
  /** Whether the trailers of its message are told. */
  readonly trailers?: boolean;
  readonly stats?: LineCount | undefined;
}

type Place = Pick<Project, 'id' | 'fullPath'>;

const SHORT_ID = 8;

const presentStats = ({ additions, deletions }: LineCount) => ({ additions, deletions, total: additions + deletions });

export const presentCommit = (commit: Commit, project: Place, urls: WebUrls, options: CommitOptions = {}) => ({
  id: commit.id,
  short_id: commit.id.slice(0, SHORT_ID),
  created_at: commit.committer.at,
  parent_ids: commit.parents,
  title: titleOf(commit.message),
  message: commit.message,
  author_name: commit.author.name,
  author_email: commit.author.email,
  authored_date: commit.author.at,
  committer_name: commit.committer.name,
  committer_email: commit.committer.email,
  committed_date: commit.committer.at,
  trailers: options.trailers === true ? trailersOf(commit.message) : {},
  // Lists as values, which newer platforms have here, break a stock client that reads texts.
  extended_trailers: {},
  web_url: urls.commit(project.fullPath, commit.id),
  ...(options.stats === undefined ? {} : { stats: presentStats(options.stats) }),
});

/** What is known of one commit beside what it holds. */
interface CommitExtras {
  readonly stats?: LineCount | undefined;
  /** Its newest. */
  readonly pipeline?: Pipeline | undefined;
}

export const presentCommitDetail = (
  commit: Commit,
  project: Place,
  urls: WebUrls,
  { stats, pipeline }: CommitExtras = {},
) => ({
  ...presentCommit(commit, project, urls, { stats }),
  status: pipeline?.status ?? null,
  project_id: project.id,
  last_pipeline: pipeline === undefined ? null : presentBasicPipeline(pipeline, project.fullPath, urls),
});
