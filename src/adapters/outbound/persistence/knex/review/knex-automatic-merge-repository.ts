import type {
  AutomaticMerge,
  AutomaticMergeRepository,
  MergeOptions,
} from '../../../../../application/review/ports/merge-request-ports.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { switchedOn } from '../visibility/visible.js';
import { fromOrTo } from './from-or-to.js';
import { withHeadPipelines } from './head-pipelines.js';

type Row = RowOf<'automatic_merges'>;

const COLUMNS = ['merge_request_id', 'user_id', 'sha', 'options', 'created_at'] as const;

export class KnexAutomaticMergeRepository implements AutomaticMergeRepository {
  constructor(private readonly session: Session) {}

  async find(mergeRequestId: number): Promise<AutomaticMerge | undefined> {
    const row = await this.session
      .query('automatic_merges')
      .where({ merge_request_id: mergeRequestId })
      .first(...COLUMNS);
    return row && this.#toMerge(row);
  }

  async set({ mergeRequestId, userId, sha, options, createdAt }: AutomaticMerge): Promise<void> {
    const { query, dialect } = this.session;
    await query('automatic_merges')
      .insert({
        merge_request_id: mergeRequestId,
        user_id: userId,
        sha,
        options: JSON.stringify(options),
        created_at: dialect.writeInstant(createdAt),
      })
      .onConflict('merge_request_id')
      .merge();
  }

  async remove(mergeRequestId: number): Promise<boolean> {
    const { query } = this.session;
    return (await query('automatic_merges').where({ merge_request_id: mergeRequestId }).delete()) > 0;
  }

  async withoutCi(limit: number): Promise<readonly AutomaticMerge[]> {
    const { query } = this.session;
    const waiting = query('automatic_merges').join(
      'merge_requests',
      'merge_requests.id',
      'automatic_merges.merge_request_id',
    );
    const off = query('projects')
      .whereRaw('projects.id in (merge_requests.project_id, pipelines.project_id)')
      .whereNot(switchedOn('builds'));
    const rows = (await withHeadPipelines(waiting)
      .where((unchecked) => void unchecked.whereNull('pipelines.id').orWhereNot('pipelines.status', 'success'))
      .whereExists(off)
      .orderBy('automatic_merges.merge_request_id')
      .limit(limit)
      .select(COLUMNS.map((column) => `automatic_merges.${column}`))) as Row[];
    return rows.map((row) => this.#toMerge(row));
  }

  async waitingFor(projectId: ProjectId, sha: ObjectId): Promise<readonly AutomaticMerge[]> {
    const waiting = this.session
      .query('automatic_merges')
      .join('merge_requests', 'merge_requests.id', 'automatic_merges.merge_request_id')
      .where('automatic_merges.sha', sha)
      .where('merge_requests.source_sha', sha)
      .where('merge_requests.state', 'opened');
    const rows = (await fromOrTo(waiting, projectId)
      .orderBy('automatic_merges.merge_request_id')
      .select(COLUMNS.map((column) => `automatic_merges.${column}`))) as Row[];
    return rows.map((row) => this.#toMerge(row));
  }

  #toMerge(row: Row): AutomaticMerge {
    return {
      mergeRequestId: row.merge_request_id,
      userId: row.user_id,
      sha: row.sha,
      options: JSON.parse(row.options) as MergeOptions,
      createdAt: this.session.dialect.readInstant(row.created_at),
    };
  }
}
