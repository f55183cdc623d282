import type { Knex } from 'knex';
import type {
  FoundNote,
  PlanningSearch,
  SearchQuery,
} from '../../../../../application/planning/ports/planning-search.js';
import type { MilestoneDetails } from '../../../../../application/planning/ports/planning-readers.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { NoteRow } from '../collaboration/knex-note-repository.js';
import { withAuthors } from '../collaboration/notes-with-authors.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, inOrderOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';
import { asciiPattern, containsPattern } from '../text-search.js';
import { idsInside } from '../visibility/lineage.js';
import { visibleProjects } from '../visibility/visible.js';
import { MILESTONE_COLUMNS, toMilestone, type MilestoneRow } from './milestone-row.js';
import { visibleIssues } from './visible-issues.js';

type ShownMilestoneRow = MilestoneRow & { readonly project_path: string };
type FoundNoteRow = NoteRow & { readonly iid: number };

/** Of a comment: what lies beyond is not found. */
const SEARCHED_CHARACTERS = 10_000;
/** Of a project: older comments are not found. */
const SEARCHED_NOTES = 20_000;
/** Most are short, and need not be cut. */
const SEARCHED_TEXT = `case when octet_length(notes.body) > ${SEARCHED_CHARACTERS} then substr(notes.body, 1, ${SEARCHED_CHARACTERS}) else notes.body end`;

export class KnexPlanningSearch implements PlanningSearch {
  constructor(private readonly session: Session) {}

  async milestones({ search, page, ...place }: SearchQuery): Promise<PageInBatches<MilestoneDetails>> {
    const visible = () => this.#visibleMilestones(place);
    const list = visible()
      .whereRaw("milestones.search_key like ? escape '\\'", [containsPattern(search)])
      .orderBy('milestones.id', 'desc')
      .select('milestones.id', { bytes: this.session.query.raw('octet_length(milestones.description)') });
    const { items, ...rest } = await pageOfRows(this.session, list, page, (row: SizedRow) => row);
    const read = async (rows: readonly SizedRow[]) => {
      const ids = rows.map(({ id }) => id);
      const found = (await visible()
        .whereIn('milestones.id', ids)
        .select(...MILESTONE_COLUMNS.map((column) => `milestones.${column}`), {
          project_path: 'projects.full_path',
        })) as ShownMilestoneRow[];
      const milestones = found.map((row) => ({
        ...toMilestone(row, this.session.dialect),
        projectPath: row.project_path,
      }));
      return inOrderOf(ids, milestones);
    };
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  #visibleMilestones({ viewer, projectId, within }: Omit<SearchQuery, 'search' | 'page'>): Knex.QueryBuilder {
    const { query } = this.session;
    const list = visibleProjects(query, viewer, (milestones) =>
      milestones.from('milestones').join('projects', 'projects.id', 'milestones.project_id'),
    );
    if (projectId !== undefined) void list.where('milestones.project_id', projectId);
    if (within !== undefined) void list.whereIn('projects.namespace_id', idsInside(query, within));
    return list;
  }

  async notes({ search, page, viewer, projectId }: SearchQuery & { readonly projectId: ProjectId }) {
    const { query, dialect } = this.session;
    const visible = () =>
      visibleIssues(query, viewer, (notes) =>
        notes
          .from('issues')
          .join('notes', 'notes.subject_id', 'issues.id')
          .join('projects', 'projects.id', 'issues.project_id'),
      ).where('issues.project_id', projectId);
    const list = visible()
      .where('notes.system', false)
      .where('notes.id', '>', await this.#idBeforeSearched(projectId))
      .whereRaw(dialect.isLikeAscii(SEARCHED_TEXT), [asciiPattern(search)])
      .orderBy('notes.id', 'desc')
      .select('notes.id', { bytes: query.raw('octet_length(notes.body)') });
    const { items, ...rest } = await pageOfRows(this.session, list, page, (row: SizedRow) => row);
    const read = async (rows: readonly SizedRow[]): Promise<readonly FoundNote[]> => {
      const ids = rows.map(({ id }) => id);
      const found = (await visible().whereIn('notes.id', ids).select('notes.*', 'issues.iid')) as FoundNoteRow[];
      const iids = new Map(found.map(({ id, iid }) => [id, iid]));
      const notes = await withAuthors(this.session, inOrderOf(ids, found));
      return notes.map((note) => ({ ...note, issueIid: iids.get(note.id)! }));
    };
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  async #idBeforeSearched(projectId: ProjectId): Promise<number> {
    const before = (await this.session
      .query('notes')
      .join('issues', 'issues.id', 'notes.subject_id')
      .where('issues.project_id', projectId)
      .orderBy('notes.id', 'desc')
      .offset(SEARCHED_NOTES)
      .first('notes.id')) as { readonly id: number } | undefined;
    return before?.id ?? 0;
  }
}
