import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { TableDigest } from '../compare-stores.js';
import type { MoveStep } from '../move-storage.js';

type Step = MoveStep['step'];

/** When a run of the command was through with each of its steps. */
export type StepTimes = Readonly<Partial<Record<Step, string>>>;

/** What a move did and found, for whoever must be able to show it. */
export interface MoveReceipt {
  readonly move: string;
  readonly version: string;
  readonly by: string;
  readonly from: string;
  readonly to: string;
  readonly started: string;
  readonly ended: string;
  readonly steps: StepTimes;
  readonly resumed: boolean;
  /** Null where an earlier run had cut over. */
  readonly cut: { readonly at: string; readonly pauseMs: number; readonly rows: number } | null;
  readonly migrations: readonly string[];
  readonly tables: Readonly<Record<string, { readonly source: TableDigest; readonly target: TableDigest }>>;
  readonly mended:
    readonly { readonly table: string; readonly key: readonly string[]; readonly column: string }[] | null;
  readonly sha256: string | null;
  readonly verified: { readonly beforeCut: boolean; readonly asOfCut: boolean };
  readonly repositories: { readonly path: string; readonly moved: false };
}

/** The last field is a JSON Web Token about the text of all before it. */
export type SignedReceipt = MoveReceipt & { readonly signature: string };

export interface KeptReceipt {
  readonly id: number;
  readonly receipt: MoveReceipt;
  readonly createdAt: Date;
}

/** Receipts of the moves that this installation made, the last one first. */
export interface MoveReceiptReader {
  list(page: PageRequest): Promise<Page<KeptReceipt>>;
  find(id: number): Promise<KeptReceipt | undefined>;
}
