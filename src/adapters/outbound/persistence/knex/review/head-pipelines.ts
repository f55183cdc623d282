import type { Knex } from 'knex';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import type { Dialect } from '../dialect/dialect.js';
import { keptByIds } from '../kept-queries.js';
import { PIPELINE_COLUMNS, toPipeline, type PipelineRow } from '../pipelines/pipeline-rows.js';
import type { Session } from '../session.js';

type HeadRow = PipelineRow & { readonly head_of: number };

const newestOf = (of: string): string =>
  `(select max(p.id) from pipelines p where ${of} and p.sha = merge_requests.source_sha and p.source <> 'parent_pipeline')`;
/** What is said of the commit in its branch, in one of the two projects: another branch, or a tag, may ask for less. */
const saidIn = (column: string): string =>
  newestOf(`p.project_id = merge_requests.${column} and p.source_branch is null
    and p.ref = merge_requests.source_branch and not p.tag`);
/** Those that were made for it there, as long as it goes to the same branch. */
const madeIn = (column: string): string =>
  newestOf(`p.merge_request_id = merge_requests.id and p.target_branch = merge_requests.target_branch
    and p.project_id = merge_requests.${column}`);

/** Its columns beside those of the merge request, each by this and its own name. */
const PREFIX = 'pipeline_';

/** The columns of the pipeline of its newest commit; null where it has none. */
export const HEAD_PIPELINE_COLUMNS: readonly Readonly<Record<string, string>>[] = PIPELINE_COLUMNS.map((column) => ({
  [`${PREFIX}${column}`]: `pipelines.${column}`,
}));

const whereStatus = (pipeline: string, condition: string): string =>
  `(select o.id from pipelines o where o.id = ${pipeline} and o.status ${condition})`;

const OBJECTING = `in ('created', 'waiting_for_resource', 'pending', 'running', 'manual', 'scheduled', 'failed')`;

/**
 * Of its own project the one that was made for it, unless that has succeeded and what is said there of the commit besides has not; what a
 * fork says counts where its own project says nothing.
 */
const HEAD = `pipelines.id = coalesce(
  ${whereStatus(madeIn('project_id'), "<> 'success'")}, ${whereStatus(saidIn('project_id'), OBJECTING)},
  ${madeIn('project_id')}, ${saidIn('project_id')}, ${madeIn('source_project_id')}, ${saidIn('source_project_id')})`;

const headsBy = keptByIds<HeadRow>((query, among) =>
  query('merge_requests')
    .joinRaw(`join pipelines on ${HEAD}`)
    .where(among('merge_requests.id'))
    .select({ head_of: 'merge_requests.id' }, ...PIPELINE_COLUMNS.map((column) => `pipelines.${column}`)),
);

/** Joins the pipeline of the newest commit of each merge request, where it has one. */
export const withHeadPipelines = (list: Knex.QueryBuilder): Knex.QueryBuilder =>
  list.joinRaw(`left join pipelines on ${HEAD}`);

/** @param row one with `HEAD_PIPELINE_COLUMNS`. */
export const headPipelineOf = (row: object, dialect: Dialect): Pipeline | null => {
  const values = row as Readonly<Record<string, unknown>>;
  if (values[`${PREFIX}id`] === null) return null;
  const own = Object.fromEntries(PIPELINE_COLUMNS.map((column) => [column, values[`${PREFIX}${column}`]]));
  return toPipeline(own as unknown as PipelineRow, dialect);
};

/** The pipeline of the newest commit of each merge request that has one. */
export const headPipelines = async (
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pipeline>> => {
  const rows = await headsBy(session, ids);
  return new Map(rows.map((row) => [row.head_of, toPipeline(row, session.dialect)]));
};
