import { writeFileSync } from 'node:fs';
import type { Moved } from '../application/storage/move-storage.js';
import { VERSION } from './version.js';

/** Writes what a move did and found, for whoever must be able to show it. */
export const writeReceipt = (file: string, moved: Moved, repositories: string): void => {
  const { verification } = moved;
  const receipt = {
    move: moved.move,
    version: VERSION,
    from: moved.from,
    to: moved.to,
    started: moved.startedAt.toISOString(),
    ended: moved.endedAt.toISOString(),
    resumed: moved.resumed,
    migrations: moved.migrations,
    tables: Object.fromEntries(
      (verification?.tables ?? []).map(({ table, here, there }) => [table, { source: here, target: there }]),
    ),
    sha256: verification?.sha256 ?? null,
    verified: verification?.equal ?? false,
    repositories: { path: repositories, moved: false },
  };
  writeFileSync(file, `${JSON.stringify(receipt, null, 2)}\n`, { flag: 'wx' });
};
