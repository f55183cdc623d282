import type { Command } from 'commander';
import { required } from './required-option.js';

export interface Backup {
  readonly to: string;
  /** `archive`, or the kind of database whose file is copied. */
  readonly format: string;
  /** The public half of the key that alone opens it. */
  readonly encryptTo?: string;
  /** Reads it again. */
  readonly verify?: true;
  /** The file with the key of an encrypted archive. */
  readonly identity?: string;
  readonly withoutRepositories?: true;
  readonly withoutArtifacts?: true;
}

export interface Restoration {
  readonly from: string;
  readonly to?: string;
  readonly identity?: string;
  readonly withoutRepositories?: true;
  readonly withoutArtifacts?: true;
}

const IDENTITY = ['--identity <file>', 'the file with the key that opens an encrypted archive'] as const;

/** `gatehouse backup` and `gatehouse restore` */
export interface ArchiveCommands {
  backup(options: Backup): Promise<void>;
  restore(options: Restoration): Promise<void>;
}

export const addArchiveCommands = (program: Command, handlers: ArchiveCommands): void => {
  program
    .command('backup')
    .description('write every row, repository and file of CI jobs into an archive while they are being served')
    .addOption(required('--to <file>', 'a file that does not exist yet, or - for the standard output'))
    .option(
      '--format <name>',
      'archive, for a database of any kind, or the kind of this database, for a copy of its file',
      'archive',
    )
    .option('--encrypt-to <key>', 'the public half of a key, age1…; BACKUP_RECIPIENT by default')
    .option('--verify', 'read the archive again, every row')
    .option(...IDENTITY)
    .option('--without-repositories', 'leave repositories out')
    .option('--without-artifacts', 'leave files of CI jobs out')
    .action((options: Backup, command: Command) => {
      if (options.identity !== undefined && options.verify !== true)
        command.error('error: --identity is the key to read the archive again with: it goes with --verify');
      return handlers.backup(options);
    });
  program
    .command('restore')
    .description('fill an empty database, REPOSITORIES_DIR and ARTIFACTS_DIR from an archive, and compare every row')
    .addOption(required('--from <file>', 'the archive'))
    .option('--to <url>', 'the database; that of DATABASE_URL by default')
    .option(...IDENTITY)
    .option('--without-repositories', 'leave repositories out: REPOSITORIES_DIR stays as it is')
    .option('--without-artifacts', 'leave files of CI jobs out: ARTIFACTS_DIR is not touched')
    .action((options: Restoration) => handlers.restore(options));
};
