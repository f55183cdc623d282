import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { describeEachDatabase } from '../support/databases.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';

const FILE = fileURLToPath(new URL('../../migrations/20261122010001_add_recovery_addresses.js', import.meta.url));

describeEachDatabase('the migration of recovery addresses', (openTestDatabase) => {
  it('lets those serve that served, and keeps one of each address on the way down', async () => {
    const database = openDatabase({ url: await openTestDatabase(), poolMax: 2 });
    try {
      const { schema, reader } = database;
      const { up, down } = (await import(pathToFileURL(FILE).href)) as Knex.Migration;
      await down?.(schema);
      const at = reader.dialect.writeInstant(new Date('2026-03-01T12:00:00.000Z'));
      const user = { state: 'active' as const, admin: false, failed_attempts: 0, search_key: '', created_at: at };
      const named = ['ada', 'grace'].map((name) => ({ ...user, username: name, username_key: name, name }));
      const [ada, grace] = (await schema('users').insert(named).returning('id')) as [{ id: UserId }, { id: UserId }];
      const add = (user_id: UserId, address: string, is_primary: boolean, confirmed: boolean) =>
        schema('emails').insert({
          ...{ user_id, address, address_key: address, is_primary, created_at: at },
          confirmed_at: confirmed ? at : null,
        });
      await add(ada.id, 'primary', true, false);
      await add(ada.id, 'confirmed', false, true);
      await add(ada.id, 'neither', false, false);
      await up(schema);
      const recovery = schema('emails').whereNotNull('recovery_since').orderBy('id').select('address');
      expect(await recovery).toEqual([{ address: 'primary' }, { address: 'confirmed' }]);

      await add(grace.id, 'neither', false, true);
      await expect(add(grace.id, 'confirmed', false, true)).rejects.toThrow();
      await add(grace.id, 'primary', false, false);
      await down?.(schema);
      const left = await schema('emails').orderBy('id').select('address', 'user_id');
      expect(left).toEqual([
        { address: 'primary', user_id: ada.id },
        { address: 'confirmed', user_id: ada.id },
        { address: 'neither', user_id: grace.id },
      ]);
      await up(schema);
    } finally {
      await database.close();
    }
  });
});
