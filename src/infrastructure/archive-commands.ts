import { hash, randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import type { ArchiveCommands } from '../adapters/inbound/cli/archive-commands.js';
import { createArchive } from '../adapters/outbound/archive/archive-writer.js';
import { openArchive } from '../adapters/outbound/archive/archive-reader.js';
import { partialOf } from '../adapters/outbound/archive/partial-file.js';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import { prepareDatabaseFile } from '../adapters/outbound/persistence/knex/dialect/sqlite-file.js';
import { STORED_TABLES } from '../adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../adapters/outbound/security/sha256-digest.js';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import { Sensitive } from '../application/shared/sensitive.js';
import { backUp } from '../application/storage/back-up.js';
import { restoreArchive } from '../application/storage/restore.js';
import type { CommandParts } from './command-service.js';
import type { Config } from './configuration/config.js';
import { findSecretKey, secretKeyFile } from './configuration/secret-key.js';
import { refuseUnlessNew } from './new-file.js';
import { existing, migrateUnused, primaryAddress, withEnds } from './storage-ends.js';
import { VERSION } from './version.js';

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
    throw error;
  } finally {
    await database.close();
  }
};

/** Writes an archive, also while a service serves: it has every row as it was at one moment. */
const writeArchive = async (config: Config, to: string): Promise<number> =>
  withEnds([await primaryAddress(config)], async (end) => {
    const archive = await createArchive(to, {
      version: VERSION,
      migrations: await end.migrations(),
      createdAt: systemClock.now().toISOString(),
      keyFingerprint: fingerprint(findSecretKey(config)),
    });
    try {
      const { tables } = await end.snapshot((rows) => backUp(STORED_TABLES, rows, archive, startSha256));
      return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
    } catch (error) {
      await archive.discard();
      throw error;
    }
  });

const restore = async (config: Config, from: string, tell: Tell): Promise<void> => {
  const databaseUrl = config.databaseUrl.reveal();
  const archive = await openArchive(from);
  const { header } = archive;
  await archive.close();
  const key = fingerprint(findSecretKey(config));
  if (key !== undefined && header.keyFingerprint !== undefined && key !== header.keyFingerprint)
    throw new Error(`${whereKeyIs(config)} is not the secret key that belongs to ${from}.`);
  await migrateUnused(databaseUrl);
  await withEnds([databaseUrl], async (target) => {
    const { tables, sha256 } = await restoreArchive(target, {
      tables: STORED_TABLES,
      startDigest: startSha256,
      open: () => openArchive(from),
      name: from,
      newMove: () => randomBytes(4).toString('hex'),
    });
    const rows = tables.reduce((sum, { here }) => sum + here.rows, 0);
    tell(`Restored ${rows} rows into ${target.place}, and compared every one: SHA-256 ${sha256}.`);
  });
  if (key === undefined)
    tell(`The secret key of the installation is needed, too: put it where ${whereKeyIs(config)} is.`);
  tell(`Repositories are not in an archive: bring ${config.repositoriesDirectory} back beside it.`);
};

/** `gatehouse backup` and `gatehouse restore` */
export const createArchiveCommands = ({ config, tell }: CommandParts): ArchiveCommands => ({
  backup: async ({ to, format }) => {
    const effective = config();
    refuseUnlessNew(to);
    if (format !== 'archive' && format !== 'sqlite')
      throw new Error(`There is no format "${format}". Choose from archive, sqlite.`);
    if (format === 'sqlite') await copyFile(effective, to);
    else tell(`Wrote ${await writeArchive(effective, to)} rows.`);
    tell(
      `The copy is in ${to}. What belongs with it and is not in it: the secret key (${whereKeyIs(effective)}), and repositories (${effective.repositoriesDirectory}).`,
    );
  },

  restore: ({ from, to }) => {
    const effective = config();
    const databaseUrl = to === undefined ? effective.databaseUrl : new Sensitive(to);
    return restore({ ...effective, databaseUrl }, from, tell);
  },
});
