import type { Knex } from 'knex';
import type { Job, JobQueue, JobRequests, JobSubject } from '../../../../../application/shared/jobs/job-queue.js';
import { insertInto } from '../insert-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type JobRow = RowOf<'jobs'>;

const INSERT = insertInto('jobs', ['kind', 'payload', 'attempts', 'run_at', 'created_at']);

export class KnexJobQueue implements JobQueue, JobRequests<Readonly<Record<string, JobSubject>>> {
  constructor(
    private readonly session: Session,
    private readonly noteJob: (kind: string) => void,
  ) {}

  async enqueue(kind: string, subject: JobSubject, at: Date): Promise<void> {
    await this.enqueueAll(kind, [{ subject, at }]);
  }

  async enqueueAll(kind: string, jobs: readonly { readonly subject: JobSubject; readonly at: Date }[]): Promise<void> {
    const { dialect } = this.session;
    const rows = jobs.map(({ subject, at }) => {
      const due = dialect.writeInstant(at);
      return [kind, JSON.stringify({ subjectId: subject }), 0, due, due];
    });
    await INSERT(this.session, rows);
    this.noteJob(kind);
  }

  async takeDue(now: Date): Promise<Job | undefined> {
    return (await this.#take(this.#due(now), 1))[0];
  }

  takeDueAfter({ id, kind }: Job, now: Date, limit: number): Promise<readonly Job[]> {
    return this.#take(this.#due(now).where({ kind }).whereNot({ id }), limit);
  }

  async finish(ids: readonly number[]): Promise<void> {
    await this.session
      .query('jobs')
      .whereIn('id', [...ids])
      .delete();
  }

  async goOnLater(ids: readonly number[], now: Date): Promise<void> {
    await this.session
      .query('jobs')
      .whereIn('id', [...ids])
      .update({ run_at: this.session.dialect.writeInstant(now) });
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

  #due(now: Date) {
    const { query, dialect } = this.session;
    return query('jobs').where('run_at', '<=', dialect.writeInstant(now));
  }

  async #take(due: Knex.QueryBuilder<JobRow, JobRow[]>, limit: number): Promise<readonly Job[]> {
    const rows = await this.session.dialect.holdRows(due.orderBy('run_at').orderBy('id').limit(limit));
    return rows.map(({ id, kind, payload, attempts }) => ({
      id,
      kind,
      subject: (JSON.parse(payload) as { subjectId: Job['subject'] }).subjectId,
      attempts,
    }));
  }
}
