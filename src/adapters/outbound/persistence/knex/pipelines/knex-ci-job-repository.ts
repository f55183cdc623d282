import type {
  BegunBridge,
  CiJobRepository,
  JobChange,
  LogPiece,
  NewCiJob,
} from '../../../../../application/pipelines/ports/ci-job-ports.js';
import { tagSetOf, type CiJob } from '../../../../../domain/pipelines/ci-job.js';
import { isFinished, type CheckStatus } from '../../../../../domain/pipelines/commit-status.js';
import type { JobsByTags } from '../../../../../domain/pipelines/room-for-jobs.js';
import type { SharingJob } from '../../../../../domain/pipelines/resource-group.js';
import type { WaitingJob } from '../../../../../domain/pipelines/job-processing.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Session } from '../session.js';
import { byTags, jobsGoingOn } from './jobs-by-tags.js';
import { CI_JOB_COLUMNS, jobsOfPipeline, toCiJob, type CiJobRow } from './ci-rows.js';
import { bridgeOf, toBegunBridge, toSharingJob, toWaitingJob, type BegunRow, type SharingRow } from './waiting-rows.js';

const JOBS_AT_ONCE = 100;

const written = (dialect: Dialect, at: Date | null | undefined) => at && dialect.writeInstant(at);

/** Without what isn't told. */
const told = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

export class KnexCiJobRepository implements CiJobRepository {
  constructor(private readonly session: Session) {}

