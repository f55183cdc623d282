import {
  MOST_COUNTED_CARDS,
  type BoardColumn,
  type BoardColumnReader,
  type BoardQuery,
} from '../../../../../application/planning/ports/board-ports.js';
import type { IssueFilters, IssueQuery } from '../../../../../application/planning/ports/planning-readers.js';
import { together } from '../../../../../application/shared/together.js';
import type { Board, Column } from '../../../../../domain/planning/board.js';
import { orderSubjects } from '../collaboration/order-subjects.js';
import { countUpTo } from '../count-up-to.js';
import type { Session } from '../session.js';
import { headsOf, ISSUE_HEAD, type IssueHeadRow } from './issue-heads.js';
import { narrowIssues } from './narrow-issues.js';
import { visibleIssues } from './visible-issues.js';

/** What a column shows, beside what all of them are narrowed by. */
const narrowingOf = ({ lists }: Board, column: Column, { labels = [] }: IssueFilters): Partial<IssueFilters> => {
  if (column === 'closed') return { state: 'closed' };
  const names = lists.map(({ label }) => label.name);
  if (column === 'open') return { state: 'opened', ...(names.length > 0 && { not: { labels: names } }) };
  const own = lists.filter(({ id }) => id === column).map(({ label }) => label.name);
  return { state: 'opened', labels: [...new Set([...labels, ...own])] };
};

/** What was closed or changed last comes first; all others stand where people have put them. */
const orderOf = (column: Column): Pick<IssueQuery, 'orderBy' | 'sort'> =>
  column === 'closed' ? { orderBy: 'updated_at', sort: 'desc' } : { orderBy: 'relative_position', sort: 'asc' };

interface FoundColumn extends Omit<BoardColumn, 'cards'> {
  readonly rows: readonly IssueHeadRow[];
}

export class KnexBoardColumns implements BoardColumnReader {
  constructor(private readonly session: Session) {}

  /** Two statements a column, and a few more for the cards of all columns together. */
  async columns(query: BoardQuery): Promise<readonly BoardColumn[]> {
    const columns: readonly Column[] = ['open', ...query.board.lists.map(({ id }) => id), 'closed'];
    const found: FoundColumn[] = [];
    // One after another: a board of many lists leaves connections to others.
    for (const column of columns) found.push(await this.#read(query, column));
    const heads = await headsOf(
      this.session,
      found.flatMap(({ rows }) => rows),
    );
    let begin = 0;
    return found.map(({ rows, ...column }) => {
      const cards = heads.slice(begin, begin + rows.length);
      begin += rows.length;
      return { ...column, cards };
    });
  }

  async #read({ board, filters, limit }: BoardQuery, column: Column): Promise<FoundColumn> {
    const { session } = this;
    const narrowed: IssueFilters = { ...filters, ...narrowingOf(board, column, filters), projectId: board.projectId };
    const list = visibleIssues(session.query, filters.viewer).select(...ISSUE_HEAD);
    await narrowIssues(session, list, narrowed);
    const counted = list.clone();
    await orderSubjects(session, list, 'issues', { ...orderOf(column), projectId: board.projectId });
    const [rows, count] = await together([
      list.limit(limit + 1) as unknown as Promise<readonly IssueHeadRow[]>,
      countUpTo(session, counted, MOST_COUNTED_CARDS + 1),
    ]);
    return { column, rows: rows.slice(0, limit), hasNext: rows.length > limit, count };
  }
}
