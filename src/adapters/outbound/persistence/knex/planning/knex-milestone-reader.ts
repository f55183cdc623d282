import type { Knex } from 'knex';
import type {
  MilestoneDetails,
  MilestoneQuery,
  MilestoneReader,
} from '../../../../../application/planning/ports/planning-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, inOrderOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';
import { MILESTONE_COLUMNS, toMilestone, type MilestoneRow } from './milestone-row.js';

type MilestoneWithPathRow = MilestoneRow & { readonly project_path: string };

/** Those without one last: databases differ in where they put what is absent. */
export const byDueDate = (milestones: Knex.QueryBuilder): Knex.QueryBuilder =>
  milestones.orderByRaw('due_date is null').orderBy('due_date').orderBy('id');

export class KnexMilestoneReader implements MilestoneReader {
  constructor(private readonly session: Session) {}

  async find(
    projectId: ProjectId,
    which: { readonly id: number } | { readonly iid: number },
  ): Promise<MilestoneDetails | undefined> {
    const column = 'id' in which ? { 'milestones.id': which.id } : { 'milestones.iid': which.iid };
    return (await this.#read(projectId, column))[0];
  }

  async findAll(projectId: ProjectId, ids: readonly number[]): Promise<readonly MilestoneDetails[]> {
    return ids.length === 0 ? [] : inOrderOf(ids, await this.#read(projectId, { 'milestones.id': ids }));
  }

  async list(wanted: MilestoneQuery): Promise<PageInBatches<MilestoneDetails>> {
    const { projectId, page } = wanted;
    const { query } = this.session;
    const list = query('milestones')
      .where({ project_id: projectId })
      .select('id', { bytes: query.raw('octet_length(description)') });
    this.#narrow(list, wanted);
    const { items, ...rest } = await pageOfRows(this.session, byDueDate(list), page, (row: SizedRow) => row);
    const read = async (rows: readonly SizedRow[]) => {
      const ids = rows.map(({ id }) => id);
      return inOrderOf(ids, await this.#read(projectId, { 'milestones.id': ids }));
    };
    return { ...rest, batches: readInBatches(items, bytesOf, read) };
  }

  #narrow(list: Knex.QueryBuilder, { iids, state, title, search, updatedAfter, updatedBefore }: MilestoneQuery): void {
    const { dialect } = this.session;
    if (iids !== undefined) void list.whereIn('iid', [...iids]);
    if (state !== undefined) void list.where({ state });
    if (title !== undefined) void list.where({ title });
    if (search !== undefined) void list.whereRaw("search_key like ? escape '\\'", [containsPattern(search)]);
    if (updatedAfter !== undefined) void list.where('updated_at', '>=', dialect.writeInstant(updatedAfter));
    if (updatedBefore !== undefined) void list.where('updated_at', '<=', dialect.writeInstant(updatedBefore));
  }

  async #read(
    projectId: ProjectId,
    where: Readonly<Record<string, number | readonly number[]>>,
  ): Promise<readonly MilestoneDetails[]> {
    const milestones = this.session
      .query('milestones')
      .join('projects', 'projects.id', 'milestones.project_id')
      .where('milestones.project_id', projectId)
      .select(...MILESTONE_COLUMNS.map((column) => `milestones.${column}`), { project_path: 'projects.full_path' });
    for (const [column, value] of Object.entries(where)) void milestones.whereIn(column, [value].flat());
    const rows = (await milestones) as MilestoneWithPathRow[];
    return rows.map((row) => ({ ...toMilestone(row, this.session.dialect), projectPath: row.project_path }));
  }
}
