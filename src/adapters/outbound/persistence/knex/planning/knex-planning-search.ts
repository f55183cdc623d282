import type { Knex } from 'knex';
import type {
  FoundNote,
  PlanningSearch,
  SearchQuery,
} from '../../../../../application/planning/ports/planning-search.js';
import type { MilestoneDetails } from '../../../../../application/planning/ports/planning-readers.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { together } from '../../../../../application/shared/together.js';
import type { MergeRequestState } from '../../../../../domain/review/merge-request.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { NoteRow } from '../collaboration/knex-note-repository.js';
import { withAuthors } from '../collaboration/notes-with-authors.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, inOrderOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import { visibleMergeRequestsOf } from '../review/visible-merge-requests.js';
import type { Session } from '../session.js';
import { asciiPattern, containsPattern } from '../text-search.js';
import { idsInside } from '../visibility/lineage.js';
import { visibleGroups, visibleProjects, wherePermitted } from '../visibility/visible.js';
import { milestoneDetails } from './milestone-details.js';
import { GROUP_MILESTONE_IDS } from './milestone-ids.js';
import { visibleIssues } from './visible-issues.js';

type NoteOfIssueRow = NoteRow & { readonly iid: number };
type NoteOfMergeRequestRow = NoteOfIssueRow & { readonly state: MergeRequestState; readonly branches_there: unknown };

const issueOf = ({ subject_id: id, iid }: NoteOfIssueRow): FoundNote['subject'] => ({
  id,
  kind: 'issue',
  iid,
  resolvable: false,
});

const mergeRequestOf = ({ subject_id: id, iid, state, ...row }: NoteOfMergeRequestRow): FoundNote['subject'] => ({
  id,
  kind: 'merge_request',
  iid,
  resolvable: true,
  takesSuggestions: state === 'opened' && Boolean(row.branches_there),
});

/** Of a comment: what lies beyond is not found. */
const SEARCHED_CHARACTERS = 10_000;
/** Of a project: older comments are not found. */
const SEARCHED_NOTES = 20_000;
/** Most are short, and need not be cut. */
const SEARCHED_TEXT = `case when octet_length(notes.body) > ${SEARCHED_CHARACTERS} then substr(notes.body, 1, ${SEARCHED_CHARACTERS}) else notes.body end`;

const columnsSearched = (query: Knex, table: 'milestones' | 'group_milestones') => [
  `${table}.search_key`,
  `${table}.created_at`,
  { bytes: query.raw(`octet_length(${table}.description)`) },
];

export class KnexPlanningSearch implements PlanningSearch {
  constructor(private readonly session: Session) {}

