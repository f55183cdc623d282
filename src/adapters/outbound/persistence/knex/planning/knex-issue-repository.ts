import type {
  IssueChanges,
  IssuePlace,
  IssueRepository,
  NewIssue,
  StateChange,
} from '../../../../../application/planning/ports/planning-repositories.js';
import { together } from '../../../../../application/shared/together.js';
import type { Issue, IssueState } from '../../../../../domain/planning/issue.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import { addSubjects, removeSubject } from '../collaboration/subject-rows.js';
import type { Dialect } from '../dialect/dialect.js';
import type { RowOfValues } from '../dialect/row-sets.js';
import { insertInto, typedColumns } from '../insert-rows.js';
import type { Session } from '../session.js';
import { takeNumbers } from '../shared/project-counter.js';
import type { RowOf } from '../tables.js';
import { searchKey } from '../text-search.js';
import { choosablePeople } from '../visibility/choosable-people.js';
import { ISSUE_COLUMNS, toIssue, type IssueRow } from './issue-row.js';

const INSERT = insertInto('issues', [
  'id',
  'project_id',
  'iid',
  'kind',
  'title',
  'description',
  'search_key',
  'state',
  'severity',
  'confidential',
  'due_date',
  'milestone_id',
  'author_id',
  'created_at',
  'updated_at',
]);

const ASSIGN = insertInto('issue_assignees', ['issue_id', 'user_id']);

const CHANGED = typedColumns('issues', ['id', 'closed_by_id', 'updated_at']);

const opened = (issue: NewIssue & IssuePlace): Issue => ({
  ...issue,
  state: 'opened',
  milestoneId: issue.milestoneId ?? null,
  closedById: null,
  closedAt: null,
  updatedAt: issue.updatedAt ?? issue.createdAt,
  movedToId: null,
  duplicatedToId: null,
  discussionLocked: null,
});

const valuesOf = (issue: Issue, dialect: Dialect): RowOfValues => [
  issue.id,
  issue.projectId,
  issue.iid,
  issue.kind,
  issue.title,
  issue.description,
  searchKey(issue.title, issue.description),
  issue.state,
  issue.severity,
  issue.confidential,
  issue.dueDate,
  issue.milestoneId,
  issue.authorId,
  dialect.writeInstant(issue.createdAt),
  dialect.writeInstant(issue.updatedAt),
];

export class KnexIssueRepository implements IssueRepository {
  constructor(private readonly session: Session) {}

  async add(issue: NewIssue): Promise<Issue> {
    const [place] = await this.reserve(issue.projectId, 1);
    const [added] = await this.addReserved([{ ...issue, ...place! }]);
    return added!;
  }

  async reserve(projectId: ProjectId, count: number): Promise<readonly IssuePlace[]> {
    const [ids, first] = await together([
      addSubjects(this.session, 'issue', projectId, count),
      takeNumbers(this.session, projectId, 'issue', count),
    ]);
    return ids.map((id, index) => ({ id, iid: first + index }));
  }

  async addReserved(given: readonly (NewIssue & IssuePlace)[]): Promise<readonly Issue[]> {
    const issues = given.map(opened);
    await INSERT(
      this.session,
      issues.map((issue) => valuesOf(issue, this.session.dialect)),
    );
    return issues;
  }

  async find(id: number): Promise<Issue | undefined> {
    const { query, dialect } = this.session;
    const row = (await query('issues')
      .where({ id })
      .first(...ISSUE_COLUMNS)) as IssueRow | undefined;
    return row && toIssue(row, dialect);
  }

  async take(id: number): Promise<Issue | undefined> {
    const { query, dialect } = this.session;
    const [row] = (await dialect.lockRows(
      query('issues')
        .where({ id })
        .select(...ISSUE_COLUMNS),
    )) as IssueRow[];
    return row && toIssue(row, dialect);
  }

  async takeAll(ids: readonly number[]): Promise<readonly Issue[]> {
    const { dialect } = this.session;
    const sql = `select ${ISSUE_COLUMNS.join(', ')} from issues where ${dialect.among('id')} order by id ${dialect.rowLock}`;
    const rows = await this.session.run<IssueRow>(sql, [dialect.writeNumbers(ids)]);
    return rows.map((row) => toIssue(row, dialect));
  }

