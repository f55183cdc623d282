import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { keptByIds } from '../kept-queries.js';
import { PIPELINE_COLUMNS, toPipeline, type PipelineRow } from '../pipelines/pipeline-rows.js';
import type { Session } from '../session.js';

type HeadRow = PipelineRow & { readonly merge_request_id: number };

const newestOf = (column: string): string =>
  `(select max(p.id) from pipelines p where p.project_id = merge_requests.${column} and p.sha = merge_requests.source_sha)`;

/** What its own project says of a commit goes before what the project of the source branch says. */
const HEAD = `pipelines.id = coalesce(${newestOf('project_id')}, ${newestOf('source_project_id')})`;

const headsBy = keptByIds<HeadRow>((query, among) =>
  query('merge_requests')
    .joinRaw(`join pipelines on ${HEAD}`)
    .where(among('merge_requests.id'))
    .select({ merge_request_id: 'merge_requests.id' }, ...PIPELINE_COLUMNS.map((column) => `pipelines.${column}`)),
);

/** The pipeline of the newest commit of each merge request that has one. */
export const headPipelines = async (
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pipeline>> => {
  const rows = await headsBy(session, ids);
  return new Map(rows.map((row) => [row.merge_request_id, toPipeline(row, session.dialect)]));
};
