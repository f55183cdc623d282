import type { Expiring, ExpiredRows } from '../../../../../application/shared/ports/expired-rows.js';
import type { Session } from '../session.js';

export class KnexExpiredRows implements ExpiredRows {
  constructor(private readonly session: Session) {}

  async remove(what: Expiring, now: Date, limit: number): Promise<number> {
    const { query, dialect } = this.session;
    const expired = query(what).where('expires_at', '<=', dialect.writeInstant(now)).select('id').limit(limit);
    return query(what).whereIn('id', expired).delete();
  }
}
