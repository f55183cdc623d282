import { randomBytes } from 'node:crypto';
import { setInterval as every } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StorageMove } from '../adapters/inbound/cli/storage-commands.js';
import { STORED_TABLES } from '../adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../adapters/outbound/security/sha256-digest.js';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import { describeFault, lookAtStore } from '../application/storage/look-at-store.js';
import { MoveRefused } from '../application/storage/move-refused.js';
import { MoveStorage, type MoveStep } from '../application/storage/move-storage.js';
import type { CommandParts } from './command-service.js';
import type { Config } from './configuration/config.js';
import { setYoungGrowth } from './lean-start.js';
import { keepKeyFor } from './keep-key-for.js';
import { refuseUnlessNew } from './new-file.js';
import { absolute, existing, migrateUnused, sealAddress, withEnds } from './storage-ends.js';
import { writeReceipt } from './storage-receipt.js';

const REPORT_MS = 5_000;
const INTERRUPTED = 130;

type Tell = (line: string) => void;

/** Rows that arrived, and how long the others will take. */
class Progress {
  readonly #startedAt = performance.now();
  #before = 0;
  #inTable: { readonly table: string; readonly rows: number } | undefined;

  constructor(private readonly known: number) {}

  add(table: string, rows: number): void {
    if (this.#inTable !== undefined && this.#inTable.table !== table) this.#before += this.#inTable.rows;
    this.#inTable = { table, rows };
  }

  describe(): string {
    const copied = this.#before + (this.#inTable?.rows ?? 0);
    const rate = copied / ((performance.now() - this.#startedAt) / 1_000);
    // What an earlier run had copied is not known.
    if (this.known === 0) return `Copied ${copied} rows, ${Math.round(rate)} a second.`;
    const left = rate === 0 ? '' : `, some ${Math.ceil(Math.max(this.known - copied, 0) / rate)} s left`;
    const share = Math.floor((Math.min(copied, this.known) / this.known) * 100);
    return `Copied ${copied} of ${this.known} rows (${share} %), ${Math.round(rate)} a second${left}.`;
  }
}

const SAID: Readonly<Record<Exclude<MoveStep['step'], 'looked' | 'resumed' | 'copied' | 'cut'>, string>> = {
  'made indexes': 'Copied every row, and made the indexes.',
  verified: 'Compared every row: both databases are equal.',
  holding: 'Follows what changes until "gatehouse storage cut" is run.',
  'compared again': 'Compared every row once more, as of the cut.',
};

/** Tells of each step once, and of rows now and then. */
const tellOf = (tell: Tell) => {
  let progress: Progress | undefined;
  const timer = every(() => progress && tell(progress.describe()), REPORT_MS);
  timer.unref();
  const report = (step: MoveStep): void => {
    if (step.step === 'looked') {
      progress = new Progress(step.look.rows);
      tell(`Found ${step.look.rows} rows.`);
    } else if (step.step === 'resumed') {
      progress = new Progress(0);
      tell(`Goes on with the move ${step.move}.`);
    } else if (step.step === 'copied') progress?.add(step.table, step.rows);
    else if (step.step === 'cut')
      tell(`Writers waited ${step.pauseMs} ms, in which ${step.keys} rows were taken over.`);
    else {
      progress = undefined;
      tell(SAID[step.step]);
    }
  };
  return { report, end: () => clearInterval(timer) };
};

const nameSomething = (): string => randomBytes(4).toString('hex');

const onInterrupt = (tell: Tell): (() => void) => {
  const stop = (): void => {
    tell('Stopped: run the same command again to go on, or "gatehouse storage abort" to give it up.');
    process.exit(INTERRUPTED);
  };
  process.once('SIGINT', stop);
  return () => void process.off('SIGINT', stop);
};

const move = async (config: Config, options: StorageMove, tell: Tell): Promise<void> => {
  const { receipt, hold = false } = options;
  if (receipt !== undefined) refuseUnlessNew(receipt);
  const from = existing(config.databaseUrl.reveal());
  const to = absolute(options.to);
  const sealedSuccessor = sealAddress(config, to);
  await migrateUnused(to);
  const { report, end } = tellOf(tell);
  const ignore = onInterrupt(tell);
  try {
    const moved = await withEnds([from, to], async (source, target) => {
      const keyLine = keepKeyFor(config, to);
      const parts = {
        tables: STORED_TABLES,
        clock: systemClock,
        startDigest: startSha256,
        newName: nameSomething,
        pause: (ms: number) => sleep(ms),
        sealedSuccessor,
        hold,
        report,
      };
      const result = await new MoveStorage(source, target, parts).execute();
      tell(`Moved from ${result.from} to ${result.to} (${result.move}).`);
      tell(`Set DATABASE_URL to the new database.${keyLine} Repositories stay in ${config.repositoriesDirectory}.`);
      tell('What served goes on from there by itself, and so does a start with the old DATABASE_URL.');
      tell('The old database is as it was, and takes no writes: "gatehouse storage reopen" goes back to it.');
      return result;
    });
    if (receipt !== undefined) await writeReceipt(receipt, moved, config);
  } finally {
    ignore();
    end();
  }
};

const dryRun = (config: Config, tell: Tell): Promise<void> =>
  withEnds([config.databaseUrl.reveal()], async (source) => {
    const { rows, faults, faulty } = await source.byPages((read) => lookAtStore(STORED_TABLES, read));
    faults.map(describeFault).forEach(tell);
    if (faulty > 0) throw new MoveRefused(`${faulty} values can't be kept by every database: change them first.`);
    tell(`${rows} rows can be moved. Nothing was written.`);
  });

/** `gatehouse storage move` */
export const createMoveCommand =
  ({ config, tell }: CommandParts) =>
  (options: StorageMove): Promise<void> => {
    // Rows are young objects, and many.
    setYoungGrowth(2);
    return options.dryRun === true ? dryRun(config(), tell) : move(config(), options, tell);
  };
