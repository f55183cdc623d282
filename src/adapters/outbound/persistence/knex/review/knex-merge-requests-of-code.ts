import type { Knex } from 'knex';
import type { MergeRequestsOfCode } from '../../../../../application/pipelines/ports/merge-requests-of-code.js';
import { together } from '../../../../../application/shared/together.js';
import { MOST_DESCRIBED, type KnownMergeRequest } from '../../../../../domain/pipelines/known-merge-request.js';
import { mergeRequestRef } from '../../../../../domain/repositories/ref-name.js';
import { isDraft } from '../../../../../domain/review/merge-request.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { labelsOfSubjects } from '../collaboration/labels-of-subjects.js';
import { milestoneTitles } from '../planning/milestone-row.js';
import type { Session } from '../session.js';
import type { MergeRequestRow } from './merge-request-row.js';
import { chosenPeople } from './people-of-merge-requests.js';

const COLUMNS = [
  ...(['id', 'iid', 'state', 'project_id', 'target_branch', 'source_project_id', 'source_branch'] as const),
  ...(['title', 'squash', 'milestone_id'] as const),
] as const;

type Row = Pick<MergeRequestRow, (typeof COLUMNS)[number] | 'description'> & {
  readonly target_path: string;
  readonly source_path: string | null;
};

/** Merge requests, as far as pipelines are concerned. */
export class KnexMergeRequestsOfCode implements MergeRequestsOfCode {
  constructor(private readonly session: Session) {}

  async find(id: number): Promise<KnownMergeRequest | undefined> {
    return (await this.#read(this.#list().where('merge_requests.id', id)))[0];
  }

  openFrom(projectId: ProjectId, branch: string, limit: number): Promise<readonly KnownMergeRequest[]> {
    const open = this.#list()
      .where({ 'merge_requests.source_project_id': projectId, 'merge_requests.source_branch': branch })
      .where('merge_requests.state', 'opened')
      .orderBy('merge_requests.id', 'desc')
      .limit(limit);
    return this.#read(open);
  }

  #list(): Knex.QueryBuilder {
    return this.session
      .query('merge_requests')
      .join('projects as target', 'target.id', 'merge_requests.project_id')
      .leftJoin('projects as source', 'source.id', 'merge_requests.source_project_id')
      .select(...COLUMNS.map((column) => `merge_requests.${column}`))
      .select({ target_path: 'target.full_path', source_path: 'source.full_path' })
      .select({
        // A text may have a megabyte, and this is read for every job.
        description: this.session.query.raw('substr(merge_requests.description, 1, ?)', [MOST_DESCRIBED + 1]),
      });
  }

  async #read(list: Knex.QueryBuilder): Promise<readonly KnownMergeRequest[]> {
    const rows = (await list) as Row[];
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    const [assignees, labels, milestones, versions] = await together([
      chosenPeople(this.session, 'assignees', ids),
      labelsOfSubjects(this.session, ids),
      milestoneTitles(
        this.session,
        rows.map(({ milestone_id: id }) => id),
      ),
      this.#versions(ids),
    ]);
    return rows.map((row) => ({
      ...toKnown(row),
      version: versions.get(row.id) ?? null,
      assignees: (assignees.get(row.id) ?? []).map(({ username }) => username),
      labels: labels.get(row.id) ?? [],
      milestone: milestones.get(row.milestone_id ?? 0) ?? null,
    }));
  }

  async #versions(ids: readonly number[]): Promise<ReadonlyMap<number, KnownMergeRequest['version']>> {
    const { query } = this.session;
    const newest = query('merge_request_versions')
      .whereIn('merge_request_id', [...ids])
      .groupBy('merge_request_id');
    const versions = await query('merge_request_versions')
      .whereIn('id', newest.max('id'))
      .select('merge_request_id', 'base_sha', 'head_sha');
    return new Map(
      versions.map(({ merge_request_id: id, base_sha: base, head_sha: head }) => [id, { base, head }] as const),
    );
  }
}

const toKnown = (row: Row): Omit<KnownMergeRequest, 'version' | 'assignees' | 'labels' | 'milestone'> => ({
  id: row.id,
  iid: row.iid,
  isOpen: row.state === 'opened',
  ref: mergeRequestRef(row.iid),
  target: { id: row.project_id, fullPath: row.target_path, branch: row.target_branch },
  source:
    row.source_project_id === null || row.source_path === null
      ? null
      : { id: row.source_project_id, fullPath: row.source_path, branch: row.source_branch },
  title: row.title,
  description: row.description,
  isDraft: isDraft(row.title),
  squashes: Boolean(row.squash),
});
