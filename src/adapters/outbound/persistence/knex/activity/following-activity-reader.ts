import type { ActivityReader } from '../../../../../application/activity/ports/activity-reader.js';
import type { Session } from '../session.js';
import { KnexActivityReader } from './knex-activity-reader.js';

/**
 * Reads feeds wherever the storage is. A feed is read in several steps, and what one of them answers is in words of its database: all steps
 * of one reading stay on the database on which it began, which is readable for long after the storage moved.
 */
export class FollowingActivityReader implements ActivityReader {
  #reader: { readonly of: Session; readonly reader: KnexActivityReader } | undefined;

  constructor(private readonly session: Session) {}

  readonly listAfter: ActivityReader['listAfter'] = (...asked) => this.#current.listAfter(...asked);
  readonly listPage: ActivityReader['listPage'] = (...asked) => this.#current.listPage(...asked);
  readonly standing: ActivityReader['standing'] = (...asked) => this.#current.standing(...asked);
  readonly countByDay: ActivityReader['countByDay'] = (...asked) => this.#current.countByDay(...asked);

  get #current(): KnexActivityReader {
    const { pinned } = this.session;
    if (this.#reader?.of !== pinned) this.#reader = { of: pinned, reader: new KnexActivityReader(pinned) };
    return this.#reader.reader;
  }
}
