import type { Job, JobKind, JobQueue, JobSubjects } from '../../../../../application/shared/jobs/job-queue.js';
import type { Session } from '../session.js';

/** They wait for the next round of the jobs: run at once, they would show in the time that the request takes what there was to do. */
const UNHURRIED: ReadonlySet<JobKind> = new Set(['send_password_link']);

export class KnexJobQueue implements JobQueue {
  constructor(
    private readonly session: Session,
    private readonly noteJob: () => void,
  ) {}

  async enqueue<Kind extends JobKind>(kind: Kind, subject: JobSubjects[Kind], at: Date): Promise<void> {
    const due = this.session.dialect.writeInstant(at);
    await this.session
      .query('jobs')
      .insert({ kind, payload: JSON.stringify({ subjectId: subject }), attempts: 0, run_at: due, created_at: due });
    if (!UNHURRIED.has(kind)) this.noteJob();
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

  async postpone(id: number, runAt: Date): Promise<void> {
    await this.session
      .query('jobs')
      .where({ id })
      .update({ run_at: this.session.dialect.writeInstant(runAt) })
      .increment('attempts', 1);
  }
}
