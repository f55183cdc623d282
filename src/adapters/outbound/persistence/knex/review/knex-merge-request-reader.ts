import type { Knex } from 'knex';
import type {
  Approval,
  MergeRequestCounts,
  MergeRequestDetails,
  MergeRequestFilters,
  MergeRequestHead,
  MergeRequestQuery,
  InvitingMergeRequest,
  MergeRequestReader,
  NamedIssue,
  Person,
  SeenBefore,
  Version,
} from '../../../../../application/review/ports/merge-request-ports.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import { together } from '../../../../../application/shared/together.js';
import type { BranchPair, MergeRequest } from '../../../../../domain/review/merge-request.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { votesOfSubjects } from '../collaboration/knex-award-reader.js';
import { timeOfSubjects } from '../collaboration/knex-time.js';
import { labelsOfSubjects } from '../collaboration/labels-of-subjects.js';
import { noteCounts } from '../collaboration/note-counts.js';
import { peopleInDiscussion } from '../collaboration/people-in-discussion.js';
import { PERSON_COLUMNS, readPeople, toPerson } from '../identity/people.js';
import { keptByIds } from '../kept-queries.js';
import { milestonesById } from '../planning/milestone-row.js';
import { bytesOf, inOrderOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import { askedRemovals } from './asked-removals.js';
import { awaitsPipeline } from './awaited-pipelines.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { keptForViewers } from '../visibility/kept-for-viewers.js';
import { whereWord } from '../written-out.js';
import { issuesNamedBy } from './issues-named-by.js';
import { visibleMergeRequests } from './visible-merge-requests.js';
import { openAround } from './around-branch.js';
import { MERGE_REQUEST_COLUMNS, toMergeRequest, type MergeRequestRow } from './merge-request-row.js';
import { approvalCounts } from './approvals-that-count.js';
import { chosenPeople, countApprovals } from './people-of-merge-requests.js';
import { countMergeRequests, listMergeRequestHeads, pageOfMergeRequests } from './merge-request-heads.js';
import { HEAD_PIPELINE_COLUMNS, headPipelineOf, withHeadPipelines } from './head-pipelines.js';
import { seenBefore } from './seen-before.js';

type DetailedRow = MergeRequestRow &
  Pick<
    RowOf<'projects'>,
    | 'merge_method'
    | 'squash_option'
    | 'approvals_before_merge'
    | 'merge_when_pipeline_succeeds'
    | 'discussions_must_be_resolved'
    | 'builds_access_level'
  > & {
    readonly project_path: string;
    readonly merges_by_id: number | null;
  };

const PLAIN = MERGE_REQUEST_COLUMNS.map((column) => `merge_requests.${column}`);
const DETAILED = [
  ...PLAIN,
  { project_path: 'projects.full_path' },
  'projects.merge_method',
  'projects.squash_option',
  'projects.approvals_before_merge',
  'projects.merge_when_pipeline_succeeds',
  'projects.discussions_must_be_resolved',
  'projects.builds_access_level',
  { merges_by_id: 'automatic_merges.user_id' },
  ...HEAD_PIPELINE_COLUMNS,
];
const MOST_COLLABORATIVE = 500;

const runsCi = (row: Pick<DetailedRow, 'builds_access_level'>): boolean => row.builds_access_level !== 'disabled';

const rulesOf = (row: DetailedRow): MergeRequestDetails['rules'] => ({
  method: row.merge_method,
  squash: row.squash_option,
  approvalsRequired: row.approvals_before_merge,
  // Where no pipeline ever begins, none is waited for.
  pipelineMustSucceed: Boolean(row.merge_when_pipeline_succeeds) && runsCi(row),
  discussionsMustBeResolved: Boolean(row.discussions_must_be_resolved),
});

const toVersion = (row: RowOf<'merge_request_versions'>, { dialect }: Session): Version => ({
  id: row.id,
  base: row.base_sha,
  start: row.start_sha,
  head: row.head_sha,
  fileCount: row.file_count,
  overflow: Boolean(row.overflow),
  createdAt: dialect.readInstant(row.created_at),
});

/** With the pipeline of the newest commit, and the merge that waits for that commit where it is open. */
const withWhatFollows = (list: Knex.QueryBuilder): Knex.QueryBuilder =>
  withHeadPipelines(list).leftJoin(
    'automatic_merges',
    (on) =>
      void on
        .on('automatic_merges.merge_request_id', 'merge_requests.id')
        .andOn('automatic_merges.sha', 'merge_requests.source_sha')
        .andOnVal('merge_requests.state', 'opened'),
  );

const visibleBy = keptForViewers<DetailedRow>((query, viewer, among) =>
  withWhatFollows(visibleMergeRequests(query, viewer)).where(among('merge_requests.id')).select(DETAILED),
);

const unresolvedBy = keptByIds<{ readonly subject_id: number }>((query, among) =>
  query('discussions').where(among('subject_id')).whereNull('resolved_at').distinct('subject_id'),
);

export class KnexMergeRequestReader implements MergeRequestReader {
  /** @param today the UTC day, for memberships that end. */
  constructor(
    private readonly session: Session,
    private readonly today: () => string,
  ) {}

  find(projectId: ProjectId, iid: number): Promise<MergeRequestDetails | undefined> {
    return this.#findOne({ 'merge_requests.project_id': projectId, 'merge_requests.iid': iid });
  }

  findById(id: number): Promise<MergeRequestDetails | undefined> {
    return this.#findOne({ 'merge_requests.id': id });
  }

  async findMany(ids: readonly number[]): Promise<readonly MergeRequestDetails[]> {
    const rows = (await withWhatFollows(this.#kept({}))
      .whereIn('merge_requests.id', [...ids])
      .select(DETAILED)) as DetailedRow[];
    return rows.length === 0 ? [] : this.#withDetails(rows);
  }

  async findOpenTwin({ projectId, targetBranch, sourceProjectId, sourceBranch }: BranchPair) {
    const row = await whereWord(this.session.query('merge_requests'), 'state', 'opened')
      .where({ project_id: projectId, target_branch: targetBranch })
      .where({ source_project_id: sourceProjectId, source_branch: sourceBranch })
      .first('iid');
    return row?.iid;
  }

  async list(query: MergeRequestQuery): Promise<PageInBatches<MergeRequestDetails>> {
    const bytes = this.session.query.raw('octet_length(merge_requests.description)');
    const { viewer } = query;
    const columns = ['merge_requests.id', { bytes }];
    const { items, ...rest } = await pageOfMergeRequests<SizedRow>(this.session, query, columns);
    // Each batch shows what the viewer may see when it is read: until then much may happen.
    const read = async (rows: readonly SizedRow[]): Promise<readonly MergeRequestDetails[]> => {
      const ids = rows.map(({ id }) => id);
      return this.#withDetails(inOrderOf(ids, await visibleBy(this.session, viewer, ids)));
    };
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  listHeads(query: MergeRequestQuery): Promise<Page<MergeRequestHead>> {
    return listMergeRequestHeads(this.session, query);
  }

  countByState(filters: MergeRequestFilters, most: number): Promise<MergeRequestCounts | undefined> {
    return countMergeRequests(this.session, filters, most);
  }

  async versions(id: number): Promise<readonly Version[]> {
    const rows = await this.#versionsOf(id);
    return rows.map((row) => toVersion(row, this.session));
  }

  async newestVersion(id: number): Promise<Version | undefined> {
    const row = await this.#versionsOf(id).first();
    return row && toVersion(row, this.session);
  }

  #versionsOf(id: number) {
    return this.session.query('merge_request_versions').where({ merge_request_id: id }).orderBy('id', 'desc');
  }

  async approvals(id: number): Promise<readonly Approval[]> {
    const { query, dialect } = this.session;
    const counts = approvalCounts(this.today());
    const rows = (await query('merge_request_approvals')
      .join('merge_requests', 'merge_requests.id', 'merge_request_approvals.merge_request_id')
      .join('users', 'users.id', 'merge_request_approvals.user_id')
      .where('merge_requests.id', id)
      .orderBy('merge_request_approvals.created_at')
      .orderBy('users.id')
      .select(
        ...PERSON_COLUMNS,
        { approved_at: 'merge_request_approvals.created_at' },
        query.raw(`case when ${counts.text} then 1 else 0 end as counts`, counts.bindings as Knex.RawBinding[]),
      )) as (Person & { readonly approved_at: unknown; readonly counts: number })[];
    return rows.map((row) => ({
      person: toPerson(row),
      at: dialect.readInstant(row.approved_at),
      counts: row.counts === 1,
    }));
  }

  inDiscussion(id: number): Promise<readonly Person[]> {
    return peopleInDiscussion(this.session, id);
  }

  closedIssues(id: number): Promise<readonly NamedIssue[]> {
    return issuesNamedBy(this.session, { merge_request_id: id, closes: true });
  }

  namedIssues(id: number): Promise<readonly NamedIssue[]> {
    return issuesNamedBy(this.session, { merge_request_id: id });
  }

  async collaborative(sourceProjectId: ProjectId): Promise<readonly InvitingMergeRequest[]> {
    const { query } = this.session;
    const rows = await query('merge_requests')
      .where({ source_project_id: sourceProjectId, state: 'opened', allow_collaboration: true })
      .whereIn('project_id', query('project_forks').where({ project_id: sourceProjectId }).select('source_id'))
      .orderBy('id')
      .limit(MOST_COLLABORATIVE)
      .select('project_id', 'target_branch', 'source_branch', 'author_id');
    return rows.map((row) => ({
      ...{ projectId: row.project_id, targetBranch: row.target_branch },
      ...{ sourceProjectId, sourceBranch: row.source_branch, authorId: row.author_id },
    }));
  }

  async toLookAt(projectId: ProjectId, branch: string, after: number, limit: number): Promise<readonly number[]> {
    const rows = await Promise.all(
      openAround(this.session.query, projectId, branch).map((open) =>
        open
          .where('id', '>', after)
          .where((left) => void left.where({ status: 'unchecked' }).orWhere({ ahead: 0 }))
          .orderBy('id')
          .limit(limit)
          .select<{ id: number }[]>('id'),
      ),
    );
    const ids = new Set(rows.flat().map(({ id }) => id));
    return [...ids].sort((one, other) => one - other).slice(0, limit);
  }

  seenBefore(projectId: ProjectId, branch: string, ids: readonly number[]): Promise<readonly SeenBefore[]> {
    return seenBefore(this.session, projectId, branch, ids);
  }

  awaitsPipeline(id: number): Promise<boolean> {
    return awaitsPipeline(this.session, id);
  }

  async findPlain(id: number): Promise<MergeRequest | undefined> {
    const row = (await this.#kept({ 'merge_requests.id': id }).first(PLAIN)) as MergeRequestRow | undefined;
    return row && toMergeRequest(row, this.session.dialect);
  }

  /** Not of a project that is being removed. */
  #kept(where: Readonly<Record<string, number>>) {
    const all = this.session.query('merge_requests').join('projects', 'projects.id', 'merge_requests.project_id');
    return all.where(where).whereNull('projects.removal_requested_at');
  }

  async #findOne(where: Readonly<Record<string, number>>): Promise<MergeRequestDetails | undefined> {
    const row = (await withWhatFollows(this.#kept(where)).first(DETAILED)) as DetailedRow | undefined;
    return row && (await this.#withDetails([row]))[0];
  }

  /** What stands in other tables, for all rows of a page at once. */
  async #withDetails(rows: readonly DetailedRow[]): Promise<readonly MergeRequestDetails[]> {
    const ids = rows.map(({ id }) => id);
    // None needs what another one finds, and each would wait for a round trip.
    const [people, assignees, reviewers, labels, approvals, notes, votes, unresolved, times, milestones, removals] =
      await together([
        readPeople(
          this.session,
          rows.flatMap((row) => [row.author_id, row.merged_by_id, row.closed_by_id, row.merges_by_id]),
        ),
        chosenPeople(this.session, 'assignees', ids),
        chosenPeople(this.session, 'reviewers', ids),
        labelsOfSubjects(this.session, ids),
        countApprovals(this.session, ids, this.today()),
        noteCounts(this.session, ids),
        votesOfSubjects(this.session, ids),
        this.#unresolved(ids),
        timeOfSubjects(this.session, ids),
        milestonesById(
          this.session,
          rows.map(({ milestone_id }) => milestone_id),
        ),
        askedRemovals(
          this.session,
          rows.flatMap(({ id, merges_by_id }) => (merges_by_id === null ? [] : [id])),
        ),
      ]);
    const person = (id: number | null): Person | null => people.get(id) ?? null;
    return rows.map((row) => ({
      ...toMergeRequest(row, this.session.dialect),
      projectPath: row.project_path,
      author: person(row.author_id),
      mergedBy: person(row.merged_by_id),
      closedBy: person(row.closed_by_id),
      assignees: assignees.get(row.id) ?? [],
      reviewers: reviewers.get(row.id) ?? [],
      labels: labels.get(row.id) ?? [],
      milestone: milestones.get(row.milestone_id ?? 0) ?? null,
      userNotesCount: notes.get(row.id) ?? 0,
      upvotes: votes(row.id).up,
      downvotes: votes(row.id).down,
      time: times(row.id),
      unresolvedDiscussions: unresolved.has(row.id),
      approvals: approvals.get(row.id) ?? 0,
      rules: rulesOf(row),
      runsCi: runsCi(row),
      pipeline: headPipelineOf(row, this.session.dialect),
      mergesBy: person(row.merges_by_id),
      mergesWithRemoval: removals.get(row.id) ?? null,
    }));
  }

  async #unresolved(ids: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await unresolvedBy(this.session, ids);
    return new Set(rows.map((row) => row.subject_id));
  }
}
