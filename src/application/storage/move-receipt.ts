import type { Moved } from './move-storage.js';
import type { MoveReceipt, SignedReceipt, StepTimes } from './ports/move-receipts.js';

/** What the command knows of itself. */
export interface MoveFacts {
  readonly version: string;
  /** Who ran it, as in `ada@db-1`. */
  readonly by: string;
  readonly steps: StepTimes;
  /** The folder of repositories, which stays. */
  readonly repositories: string;
}

/** What a move did and found. */
export const receiptOf = (moved: Moved, { version, by, steps, repositories }: MoveFacts): MoveReceipt => {
  const { verification, beforeCut, cut } = moved;
  return {
    move: moved.move,
    version,
    by,
    from: moved.from,
    to: moved.to,
    started: moved.startedAt.toISOString(),
    ended: moved.endedAt.toISOString(),
    steps,
    resumed: moved.resumed,
    cut: cut === undefined ? null : { at: cut.begunAt.toISOString(), pauseMs: cut.pauseMs, rows: cut.keys },
    migrations: moved.migrations,
    tables: Object.fromEntries(
      (verification?.tables ?? []).map(({ table, here, there }) => [table, { source: here, target: there }]),
    ),
    mended: moved.mended?.map(({ table, key, column }) => ({ table, key, column })) ?? null,
    sha256: verification?.sha256 ?? null,
    verified: { beforeCut: beforeCut !== undefined, asOfCut: verification?.equal ?? false },
    repositories: { path: repositories, moved: false },
  };
};

/** As it is written to a file and downloaded. */
export const receiptText = (receipt: SignedReceipt): string => `${JSON.stringify(receipt, null, 2)}\n`;
