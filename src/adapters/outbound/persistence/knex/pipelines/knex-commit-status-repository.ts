import type {
  CommitStatusRepository,
  LastSaid,
  NewCommitStatus,
} from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { CommitStatus, StatusDetails } from '../../../../../domain/pipelines/commit-status.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { COMMIT_STATUS_COLUMNS, toCommitStatus, type CommitStatusRow } from './pipeline-rows.js';

type Going = Pick<CommitStatus, 'status' | 'startedAt' | 'finishedAt'> & Partial<StatusDetails>;

type LastSaidRow = Pick<
  RowOf<'commit_statuses'>,
  'id' | 'name' | 'stage' | 'status' | 'allow_failure' | 'author_id' | 'started_at'
> & { readonly job_id: number | null };

export class KnexCommitStatusRepository implements CommitStatusRepository {
  constructor(private readonly session: Session) {}

  async lastSaid(pipelineId: number): Promise<readonly LastSaid[]> {
    const { query, dialect } = this.session;
    const rows = (await query('commit_statuses')
      .leftJoin('ci_jobs', 'ci_jobs.id', 'commit_statuses.id')
      .where('commit_statuses.pipeline_id', pipelineId)
      .where('commit_statuses.latest', true)
      .orderBy('commit_statuses.id')
      .select('commit_statuses.id', 'name', 'stage', 'status', 'allow_failure', 'author_id', 'started_at')
      .select({ job_id: 'ci_jobs.id' })) as LastSaidRow[];
    return rows.map((row) => ({
      ...{ id: row.id, name: row.name, stage: row.stage, status: row.status, authorId: row.author_id },
      ofJob: row.job_id !== null,
      allowFailure: Boolean(row.allow_failure),
      startedAt: readInstantOrNull(dialect, row.started_at),
    }));
  }

  async add(status: NewCommitStatus): Promise<CommitStatus> {
    const { query, dialect } = this.session;
    const [row] = (await query('commit_statuses')
      .insert({
        pipeline_id: status.pipelineId,
        name: status.name,
        stage: status.stage,
        allow_failure: status.allowFailure,
        author_id: status.authorId,
        created_at: dialect.writeInstant(status.createdAt),
        latest: true,
        ...this.#columns(status),
      })
      .returning([...COMMIT_STATUS_COLUMNS])) as CommitStatusRow[];
    return toCommitStatus(row!, dialect);
  }

  async goOn(id: number, to: Going): Promise<CommitStatus> {
    const { query, dialect } = this.session;
    const [row] = (await query('commit_statuses')
      .where({ id })
      .update(this.#columns(to))
      .returning([...COMMIT_STATUS_COLUMNS])) as CommitStatusRow[];
    return toCommitStatus(row!, dialect);
  }

  async outdate(
    { id, name, stage }: Pick<LastSaid, 'id' | 'name' | 'stage'>,
    pipelineId: number,
    kept: number,
  ): Promise<void> {
    const { query } = this.session;
    await query('commit_statuses').where({ id }).update({ latest: false });
    const jobs = query('ci_jobs').where({ pipeline_id: pipelineId }).select('id');
    const old = query('commit_statuses')
      .where({ pipeline_id: pipelineId, name, stage, latest: false })
      .whereNotIn('id', jobs);
    const oldest = await old.clone().orderBy('id', 'desc').offset(kept).first('id');
    if (oldest !== undefined) await old.where('id', '<=', oldest.id).delete();
  }

  #columns({ status, startedAt, finishedAt, targetUrl, description, coverage }: Going) {
    const { dialect } = this.session;
    return {
      status,
      started_at: startedAt && dialect.writeInstant(startedAt),
      finished_at: finishedAt && dialect.writeInstant(finishedAt),
      ...(targetUrl === undefined ? {} : { target_url: targetUrl }),
      ...(description === undefined ? {} : { description }),
      ...(coverage === undefined ? {} : { coverage }),
    };
  }
}
