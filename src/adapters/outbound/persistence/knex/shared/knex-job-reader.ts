import type { JobReader, JobSubject, WaitingJob } from '../../../../../application/shared/jobs/job-queue.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { countUpTo } from '../count-up-to.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

const MOST_COUNTED = 10_000;

export class KnexJobReader implements JobReader {
  constructor(private readonly session: Session) {}

  list(page: PageRequest): Promise<Page<WaitingJob>> {
    const { query, dialect } = this.session;
    return pageOfRows(this.session, query('jobs').orderBy('run_at').orderBy('id'), page, (row: RowOf<'jobs'>) => ({
      id: row.id,
      kind: row.kind,
      subject: (JSON.parse(row.payload) as { readonly subjectId: JobSubject }).subjectId,
      attempts: row.attempts,
      runAt: dialect.readInstant(row.run_at),
      createdAt: dialect.readInstant(row.created_at),
    }));
  }

  async count() {
    const { query } = this.session;
    const waiting = await countUpTo(this.session, query('jobs'), MOST_COUNTED);
    const failed = await countUpTo(this.session, query('jobs').where('attempts', '>', 0), MOST_COUNTED);
    return { waiting, failed };
  }
}
