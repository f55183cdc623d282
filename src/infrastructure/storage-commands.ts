import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setInterval as every } from 'node:timers';
import type { StorageCommands } from '../adapters/inbound/cli/storage-commands.js';
import { openStorageEnd } from '../adapters/outbound/persistence/knex/dialect/storage/open-storage-end.js';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import { Migrator } from '../adapters/outbound/persistence/knex/migrate.js';
import { STORED_TABLES } from '../adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../adapters/outbound/security/sha256-digest.js';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import { describeFault, lookAtStore } from '../application/storage/look-at-store.js';
import { describeVerification, MoveRefused } from '../application/storage/move-refused.js';
import { MoveStorage, type MoveStep } from '../application/storage/move-storage.js';
import type { StorageEnd } from '../application/storage/ports/storage-end.js';
import { abortMove, forgetStorage, reopenStorage } from '../application/storage/settle-storage.js';
import { verifyStores } from '../application/storage/verify-stores.js';
import type { CommandParts } from './command-service.js';
import type { Config } from './configuration/config.js';
import { keepKeyFor } from './keep-key-for.js';
import { MIGRATIONS_DIRECTORY } from './prepare-database.js';
import { writeReceipt } from './storage-receipt.js';

const MEMORY = 'sqlite::memory:';
const SQLITE = 'sqlite:';

const existing = (url: string): string => {
  if (url === MEMORY) throw new Error('A database in memory is gone with its process: there is nothing to move.');
  if (url.startsWith(SQLITE) && !existsSync(url.slice(SQLITE.length)))
    throw new Error(`There is no database at ${url}.`);
  return url;
};

/** Runs `work` on the database of the settings, and on another where one is named. */
const withEnds = async <Result>(
  urls: readonly string[],
  work: (here: StorageEnd, there: StorageEnd) => Promise<Result>,
): Promise<Result> => {
  const ends: StorageEnd[] = [];
  try {
    for (const url of urls) ends.push(await openStorageEnd(existing(url)));
    const [here, there] = ends as [StorageEnd, StorageEnd | undefined];
    return await work(here, there ?? here);
  } finally {
    for (const end of ends) await end.close();
  }
};

/** Migrates a database that nobody has written to; one that is in use is left as it is, and refused later. */
const migrateTarget = async (url: string): Promise<void> => {
  if (url === MEMORY) throw new Error('A database in memory is gone with its process: move to a file or a server.');
  const database = openDatabase({ url, poolMax: 2 });
  try {
    const { schema } = database;
    const used = (await schema.schema.hasTable('users')) && (await schema('users').first('id')) !== undefined;
    if (!used) await new Migrator(database, MIGRATIONS_DIRECTORY).migrate();
  } finally {
    await database.close();
  }
};

const REPORT_MS = 5_000;

/** Tells of each step once, and of rows now and then. */
const tellOf = (tell: (line: string) => void) => {
  const startedAt = performance.now();
  let [known, copied, inTable] = [0, 0, 0];
  const timer = every(() => {
    const rate = Math.round(copied / ((performance.now() - startedAt) / 1000));
    if (copied > 0) tell(`Copied ${copied} of ${known} rows, ${rate} a second.`);
  }, REPORT_MS);
  timer.unref();
  const report = (step: MoveStep): void => {
    if (step.step === 'looked') {
      known = step.look.rows;
      tell(`Found ${known} rows.`);
    } else if (step.step === 'copied') {
      copied += step.rows - (step.rows < inTable ? 0 : inTable);
      inTable = step.rows;
    } else if (step.step === 'resumed') tell(`Goes on with the move ${step.move}.`);
    else if (step.step === 'made indexes') tell('Copied every row, and made the indexes.');
    else tell('Verified every row.');
  };
  return { report, end: () => clearInterval(timer) };
};

