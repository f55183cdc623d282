import { expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { goBackBefore, goOn } from '../support/migrate-in-steps.js';

const NAME = '20261121001000_create_notifications';
const HOUR_MS = 3_600_000;

describeEachDatabase('the migration of queued mails', (openTestDatabase) => {
  it('keeps what waited, both ways, and lets a link wait as long as it is good', async () => {
    const database = openDatabase({ url: await openTestDatabase(), poolMax: 2 });
    try {
      const { schema, reader } = database;
      await goBackBefore(schema, NAME);
      const createdAt = new Date('2026-03-01T12:00:00.000Z');
      const old = { recipient: 'ada@example.com', template: 'reset_password', sealed_content: 'sealed' } as const;
      await schema('queued_mails').insert({ ...old, created_at: reader.dialect.writeInstant(createdAt) });
      await goOn(schema);
      const [kept] = (await schema('queued_mails').select('*')) as Record<string, unknown>[];
      expect(kept).toMatchObject({ ...old, state: 'waiting', attempts: 0, cause_id: null });
      expect(reader.dialect.readInstant(kept?.['due_at'])).toEqual(createdAt);
      const expiry = reader.dialect.readInstant(kept?.['expires_at']);
      expect(expiry.getTime() - createdAt.getTime()).toBe(72 * HOUR_MS);
      await goBackBefore(schema, NAME);
      expect(await schema('queued_mails').select('recipient', 'template', 'sealed_content')).toEqual([old]);
    } finally {
      await database.close();
    }
  });
});
