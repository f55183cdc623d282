import type { Knex } from 'knex';
import type {
  CommitStatusDetails,
  CommitStatusQuery,
  PipelineDetails,
  PipelineQuery,
  PipelineReader,
  PipelinesOfCommitsQuery,
} from '../../../../../application/pipelines/ports/pipeline-ports.js';
import { CHILD, LISTED_SOURCES, type Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { mapPage, type Page, type PageRequest } from '../../../../../domain/shared/page.js';
import { together } from '../../../../../application/shared/together.js';
import { readPeople } from '../identity/people.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { narrowPipelines } from './narrow-pipelines.js';
import {
  COMMIT_STATUS_COLUMNS,
  PIPELINE_COLUMNS,
  toCommitStatus,
  toPipeline,
  type CommitStatusRow,
  type PipelineRow,
} from './pipeline-rows.js';

type StatusRow = CommitStatusRow & Pick<PipelineRow, 'ref' | 'sha'> & { readonly job_id: number | null };

const STATUS = [
  ...COMMIT_STATUS_COLUMNS.map((column) => `commit_statuses.${column}`),
  ...['pipelines.ref', 'pipelines.sha', 'ci_jobs.id as job_id'],
];
/** Of a commit that schedules run over and over, what older pipelines of theirs came to is told by these alone. */
const MOST_SCHEDULED = 100;
const IS_WARNING = "case when allow_failure and status in ('failed', 'canceled') then 1 else 0 end";
const PIPELINE = PIPELINE_COLUMNS.map((column) => `pipelines.${column}`);

export class KnexPipelineReader implements PipelineReader {
  constructor(private readonly session: Session) {}

  async find(projectId: ProjectId, id: number): Promise<PipelineDetails | undefined> {
    const { query } = this.session.pinned;
    const row = (await query('pipelines').where({ id, project_id: projectId }).first(PIPELINE)) as
      PipelineRow | undefined;
    if (row === undefined) return undefined;
    const pipeline = toPipeline(row, this.session.dialect);
    const [people, ofChecks, mergeRequestIid] = await together([
      readPeople(this.session, [pipeline.userId]),
      this.#ofChecks(id),
      this.#mergeRequestOf(pipeline),
    ]);
    return { ...pipeline, user: people.get(pipeline.userId) ?? null, ...ofChecks, mergeRequestIid };
  }

  async sealedVariablesOf(id: number): Promise<string | null> {
    return (await this.session.query('pipelines').where({ id }).first('sealed_variables'))?.sealed_variables ?? null;
  }

  list(asked: PipelineQuery): Promise<Page<Pipeline>> {
    const { query } = this.session;
    const list = query('pipelines').where('pipelines.project_id', asked.projectId).select(PIPELINE);
    narrowPipelines(this.session, list, asked);
    void list.orderBy(`pipelines.${asked.orderBy}`, asked.sort);
    if (asked.orderBy !== 'id') void list.orderBy('pipelines.id', asked.sort);
    return this.#page(list, asked.page);
  }

  async newestOf(projectId: ProjectId, shas: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, Pipeline>> {
    if (shas.length === 0) return new Map();
    const { query, dialect } = this.session;
    // One step into the index for each, however many pipelines schedules made of it.
    const asked = query.raw(`(values ${shas.map(() => '(?)').join(', ')}) asked`, [...shas]);
    const newestOfOne =
      '(select max(p.id) from pipelines p where p.project_id = ? and p.sha = asked.column1 and p.source <> ?)';
    const newest = query.select(query.raw(newestOfOne, [projectId, CHILD])).from(asked);
    const rows = (await query('pipelines').whereIn('id', newest).select(PIPELINE)) as PipelineRow[];
    return new Map(rows.map((row) => [row.sha, toPipeline(row, dialect)]));
  }

  listOf({ projectIds, shas, mergeRequestId, page }: PipelinesOfCommitsQuery): Promise<Page<Pipeline>> {
    const { query } = this.session;
    // Apart from the order of the list, for whose sake all pipelines of the project would be gone through.
    const ofCommits = query('pipelines')
      .whereIn('project_id', [...projectIds])
      .whereIn('sha', [...shas])
      .whereIn('source', [...LISTED_SOURCES])
      .where((concerns) => void concerns.whereNull('source_branch').orWhere('merge_request_id', mergeRequestId))
      .select('id');
    const list = query('pipelines').whereIn('pipelines.id', ofCommits).orderBy('pipelines.id', 'desc').select(PIPELINE);
    return this.#page(list, page);
  }

  async statuses(asked: CommitStatusQuery): Promise<Page<CommitStatusDetails>> {
    const { projectId, sha, ref, name, stage, pipelineId, all, orderBy, sort } = asked;
    const list = this.#statuses()
      .whereIn('pipelines.id', this.#shownOf(projectId, sha))
      .orderBy(`commit_statuses.${orderBy}`, sort);
    if (orderBy !== 'id') void list.orderBy('commit_statuses.id', sort);
    if (ref !== undefined) void list.where('pipelines.ref', ref);
    if (name !== undefined) void list.where('commit_statuses.name', name);
    if (stage !== undefined) void list.where('commit_statuses.stage', stage);
    if (pipelineId !== undefined) void list.where('pipelines.id', pipelineId);
    if (!all) void list.where('commit_statuses.latest', true);
    if (asked.withoutJobs === true)
      void list.whereNotIn(
        'commit_statuses.id',
        this.session.query('ci_jobs').where({ project_id: projectId }).select('id'),
      );
    const page = await pageOfRows(this.session, list, asked.page, (row: StatusRow) => row);
    const items = await this.#withAuthors(page.items);
    return { ...page, items };
  }

  async findStatus(id: number): Promise<CommitStatusDetails | undefined> {
    const rows = (await this.#statuses().where('commit_statuses.id', id)) as StatusRow[];
    return (await this.#withAuthors(rows))[0];
  }

  async checksOf(pipelineId: number): Promise<readonly CommitStatusDetails[]> {
    const rows = (await this.#statuses()
      .where({ 'commit_statuses.pipeline_id': pipelineId, 'commit_statuses.latest': true })
      .orderBy('commit_statuses.name')) as StatusRow[];
    return this.#withAuthors(rows);
  }

  /** However often schedules run a commit, no more pipelines are gone through. */
  #shownOf(projectId: ProjectId, sha: ObjectId): Knex.QueryBuilder {
    const { query } = this.session;
    const ofCommit = () => query('pipelines').where({ project_id: projectId, sha }).select('id');
    const scheduled = ofCommit().where({ source: 'schedule' }).orderBy('id', 'desc').limit(MOST_SCHEDULED);
    const counted = ofCommit().whereIn('source', [...LISTED_SOURCES]);
    return counted.unionAll(query.select('id').from(scheduled.as('scheduled')));
  }

  #statuses(): Knex.QueryBuilder {
    return this.session
      .query('commit_statuses')
      .join('pipelines', 'pipelines.id', 'commit_statuses.pipeline_id')
      .leftJoin('ci_jobs', 'ci_jobs.id', 'commit_statuses.id')
      .select(STATUS);
  }

  async #withAuthors(rows: readonly StatusRow[]): Promise<readonly CommitStatusDetails[]> {
    const people = await readPeople(
      this.session,
      rows.map(({ author_id }) => author_id),
    );
    return rows.map((row) => ({
      ...toCommitStatus(row, this.session.dialect),
      author: people.get(row.author_id) ?? null,
      ofJob: row.job_id !== null,
      ...{ ref: row.ref, sha: row.sha },
    }));
  }

  async #page(list: Knex.QueryBuilder, page: PageRequest): Promise<Page<Pipeline>> {
    const rows = await pageOfRows(this.session, list, page, (row: PipelineRow) => row);
    return mapPage(rows, (row) => toPipeline(row, this.session.dialect));
  }

  async #mergeRequestOf({ mergeRequestId: id, projectId }: Pipeline): Promise<number | null> {
    if (id === null) return null;
    const row = await this.session.query('merge_requests').where({ id, project_id: projectId }).first('iid');
    return row?.iid ?? null;
  }

  async #ofChecks(pipelineId: number): Promise<Pick<PipelineDetails, 'coverage' | 'warned'>> {
    const { query } = this.session;
    const [row] = await query('commit_statuses')
      .where({ pipeline_id: pipelineId, latest: true })
      .select(query.raw(`max(${IS_WARNING}) as warned`))
      .avg<{ mean: number | string | null; warned: number | null }[]>({ mean: 'coverage' });
    return { coverage: row?.mean == null ? null : Math.round(Number(row.mean)), warned: row?.warned === 1 };
  }
}
