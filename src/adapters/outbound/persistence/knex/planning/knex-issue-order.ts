import type { IssueOrderRepository, PlacedIssue } from '../../../../../application/planning/ports/issue-order.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { typedColumns } from '../insert-rows.js';
import type { Session } from '../session.js';
import { ISSUE_PLACE } from './issue-place.js';

const PLACED = typedColumns('issues', ['id', 'relative_position']);
type Row = { readonly id: number; readonly place: number | string };

const toPlaced = ({ id, place }: Row): PlacedIssue => ({ id, place: Number(place) });

const SIDES = {
  before: { beyond: '<', direction: 'desc' },
  after: { beyond: '>', direction: 'asc' },
} as const;

export class KnexIssueOrder implements IssueOrderRepository {
  constructor(private readonly session: Session) {}

  async hold(projectId: ProjectId): Promise<void> {
    await this.session.hold(`order of the issues of ${projectId}`);
  }

  async placesOf(projectId: ProjectId, ids: readonly number[]): Promise<readonly PlacedIssue[]> {
    const { query } = this.session;
    const rows = (await query('issues')
      .where({ project_id: projectId })
      .whereIn('id', [...ids])
      .select('id', { place: query.raw(ISSUE_PLACE) })) as unknown as readonly Row[];
    return rows.map(toPlaced);
  }

  async near(
    projectId: ProjectId,
    { id, place }: PlacedIssue,
    side: 'before' | 'after',
    { without, limit }: { readonly without: number; readonly limit: number },
  ): Promise<readonly PlacedIssue[]> {
    const { query } = this.session;
    const { beyond, direction } = SIDES[side];
    // The first comparison alone is one that an index is gone through by.
    const rows = (await query('issues')
      .where({ project_id: projectId })
      .whereNot({ id: without })
      .whereRaw(`${ISSUE_PLACE} ${beyond}= ?`, [place])
      .whereRaw(`(${ISSUE_PLACE} ${beyond} ? or issues.id ${beyond} ?)`, [place, id])
      .orderByRaw(`${ISSUE_PLACE} ${direction}, issues.id ${direction}`)
      .limit(limit)
      .select('id', { place: query.raw(ISSUE_PLACE) })) as unknown as readonly Row[];
    return rows.map(toPlaced);
  }

  async put(issues: readonly PlacedIssue[]): Promise<void> {
    const { dialect } = this.session;
    // In the order of their ids, as whoever takes several issues takes them.
    const ids = dialect.writeNumbers(issues.map(({ id }) => id));
    await this.session.run(`select id from issues where ${dialect.among('id')} order by id ${dialect.rowLock}`, [ids]);
    const sql = `update issues set relative_position = placed.relative_position
      from ${dialect.rowsAs('placed', PLACED)} where issues.id = placed.id`;
    const rows = issues.map(({ id, place }) => [id, place]);
    await this.session.run(sql, dialect.writeRows(PLACED, rows));
  }
}
