import { expect, it } from '@jest/globals';
import { keepReceipts } from '../../src/adapters/outbound/persistence/knex/storage/knex-move-receipts.js';
import { describeEachDatabase } from '../support/databases.js';
import { receiptOf } from '../support/planted-receipt.js';
import { onDatabase } from '../support/stores.js';

describeEachDatabase('receipts of moves', (openTestDatabase) => {
  it('go along with each move as they were written, whatever they say', async () => {
    const [source, target] = [await openTestDatabase(), await openTestDatabase()];
    const at = new Date('2026-11-23T12:00:00.000Z');
    await onDatabase(source, (before) =>
      onDatabase(target, async (now) => {
        const earlier = { move: 'of another version', receipt: '{}', created_at: at.toISOString() };
        await before.schema('storage_receipts').insert(earlier);
        await keepReceipts(before, now, receiptOf('7f3a91c2'), at);
        const kept = await now.schema('storage_receipts').orderBy('id').select('move', 'receipt');
        expect(kept).toEqual([
          { move: earlier.move, receipt: earlier.receipt },
          { move: '7f3a91c2', receipt: JSON.stringify(receiptOf('7f3a91c2')) },
        ]);
      }),
    );
  });
});
