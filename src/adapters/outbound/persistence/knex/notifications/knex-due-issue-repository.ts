import type { DueIssue, DueIssueRepository } from '../../../../../application/notifications/ports/cause-ports.js';
import type { Session } from '../session.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { whereWord } from '../written-out.js';

interface DueRow {
  readonly id: number;
  readonly project_id: ProjectId;
  readonly due_date: string;
}

export class KnexDueIssueRepository implements DueIssueRepository {
  constructor(private readonly session: Session) {}

  async unreminded(from: string, to: string, limit: number): Promise<readonly DueIssue[]> {
    const { query } = this.session;
    const open = whereWord(query('issues'), 'issues.state', 'opened');
    const rows = (await open
      .join('projects', 'projects.id', 'issues.project_id')
      .whereNull('projects.removal_requested_at')
      .whereNotNull('issues.due_date')
      .whereBetween('issues.due_date', [from, to])
      .whereNotExists((reminded) => {
        void reminded
          .from('issue_due_reminders')
          .whereRaw('issue_due_reminders.issue_id = issues.id')
          .whereRaw('issue_due_reminders.due_date = issues.due_date');
      })
      .orderBy('issues.id')
      .limit(limit)
      .select('issues.id', 'issues.project_id', 'issues.due_date')) as DueRow[];
    return rows.map((row) => ({ id: row.id, projectId: row.project_id, dueDate: row.due_date }));
  }

  async remind({ id, dueDate }: DueIssue, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const added = await query('issue_due_reminders')
      .insert({ issue_id: id, due_date: dueDate, created_at: dialect.writeInstant(at) })
      .onConflict(['issue_id', 'due_date'])
      .ignore()
      .returning('issue_id');
    return added.length > 0;
  }
}
