import {
  OpenTwin,
  type ChangedPeople,
  type Merged,
  type MergeRequestChanges,
  type MergeRequestRepository,
  type NewMergeRequest,
  type NewVersion,
  type PeopleKind,
  type Standing,
} from '../../../../../application/review/ports/merge-request-ports.js';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { isDraft, type MergeRequest } from '../../../../../domain/review/merge-request.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import { addSubject, removeSubject } from '../collaboration/subject-rows.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { nextNumber } from '../shared/project-counter.js';
import { searchKey } from '../text-search.js';
import { choosablePeople } from '../visibility/choosable-people.js';
import { awaitsPipeline } from './awaited-pipelines.js';
import { headPipelines } from './head-pipelines.js';
import { MERGE_REQUEST_COLUMNS, toMergeRequest, type MergeRequestRow } from './merge-request-row.js';
import { countApprovals } from './people-of-merge-requests.js';
import { outdateAround } from './outdate-around.js';
import { setPeople } from './set-people.js';
import { takeUnmoved } from './take-unmoved.js';

interface IdRow {
  readonly id: number;
}

const twin = () => new OpenTwin();
/** One of the databases tells the name of the index, the other its columns. */
const REFUSALS = {
  merge_requests_open_unique: twin,
  merge_requests_project_id_target_branch_source_project_id_source_branch_unique: twin,
};
const UNCHECKED = { status: 'unchecked', checked_source: null, checked_target: null } as const;

export class KnexMergeRequestRepository implements MergeRequestRepository {
  constructor(private readonly session: Session) {}

  async add(mergeRequest: NewMergeRequest): Promise<MergeRequest> {
    const { query, dialect } = this.session;
    const { projectId, title, description } = mergeRequest;
    const at = dialect.writeInstant(mergeRequest.createdAt);
    const insert = query('merge_requests')
      .insert({
        ...UNCHECKED,
        ...textColumns(title, description),
        id: await addSubject(this.session, 'merge_request', projectId),
        project_id: projectId,
        iid: await nextNumber(this.session, projectId, 'merge_request'),
        target_branch: mergeRequest.targetBranch,
        source_project_id: mergeRequest.sourceProjectId,
        source_branch: mergeRequest.sourceBranch,
        state: 'opened',
        author_id: mergeRequest.authorId,
        milestone_id: mergeRequest.milestoneId,
        source_sha: mergeRequest.sourceSha,
        ahead: 0,
        behind: 0,
        branches_there: true,
        conflicts: '[]',
        squash: mergeRequest.squash,
        remove_source_branch: mergeRequest.removeSourceBranch,
        allow_collaboration: mergeRequest.allowCollaboration,
        created_at: at,
        updated_at: at,
      })
      .returning([...MERGE_REQUEST_COLUMNS]);
    const [row] = (await onUniqueViolation(insert, REFUSALS)) as MergeRequestRow[];
    return toMergeRequest(row!, dialect);
  }

  async take(id: number): Promise<MergeRequest | undefined> {
    const { query, dialect } = this.session;
    const [row] = (await dialect.lockRows(
      query('merge_requests')
        .where({ id })
        .select(...MERGE_REQUEST_COLUMNS),
    )) as MergeRequestRow[];
    return row && toMergeRequest(row, dialect);
  }

  async update(id: number, changes: MergeRequestChanges, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const before = (await query('merge_requests').where({ id }).first('title', 'description', 'target_branch')) as Pick<
      MergeRequestRow,
      'title' | 'description' | 'target_branch'
    >;
    const { title = before.title, description = before.description, targetBranch = before.target_branch } = changes;
    const { milestoneId, squash, removeSourceBranch, allowCollaboration, discussionLocked } = changes;
    const update = query('merge_requests')
      .where({ id })
      .update({
        ...textColumns(title, description),
        ...(targetBranch === before.target_branch ? {} : { ...UNCHECKED, target_branch: targetBranch }),
        ...(milestoneId === undefined ? {} : { milestone_id: milestoneId }),
        ...(squash === undefined ? {} : { squash }),
        ...(removeSourceBranch === undefined ? {} : { remove_source_branch: removeSourceBranch }),
        ...(allowCollaboration === undefined ? {} : { allow_collaboration: allowCollaboration }),
        ...(discussionLocked === undefined ? {} : { discussion_locked: discussionLocked }),
        updated_at: dialect.writeInstant(at),
      });
    await onUniqueViolation(update, REFUSALS);
  }

