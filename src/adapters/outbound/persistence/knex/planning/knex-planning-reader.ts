import type { Knex } from 'knex';
import type { Person } from '../../../../../application/collaboration/ports/note-ports.js';
import type {
  IssueDetails,
  IssueFilters,
  IssueHead,
  IssueQuery,
  LabelQuery,
  ListedLabel,
  PlanningReader,
} from '../../../../../application/planning/ports/planning-readers.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { IssueState } from '../../../../../domain/planning/issue.js';
import type { Label, UsableLabel } from '../../../../../domain/planning/label.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import { COUNT_LIMIT, type Page, type PageRequest } from '../../../../../domain/shared/page.js';
import { together } from '../../../../../application/shared/together.js';
import { votesOfSubjects } from '../collaboration/knex-award-reader.js';
import { timeOfSubjects } from '../collaboration/knex-time.js';
import { labelsOfSubjects } from '../collaboration/labels-of-subjects.js';
import { orderSubjects } from '../collaboration/order-subjects.js';
import { peopleInDiscussion } from '../collaboration/people-in-discussion.js';
import { readPeople } from '../identity/people.js';
import { noteCounts } from '../collaboration/note-counts.js';
import { closingCounts } from '../review/closing-counts.js';
import { countEach, countUpTo } from '../count-up-to.js';
import { keptByIds } from '../kept-queries.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, inOrderOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';
import { keptForViewers } from '../visibility/kept-for-viewers.js';
import { assigneesOfIssues } from './assignees-of-issues.js';
import { headsOf, ISSUE_HEAD, type IssueHeadRow } from './issue-heads.js';
import { ISSUE_COLUMNS, toIssue, type IssueRow } from './issue-row.js';
import { toLabel } from './knex-label-repository.js';
import { milestonesById } from './milestone-row.js';
import { narrowIssues } from './narrow-issues.js';
import {
  narrowLabels,
  toListedLabel,
  toUsableLabel,
  usableLabels,
  whereNamed,
  type ListedLabelRow,
} from './usable-labels.js';
import { visibleIssues } from './visible-issues.js';

type IssueWithPathRow = IssueRow & { readonly project_path: string };
/** With whether any merge request closes it: few issues have one, and only of those it is asked how many. */
type DetailedRow = IssueWithPathRow & { readonly is_closed_by_some: unknown };

const PROJECT_PATH = { project_path: 'projects.full_path' };
const ISSUE = [...ISSUE_COLUMNS.map((column) => `issues.${column}`), PROJECT_PATH];
const IS_CLOSED_BY_SOME = 'exists (select 1 from merge_request_issues where issue_id = issues.id and closes)';
const detailed = (query: Knex) => [...ISSUE, { is_closed_by_some: query.raw(IS_CLOSED_BY_SOME) }];

const visibleBy = keptForViewers<DetailedRow>((query, viewer, among) =>
  visibleIssues(query, viewer).where(among('issues.id')).select(detailed(query)),
);

const milestoneBytesBy = keptByIds<SizedRow>((query, among) =>
  query('milestones')
    .where(among('id'))
    .select('id', { bytes: query.raw('octet_length(description)') }),
);

export class KnexPlanningReader implements PlanningReader {
  constructor(private readonly session: Session) {}

  async findIssue(projectId: ProjectId, iid: number, viewer: Viewer): Promise<IssueDetails | undefined> {
    const found = this.#issues().where({ 'issues.project_id': projectId, 'issues.iid': iid });
    const row = (await found.first(detailed(this.session.query))) as DetailedRow | undefined;
    return row && (await this.#withDetails([row], viewer))[0];
  }

  async findIssues(ids: readonly number[], viewer: Viewer): Promise<readonly IssueDetails[]> {
    const rows = (await this.#issues()
      .whereIn('issues.id', [...ids])
      .select(detailed(this.session.query))) as DetailedRow[];
    return rows.length === 0 ? [] : this.#withDetails(rows, viewer);
  }

  async movedFrom(issueId: number): Promise<number | undefined> {
    const row = await this.session.query('issues').where({ moved_to_id: issueId }).orderBy('id').first('id');
    return row?.id;
  }

  #issues(): Knex.QueryBuilder {
    return this.session.query('issues').join('projects', 'projects.id', 'issues.project_id');
  }