  async addAll(jobs: readonly NewCiJob[]): Promise<readonly number[]> {
    const ids: number[] = [];
    for (let from = 0; from < jobs.length; from += JOBS_AT_ONCE)
      ids.push(...(await this.#addSome(jobs.slice(from, from + JOBS_AT_ONCE))));
    return ids;
  }

  async find(id: number): Promise<CiJob | undefined> {
    const row = (await this.session
      .query('ci_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
      .where('ci_jobs.id', id)
      .first([...CI_JOB_COLUMNS])) as CiJobRow | undefined;
    return row && toCiJob(row, this.session.dialect);
  }

  async sealedVariablesOf(id: number): Promise<string | null> {
    return (await this.session.query('ci_jobs').where({ id }).first('sealed_variables'))?.sealed_variables ?? null;
  }

  async standingsOf(pipelineId: number): Promise<readonly WaitingJob[]> {
    const rows = await this.session
      .query('ci_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
      .where('ci_jobs.pipeline_id', pipelineId)
      .where('commit_statuses.latest', true)
      .orderBy([{ column: 'ci_jobs.stage_index' }, { column: 'ci_jobs.id' }])
      .select('ci_jobs.id', 'ci_jobs.stage_index', 'ci_jobs.run_when', 'ci_jobs.needs')
      .select('ci_jobs.resource_group', 'ci_jobs.start_in_seconds', 'ci_jobs.bridge')
      .select('commit_statuses.name', 'commit_statuses.status', 'commit_statuses.allow_failure');
    return rows.map(toWaitingJob);
  }

  goingOn(projectId: ProjectId): Promise<JobsByTags> {
    return jobsGoingOn(this.session, projectId);
  }

  tagsOf(pipelineId: number): Promise<JobsByTags> {
    return byTags(this.session, (jobs) => jobs.where('ci_jobs.pipeline_id', pipelineId));
  }

  async runsOf(pipelineId: number, name: string): Promise<number> {
    const [row] = await this.session
      .query('commit_statuses')
      .join('ci_jobs', 'ci_jobs.id', 'commit_statuses.id')
      .where('commit_statuses.pipeline_id', pipelineId)
      .where('commit_statuses.name', name)
      .count({ runs: '*' });
    return Number(row?.['runs'] ?? 0);
  }

  async change(id: number, change: JobChange): Promise<void> {
    const { query } = this.session;
    const [ofCheck, ofJob] = [this.#ofCheck(change), this.#ofJob(change)];
    if (Object.keys(ofCheck).length > 0) await query('commit_statuses').where({ id }).update(ofCheck);
    if (Object.keys(ofJob).length > 0) await query('ci_jobs').where({ id }).update(ofJob);
    if (change.queued !== undefined)
      await query('ci_jobs')
        .where({ id })
        .update({ queue_tags: change.queued ? query.ref('tag_set') : null });
  }

  async enqueue(ids: readonly number[], at: Date, givesUpAt: Date): Promise<void> {
    const { query, dialect } = this.session;
    await this.setStatus(ids, 'pending');
    await query('ci_jobs')
      .whereIn('id', [...ids])
      .update({
        queue_tags: query.ref('tag_set'),
        queued_at: dialect.writeInstant(at),
        gives_up_at: dialect.writeInstant(givesUpAt),
        begins_at: null,
      });
  }

  async beginBridges(ids: readonly number[], at: Date, givesUpAt: Date): Promise<readonly BegunBridge[]> {
    const { query, dialect } = this.session;
    await this.setStatus(ids, 'pending');
    const begun = () => query('ci_jobs').whereIn('ci_jobs.id', [...ids]);
    await begun().update({
      queued_at: dialect.writeInstant(at),
      gives_up_at: dialect.writeInstant(givesUpAt),
      begins_at: null,
    });
    const rows = (await begun()
      .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
      .orderBy('ci_jobs.id')
      .select('ci_jobs.id', 'ci_jobs.project_id', 'commit_statuses.author_id')) as BegunRow[];
    return rows.map(toBegunBridge);
  }

  async setStatus(ids: readonly number[], status: CheckStatus): Promise<void> {
    await this.session
      .query('commit_statuses')
      .whereIn('id', [...ids])
      .update({ status });
  }

  async awaitResource(ids: readonly number[], at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await this.setStatus(ids, 'waiting_for_resource');
    await query('ci_jobs')
      .whereIn('id', [...ids])
      .update({ resource_since: dialect.writeInstant(at), begins_at: null });
  }

  async schedule(ids: readonly number[], beginsAt: Date): Promise<void> {
    const { query, dialect } = this.session;
    await this.setStatus(ids, 'scheduled');
    await query('ci_jobs')
      .whereIn('id', [...ids])
      .update({ begins_at: dialect.writeInstant(beginsAt) });
  }

  async dueOf(pipelineId: number, at: Date): Promise<readonly CiJob[]> {
    const { query, dialect } = this.session;
    const rows = (await query('ci_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
      .where('ci_jobs.pipeline_id', pipelineId)
      .where('begins_at', '<=', dialect.writeInstant(at))
      .orderBy('ci_jobs.id')
      .select([...CI_JOB_COLUMNS])) as CiJobRow[];
    return rows.map((row) => toCiJob(row, dialect));
  }

  async sharingOf(projectId: ProjectId, resourceGroups: readonly string[]): Promise<readonly SharingJob[]> {
    const rows = (await this.session
      .query('ci_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
      .where('ci_jobs.project_id', projectId)
      .whereIn('ci_jobs.resource_group', [...resourceGroups])
      .whereNotNull('ci_jobs.resource_since')
      .orderBy(['ci_jobs.resource_since', 'ci_jobs.id'])
      .select('ci_jobs.id', 'ci_jobs.pipeline_id', 'resource_group', 'bridge', 'status')) as SharingRow[];
    return rows.map(toSharingJob);
  }

  async takeUntold(pipelineId: number, limit: number): Promise<readonly Pick<CiJob, 'id' | 'status'>[]> {
    const { query } = this.session;
    const untold = (await query('ci_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
      .where('ci_jobs.pipeline_id', pipelineId)
      // Whoever hears of jobs is told of those of runners.
      .whereNull('ci_jobs.bridge')
      .where((otherwise) => {
        void otherwise.whereNull('told_status').orWhereRaw('told_status <> commit_statuses.status');
      })
      .orderBy('ci_jobs.id')
      .limit(limit)
      .select('ci_jobs.id', 'commit_statuses.status')) as Pick<CiJob, 'id' | 'status'>[];
    for (const [status, jobs] of Map.groupBy(untold, (job) => job.status))
      await query('ci_jobs')
        .whereIn(
          'id',
          jobs.map(({ id }) => id),
        )
        .update({ told_status: status });
    return untold;
  }

  ofPipeline(pipelineId: number, which?: 'every run'): Promise<readonly CiJob[]> {
    return jobsOfPipeline(this.session, pipelineId, which);
  }

  async cancel(ids: readonly number[], at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('commit_statuses')
      .whereIn('id', [...ids])
      .update({ status: 'canceled', finished_at: dialect.writeInstant(at) });
    await query('ci_jobs')
      .whereIn('id', [...ids])
      .update({ queue_tags: null, gives_up_at: null, resource_since: null, begins_at: null });
  }

  async takeLog(id: number): Promise<CiJob | undefined> {
    await this.session.hold(`log of job ${id}`);
    return this.find(id);
  }

  async heardOf(id: number, givesUpAt: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('ci_jobs')
      .where({ id })
      .whereNotNull('gives_up_at')
      .update({ gives_up_at: dialect.writeInstant(givesUpAt) });
  }

  async appendLog(id: number, { start, content, writtenAt, debug }: LogPiece): Promise<void> {
    const { query, dialect } = this.session;
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    await query('ci_job_log_parts').insert({ job_id: id, start, content: bytes.toString('base64') });
    await query('ci_jobs')
      .where({ id })
      .update({
        log_bytes: start + bytes.length,
        log_written_at: dialect.writeInstant(writtenAt),
        ...(debug === true && { debug }),
      });
  }

  async removeLog(id: number): Promise<void> {
    const { query } = this.session;
    await query('ci_job_log_parts').where({ job_id: id }).delete();
    await query('ci_jobs').where({ id }).update({ log_bytes: 0, log_written_at: null });
  }

  async removeLogsOf(pipelineIds: readonly number[], limit: number): Promise<readonly number[]> {
    const found = await this.session
      .query('ci_jobs')
      .whereIn('pipeline_id', [...pipelineIds])
      .where('log_bytes', '>', 0)
      .limit(limit)
      .select('id');
    // In one order, whoever takes several.
    const ids = found.map(({ id }) => id).sort((one, other) => one - other);
    for (const id of ids) {
      await this.takeLog(id);
      await this.removeLog(id);
    }
    return ids;
  }

  async #addSome(jobs: readonly NewCiJob[]): Promise<readonly number[]> {
    const { query, dialect } = this.session;
    const checks = await query('commit_statuses')
      .insert(
        jobs.map(({ pipelineId, definition, userId, createdAt }) => ({
          pipeline_id: pipelineId,
          name: definition.name,
          stage: definition.stage,
          status: 'created' as const,
          allow_failure: definition.allowFailure,
          author_id: userId,
          created_at: dialect.writeInstant(createdAt),
          latest: true,
        })),
      )
      .returning(['id', 'name']);
    const idOf = new Map(checks.map(({ id, name }) => [name, id]));
    await query('ci_jobs').insert(
      jobs.map(({ projectId, pipelineId, definition, protectedRef, sealedVariables = null }) => ({
        id: idOf.get(definition.name)!,
        project_id: projectId,
        pipeline_id: pipelineId,
        stage_index: definition.stageIndex,
        run_when: definition.when,
        definition: JSON.stringify(definition),
        protected_ref: protectedRef,
        needs: definition.needs && JSON.stringify(definition.needs.map(({ name }) => name)),
        tag_set: tagSetOf(definition.tags),
        resource_group: definition.resourceGroup ?? null,
        start_in_seconds: definition.startInSeconds ?? null,
        sealed_variables: sealedVariables,
        bridge: bridgeOf(definition),
        debug: false,
        log_bytes: 0,
      })),
    );
    return jobs.map(({ definition }) => idOf.get(definition.name)!);
  }

  #ofCheck({ status, allowFailure, startedAt, finishedAt, coverage, latest, userId }: JobChange) {
    const { dialect } = this.session;
    return told({
      status,
      allow_failure: allowFailure,
      started_at: written(dialect, startedAt),
      finished_at: written(dialect, finishedAt),
      coverage,
      latest,
      author_id: userId,
    });
  }

  #ofJob(change: JobChange) {
    const { timeoutSeconds, queuedAt, runnerId, failureReason, exitCode, erasedAt, tokenDigest, givesUpAt } = change;
    const { dialect } = this.session;
    return told({
      protected_ref: change.protectedRef,
      timeout_seconds: timeoutSeconds,
      queued_at: written(dialect, queuedAt),
      runner_id: runnerId,
      failure_reason: failureReason,
      exit_code: exitCode,
      erased_at: written(dialect, erasedAt),
      log_removed_at: written(dialect, change.logRemovedAt),
      token_digest: tokenDigest,
      gives_up_at: written(dialect, givesUpAt),
      sealed_variables: change.sealedVariables,
      debug: change.debug,
      // What has ended needs nothing, and waits for nothing.
      ...(change.status !== undefined && isFinished(change.status) && { resource_since: null, begins_at: null }),
    });
  }
}
