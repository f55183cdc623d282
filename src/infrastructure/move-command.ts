import { randomBytes } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StorageMove } from '../adapters/inbound/cli/storage-commands.js';
import { STORED_TABLES } from '../adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../adapters/outbound/security/sha256-digest.js';
import { watchSpareProcessors } from '../adapters/outbound/system/spare-processors.js';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import { describeFault, lookAtSource } from '../application/storage/look-at-store.js';
import { MoveRefused } from '../application/storage/move-refused.js';
import { MoveStorage, type MoveStep } from '../application/storage/move-storage.js';
import type { StorageEnd } from '../application/storage/ports/storage-end.js';
import { createTurns } from '../application/storage/turns.js';
import type { CommandParts } from './command-service.js';
import type { Config } from './configuration/config.js';
import { setYoungGrowth } from './lean-start.js';
import { keepKeyFor } from './keep-key-for.js';
import { reportMove } from './move-progress.js';
import { refuseUnlessNew } from './new-file.js';
import { absolute, existing, migrateUnused, refuseUnlessMovable, sealAddress, withEnds } from './storage-ends.js';
import { keepReceipt } from './storage-receipt.js';

const INTERRUPTED = 130;

type Tell = (line: string) => void;

const pause = (ms: number): Promise<void> => sleep(ms);

const nameSomething = (): string => randomBytes(4).toString('hex');

/** A file is read and written by this process itself. */
const watchProcessorsBeside = (...ends: readonly StorageEnd[]): (() => number) =>
  watchSpareProcessors(ends.filter(({ servesMany }) => servesMany).length);

const onInterrupt = (tell: Tell): (() => void) => {
  const stop = (): void => {
    tell('Stopped: run the same command again to go on, or "gatehouse storage abort" to give it up.');
    process.exit(INTERRUPTED);
  };
  process.once('SIGINT', stop);
  return () => void process.off('SIGINT', stop);
};

/** Once writers have gone over nobody waits for what is left to do; before, they would wait for a slow cut, and no process may raise its priority again. */
const giveWayOnceCut = ({ step }: MoveStep): void => {
  if (step === 'cut') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
};

interface Voices {
  /** For people. */
  readonly tell: Tell;
  /** For programs. */
  readonly print: Tell;
}

const move = async (config: Config, options: StorageMove, { tell, print }: Voices): Promise<void> => {
  const { receipt, hold = false, mend = false, rate, json = false } = options;
  if (receipt !== undefined) refuseUnlessNew(receipt);
  const from = existing(config.databaseUrl.reveal());
  const to = absolute(options.to);
  const sealedSuccessor = sealAddress(config, to);
  await refuseUnlessMovable(config, to);
  await migrateUnused(to);
  const { report, steps, end } = reportMove(json ? print : tell, json);
  const ignore = onInterrupt(tell);
  try {
    const moved = await withEnds([from, to], async (source, target) => {
      const keyLine = keepKeyFor(config, to);
      const parts = {
        tables: STORED_TABLES,
        clock: systemClock,
        startDigest: startSha256,
        newName: nameSomething,
        pause,
        spare: watchProcessorsBeside(source, target),
        sealedSuccessor,
        hold,
        mend,
        rate,
        report: (step: MoveStep) => {
          report(step);
          giveWayOnceCut(step);
        },
      };
      const result = await new MoveStorage(source, target, parts).execute();
      if (json) print(JSON.stringify({ step: 'moved', move: result.move, from: result.from, to: result.to }));
      tell(`Moved from ${result.from} to ${result.to} (${result.move}).`);
      tell(`Set DATABASE_URL to the new database.${keyLine} Repositories stay in ${config.repositoriesDirectory}.`);
      tell('What served goes on from there by itself, and so does a start with the old DATABASE_URL.');
      tell('The old database is as it was, and takes no writes: "gatehouse storage reopen" goes back to it.');
      return result;
    });
    await keepReceipt(config, { urls: [from, to], moved, steps, file: receipt });
  } finally {
    ignore();
    end();
  }
};

const dryRun = async (config: Config, { to, json }: StorageMove, { tell, print }: Voices): Promise<void> => {
  const from = existing(config.databaseUrl.reveal());
  await refuseUnlessMovable(config, absolute(to));
  await withEnds([from], async (source) => {
    const parts = { clock: systemClock, pause, spare: watchProcessorsBeside(source) };
    const rest = createTurns(parts, () => Promise.resolve(true));
    const look = await lookAtSource(STORED_TABLES, source, rest);
    const { rows, faults, faulty } = look;
    if (json === true) print(JSON.stringify({ step: 'looked', look }));
    faults.map(describeFault).forEach(tell);
    if (faulty > 0) throw new MoveRefused(`${faulty} values can't be kept by every database: change them first.`);
    tell(`${rows} rows can be moved. Nothing was written.`);
  });
};

/** `gatehouse storage move` */
export const createMoveCommand =
  ({ config, tell, print }: CommandParts) =>
  (options: StorageMove): Promise<void> => {
    // Rows are young objects, and many.
    setYoungGrowth(2);
    return (options.dryRun === true ? dryRun : move)(config(), options, { tell, print });
  };
