import { hash, randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import type { ArchiveCommands, Backup, Restoration } from '../adapters/inbound/cli/archive-commands.js';
import {
  FolderRestoredArtifacts,
  refuseUnlessWithoutArtifacts,
} from '../adapters/outbound/artifacts/folder-restored-artifacts.js';
import { FolderRestoredStores, refuseUnlessWithoutStores } from '../adapters/outbound/git/folder-restored-stores.js';
import { openArchive, refuseUnfitIdentity } from '../adapters/outbound/archive/archive-reader.js';
import { refuseUnfinishedRestore } from '../adapters/outbound/archive/restore-marker.js';
import { partialOf } from '../adapters/outbound/archive/partial-file.js';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import { prepareDatabaseFile } from '../adapters/outbound/persistence/knex/dialect/sqlite-file.js';
import { namesIn } from '../adapters/outbound/persistence/knex/migrate.js';
import { STORED_TABLES } from '../adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../adapters/outbound/security/sha256-digest.js';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import { Sensitive } from '../application/shared/sensitive.js';
import type { ArchiveHeader } from '../application/storage/ports/archive.js';
import { checkArchive } from '../application/storage/check-archive.js';
import { refuseOtherMigrations, restoreArchive } from '../application/storage/restore.js';
import type { CommandParts } from './command-service.js';
import type { Config } from './configuration/config.js';
import { findSecretKey, secretKeyFile } from './configuration/secret-key.js';
import { databaseFailure } from './database-failure.js';
import { setYoungGrowth } from './lean-start.js';
import { sayLostArtifacts, sayLostRepositories } from './lost-files.js';
import { MIGRATIONS_DIRECTORY } from './migrate-database.js';
import { refuseUnlessMakeable, refuseUnlessNew } from './new-file.js';
import { existing, migrateUnused, primaryAddress, withEnds } from './storage-ends.js';
import { VERSION } from './version.js';
import { writeArchive, type ArchiveOrder } from './write-archive.js';

/** Where a backup is written for whoever reads it as it is written. Nothing is restored from there: an archive is read more than once. */
const READER = '-';

type Tell = (line: string) => void;

/** Sixteen digits tell keys apart, and a key of 32 random bytes can't be found by them. */
const fingerprint = (key: Buffer | undefined): string | undefined => key && hash('sha256', key, 'hex').slice(0, 16);

const whereKeyIs = ({ secretKey, databaseUrl }: Config): string =>
  (secretKey === undefined ? secretKeyFile(databaseUrl.reveal()) : undefined) ?? 'SECRET_KEY';

/** The file of SQLite itself, as its tools know it. */
const copyFile = async (config: Config, to: string): Promise<void> => {
  const database = openDatabase({ url: existing(await primaryAddress(config)), poolMax: config.databasePoolMax });
  const partial = partialOf(to);
  try {
    prepareDatabaseFile(partial);
    await database.backup(partial);
    await rename(partial, to);
  } catch (error) {
    await rm(partial, { force: true });
    throw databaseFailure(error, `sqlite:${to}`);
  } finally {
    await database.close();
  }
};

const hasArtifacts = (config: Config, { format, withoutArtifacts }: Backup): boolean =>
  format !== 'sqlite' && config.backupArtifacts && withoutArtifacts !== true;

const orderOf = async (config: Config, options: Backup, recipient: string | undefined): Promise<ArchiveOrder> => ({
  databaseUrl: await primaryAddress(config),
  place: { to: options.to === READER ? process.stdout : options.to, recipient },
  repositoriesDirectory: options.withoutRepositories === true ? undefined : config.repositoriesDirectory,
  artifactsDirectory: hasArtifacts(config, options) ? config.artifactsDirectory : undefined,
  header: (migrations) => ({
    version: VERSION,
    migrations,
    createdAt: systemClock.now().toISOString(),
    keyFingerprint: fingerprint(findSecretKey(config)),
  }),
});

/** What an archive brings back besides rows, unless it is left out. */
interface Wanted {
  readonly repositories: number;
  readonly artifacts: number;
  /** Whether there were files of CI jobs that nobody brings back. */
  readonly lacksArtifacts: boolean;
  /** How many files of CI jobs were lost already when the archive was made. */
  readonly lostArtifacts: number;
}

const wantedOf = (
  { repositories = 0, artifacts, lostArtifacts = 0 }: ArchiveHeader,
  { withoutRepositories, withoutArtifacts }: Restoration,
): Wanted => ({
  repositories: withoutRepositories === true ? 0 : repositories,
  artifacts: withoutArtifacts === true ? 0 : (artifacts ?? 0),
  lacksArtifacts: artifacts !== 0 && (artifacts === undefined || withoutArtifacts === true),
  lostArtifacts,
});

/** @throws Error with a sentence where files can't be put where they belong. */
const refuseUnlessRoom = async (config: Config, wanted: Wanted): Promise<void> => {
  if (wanted.repositories > 0) {
    refuseUnlessMakeable(config.repositoriesDirectory);
    await refuseUnlessWithoutStores(config.repositoriesDirectory);
  } else await refuseUnfinishedRestore(config.repositoriesDirectory);
  if (wanted.artifacts > 0) {
    refuseUnlessMakeable(config.artifactsDirectory);
    await refuseUnlessWithoutArtifacts(config.artifactsDirectory);
  } else await refuseUnfinishedRestore(config.artifactsDirectory);
};

const tellOfFiles = (config: Config, wanted: Wanted, tell: Tell): void => {
  const { repositories, artifacts, lacksArtifacts, lostArtifacts } = wanted;
  if (artifacts > 0) tell(`Restored ${artifacts} files of CI jobs into ${config.artifactsDirectory}.`);
  if (lacksArtifacts)
    tell(
      `Files of CI jobs are not in the archive, or were left out: bring ${config.artifactsDirectory} back beside it.`,
    );
  if (lostArtifacts > 0)
    tell(`${lostArtifacts} files of CI jobs were lost already when the archive was made: their rows have none.`);
  tell(
    repositories > 0
      ? `Restored ${repositories} repositories into ${config.repositoriesDirectory}: "gatehouse repositories check --all" looks whether all is well.`
      : `Repositories are not in the archive, or were left out: bring ${config.repositoriesDirectory} back beside it.`,
  );
};

const fillFrom = async (config: Config, { from, identity }: Restoration, wanted: Wanted, tell: Tell): Promise<void> => {
  const stores = wanted.repositories > 0 ? new FolderRestoredStores(config.repositoriesDirectory) : undefined;
  const artifacts = wanted.artifacts > 0 ? new FolderRestoredArtifacts(config.artifactsDirectory) : undefined;
  await withEnds([config.databaseUrl.reveal()], async (target) => {
    const { tables, sha256 } = await restoreArchive(target, {
      tables: STORED_TABLES,
      startDigest: startSha256,
      open: () => openArchive(from, identity),
      name: from,
      newMove: () => randomBytes(4).toString('hex'),
      ...(stores === undefined ? {} : { stores }),
      ...(artifacts === undefined ? {} : { artifacts }),
    }).finally(async () => {
      await stores?.discard();
      await artifacts?.discard();
    });
    const rows = tables.reduce((sum, { here }) => sum + here.rows, 0);
    tell(`Restored ${rows} rows into ${target.place}, and compared every one: SHA-256 ${sha256}.`);
  });
};

const restore = async (config: Config, options: Restoration, tell: Tell): Promise<void> => {
  const { from, identity } = options;
  if (from === READER)
    throw new Error('An archive is read from a file, not from the standard input: name the file by --from.');
  const archive = await openArchive(from, identity);
  const { header } = archive;
  await archive.close();
  const key = fingerprint(findSecretKey(config));
  if (key !== undefined && header.keyFingerprint !== undefined && key !== header.keyFingerprint)
    throw new Error(`${whereKeyIs(config)} is not the secret key that belongs to ${from}.`);
  const wanted = wantedOf(header, options);
  await refuseUnlessRoom(config, wanted);
  // Before the database is migrated: the version that made the archive would not take it any more.
  refuseOtherMigrations(header.migrations, namesIn(MIGRATIONS_DIRECTORY));
  await migrateUnused(config.databaseUrl.reveal());
  await fillFrom(config, options, wanted, tell);
  if (key === undefined)
    tell(`The secret key of the installation is needed, too: put it where ${whereKeyIs(config)} is.`);
  tellOfFiles(config, wanted, tell);
};

const refuseServer = (url: string): void => {
  if (!url.startsWith('sqlite:'))
    throw new Error('This installation stores its data in PostgreSQL: use pg_dump for a consistent copy.');
};

const refuseCopy = ({ to, verify, encryptTo }: Backup, recipient: string | undefined): void => {
  if (to === READER || verify === true || encryptTo !== undefined)
    throw new Error('The file of SQLite is only copied: "-", --verify and --encrypt-to are for archives.');
  if (recipient !== undefined)
    throw new Error('BACKUP_RECIPIENT is set, and a copy of the file of SQLite is not encrypted: write an archive.');
};

/** @throws Error with a sentence when these don't go together. */
const refuseBackup = (options: Backup, recipient: string | undefined): void => {
  const { to, format, verify, identity } = options;
  if (format !== 'archive' && format !== 'sqlite')
    throw new Error(`There is no format "${format}". Choose from archive, sqlite.`);
  if (format === 'sqlite') {
    refuseCopy(options, recipient);
    return;
  }
  if (verify === true && to === READER)
    throw new Error('What was written to "-" can’t be read again: leave out --verify.');
  if (verify === true && recipient !== undefined && identity === undefined)
    throw new Error(
      'An encrypted archive is read again with its key alone: name its file by --identity, or leave out --verify.',
    );
};

/** The folders that a copy says nothing of. */
const leftOut = (config: Config, options: Backup): string => {
  const hasRepositories = options.format !== 'sqlite' && options.withoutRepositories !== true;
  const repositories = hasRepositories ? '' : `, and repositories (${config.repositoriesDirectory})`;
  const artifacts = hasArtifacts(config, options) ? '' : `, and files of CI jobs (${config.artifactsDirectory})`;
  return repositories + artifacts;
};

const backUpArchive = async (config: Config, options: Backup, recipient: string | undefined, tell: Tell) => {
  const { to, verify, identity } = options;
  if (recipient !== undefined && identity !== undefined) await refuseUnfitIdentity(recipient, identity);
  const { rows, repositories, artifacts } = await writeArchive(await orderOf(config, options, recipient));
  tell(`Wrote ${rows} rows, ${repositories.taken} repositories and ${artifacts.taken} files of CI jobs.`);
  if (repositories.missing.length > 0) tell(sayLostRepositories(repositories.missing.length));
  if (artifacts.missing.length > 0) tell(sayLostArtifacts(artifacts.missing.length));
  if (verify !== true) return;
  const archive = await openArchive(to, identity);
  try {
    await checkArchive(STORED_TABLES, archive, startSha256);
  } finally {
    await archive.close();
  }
  tell('Read it again: everything is as it was written.');
};

/** `gatehouse backup` and `gatehouse restore` */
export const createArchiveCommands = ({ config, tell }: CommandParts): ArchiveCommands => ({
  backup: async (options) => {
    const effective = config();
    const { to, format, encryptTo: recipient = effective.backupRecipient } = options;
    if (format === 'sqlite') refuseServer(await primaryAddress(effective));
    refuseBackup(options, recipient);
    if (to !== READER) refuseUnlessNew(to);
    // Rows are young objects, and many.
    setYoungGrowth(2);
    if (format === 'sqlite') await copyFile(effective, to);
    else await backUpArchive(effective, options, recipient, tell);
    tell(
      `The copy is ${to === READER ? 'where it was sent' : `in ${to}`}. What belongs with it and is not in it: the secret key (${whereKeyIs(effective)})${leftOut(effective, options)}.`,
    );
  },

  restore: (options) => {
    const effective = config();
    const databaseUrl = options.to === undefined ? effective.databaseUrl : new Sensitive(options.to);
    return restore({ ...effective, databaseUrl }, options, tell);
  },
});
