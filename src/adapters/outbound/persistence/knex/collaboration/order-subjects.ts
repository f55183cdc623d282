import type { Knex } from 'knex';
import type { SubjectOrder } from '../../../../../application/collaboration/ports/subject-order.js';
import { THUMBS_UP } from '../../../../../domain/collaboration/award.js';
import { BadRequest } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { COUNT_LIMIT, type SortDirection } from '../../../../../domain/shared/page.js';
import { countUpTo } from '../count-up-to.js';
import { ISSUE_PLACE } from '../planning/issue-place.js';
import type { Session } from '../session.js';
import type { SubjectTable } from './narrow-subjects.js';

type OfOwn = 'due_date' | 'merged_at' | 'relative_position';

const milestoneDue = (table: SubjectTable): string =>
  `(select due_date from milestones where milestones.id = ${table}.milestone_id)`;

const labelPriority = (table: SubjectTable): string =>
  `(select min(labels.priority) from subject_labels join labels on labels.id = subject_labels.label_id
    where subject_labels.subject_id = ${table}.id)`;

const thumbsUp = (table: SubjectTable): string =>
  `(select count(*) from awards where subject_id = ${table}.id and note_id is null and name = '${THUMBS_UP}')`;

type Ordering = SubjectOrder | OfOwn;
type Indexed = 'created_at' | 'updated_at';

const VALUES: Readonly<
  Record<Exclude<Ordering, Indexed>, (table: SubjectTable, dialect: Session['dialect']) => readonly string[]>
> = {
  title: (table, dialect) => [dialect.lowerAscii(`${table}.title`)],
  popularity: (table) => [thumbsUp(table)],
  due_date: (table) => [`${table}.due_date`],
  merged_at: (table) => [`${table}.merged_at`],
  relative_position: () => [ISSUE_PLACE],
  milestone_due: (table) => [milestoneDue(table)],
  label_priority: (table) => [labelPriority(table)],
  priority: (table) => [milestoneDue(table), labelPriority(table)],
};

const isIndexed = (orderBy: Ordering): orderBy is Indexed => orderBy === 'created_at' || orderBy === 'updated_at';

interface SubjectsInOrder {
  readonly orderBy: Ordering;
  readonly sort: SortDirection;
  /** Where they are all of one project. */
  readonly projectId?: ProjectId;
}

/** What no index has in order is sorted whole for each page of it. */
const refuseLong = async (session: Session, list: Knex.QueryBuilder, orderBy: Ordering): Promise<void> => {
  if ((await countUpTo(session.pinned, list, COUNT_LIMIT + 1)) > COUNT_LIMIT)
    throw new BadRequest(
      `A list of more than ${COUNT_LIMIT} entries can't be ordered by ${orderBy}. Narrow it down, or order it by created_at or updated_at.`,
    );
};

/**
 * Puts a list in order: what has no such value is last either way, and where two have the same their ids decide.
 *
 * @throws BadRequest for a list beyond the limit of counting, unless an index has it in that order.
 */
export const orderSubjects = async (
  session: Session,
  list: Knex.QueryBuilder,
  table: SubjectTable,
  { orderBy, sort, projectId }: SubjectsInOrder,
): Promise<void> => {
  // Plainly: so the list is read along an index.
  if (isIndexed(orderBy)) void list.orderBy(`${table}.${orderBy}`, sort);
  // Of one project there is such an index, too.
  else if (orderBy === 'relative_position' && projectId !== undefined) void list.orderByRaw(`${ISSUE_PLACE} ${sort}`);
  else {
    await refuseLong(session, list, orderBy);
    for (const value of VALUES[orderBy](table, session.dialect)) void list.orderByRaw(`${value} ${sort} nulls last`);
  }
  void list.orderBy(`${table}.id`, sort);
};
