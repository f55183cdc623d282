import type { Knex } from 'knex';
import type { MailQueueReader, QueuedMailEntry } from '../../../../../application/notifications/ports/mail-outbox.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { countUpTo } from '../count-up-to.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { whereWord } from '../written-out.js';

const MOST_COUNTED = 10_000;

/** Refused for good, or tried in vain and to be tried again. */
const FAILED =
  "(queued_mails.state = 'refused' or (queued_mails.state = 'waiting' and queued_mails.problem is not null))";

type EntryRow = RowOf<'queued_mails'> & { readonly username: string | null };

export class KnexMailQueueReader implements MailQueueReader {
  constructor(private readonly session: Session) {}

  list(which: 'waiting' | 'failed', page: PageRequest): Promise<Page<QueuedMailEntry>> {
    const { dialect } = this.session;
    const list = this.#those(which)
      .leftJoin('users', 'users.id', 'queued_mails.user_id')
      .select('queued_mails.*', 'users.username')
      .orderBy('queued_mails.id', 'desc');
    return pageOfRows(this.session, list, page, (row: EntryRow) => ({
      id: row.id,
      template: row.template,
      recipient: row.recipient ?? row.username,
      state: row.state,
      problem: row.problem,
      attempts: row.attempts,
      dueAt: dialect.readInstant(row.due_at),
      createdAt: dialect.readInstant(row.created_at),
    }));
  }

  async count() {
    return {
      waiting: await countUpTo(this.session, this.#those('waiting'), MOST_COUNTED),
      failed: await countUpTo(this.session, this.#those('failed'), MOST_COUNTED),
    };
  }

  #those(which: 'waiting' | 'failed'): Knex.QueryBuilder {
    const mails: Knex.QueryBuilder = this.session.query('queued_mails');
    if (which === 'waiting') return whereWord(mails, 'queued_mails.state', 'waiting');
    return mails.whereRaw(FAILED);
  }
}