  async milestones({ search, page, ...place }: SearchQuery): Promise<PageInBatches<MilestoneDetails>> {
    const { session } = this;
    const found = session.query
      .from(this.#milestones(place).as('there'))
      .whereRaw("search_key like ? escape '\\'", [containsPattern(search)])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .select('id', 'bytes');
    const { items, ...rest } = await pageOfRows(session, found, page, (row: SizedRow) => row);
    const read = (rows: readonly SizedRow[]) =>
      milestoneDetails(
        session,
        rows.map(({ id }) => id),
      );
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  /** Those of projects, and of groups where what is found is of no single project. */
  #milestones(place: Omit<SearchQuery, 'search' | 'page'>): Knex.QueryBuilder {
    const { query } = this.session;
    const { viewer, projectId, within } = place;
    const seen = visibleProjects(query, viewer, (milestones) =>
      milestones.from('milestones').join('projects', 'projects.id', 'milestones.project_id'),
    );
    const ofProjects = wherePermitted(seen, viewer, 'read_milestones').whereNull('milestones.group_milestone_id');
    if (projectId !== undefined) void ofProjects.where('milestones.project_id', projectId);
    if (within !== undefined) void ofProjects.whereIn('projects.namespace_id', idsInside(query, within));
    void ofProjects.select('milestones.id', ...columnsSearched(query, 'milestones'));
    if (projectId !== undefined) return ofProjects;
    const groups = visibleGroups(query, viewer).select('namespaces.id');
    const ofGroups = query('group_milestones')
      .whereIn(
        'group_milestones.group_id',
        within === undefined ? groups : groups.whereIn('namespaces.id', idsInside(query, within)),
      )
      .select(
        { id: query.raw(`group_milestones.id + ${GROUP_MILESTONE_IDS}`) },
        ...columnsSearched(query, 'group_milestones'),
      );
    return ofProjects.unionAll([ofGroups]);
  }

  async notes({ search, page, viewer, projectId }: SearchQuery & { readonly projectId: ProjectId }) {
    const { query, dialect } = this.session;
    const before = await this.#idBeforeSearched(projectId);
    const [ofIssues, ofMergeRequests] = this.#visibleNotes(viewer, projectId).map((notes) =>
      notes
        .where('notes.system', false)
        .where('notes.id', '>', before)
        .whereRaw(dialect.isLikeAscii(SEARCHED_TEXT), [asciiPattern(search)])
        .select('notes.id', { bytes: query.raw('octet_length(notes.body)') }),
    ) as [Knex.QueryBuilder, Knex.QueryBuilder];
    const list = query.from(ofIssues.unionAll(ofMergeRequests).as('found')).orderBy('id', 'desc').select('id', 'bytes');
    const { items, ...rest } = await pageOfRows(this.session, list, page, (row: SizedRow) => row);
    const read = (rows: readonly SizedRow[]): Promise<readonly FoundNote[]> =>
      this.#readNotes(
        viewer,
        projectId,
        rows.map(({ id }) => id),
      );
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  async #readNotes(viewer: Viewer, projectId: ProjectId, ids: readonly number[]): Promise<readonly FoundNote[]> {
    const [ofIssues, ofMergeRequests] = this.#visibleNotes(viewer, projectId).map((notes) =>
      notes.whereIn('notes.id', [...ids]),
    ) as [Knex.QueryBuilder, Knex.QueryBuilder];
    const [issueNotes, mergeRequestNotes] = await together([
      ofIssues.select('notes.*', 'issues.iid') as Promise<readonly NoteOfIssueRow[]>,
      ofMergeRequests.select(
        'notes.*',
        'merge_requests.iid',
        'merge_requests.state',
        'merge_requests.branches_there',
      ) as Promise<readonly NoteOfMergeRequestRow[]>,
    ]);
    const subjects = new Map<number, FoundNote['subject']>([
      ...issueNotes.map((row) => [row.id, issueOf(row)] as const),
      ...mergeRequestNotes.map((row) => [row.id, mergeRequestOf(row)] as const),
    ]);
    const notes = await withAuthors(this.session, inOrderOf(ids, [...issueNotes, ...mergeRequestNotes]));
    return notes.map((note) => ({ ...note, subject: subjects.get(note.id)! }));
  }

  /** One query a kind of what they are about. */
  #visibleNotes(viewer: Viewer, projectId: ProjectId): readonly Knex.QueryBuilder[] {
    const { query } = this.session;
    const ofIssues = visibleIssues(query, viewer, (notes) =>
      notes
        .from('issues')
        .join('notes', 'notes.subject_id', 'issues.id')
        .join('projects', 'projects.id', 'issues.project_id'),
    ).where('issues.project_id', projectId);
    const ofMergeRequests = visibleMergeRequestsOf(query, viewer, projectId);
    return [ofIssues, ofMergeRequests.join('notes', 'notes.subject_id', 'merge_requests.id')];
  }

  async #idBeforeSearched(projectId: ProjectId): Promise<number> {
    const before = (await this.session
      .query('notes')
      .join('subjects', 'subjects.id', 'notes.subject_id')
      .where('subjects.project_id', projectId)
      .orderBy('notes.id', 'desc')
      .offset(SEARCHED_NOTES)
      .first('notes.id')) as { readonly id: number } | undefined;
    return before?.id ?? 0;
  }
}
