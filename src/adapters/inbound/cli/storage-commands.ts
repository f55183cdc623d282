import { InvalidArgumentError, type Command } from 'commander';
import { required } from './required-option.js';

export interface StorageMove {
  readonly to: string;
  readonly dryRun?: true;
  readonly hold?: true;
  readonly mend?: true;
  /** Rows a second at most. */
  readonly rate?: number;
  readonly json?: true;
  readonly receipt?: string;
}

const MOST_ROWS = 10_000_000;

const wholeRate = (text: string): number => {
  const rows = Number(text);
  if (!Number.isInteger(rows) || rows < 1 || rows > MOST_ROWS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_ROWS}.`);
  return rows;
};

interface OfSuccessor {
  readonly successor?: string;
}

/** `gatehouse storage …` */
export interface StorageCommands {
  moveStorage(options: StorageMove): Promise<void>;
  verifyStorage(options: { readonly with: string; readonly identity?: string }): Promise<void>;
  storageStatus(): Promise<void>;
  cutStorage(): Promise<void>;
  abortMove(options: { readonly to?: string }): Promise<void>;
  reopenStorage(options: OfSuccessor & { readonly discardChanges?: true }): Promise<void>;
  forgetStorage(options: OfSuccessor): Promise<void>;
}

const SUCCESSOR = ['--successor <url>', 'the database that it was left for; by default the one it knows of'] as const;

export const addStorageCommands = (program: Command, handlers: StorageCommands): void => {
  const storage = program
    .command('storage')
    .description('where an installation is stored: move it while it serves, verify it, go back');
  storage
    .command('move')
    .description('move everything to another, empty database; run it again to go on after an interruption')
    .addOption(required('--to <url>', 'written as DATABASE_URL is'))
    .option('--dry-run', 'only look for what could not be moved')
    .option('--mend', 'replace in the source what no text can hold by U+FFFD, instead of refusing it')
    .option('--rate <rows>', 'copy so many rows a second at most, for those who use the source meanwhile', wholeRate)
    .option('--json', 'print what is done as JSON, an object a line')
    .option('--hold', 'follow what changes, and cut over when "storage cut" is run')
    .option(
      '--receipt <file>',
      'write a signed receipt, with rows and digests of every table, to a file that does not exist yet',
    )
    .action((options: StorageMove) => handlers.moveStorage(options));
  storage
    .command('verify')
    .description('compare two databases, or a database and an archive, row by row')
    .addOption(required('--with <url>', 'the other database, or the file of an archive'))
    .option('--identity <file>', 'the file with the key that opens an encrypted archive')
    .action((options: { with: string; identity?: string }) => handlers.verifyStorage(options));
  storage
    .command('status')
    .description('tell whether the database serves, is being moved, or was left')
    .action(() => handlers.storageStatus());
  storage
    .command('cut')
    .description('let a move that follows by --hold cut over')
    .action(() => handlers.cutStorage());
  storage
    .command('abort')
    .description('give up a move that has not ended')
    .option('--to <url>', 'its target, which is emptied; by default the one the database knows of')
    .action((options: { to?: string }) => handlers.abortMove(options));
  storage
    .command('reopen')
    .description('serve from a database again that was left')
    .option(...SUCCESSOR)
    .option('--discard-changes', 'lose what was written at the successor since')
    .action((options: OfSuccessor & { discardChanges?: true }) => handlers.reopenStorage(options));
  storage
    .command('forget')
    .description('empty a database that was left, so that it can be moved to')
    .option(...SUCCESSOR)
    .action((options: OfSuccessor) => handlers.forgetStorage(options));
};
