import { lineOf } from '../../domain/storage/stored-row.js';
import { describeFault } from './look-at-store.js';
import { MoveRefused } from './move-refused.js';
import type { ArchiveManifest, ArchiveWriter } from './ports/archive.js';
import type { RowSource, StartDigest, StoredTable } from './ports/stored-rows.js';

/** Writes every row of a store into an archive. @throws MoveRefused when a value can't be kept by every database. */
export const backUp = async (
  tables: readonly StoredTable[],
  source: RowSource,
  archive: ArchiveWriter,
  startDigest: StartDigest,
): Promise<ArchiveManifest> => {
  const digests: Record<string, { rows: number; sha256: string }> = {};
  for (const table of tables) {
    await archive.beginTable(table);
    const digest = startDigest();
    let count = 0;
    for await (const { rows, faults } of source.pages(table)) {
      const [fault] = faults;
      if (fault !== undefined) throw new MoveRefused(`An archive can't hold this: ${describeFault(fault)}`);
      digest.update(rows.map(lineOf).join(''));
      await archive.rows(rows);
      count += rows.length;
    }
    digests[table.name] = { rows: count, sha256: digest.end() };
  }
  const manifest = { tables: digests, counters: await source.counters() };
  await archive.endRows(manifest);
  return manifest;
};
