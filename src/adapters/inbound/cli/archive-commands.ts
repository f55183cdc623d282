import type { Command } from 'commander';
import { required } from './required-option.js';

export interface Backup {
  readonly to: string;
  /** `archive`, or the kind of database whose file is copied. */
  readonly format: string;
}

/** `gatehouse backup` and `gatehouse restore` */
export interface ArchiveCommands {
  backup(options: Backup): Promise<void>;
  restore(options: { readonly from: string; readonly to?: string }): Promise<void>;
}

export const addArchiveCommands = (program: Command, handlers: ArchiveCommands): void => {
  program
    .command('backup')
    .description('write every row into an archive while the database is being served')
    .addOption(required('--to <file>', 'a file that does not exist yet'))
    .option(
      '--format <name>',
      'archive, for a database of any kind, or the kind of this database, for a copy of its file',
      'archive',
    )
    .action((options: Backup) => handlers.backup(options));
  program
    .command('restore')
    .description('fill an empty database from an archive, and compare every row')
    .addOption(required('--from <file>', 'the archive'))
    .option('--to <url>', 'the database; that of DATABASE_URL by default')
    .action((options: { from: string; to?: string }) => handlers.restore(options));
};
