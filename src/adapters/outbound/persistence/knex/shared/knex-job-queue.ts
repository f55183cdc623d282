import type { Job, JobQueue, JobRequests, JobSubject } from '../../../../../application/shared/jobs/job-queue.js';
import type { Session } from '../session.js';

export class KnexJobQueue implements JobQueue, JobRequests<Readonly<Record<string, JobSubject>>> {
  constructor(
    private readonly session: Session,
    private readonly noteJob: (kind: string) => void,
  ) {}

  async enqueue(kind: string, subject: JobSubject, at: Date): Promise<void> {
    const due = this.session.dialect.writeInstant(at);
    await this.session
      .query('jobs')
      .insert({ kind, payload: JSON.stringify({ subjectId: subject }), attempts: 0, run_at: due, created_at: due });
    this.noteJob(kind);
  }

  async takeDue(now: Date): Promise<Job | undefined> {
    const { query, dialect } = this.session;
    const due = query('jobs').where('run_at', '<=', dialect.writeInstant(now)).orderBy('run_at').orderBy('id').limit(1);
    const [row] = await dialect.holdRows(due);
    return (
      row && {
        id: row.id,
        kind: row.kind,
        subject: (JSON.parse(row.payload) as { subjectId: Job['subject'] }).subjectId,
        attempts: row.attempts,
      }
    );
  }

  async finish(id: number): Promise<void> {
    await this.session.query('jobs').where({ id }).delete();
  }

  async hurry(id: number, at: Date): Promise<boolean> {
    const run_at = this.session.dialect.writeInstant(at);
    return (await this.session.query('jobs').where({ id }).update({ run_at })) > 0;
  }

  async postpone(id: number, runAt: Date): Promise<void> {
    await this.session
      .query('jobs')
      .where({ id })
      .update({ run_at: this.session.dialect.writeInstant(runAt) })
      .increment('attempts', 1);
  }
}
