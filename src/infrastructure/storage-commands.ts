import type { StorageCommands } from '../adapters/inbound/cli/storage-commands.js';
import { openArchive } from '../adapters/outbound/archive/archive-reader.js';
import { STORED_TABLES } from '../adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../adapters/outbound/security/sha256-digest.js';
import { checkFiles } from '../application/storage/check-archive.js';
import { describeVerification } from '../application/storage/move-refused.js';
import { refuseDamaged, refuseOtherMigrations } from '../application/storage/restore.js';
import { abortMove, cutStorage, forgetStorage, reopenStorage } from '../application/storage/settle-storage.js';
import type { StorageEnd } from '../application/storage/ports/storage-end.js';
import { verifyStores, type Verification } from '../application/storage/verify-stores.js';
import { isGivenUp, isMoving, isRestoring, type StorageControl } from '../domain/storage/storage-control.js';
import type { CommandParts } from './command-service.js';
import type { Config } from './configuration/config.js';
import { setYoungGrowth } from './lean-start.js';
import { createMoveCommand } from './move-command.js';
import { sealAddress, withInstalled, withSuccessor } from './storage-ends.js';

const URL_OF_DATABASE = /^(?:sqlite|postgres(?:ql)?):/;

const compareWithFile = async (one: StorageEnd, file: string, identity?: string): Promise<Verification> => {
  const archive = await openArchive(file, identity);
  try {
    refuseOtherMigrations(archive.header.migrations, await one.migrations());
    const verification = await one.snapshot((here) => verifyStores(STORED_TABLES, here, archive.rows, startSha256));
    refuseDamaged(verification, await archive.manifest());
    await checkFiles(archive);
    return verification;
  } finally {
    await archive.close();
  }
};

const compareWithDatabase = (one: StorageEnd, url: string): Promise<Verification> =>
  withInstalled([url], (another) =>
    one.snapshot((here) => another.snapshot((there) => verifyStores(STORED_TABLES, here, there, startSha256))),
  );

interface Other {
  readonly with: string;
  readonly identity?: string;
}

const verify = (config: Config, { with: other, identity }: Other, tell: (line: string) => void): Promise<void> =>
  withInstalled([config.databaseUrl.reveal()], async (one) => {
    setYoungGrowth(2);
    const compare = URL_OF_DATABASE.test(other) ? compareWithDatabase : compareWithFile;
    const verification = await compare(one, other, identity);
    describeVerification(verification).forEach(tell);
    if (!verification.equal) throw new Error(`${one.place} differs from what it was compared with.`);
    const rows = verification.tables.reduce((sum, { here }) => sum + here.rows, 0);
    tell(`${rows} rows are equal: SHA-256 ${verification.sha256}.`);
  });

const describeMove = (control: StorageControl): string => {
  const move = `${control.move ?? ''}, with ${control.peer ?? 'nobody'}`;
  if (isGivenUp(control)) return `move      ${move}: being given up, run "gatehouse storage abort" again`;
  // What serves and is not being moved keeps the name of the one before.
  const isOver = control.role === 'primary' && !isMoving(control);
  return `${isOver ? 'last move' : 'move     '} ${move}${control.state === 'given up' ? ': given up' : ''}`;
};

/** Whether no command is at work on a move, as after one that was interrupted. */
const isIdle = (end: StorageEnd): Promise<boolean> =>
  end.hold(0).then(
    () => true,
    () => false,
  );

/** Whether a command is to be at work on it. */
const isUnderWay = (control: StorageControl): boolean => isMoving(control) || control.role === 'target';

const describeIdle = (control: StorageControl): string =>
  `command   none: run the same ${isRestoring(control) ? 'restore again' : 'move again to go on'}, or give it up by "gatehouse storage abort"`;

const status = (config: Config, print: (line: string) => void): Promise<void> =>
  withInstalled([config.databaseUrl.reveal()], async (end) => {
    const control = await end.control();
    const state = control.state === undefined || control.state === 'given up' ? '' : `, ${control.state}`;
    print(`database  ${end.place}`);
    print(`role      ${control.role}${state}`);
    if (control.move !== undefined) print(describeMove(control));
    if (isUnderWay(control) && (await isIdle(end))) print(describeIdle(control));
    const [progress, rows] = [await end.progress(), await end.copiedRows()];
    if (rows !== undefined && isMoving(control)) print(`copied    ${rows.copied} of ${rows.known} rows`);
    for (const { node, version, state, reason } of await end.nodes())
      print(`process   ${node} (${version}): ${reason ?? state}`);
    if (progress !== undefined && control.state === 'filling') print(`filled    up to ${progress.table}`);
  });

/** @throws Error where it is not known what a database was left for. */
const refuseNone = async (
  source: StorageEnd,
  successor: StorageEnd | undefined,
  nothingTo: string,
): Promise<StorageEnd> => {
  if (successor !== undefined) return successor;
  const { role } = await source.control();
  throw new Error(
    role === 'left'
      ? 'Nobody wrote down what it was left for: name it by --successor.'
      : `${source.place} was not left: there is nothing to ${nothingTo}.`,
  );
};

/** `gatehouse storage …` */
export const createStorageCommands = (parts: CommandParts): StorageCommands => {
  const { config, print, tell } = parts;
  return {
    moveStorage: createMoveCommand(parts),

    verifyStorage: (options) => verify(config(), options, tell),

    storageStatus: () => status(config(), print),

    cutStorage: () =>
      withInstalled([config().databaseUrl.reveal()], async (source) => {
        await cutStorage(source);
        tell('The move that waits cuts over now.');
      }),

    abortMove: ({ to }) =>
      withSuccessor(config(), to, async (source, target) => {
        await abortMove(source, target);
        tell(`${source.place} is not being moved any more.`);
      }),

    reopenStorage: ({ successor, discardChanges = false }) => {
      const effective = config();
      return withSuccessor(effective, successor, async (source, next) => {
        await reopenStorage(source, await refuseNone(source, next, 'go back from'), {
          tables: STORED_TABLES,
          startDigest: startSha256,
          sealedSource: sealAddress(effective, effective.databaseUrl.reveal()),
          discardChanges,
        });
        tell(`${source.place} serves again, and ${next?.place ?? ''} takes no writes.`);
      });
    },

    forgetStorage: ({ successor }) =>
      withSuccessor(config(), successor, async (source, next) => {
        await forgetStorage(source, await refuseNone(source, next, 'forget'));
        tell(`${source.place} is empty: a move or a restore may fill it.`);
        tell(
          `Until then a start with it as DATABASE_URL follows to ${next?.place ?? ''} as before: set DATABASE_URL to that one.`,
        );
      }),
  };
};