const move = async (config: Config, to: string, receipt: string | undefined, tell: (line: string) => void) => {
  if (receipt !== undefined && existsSync(receipt)) throw new Error(`${receipt} exists already.`);
  const from = existing(config.databaseUrl.reveal());
  await migrateTarget(to);
  const { report, end } = tellOf(tell);
  try {
    await withEnds([from, to], async (source, target) => {
      const keyLine = keepKeyFor(config, to);
      const parts = {
        tables: STORED_TABLES,
        clock: systemClock,
        startDigest: startSha256,
        newMove: () => randomBytes(4).toString('hex'),
        report,
      };
      const moved = await new MoveStorage(source, target, parts).execute();
      if (receipt !== undefined) writeReceipt(receipt, moved, config.repositoriesDirectory);
      tell(`Moved from ${moved.from} to ${moved.to} (${moved.move}).`);
      tell(`Set DATABASE_URL to the new database.${keyLine} Repositories stay in ${config.repositoriesDirectory}.`);
      tell('The old database is as it was, and takes no writes: "gatehouse storage reopen" goes back to it.');
    });
  } finally {
    end();
  }
};

const dryRun = (config: Config, tell: (line: string) => void): Promise<void> =>
  withEnds([config.databaseUrl.reveal()], async (source) => {
    const { rows, faults, faulty } = await source.snapshot((read) => lookAtStore(STORED_TABLES, read));
    faults.map(describeFault).forEach(tell);
    if (faulty > 0) throw new MoveRefused(`${faulty} values can't be kept by every database: change them first.`);
    tell(`${rows} rows can be moved. Nothing was written.`);
  });

const verify = (config: Config, other: string, tell: (line: string) => void): Promise<void> =>
  withEnds([config.databaseUrl.reveal(), other], async (one, another) => {
    const verification = await one.snapshot((here) =>
      another.snapshot((there) => verifyStores(STORED_TABLES, here, there, startSha256)),
    );
    describeVerification(verification).forEach(tell);
    if (!verification.equal) throw new Error(`${one.place} and ${another.place} differ.`);
    const rows = verification.tables.reduce((sum, { here }) => sum + here.rows, 0);
    tell(`${rows} rows are equal: SHA-256 ${verification.sha256}.`);
  });

const status = (config: Config, print: (line: string) => void): Promise<void> =>
  withEnds([config.databaseUrl.reveal()], async (end) => {
    const control = await end.control();
    print(`database  ${end.place}`);
    print(`role      ${control.role}${control.state === undefined ? '' : `, ${control.state}`}`);
    if (control.move !== undefined) print(`move      ${control.move}, with ${control.peer ?? 'nobody'}`);
    const progress = await end.progress();
    if (progress !== undefined && control.state === 'filling') print(`filled    up to ${progress.table}`);
  });

/** `gatehouse storage …` */
export const createStorageCommands = ({ config, print, tell }: CommandParts): StorageCommands => ({
  moveStorage: ({ to, dryRun: dry, receipt }) =>
    dry === true ? dryRun(config(), tell) : move(config(), to, receipt, tell),

  verifyStorage: ({ with: other }) => verify(config(), other, tell),

  storageStatus: () => status(config(), print),

  abortMove: ({ to }) =>
    withEnds([config().databaseUrl.reveal(), ...(to === undefined ? [] : [to])], async (source, target) => {
      await abortMove(source, target === source ? undefined : target);
      tell(`${source.place} serves again.`);
    }),

  reopenStorage: ({ successor, discardChanges = false }) =>
    withEnds([config().databaseUrl.reveal(), successor], async (source, next) => {
      await reopenStorage(source, next, { tables: STORED_TABLES, startDigest: startSha256, discardChanges });
      tell(`${source.place} serves again, and ${next.place} takes no writes.`);
    }),

  forgetStorage: ({ successor }) =>
    withEnds([config().databaseUrl.reveal(), successor], async (source, next) => {
      await forgetStorage(source, next);
      tell(`${source.place} is empty.`);
    }),
});
