import type { KeySentinel, KeySentinels } from '../../../../../application/secret-key/ports/key-sentinels.js';
import type { Database } from '../database.js';
import type { Session } from '../session.js';
import { SENTINELS } from './rotated-columns.js';

const listIn = async ({ query }: Session): Promise<readonly KeySentinel[]> =>
  (await query(SENTINELS.table).orderBy('id').select({ id: 'id', sealed: SENTINELS.column })) as KeySentinel[];

export class KnexKeySentinels implements KeySentinels {
  constructor(private readonly database: Database) {}

  list(): Promise<readonly KeySentinel[]> {
    return listIn(this.database.reader);
  }

  // The lock is for nodes on one server; a transaction that writes is alone in an embedded database.
  async addMissing(decide: (present: readonly KeySentinel[]) => readonly string[], at: Date): Promise<void> {
    await this.database.withLock('secret key', () =>
      this.database.transact(async (session) => {
        const created = session.dialect.writeInstant(at);
        const texts = decide(await listIn(session));
        const rows = texts.map((text) => ({ [SENTINELS.column]: text, created_at: created }));
        if (rows.length > 0) await session.query(SENTINELS.table).insert(rows);
      }),
    );
  }

  async remove(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.transact(async ({ query }) => void (await query(SENTINELS.table).whereIn('id', ids).delete()));
  }
}
