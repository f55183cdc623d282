import type {
  KeptReceipt,
  MoveReceipt,
  MoveReceiptReader,
} from '../../../../../application/storage/ports/move-receipts.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import type { Database } from '../database.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type ReceiptRow = RowOf<'storage_receipts'>;

const TABLE = 'storage_receipts';
/** Older ones are forgotten. */
const KEPT = 50;

export class KnexMoveReceiptReader implements MoveReceiptReader {
  constructor(private readonly session: Session) {}

  list(page: PageRequest): Promise<Page<KeptReceipt>> {
    const query = this.session.query(TABLE).orderBy('created_at', 'desc').orderBy('id', 'desc');
    return pageOfRows(this.session, query, page, (row: ReceiptRow) => this.#receiptOf(row));
  }

  async find(id: number): Promise<KeptReceipt | undefined> {
    const row = (await this.session.query(TABLE).where({ id }).first()) as ReceiptRow | undefined;
    return row && this.#receiptOf(row);
  }

  #receiptOf({ id, receipt, created_at }: ReceiptRow): KeptReceipt {
    return { id, receipt: JSON.parse(receipt) as MoveReceipt, createdAt: this.session.dialect.readInstant(created_at) };
  }
}

/** The receipts that a database keeps, the first one first. */
const readReceipts = async ({ reader }: Database): Promise<readonly KeptReceipt[]> => {
  const { items } = await new KnexMoveReceiptReader(reader).list({ page: 1, perPage: KEPT });
  return items.toReversed();
};

/** Adds a receipt to those that the database before had. A move has one: what a later run of the command found adds nothing. */
export const keepReceipts = async (before: Database, now: Database, receipt: MoveReceipt, at: Date): Promise<void> => {
  const earlier = (await readReceipts(before)).filter((kept) => kept.receipt.move !== receipt.move);
  await now.transact(async ({ query, dialect }) => {
    const rows = [...earlier, { receipt, createdAt: at }].map((kept) => ({
      move: kept.receipt.move,
      receipt: JSON.stringify(kept.receipt),
      created_at: dialect.writeInstant(kept.createdAt),
    }));
    for (const row of rows) await query(TABLE).insert(row).onConflict('move').ignore();
    const old = await query(TABLE).orderBy('created_at', 'desc').orderBy('id', 'desc').offset(KEPT).select('id');
    await query(TABLE)
      .whereIn(
        'id',
        old.map(({ id }) => id),
      )
      .delete();
  });
};
