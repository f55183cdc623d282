import { createArchive, type ArchivePlace } from '../adapters/outbound/archive/archive-writer.js';
import { FolderStoreCopies } from '../adapters/outbound/git/folder-store-copies.js';
import { STORED_TABLES } from '../adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../adapters/outbound/security/sha256-digest.js';
import { backUp } from '../application/storage/back-up.js';
import type { ArchiveHeader, ArchiveWriter } from '../application/storage/ports/archive.js';
import type { StoreCopies } from '../application/storage/ports/archived-repositories.js';
import type { RowSource } from '../application/storage/ports/stored-rows.js';
import { takeRepositories, type TakenRepositories } from '../application/storage/take-repositories.js';
import { withEnds } from './storage-ends.js';

export interface ArchiveOrder {
  readonly databaseUrl: string;
  readonly place: ArchivePlace;
  /** Where repositories lie; absent leaves them out. */
  readonly repositoriesDirectory: string | undefined;
  readonly header: (migrations: readonly string[]) => ArchiveHeader;
}

export interface WrittenArchive extends TakenRepositories {
  readonly rows: number;
}

const NOTHING_TAKEN: TakenRepositories = { taken: 0, missing: [] };

/** Writes an archive, also while a service serves: it has every row as it was at one moment, and what repositories had then. */
export const writeArchive = async (order: ArchiveOrder): Promise<WrittenArchive> => {
  const { repositoriesDirectory: directory } = order;
  const copies = directory === undefined ? undefined : await FolderStoreCopies.open(directory);
  try {
    const { archive, ...written } = await writeRows(order, copies);
    await orDiscard(archive, async () => {
      for await (const file of copies?.files() ?? []) await archive.addFile(file);
      await archive.end();
    });
    return written;
  } finally {
    await copies?.discard();
  }
};

const orDiscard = async <Result>(archive: ArchiveWriter, write: () => Promise<Result>): Promise<Result> => {
  try {
    return await write();
  } catch (error) {
    await archive.discard();
    throw error;
  }
};

type RowsWritten = WrittenArchive & { readonly archive: ArchiveWriter };

const writeRows = (
  { databaseUrl, place, header }: ArchiveOrder,
  copies: StoreCopies | undefined,
): Promise<RowsWritten> =>
  withEnds([databaseUrl], async (end) => {
    const begun = header(await end.migrations());
    const write = async (rows: RowSource, taken: TakenRepositories): Promise<RowsWritten> => {
      const archive = await createArchive(place, {
        ...begun,
        ...(copies === undefined ? {} : { repositories: taken.taken }),
      });
      const { tables } = await orDiscard(archive, () => backUp(STORED_TABLES, rows, archive, startSha256));
      return { ...taken, archive, rows: Object.values(tables).reduce((sum, each) => sum + each.rows, 0) };
    };
    for (let missingBefore = ''; ;) {
      const written = await end.snapshot(async (rows) => {
        const taken = copies === undefined ? NOTHING_TAKEN : await takeRepositories(STORED_TABLES, rows, copies);
        const missing = taken.missing.join();
        if (missing === '' || missing === missingBefore) return write(rows, taken);
        // Of a project that was removed just now, maybe: a moment later no row names it.
        missingBefore = missing;
        return undefined;
      });
      if (written !== undefined) return written;
      await copies?.discard();
    }
  });