  async changeState(id: number, state: 'opened' | 'closed', by: UserId, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const instant = dialect.writeInstant(at);
    const closed = state === 'closed';
    const update = query('merge_requests')
      .where({ id, state: closed ? 'opened' : 'closed' })
      .update({
        ...UNCHECKED,
        state,
        closed_at: closed ? instant : null,
        closed_by_id: closed ? by : null,
        updated_at: instant,
      });
    return (await onUniqueViolation(update, REFUSALS)) > 0;
  }

  async merge(id: number, merged: Merged, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const instant = dialect.writeInstant(at);
    const changed = await query('merge_requests').where({ id, state: 'opened' }).update({
      state: 'merged',
      merged_at: instant,
      merged_by_id: merged.by,
      merge_commit_sha: merged.mergeCommitSha,
      squash_commit_sha: merged.squashCommitSha,
      source_branch_removed: merged.sourceBranchRemoved,
      merge_error: null,
      updated_at: instant,
    });
    return changed > 0;
  }

  async saveStanding(id: number, standing: Standing): Promise<void> {
    await this.session
      .query('merge_requests')
      .where({ id })
      .update({
        source_sha: standing.sourceSha,
        status: standing.status,
        checked_source: standing.sourceSha,
        checked_target: standing.checkedTarget,
        ahead: standing.ahead,
        behind: standing.behind,
        branches_there: standing.branchesThere,
        conflicts: JSON.stringify(standing.conflicts),
      });
  }

  takeUnmoved(ids: readonly number[], projectId: ProjectId, branch: string): Promise<readonly MergeRequest[]> {
    return takeUnmoved(this.session, ids, { projectId, branch });
  }

  async fallBehind(ids: readonly number[], { target, by }: { readonly target: ObjectId; readonly by: number }) {
    await this.session
      .query('merge_requests')
      .whereIn('id', [...ids])
      .update({ status: 'can_be_merged', checked_target: target })
      .increment('behind', by);
  }

  async saveError(id: number, error: string | null): Promise<void> {
    await this.session.query('merge_requests').where({ id }).update({ merge_error: error });
  }

  awaitsPipeline(id: number): Promise<boolean> {
    return awaitsPipeline(this.session, id);
  }

  async pipelineOf(id: number): Promise<Pipeline | null> {
    return (await headPipelines(this.session, [id])).get(id) ?? null;
  }

  async lastHead(id: number): Promise<ObjectId | undefined> {
    const row = await this.session
      .query('merge_request_versions')
      .where({ merge_request_id: id })
      .orderBy('id', 'desc')
      .first('head_sha');
    return row?.head_sha;
  }

  async addVersion(id: number, version: NewVersion, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const newest = await query('merge_request_versions').where({ merge_request_id: id }).orderBy('id', 'desc').first();
    if (newest?.head_sha === version.head && newest.base_sha === version.base) return;
    await query('merge_request_versions').insert({
      merge_request_id: id,
      base_sha: version.base,
      start_sha: version.start,
      head_sha: version.head,
      file_count: version.fileCount,
      overflow: version.overflow,
      created_at: dialect.writeInstant(at),
    });
  }

  async remove(id: number): Promise<void> {
    await removeSubject(this.session, id);
  }

  async peopleOf(id: number, kind: PeopleKind): Promise<readonly UserId[]> {
    const people = this.session.query(`merge_request_${kind}` as const).where({ merge_request_id: id });
    return people.orderBy('user_id').pluck('user_id');
  }

  setPeople(id: number, kind: PeopleKind, userIds: readonly UserId[]): Promise<ChangedPeople> {
    return setPeople(this.session, id, kind, userIds);
  }

  choosable(projectId: ProjectId, userIds: readonly UserId[], today: string): Promise<readonly UserId[]> {
    return choosablePeople(this.session, projectId, userIds, { today, permission: 'read_merge_requests' });
  }

