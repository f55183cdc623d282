import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { describeEachDatabase } from '../support/databases.js';

const FILE = fileURLToPath(new URL('../../migrations/20261121001000_create_notifications.js', import.meta.url));
const HOUR_MS = 3_600_000;

describeEachDatabase('the migration of queued mails', (openTestDatabase) => {
  it('keeps what waited, both ways, and lets a link wait as long as it is good', async () => {
    const database = openDatabase({ url: await openTestDatabase(), poolMax: 2 });
    try {
      const { schema, reader } = database;
      const { up, down } = (await import(pathToFileURL(FILE).href)) as Knex.Migration;
      await down?.(schema);
      const createdAt = new Date('2026-03-01T12:00:00.000Z');
      const old = { recipient: 'ada@example.com', template: 'reset_password', sealed_content: 'sealed' } as const;
      await schema('queued_mails').insert({ ...old, created_at: reader.dialect.writeInstant(createdAt) });
      await up(schema);
      const [kept] = (await schema('queued_mails').select('*')) as Record<string, unknown>[];
      expect(kept).toMatchObject({ ...old, state: 'waiting', attempts: 0, cause_id: null });
      expect(reader.dialect.readInstant(kept?.['due_at'])).toEqual(createdAt);
      const expiry = reader.dialect.readInstant(kept?.['expires_at']);
      expect(expiry.getTime() - createdAt.getTime()).toBe(72 * HOUR_MS);
      await down?.(schema);
      expect(await schema('queued_mails').select('recipient', 'template', 'sealed_content')).toEqual([old]);
    } finally {
      await database.close();
    }
  });
});
