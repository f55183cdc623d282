import type { ExpiredRows } from '../../../../../application/shared/ports/expired-rows.js';
import type { Session } from '../session.js';

export class KnexExpiredRows implements ExpiredRows {
  constructor(private readonly session: Session) {}

  async remove(table: string, now: Date, limit: number): Promise<number> {
    const { query, dialect } = this.session;
    const expired = query(table).where('expires_at', '<=', dialect.writeInstant(now)).select('id').limit(limit);
    return query(table).whereIn('id', expired).delete();
  }
}
