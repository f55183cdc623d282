import type {
  IssueChanges,
  IssueRepository,
  NewIssue,
} from '../../../../../application/planning/ports/planning-repositories.js';
import type { Issue, IssueState } from '../../../../../domain/planning/issue.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import { addSubject, removeSubject } from '../collaboration/subject-rows.js';
import type { Session } from '../session.js';
import { nextNumber } from '../shared/project-counter.js';
import { searchKey } from '../text-search.js';
import { choosablePeople } from '../visibility/choosable-people.js';
import { toIssue, type IssueRow } from './issue-row.js';

export class KnexIssueRepository implements IssueRepository {
  constructor(private readonly session: Session) {}

  async add(issue: NewIssue): Promise<Issue> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(issue.createdAt);
    const [row] = await query('issues')
      .insert({
        id: await addSubject(this.session, 'issue', issue.projectId),
        project_id: issue.projectId,
        iid: await nextNumber(this.session, issue.projectId, 'issue'),
        kind: issue.kind,
        title: issue.title,
        description: issue.description,
        search_key: searchKey(issue.title, issue.description),
        state: 'opened',
        severity: issue.severity,
        confidential: issue.confidential,
        due_date: issue.dueDate,
        milestone_id: issue.milestoneId ?? null,
        author_id: issue.authorId,
        created_at: at,
        updated_at: at,
      })
      .returning('*');
    return toIssue(row!, dialect);
  }

  async find(id: number): Promise<Issue | undefined> {
    const { query, dialect } = this.session;
    const row = await query('issues').where({ id }).first();
    return row && toIssue(row, dialect);
  }

  async take(id: number): Promise<Issue | undefined> {
    const { query, dialect } = this.session;
    const [row] = await dialect.lockRows(query('issues').where({ id }));
    return row && toIssue(row, dialect);
  }

  async update(id: number, changes: IssueChanges, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const before = (await query('issues').where({ id }).first('title', 'description')) as
      Pick<IssueRow, 'title' | 'description'> | undefined;
    if (before === undefined) return;
    const { title = before.title, description = before.description, confidential, dueDate, milestoneId } = changes;
    const { discussionLocked } = changes;
    await query('issues')
      .where({ id })
      .update({
        title,
        description,
        search_key: searchKey(title, description),
        ...(confidential === undefined ? {} : { confidential }),
        ...(dueDate === undefined ? {} : { due_date: dueDate }),
        ...(milestoneId === undefined ? {} : { milestone_id: milestoneId }),
        ...(discussionLocked === undefined ? {} : { discussion_locked: discussionLocked }),
        updated_at: dialect.writeInstant(at),
      });
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
    if (added.length > 0) await query('issue_assignees').insert(added.map((user_id) => ({ issue_id: id, user_id })));
    return { added, removed };
  }

  assignable(projectId: ProjectId, userIds: readonly UserId[], today: string): Promise<readonly UserId[]> {
    return choosablePeople(this.session, projectId, userIds, { today, least: ACCESS_LEVEL.guest });
  }
}