  async listIssues(query: IssueQuery): Promise<PageInBatches<IssueDetails>> {
    const bytes = this.session.query.raw('octet_length(issues.description)');
    const { items, ...rest } = await this.#page(query, ['issues.id', { bytes }], (row: SizedRow) => row);
    return { ...rest, batches: this.#issuesInBatches(query.viewer, items) };
  }

  async listIssueHeads(query: IssueQuery): Promise<Page<IssueHead>> {
    const { items, ...rest } = await this.#page(query, ISSUE_HEAD, (row: IssueHeadRow) => row);
    return { ...rest, items: await headsOf(this.session, items) };
  }

  async countIssues(filters: IssueFilters): Promise<Readonly<Record<IssueState, number>>> {
    const count = async (state: IssueState): Promise<number> => {
      const list = visibleIssues(this.session.query, filters.viewer);
      await narrowIssues(this.session, list, { ...filters, state });
      return countUpTo(this.session, list, COUNT_LIMIT);
    };
    const [opened, closed] = await together([count('opened'), count('closed')]);
    return { opened, closed };
  }

  async countByState(filters: IssueFilters, most: number) {
    const list = visibleIssues(this.session.query, filters.viewer);
    await narrowIssues(this.session, list, filters);
    const counts = await countEach(this.session, list, { column: 'issues.state', most });
    return counts && { opened: counts.get('opened') ?? 0, closed: counts.get('closed') ?? 0 };
  }

  inDiscussion(issueId: number): Promise<readonly Person[]> {
    return peopleInDiscussion(this.session, issueId);
  }

  async #page<Row, Item>(
    query: IssueQuery,
    columns: readonly (string | Readonly<Record<string, string | Knex.Raw>>)[],
    toItem: (row: Row) => Item,
  ): Promise<Page<Item>> {
    const list = visibleIssues(this.session.query, query.viewer).select(...columns);
    await narrowIssues(this.session, list, query);
    await orderSubjects(this.session, list, 'issues', query);
    return pageOfRows(this.session, list, query.page, toItem);
  }

  /** Each batch shows what the viewer may see when it is read: until then much may happen. */
  async *#issuesInBatches(viewer: Viewer, found: readonly SizedRow[]): AsyncGenerator<readonly IssueDetails[]> {
    const read = async (rows: readonly SizedRow[]): Promise<readonly DetailedRow[]> => {
      const ids = rows.map(({ id }) => id);
      return inOrderOf(ids, await visibleBy(this.session, viewer, ids));
    };
    for await (const rows of readInBatches(found, bytesOf, read)) {
      const milestones = await this.#milestoneBytes(rows);
      yield* readInBatches(
        rows,
        ({ milestone_id }) => milestones.get(milestone_id ?? 0) ?? 0,
        (some) => this.#withDetails(some, viewer),
      );
    }
  }

  listLabels(
    projectId: ProjectId,
    page: PageRequest,
    { search, ...asked }: LabelQuery = {},
  ): Promise<Page<ListedLabel>> {
    const list = usableLabels(this.session, projectId, asked).orderBy('name').select('*');
    narrowLabels(list, this.session, search);
    return pageOfRows(this.session, list, page, toListedLabel);
  }

  async labelsOn(subjectIds: readonly number[]): Promise<readonly (Label & { readonly projectId: ProjectId })[]> {
    const { query } = this.session;
    const held = query('subject_labels')
      .whereIn('subject_id', [...subjectIds])
      .select('label_id');
    const rows = await query('labels').whereIn('id', held);
    return rows.map((row) => ({ ...toLabel(row), projectId: row.project_id }));
  }

  async findLabel(projectId: ProjectId, idOrName: string): Promise<UsableLabel | undefined> {
    const list = whereNamed(usableLabels(this.session, projectId), idOrName);
    const row = (await list.first()) as ListedLabelRow | undefined;
    return row && toUsableLabel(row);
  }

  /** What stands in other tables, for all rows of a page at once. */
  async #withDetails(rows: readonly DetailedRow[], viewer: Viewer): Promise<IssueDetails[]> {
    const ids = rows.map(({ id }) => id);
    const { session } = this;
    // None needs what another one finds, and each would wait for a round trip.
    const [people, assignees, labels, notes, milestones, votes, times, closing] = await together([
      readPeople(
        session,
        rows.flatMap((row) => [row.author_id, row.closed_by_id]),
      ),
      assigneesOfIssues(session, ids),
      labelsOfSubjects(session, ids),
      noteCounts(session, ids),
      milestonesById(
        session,
        rows.map(({ milestone_id }) => milestone_id),
      ),
      votesOfSubjects(session, ids),
      timeOfSubjects(session, ids),
      closingCounts(
        session,
        viewer,
        rows.filter((row) => Boolean(row.is_closed_by_some)).map(({ id }) => id),
      ),
    ]);
    return rows.map((row) => ({
      ...toIssue(row, session.dialect),
      projectPath: row.project_path,
      author: people.get(row.author_id) ?? null,
      closedBy: people.get(row.closed_by_id) ?? null,
      assignees: assignees(row.id),
      labels: labels.get(row.id) ?? [],
      milestone: milestones.get(row.milestone_id ?? 0) ?? null,
      userNotesCount: notes.get(row.id) ?? 0,
      mergeRequestsCount: closing.get(row.id) ?? 0,
      upvotes: votes(row.id).up,
      downvotes: votes(row.id).down,
      time: times(row.id),
    }));
  }

  async #milestoneBytes(issues: readonly Pick<IssueRow, 'milestone_id'>[]): Promise<ReadonlyMap<number, number>> {
    const wanted = [...new Set(issues.flatMap(({ milestone_id }) => milestone_id ?? []))];
    const rows = await milestoneBytesBy(this.session, wanted);
    return new Map(rows.map((row) => [row.id, bytesOf(row)]));
  }
}
