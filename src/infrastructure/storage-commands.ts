import { randomBytes } from 'node:crypto';
import { setInterval as every } from 'node:timers';
import type { StorageCommands } from '../adapters/inbound/cli/storage-commands.js';
import { openArchive } from '../adapters/outbound/archive/archive-reader.js';
import { STORED_TABLES } from '../adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../adapters/outbound/security/sha256-digest.js';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import { describeFault, lookAtStore } from '../application/storage/look-at-store.js';
import { describeVerification, MoveRefused } from '../application/storage/move-refused.js';
import { MoveStorage, type MoveStep } from '../application/storage/move-storage.js';
import { abortMove, forgetStorage, reopenStorage } from '../application/storage/settle-storage.js';
import { refuseDamaged, refuseOtherMigrations } from '../application/storage/restore.js';
import type { StorageEnd } from '../application/storage/ports/storage-end.js';
import { verifyStores, type Verification } from '../application/storage/verify-stores.js';
import type { CommandParts } from './command-service.js';
import type { Config } from './configuration/config.js';
import { keepKeyFor } from './keep-key-for.js';
import { refuseUnlessNew } from './new-file.js';
import { existing, migrateUnused, withEnds } from './storage-ends.js';
import { writeReceipt } from './storage-receipt.js';

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
  if (receipt !== undefined) refuseUnlessNew(receipt);
  const from = existing(config.databaseUrl.reveal());
  await migrateUnused(to);
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
      tell(`Moved from ${moved.from} to ${moved.to} (${moved.move}).`);
      tell(`Set DATABASE_URL to the new database.${keyLine} Repositories stay in ${config.repositoriesDirectory}.`);
      tell('The old database is as it was, and takes no writes: "gatehouse storage reopen" goes back to it.');
      if (receipt !== undefined) writeReceipt(receipt, moved, config.repositoriesDirectory);
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

const URL_OF_DATABASE = /^(?:sqlite|postgres(?:ql)?):/;

const compareWithFile = async (one: StorageEnd, file: string): Promise<Verification> => {
  const archive = await openArchive(file);
  try {
    refuseOtherMigrations(archive.header.migrations, await one.migrations());
    const verification = await one.snapshot((here) => verifyStores(STORED_TABLES, here, archive.rows, startSha256));
    refuseDamaged(verification, await archive.manifest());
    return verification;
  } finally {
    await archive.close();
  }
};

const compareWithDatabase = (one: StorageEnd, url: string): Promise<Verification> =>
  withEnds([url], (another) =>
    one.snapshot((here) => another.snapshot((there) => verifyStores(STORED_TABLES, here, there, startSha256))),
  );

const verify = (config: Config, other: string, tell: (line: string) => void): Promise<void> =>
  withEnds([config.databaseUrl.reveal()], async (one) => {
    const compare = URL_OF_DATABASE.test(other) ? compareWithDatabase : compareWithFile;
    const verification = await compare(one, other);
    describeVerification(verification).forEach(tell);
    if (!verification.equal) throw new Error(`${one.place} differs from what it was compared with.`);
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
    withEnds([config().databaseUrl.reveal(), to], async (source, target) => {
      await abortMove(source, target === source ? undefined : target);
      tell(`${source.place} may be served from again.`);
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
