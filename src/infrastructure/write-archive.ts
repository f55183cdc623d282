import { createArchive, type ArchivePlace } from '../adapters/outbound/archive/archive-writer.js';
import { FolderArtifactCopies } from '../adapters/outbound/artifacts/folder-artifact-copies.js';
import { FolderStoreCopies } from '../adapters/outbound/git/folder-store-copies.js';
import { STORED_TABLES } from '../adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../adapters/outbound/security/sha256-digest.js';
import { backUp } from '../application/storage/back-up.js';
import type { ArchiveHeader, ArchiveWriter } from '../application/storage/ports/archive.js';
import type { ArtifactCopies } from '../application/storage/ports/archived-artifacts.js';
import type { StoreCopies } from '../application/storage/ports/archived-repositories.js';
import type { Moment, RowSource } from '../application/storage/ports/stored-rows.js';
import { takeArtifacts, writeArtifacts } from '../application/storage/take-artifacts.js';
import { takeRepositories } from '../application/storage/take-repositories.js';
import { withEnds } from './storage-ends.js';

export interface ArchiveOrder {
  readonly databaseUrl: string;
  readonly place: ArchivePlace;
  /** Where repositories lie; absent leaves them out. */
  readonly repositoriesDirectory: string | undefined;
  /** Where files of CI jobs lie; absent leaves them out. */
  readonly artifactsDirectory: string | undefined;
  readonly header: (migrations: readonly string[]) => ArchiveHeader;
}

/** How many there are of what rows name, and what is not there. */
interface Taken {
  readonly taken: number;
  readonly missing: readonly string[];
}

interface TakenFiles {
  readonly repositories: Taken;
  readonly artifacts: Taken;
}

export interface WrittenArchive extends TakenFiles {
  readonly rows: number;
}

interface Copies {
  readonly stores: StoreCopies | undefined;
  readonly artifacts: ArtifactCopies | undefined;
}

const NOTHING_TAKEN: Taken = { taken: 0, missing: [] };

/** Writes an archive, also while a service serves: it has every row as it was at one moment, and the files that those rows name. */
export const writeArchive = async (order: ArchiveOrder): Promise<WrittenArchive> => {
  const { repositoriesDirectory, artifactsDirectory } = order;
  const stores = repositoriesDirectory === undefined ? undefined : await FolderStoreCopies.open(repositoriesDirectory);
  const artifacts = artifactsDirectory === undefined ? undefined : await FolderArtifactCopies.open(artifactsDirectory);
  try {
    const { archive, ...written } = await writeRows(order, { stores, artifacts });
    await orDiscard(archive, async () => {
      for await (const file of stores?.files() ?? []) await archive.addFile(file);
      if (artifacts !== undefined) await writeArtifacts(archive, artifacts, written.artifacts.taken);
      await archive.end();
    });
    return written;
  } finally {
    await stores?.discard();
    await artifacts?.discard();
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

const artifactsSaid = ({ taken, missing }: Taken): Pick<ArchiveHeader, 'artifacts' | 'lostArtifacts'> => ({
  artifacts: taken,
  ...(missing.length === 0 ? {} : { lostArtifacts: missing.length }),
});

/** What a kind of files is called, and how somebody says where they are. */
interface KindOfFiles {
  readonly what: string;
  readonly directory: string | undefined;
  readonly setting: string;
  readonly option: string;
}

/** @throws Error with a sentence where all of them are gone: their folder is another one, or isn't mounted, and the archive would be none. */
const refuseWithoutAny = ({ taken, missing }: Taken, { what, directory = '', setting, option }: KindOfFiles): void => {
  if (taken === 0 && missing.length > 0)
    throw new Error(
      `None of the ${missing.length} ${what} is in ${directory}. Set ${setting} to the folder that has them, or leave them out with ${option}.`,
    );
};

const refuseWithoutFiles = (files: TakenFiles, order: ArchiveOrder): void => {
  refuseWithoutAny(files.repositories, {
    ...{ what: 'repositories', setting: 'REPOSITORIES_DIR', option: '--without-repositories' },
    directory: order.repositoriesDirectory,
  });
  refuseWithoutAny(files.artifacts, {
    ...{ what: 'files of CI jobs', setting: 'ARTIFACTS_DIR', option: '--without-artifacts' },
    directory: order.artifactsDirectory,
  });
};

type RowsWritten = WrittenArchive & { readonly archive: ArchiveWriter };

const writeRows = (order: ArchiveOrder, copies: Copies): Promise<RowsWritten> =>
  withEnds([order.databaseUrl], async (end) => {
    const { place, header } = order;
    const begun = header(await end.migrations());
    const write = async (rows: Moment, files: TakenFiles): Promise<RowsWritten> => {
      // Whoever the archive is sent to may take all the time there is.
      await rows.keep();
      const archive = await createArchive(place, {
        ...begun,
        ...(copies.stores === undefined ? {} : { repositories: files.repositories.taken }),
        ...(copies.artifacts === undefined ? {} : artifactsSaid(files.artifacts)),
      });
      const { tables } = await orDiscard(archive, () => backUp(STORED_TABLES, rows, archive, startSha256));
      return { ...files, archive, rows: Object.values(tables).reduce((sum, each) => sum + each.rows, 0) };
    };
    for (let missingBefore = ''; ;) {
      const written = await end.snapshot(async (rows) => {
        const files = await takeFiles(rows, copies);
        const missing = [...files.repositories.missing, ...files.artifacts.missing].join();
        if (missing === '' || missing === missingBefore) {
          refuseWithoutFiles(files, order);
          return write(rows, files);
        }
        // Of a project or a file that was removed just now, maybe: a moment later no row names it.
        missingBefore = missing;
        return undefined;
      });
      if (written !== undefined) return written;
      await copies.stores?.discard();
    }
  });

const takeFiles = async (rows: RowSource, { stores, artifacts }: Copies): Promise<TakenFiles> => ({
  repositories: stores === undefined ? NOTHING_TAKEN : await takeRepositories(STORED_TABLES, rows, stores),
  artifacts: artifacts === undefined ? NOTHING_TAKEN : await takeArtifacts(STORED_TABLES, rows, artifacts),
});
