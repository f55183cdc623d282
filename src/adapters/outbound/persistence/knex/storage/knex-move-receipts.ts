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

interface NewReceipt {
  readonly move: string;
  readonly receipt: string;
  readonly createdAt: Date;
}

/** The receipts that a database keeps, the first one first, as they are written. */
const readReceipts = async ({ reader }: Database, ofOtherThan: string): Promise<readonly NewReceipt[]> => {
  const rows = (await reader
    .query(TABLE)
    .whereNot({ move: ofOtherThan })
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(KEPT)) as ReceiptRow[];
  return rows.toReversed().map(({ move, receipt, created_at }) => ({
    move,
    receipt,
    createdAt: reader.dialect.readInstant(created_at),
  }));
};

/** Adds a receipt to those that the database before had. A move has one: what a later run of the command found adds nothing. */
export const keepReceipts = async (before: Database, now: Database, receipt: MoveReceipt, at: Date): Promise<void> => {
  const earlier = await readReceipts(before, receipt.move);
  const made: NewReceipt = { move: receipt.move, receipt: JSON.stringify(receipt), createdAt: at };
  await now.transact(async ({ query, dialect }) => {
    for (const { createdAt, ...kept } of [...earlier, made])
      await query(TABLE)
        .insert({ ...kept, created_at: dialect.writeInstant(createdAt) })
        .onConflict('move')
        .ignore();
    const old = await query(TABLE).orderBy('created_at', 'desc').orderBy('id', 'desc').offset(KEPT).select('id');
    await query(TABLE)
      .whereIn(
        'id',
        old.map(({ id }) => id),
      )
      .delete();
  });
};