  async setIssues(id: number, issues: readonly { readonly id: number; readonly closes: boolean }[]): Promise<void> {
    const { query } = this.session;
    await query('merge_request_issues').where({ merge_request_id: id }).delete();
    const rows = issues.map((issue) => ({ merge_request_id: id, issue_id: issue.id, closes: issue.closes }));
    if (rows.length > 0) await query('merge_request_issues').insert(rows);
  }

  async closing(id: number): Promise<readonly number[]> {
    const rows = (await this.session
      .query('merge_request_issues')
      .where({ merge_request_id: id, closes: true })
      .orderBy('issue_id')
      .select('issue_id')) as { issue_id: number }[];
    return rows.map(({ issue_id }) => issue_id);
  }

  async approve(id: number, userId: UserId, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const added = (await query('merge_request_approvals')
      .insert({ merge_request_id: id, user_id: userId, created_at: dialect.writeInstant(at) })
      .onConflict(['merge_request_id', 'user_id'])
      .ignore()
      .returning('user_id')) as unknown[];
    return added.length > 0;
  }

  async unapprove(id: number, userId: UserId): Promise<boolean> {
    const rows = this.session.query('merge_request_approvals').where({ merge_request_id: id, user_id: userId });
    return (await rows.delete()) > 0;
  }

  async resetApprovals(id: number): Promise<void> {
    await this.session.query('merge_request_approvals').where({ merge_request_id: id }).delete();
  }

  async countApprovals(id: number, today: string): Promise<number> {
    return (await countApprovals(this.session, [id], today)).get(id) ?? 0;
  }

  async hasOpenDiscussions(id: number): Promise<boolean> {
    const open = this.session.query('discussions').where({ subject_id: id }).whereNull('resolved_at');
    return (await open.first('id')) !== undefined;
  }

  async hasOpenAround(projectId: ProjectId, branch: string): Promise<boolean> {
    const rows = await this.session.run(
      `select 1 as found from merge_requests where source_project_id = ? and source_branch = ? and state = 'opened'
       union all
       select 1 as found from merge_requests where project_id = ? and target_branch = ? and state = 'opened' limit 1`,
      [projectId, branch, projectId, branch],
    );
    return rows.length > 0;
  }

  async comingFrom(projectId: ProjectId, branch: string): Promise<readonly MergeRequest[]> {
    const { query, dialect } = this.session;
    // In the order of their ids, so that no two works that take several wait for one another.
    const list = query('merge_requests')
      .where({ source_project_id: projectId, source_branch: branch, state: 'opened' })
      .orderBy('id')
      .select(...MERGE_REQUEST_COLUMNS);
    const rows = (await dialect.lockRows(list)) as MergeRequestRow[];
    return rows.map((row) => toMergeRequest(row, dialect));
  }

  async closeFrom(projectId: ProjectId, limit: number): Promise<number> {
    const { query, dialect } = this.session;
    const open = query('merge_requests').where({ source_project_id: projectId, state: 'opened' });
    // Held: one that is being merged meanwhile stays merged.
    const some = open.whereNot('project_id', projectId).orderBy('id').limit(limit).select('id');
    const ids = ((await dialect.lockRows(some)) as IdRow[]).map(({ id }) => id);
    return query('merge_requests').whereIn('id', ids).update({ state: 'closed' });
  }

  async moveSource(id: number, sourceSha: ObjectId, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('merge_requests')
      .where({ id })
      .update({ ...UNCHECKED, source_sha: sourceSha, merge_error: null, updated_at: dialect.writeInstant(at) });
  }

  outdate(projectId: ProjectId, branch: string): Promise<boolean> {
    return outdateAround(this.session, projectId, branch);
  }

  async resetsApprovals(projectId: ProjectId): Promise<boolean> {
    const row = await this.session.query('projects').where({ id: projectId }).first('reset_approvals_on_push');
    return Boolean(row?.reset_approvals_on_push);
  }
}

const textColumns = (title: string, description: string) => ({
  title,
  description,
  search_key: searchKey(title, description),
  draft: isDraft(title),
});
