import type { Knex } from 'knex';
import type { CiJobDetails, CiJobQuery, CiJobReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { CiJob } from '../../../../../domain/pipelines/ci-job.js';
import type { CiRunner } from '../../../../../domain/pipelines/ci-runner.js';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { together } from '../../../../../application/shared/together.js';
import { readPeople } from '../identity/people.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { visibleProjects, wherePermitted } from '../visibility/visible.js';
import { artifactsOfJobs } from './artifact-rows.js';
import {
  CI_JOB_COLUMNS,
  CI_RUNNER_COLUMNS,
  jobsOfPipeline,
  toCiJob,
  toCiRunner,
  type CiJobRow,
  type CiRunnerRow,
} from './ci-rows.js';
import { PIPELINE_COLUMNS, toPipeline, type PipelineRow } from './pipeline-rows.js';

const PARTS_AT_ONCE = 8;

export class KnexCiJobReader implements CiJobReader {
  constructor(private readonly session: Session) {}

  async find(projectId: ProjectId, id: number): Promise<CiJobDetails | undefined> {
    return (await this.some(projectId, [id]))[0];
  }

  async some(projectId: ProjectId, ids: readonly number[]): Promise<readonly CiJobDetails[]> {
    if (ids.length === 0) return [];
    const rows = (await this.#jobs()
      .where('ci_jobs.project_id', projectId)
      .whereIn('ci_jobs.id', [...ids])) as CiJobRow[];
    return this.#withDetails(rows);
  }

  async sealedVariablesOf(id: number): Promise<string | null> {
    return (await this.session.query('ci_jobs').where({ id }).first('sealed_variables'))?.sealed_variables ?? null;
  }

  async sealedVariablesFor(id: number): Promise<readonly string[]> {
    const row = (await this.session
      .query('ci_jobs')
      .join('pipelines', 'pipelines.id', 'ci_jobs.pipeline_id')
      .where('ci_jobs.id', id)
      .first({ asked: 'pipelines.sealed_variables', played: 'ci_jobs.sealed_variables' })) as
      { readonly asked: string | null; readonly played: string | null } | undefined;
    return [row?.asked, row?.played].filter((sealed) => sealed != null);
  }

  async list(asked: CiJobQuery): Promise<Page<CiJobDetails>> {
    const { projectId, pipelineId, runnerId, readableBy, scope, includeRetried } = asked;
    const list = this.#jobs().orderBy('ci_jobs.id', 'desc');
    void (asked.bridges === true ? list.whereNotNull('ci_jobs.bridge') : list.whereNull('ci_jobs.bridge'));
    if (projectId !== undefined) void list.where('ci_jobs.project_id', projectId);
    if (pipelineId !== undefined) void list.where('ci_jobs.pipeline_id', pipelineId);
    if (runnerId !== undefined) void list.where('ci_jobs.runner_id', runnerId);
    if (readableBy !== undefined) {
      const readable = wherePermitted(visibleProjects(this.session.query, readableBy), readableBy, 'read_pipelines');
      void list.whereIn('ci_jobs.project_id', readable.select('projects.id'));
    }
    if (scope.length > 0) void list.whereIn('commit_statuses.status', [...scope]);
    if (!includeRetried) void list.where('commit_statuses.latest', true);
    const page = await pageOfRows(this.session, list, asked.page, (row: CiJobRow) => row);
    return { ...page, items: await this.#withDetails(page.items) };
  }

  ofPipeline(pipelineId: number): Promise<readonly CiJob[]> {
    return jobsOfPipeline(this.session, pipelineId);
  }

  async findByToken(tokenDigest: string): Promise<CiJob | undefined> {
    const [row] = (await this.#jobs().where({ token_digest: tokenDigest })) as CiJobRow[];
    return row && toCiJob(row, this.session.dialect);
  }

  async logsWrittenBefore(at: Date, limit: number): Promise<readonly number[]> {
    const { query, dialect } = this.session;
    const rows = (await query('ci_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
      .whereNotNull('ci_jobs.log_written_at')
      .where('ci_jobs.log_written_at', '<=', dialect.writeInstant(at))
      .whereNotNull('commit_statuses.finished_at')
      .orderBy([{ column: 'ci_jobs.log_written_at' }, { column: 'ci_jobs.id' }])
      .limit(limit)
      .select('ci_jobs.id')) as { readonly id: number }[];
    return rows.map(({ id }) => id);
  }

  async givenUpBefore(at: Date, limit: number): Promise<readonly CiJob[]> {
    const { dialect } = this.session;
    const rows = (await this.#jobs()
      .whereNotNull('gives_up_at')
      .where('gives_up_at', '<', dialect.writeInstant(at))
      .orderBy('gives_up_at')
      .limit(limit)) as CiJobRow[];
    return rows.map((row) => toCiJob(row, dialect));
  }

  async pipelinesDue(at: Date, after: number, limit: number): Promise<readonly Pick<Pipeline, 'id' | 'projectId'>[]> {
    const { query, dialect } = this.session;
    const rows = await query('ci_jobs')
      .whereNotNull('begins_at')
      .where('begins_at', '<=', dialect.writeInstant(at))
      .where('pipeline_id', '>', after)
      .orderBy('pipeline_id')
      .limit(limit)
      .distinct('pipeline_id', 'project_id');
    return rows.map((row) => ({ id: row.pipeline_id, projectId: row.project_id }));
  }

  async *log(id: number, from = 0): AsyncGenerator<Uint8Array> {
    for (let next = from; ;) {
      const parts = await this.#parts(id, next);
      if (parts.length === 0) return;
      for (const { start, bytes } of parts) {
        if (start + bytes.length > next) yield bytes.subarray(Math.max(0, next - start));
        next = start + bytes.length;
      }
    }
  }

  async #parts(id: number, from: number) {
    const { query } = this.session;
    const first = query('ci_job_log_parts').where({ job_id: id }).where('start', '<=', from).max('start');
    const rows = await query('ci_job_log_parts')
      .where({ job_id: id })
      .where('start', '>=', query.raw('coalesce((?), 0)', [first]))
      .orderBy('start')
      .limit(PARTS_AT_ONCE)
      .select('start', 'content');
    const parts = rows.map(({ start, content }) => ({ start, bytes: Buffer.from(content, 'base64') }));
    return parts.filter(({ start, bytes }) => start + bytes.length > from);
  }

  #jobs(): Knex.QueryBuilder {
    return this.session
      .query('ci_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
      .select([...CI_JOB_COLUMNS]);
  }

  async #withDetails(rows: readonly CiJobRow[]): Promise<readonly CiJobDetails[]> {
    const { dialect } = this.session;
    const [people, runners, pipelines, artifacts] = await together([
      readPeople(
        this.session,
        rows.map(({ author_id: id }) => id),
      ),
      this.#runners(rows),
      this.#pipelines(rows),
      artifactsOfJobs(
        this.session,
        rows.map(({ id }) => id),
      ),
    ]);
    return rows.map((row) => ({
      ...toCiJob(row, dialect),
      user: people.get(row.author_id) ?? null,
      runner: runners.get(row.runner_id) ?? null,
      pipeline: pipelines.get(row.pipeline_id)!,
      artifacts: artifacts.get(row.id) ?? [],
    }));
  }

  async #runners(jobs: readonly CiJobRow[]): Promise<ReadonlyMap<number | null, CiRunner>> {
    const ids = [...new Set(jobs.flatMap(({ runner_id: id }) => id ?? []))];
    if (ids.length === 0) return new Map();
    const rows = (await this.session
      .query('ci_runners')
      .whereIn('id', ids)
      .select(...CI_RUNNER_COLUMNS)) as CiRunnerRow[];
    return new Map(rows.map((row) => [row.id, toCiRunner(row, this.session.dialect)]));
  }

  async #pipelines(jobs: readonly CiJobRow[]) {
    const ids = [...new Set(jobs.map(({ pipeline_id: id }) => id))];
    if (ids.length === 0) return new Map<number, ReturnType<typeof toPipeline>>();
    const rows = (await this.session
      .query('pipelines')
      .whereIn('id', ids)
      .select(...PIPELINE_COLUMNS)) as PipelineRow[];
    return new Map(rows.map((row) => [row.id, toPipeline(row, this.session.dialect)]));
  }
}
