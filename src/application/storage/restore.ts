import {
  archivePeer,
  asTarget,
  isRestoring,
  serving,
  type StorageControl,
} from '../../domain/storage/storage-control.js';
import { fillTable } from './fill-table.js';
import { isUnused } from './is-unused.js';
import { MoveRefused } from './move-refused.js';
import type { ArchiveManifest, ArchiveReader, FileOfArchive } from './ports/archive.js';
import type { RestoredArtifacts } from './ports/archived-artifacts.js';
import type { RestoredStores } from './ports/archived-repositories.js';
import type { RestoredFolder } from './ports/restored-folder.js';
import type { Progress, StorageEnd } from './ports/storage-end.js';
import type { StartDigest, StoredTable } from './ports/stored-rows.js';
import { readToEnd } from './check-archive.js';
import { verifyStores, type Verification } from './verify-stores.js';

export interface RestoreParts {
  readonly tables: readonly StoredTable[];
  readonly startDigest: StartDigest;
  /** Reads the archive from its beginning. */
  readonly open: () => Promise<ArchiveReader>;
  /** How the archive is called, for whoever finds the database half filled. */
  readonly name: string;
  readonly newMove: () => string;
  /** Absent where repositories are left out. */
  readonly stores?: RestoredStores;
  /** Absent where files of CI jobs are left out. */
  readonly artifacts?: RestoredArtifacts;
}

/** @throws MoveRefused when the tables of an archive are not those of a database. */
export const refuseOtherMigrations = (archived: readonly string[], there: readonly string[]): void => {
  const newer = archived.filter((name) => !there.includes(name));
  if (newer.length > 0)
    throw new MoveRefused(`The archive was made by a newer version (${newer.join(', ')}): restore it with that.`);
  const older = there.filter((name) => !archived.includes(name));
  if (older.length > 0)
    throw new MoveRefused(
      `The archive was made before ${older.join(', ')}: restore it with the version that made it, and update then.`,
    );
};

/** @throws MoveRefused when an archive does not hold what was written into it. */
export const refuseDamaged = ({ tables }: Verification, manifest: ArchiveManifest): void => {
  const damaged = tables.filter(({ table, there }) => {
    const written = manifest.tables[table];
    return written?.rows !== there.rows || written.sha256 !== there.sha256;
  });
  if (damaged.length > 0)
    throw new MoveRefused(`The archive is damaged in ${damaged.map(({ table }) => table).join(', ')}.`);
};

/** Answers what the database says of itself from then on. */
const fill = async (target: StorageEnd, parts: RestoreParts): Promise<StorageControl> => {
  const archive = await parts.open();
  try {
    // From here on nobody is told where the installation is that it was left with: this becomes another one.
    const before = { ...(await target.control()), sealedSuccessor: undefined };
    const control = asTarget(before, parts.newMove(), archivePeer(parts.name));
    await target.beginFilling(control);
    const run = parts.newMove();
    await target.takeOver(run);
    let progress: Progress | undefined;
    for (const table of parts.tables)
      progress = await fillTable({ target, table, pages: archive.rows.pages(table), before: progress });
    const { counters } = await archive.manifest();
    const ready = { ...control, state: 'ready' } as const;
    await target.transact(run, async (work) => {
      await work.makeIndexes(false);
      await work.dropForeignKeys();
      await work.addForeignKeys();
      await work.setCounters(counters);
      await work.mark(ready);
    });
    await target.checkReferences();
    await target.analyze();
    return ready;
  } finally {
    await archive.close();
  }
};

const addFile = async (file: FileOfArchive, { stores, artifacts }: RestoreParts): Promise<void> => {
  if (!('artifact' in file) && stores !== undefined) await stores.add(file);
  else if ('artifact' in file && artifacts !== undefined) await artifacts.add(file);
  else if (!('sameAs' in file)) await readToEnd(file.content);
};

/** Reads the archive once more: its rows to compare them, and what is behind them. */
const verifyArchive = async (target: StorageEnd, parts: RestoreParts): Promise<Verification> => {
  const archive = await parts.open();
  try {
    const verification = await target.snapshot((here) =>
      verifyStores(parts.tables, here, archive.rows, parts.startDigest),
    );
    refuseDamaged(verification, await archive.manifest());
    if (verification.equal && (parts.stores !== undefined || parts.artifacts !== undefined))
      for await (const file of archive.files()) await addFile(file, parts);
    return verification;
  } finally {
    await archive.close();
  }
};

/** Nothing appears anywhere before every folder is free, and says whose files these will be. */
const showFiles = async (folders: readonly RestoredFolder[], move: string): Promise<void> => {
  for (const folder of folders) await folder.refuseOthers();
  for (const folder of folders) await folder.begin(move);
  for (const folder of folders) await folder.end();
};

/** Fills an empty database from an archive, compares every row, and brings back files before anybody may serve from it. */
export const restoreArchive = async (target: StorageEnd, parts: RestoreParts): Promise<Verification> => {
  const folders: readonly RestoredFolder[] = [parts.stores, parts.artifacts].filter((each) => each !== undefined);
  await target.hold();
  const archive = await parts.open();
  await archive.close();
  refuseOtherMigrations(archive.header.migrations, await target.migrations());
  const before = await target.control();
  // What an earlier restore left half done is begun anew.
  const begunBefore = isRestoring(before);
  if (!begunBefore && !(await isUnused(target, parts.tables)))
    throw new MoveRefused(`The database at ${target.place} is in use: an archive is restored into an empty one.`);
  for (const folder of folders) await folder.clear(begunBefore ? before.move : undefined);
  if (begunBefore) await target.empty();
  for (const folder of folders) await folder.refuseOthers();
  const ready = await fill(target, parts);
  const verification = await verifyArchive(target, parts);
  if (!verification.equal) throw new MoveRefused('The archive and the database differ.', { verification });
  await showFiles(folders, ready.move ?? '');
  // As this run left it: where another restore has begun meanwhile, nobody may serve from it.
  await target.mark(serving(ready, ready.epoch + 1), ready);
  for (const folder of folders) await folder.finish();
  return verification;
};
