import { lineOf } from '../../domain/storage/stored-row.js';
import { MoveRefused } from './move-refused.js';
import type { ArchiveReader } from './ports/archive.js';
import type { StartDigest, StoredTable } from './ports/stored-rows.js';

/** Reads an archive to its end. @throws MoveRefused where it does not hold what was written into it. */
export const checkArchive = async (
  tables: readonly StoredTable[],
  archive: ArchiveReader,
  startDigest: StartDigest,
): Promise<void> => {
  const read: { readonly table: string; readonly rows: number; readonly sha256: string }[] = [];
  for (const table of tables) {
    const digest = startDigest();
    let count = 0;
    for await (const { rows } of archive.rows.pages(table)) {
      digest.update(rows.map(lineOf).join(''));
      count += rows.length;
    }
    read.push({ table: table.name, rows: count, sha256: digest.end() });
  }
  const { tables: written } = await archive.manifest();
  const damaged = read.filter(({ table, rows, sha256 }) => {
    const { rows: expected, sha256: digest } = written[table] ?? {};
    return rows !== expected || sha256 !== digest;
  });
  if (damaged.length > 0)
    throw new MoveRefused(`The archive is damaged in ${damaged.map(({ table }) => table).join(', ')}.`);
  await checkFiles(archive);
};

/** Reads what an archive has behind its rows, to its end. @throws Error where it is not as it was written. */
export const checkFiles = async (archive: ArchiveReader): Promise<void> => {
  for await (const file of archive.files()) if (!('sameAs' in file)) await readToEnd(file.content);
};

/** Of what is read only to see that it is well. */
export const readToEnd = async (content: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const chunk of content) void chunk;
};
