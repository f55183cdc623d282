import type {
  MilestoneDetails,
  MilestoneQuery,
  MilestoneReader,
} from '../../../../../application/planning/ports/planning-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';
import { toMilestone, type MilestoneRow } from './milestone-row.js';

type MilestoneWithPathRow = MilestoneRow & { readonly project_path: string };

export class KnexMilestoneReader implements MilestoneReader {
  constructor(private readonly session: Session) {}

  async find(
    projectId: ProjectId,
    which: { readonly id: number } | { readonly iid: number },
  ): Promise<MilestoneDetails | undefined> {
    const column = 'id' in which ? { 'milestones.id': which.id } : { 'milestones.iid': which.iid };
    const [row] = (await this.#milestones(projectId).where(column)) as MilestoneWithPathRow[];
    return row && this.#toDetails(row);
  }

  list({ projectId, iids, state, title, search, page }: MilestoneQuery): Promise<Page<MilestoneDetails>> {
    const list = this.#milestones(projectId);
    if (iids !== undefined) void list.whereIn('milestones.iid', [...iids]);
    if (state !== undefined) void list.where('milestones.state', state);
    if (title !== undefined) void list.where('milestones.title', title);
    if (search !== undefined) void list.whereRaw("milestones.search_key like ? escape '\\'", [containsPattern(search)]);
    // Databases differ in where they put what is absent.
    void list.orderByRaw('milestones.due_date is null').orderBy('milestones.due_date').orderBy('milestones.id');
    return pageOfRows(this.session, list, page, (row: MilestoneWithPathRow) => this.#toDetails(row));
  }

  #milestones(projectId: ProjectId) {
    return this.session
      .query('milestones')
      .join('projects', 'projects.id', 'milestones.project_id')
      .where('milestones.project_id', projectId)
      .select('milestones.*', { project_path: 'projects.full_path' });
  }

  #toDetails(row: MilestoneWithPathRow): MilestoneDetails {
    return { ...toMilestone(row, this.session.dialect), projectPath: row.project_path };
  }
}
