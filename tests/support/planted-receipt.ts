import type { MoveReceipt } from '../../src/application/storage/ports/move-receipts.js';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { keepReceipts } from '../../src/adapters/outbound/persistence/knex/storage/knex-move-receipts.js';

const AT = '2026-11-22T03:33:24.000Z';
const digest = { rows: 41, sha256: 'ab'.repeat(32) };

/** What a move would have told. */
export const receiptOf = (move: string): MoveReceipt => ({
  move,
  version: '0.2.0',
  by: 'ada@db-1',
  from: 'sqlite:/var/lib/gatehouse/gatehouse.sqlite',
  to: 'db.example/gatehouse',
  started: AT,
  ended: '2026-11-22T03:34:12.000Z',
  steps: { looked: '2026-11-22T03:33:26.500Z', copied: '2026-11-22T03:33:50.000Z', cut: '2026-11-22T03:34:10.000Z' },
  resumed: false,
  cut: { at: AT, pauseMs: 63, rows: 17 },
  migrations: [],
  tables: { issues: { source: digest, target: digest } },
  mended: [],
  sha256: 'cd'.repeat(32),
  verified: { beforeCut: true, asOfCut: true },
  repositories: { path: '/var/lib/gatehouse/repositories', moved: false },
});

/** Keeps a receipt as if a move had ended there. */
export const plantReceipt = (database: Database, move: string, at = new Date(AT)): Promise<void> =>
  keepReceipts(database, database, receiptOf(move), at);
