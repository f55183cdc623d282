import { Option, type Command } from 'commander';

export interface Backup {
  readonly to: string;
  /** What an archive is called, or how a copy of the database's own is. */
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
    .addOption(new Option('--to <file>', 'a file that does not exist yet (required)').makeOptionMandatory())
    .option('--format <name>', 'archive, which any database restores, or the database to copy the file of', 'archive')
    .action((options: Backup) => handlers.backup(options));
  program
    .command('restore')
    .description('fill an empty database from an archive, and compare every row')
    .addOption(new Option('--from <file>', 'the archive (required)').makeOptionMandatory())
    .option('--to <url>', 'the database; that of DATABASE_URL by default')
    .action((options: { from: string; to?: string }) => handlers.restore(options));
};