  async update(id: number, changes: IssueChanges, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const { confidential, dueDate, milestoneId, discussionLocked } = changes;
    await query('issues')
      .where({ id })
      .update({
        ...(await this.#textsOf(id, changes)),
        ...(confidential === undefined ? {} : { confidential }),
        ...(dueDate === undefined ? {} : { due_date: dueDate }),
        ...(milestoneId === undefined ? {} : { milestone_id: milestoneId }),
        ...(discussionLocked === undefined ? {} : { discussion_locked: discussionLocked }),
        updated_at: dialect.writeInstant(at),
      });
  }

  /** What both of them are searched by is written with either. */
  async #textsOf(id: number, changed: Pick<IssueChanges, 'title' | 'description'>): Promise<Partial<RowOf<'issues'>>> {
    if (changed.title === undefined && changed.description === undefined) return {};
    const before = (await this.session.query('issues').where({ id }).first('title', 'description')) as
      Pick<IssueRow, 'title' | 'description'> | undefined;
    if (before === undefined) return {};
    const { title = before.title, description = before.description } = changed;
    return { title, description, search_key: searchKey(title, description) };
  }

  async setUpdatedAt(id: number, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('issues')
      .where({ id })
      .update({ updated_at: dialect.writeInstant(at) });
  }

  async changeState(id: number, state: IssueState, by: UserId, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const instant = dialect.writeInstant(at);
    const closed = state === 'closed';
    const changed = await query('issues')
      .where({ id })
      .whereNot({ state })
      .update({ state, closed_at: closed ? instant : null, closed_by_id: closed ? by : null, updated_at: instant });
    return changed > 0;
  }

  async changeStates(changes: readonly StateChange[], state: IssueState): Promise<void> {
    const { dialect } = this.session;
    const closed = state === 'closed';
    const sql = `update issues set state = '${state}', closed_at = ${closed ? 'changed.updated_at' : 'null'},
        closed_by_id = ${closed ? 'changed.closed_by_id' : 'null'}, updated_at = changed.updated_at
      from ${dialect.rowsAs('changed', CHANGED)} where issues.id = changed.id`;
    const rows = changes.map(({ id, by, at }) => [id, by, dialect.writeInstant(at)]);
    await this.session.run(sql, dialect.writeRows(CHANGED, rows));
  }

  async remove(id: number): Promise<void> {
    await removeSubject(this.session, id);
  }

  async assigneesOf(id: number): Promise<readonly UserId[]> {
    const assigned = this.session.query('issue_assignees').where({ issue_id: id });
    return assigned.orderBy('user_id').pluck('user_id');
  }

  async markMoved(id: number, toId: number): Promise<void> {
    await this.session.query('issues').where({ id }).update({ moved_to_id: toId });
  }

  async markDuplicate(id: number, ofId: number): Promise<void> {
    await this.session.query('issues').where({ id }).update({ duplicated_to_id: ofId });
  }

  async setAssignees(
    id: number,
    userIds: readonly UserId[],
  ): Promise<{ readonly added: readonly UserId[]; readonly removed: readonly UserId[] }> {
    const { query } = this.session;
    const [assigned, known] = [
      await query('issue_assignees').where({ issue_id: id }).select({ id: 'user_id' }),
      await query('users')
        .whereIn('id', [...userIds])
        .select('id'),
    ];
    const [before, after] = [assigned, known].map((people) => new Set(people.map((person) => person.id)));
    const added = [...(after ?? [])].filter((each) => before?.has(each) !== true);
    const removed = [...(before ?? [])].filter((each) => after?.has(each) !== true);
    if (removed.length > 0) await query('issue_assignees').where({ issue_id: id }).whereIn('user_id', removed).delete();
    await ASSIGN(
      this.session,
      added.map((user_id) => [id, user_id]),
    );
    return { added, removed };
  }

  assignable(projectId: ProjectId, userIds: readonly UserId[], today: string): Promise<readonly UserId[]> {
    return choosablePeople(this.session, projectId, userIds, { today, permission: 'read_issues' });
  }
}
