import type { Command } from 'commander';

export interface RepositoriesCheck {
  readonly project?: string;
  readonly all?: true;
  readonly minutes?: string;
}

/** `gatehouse repositories …` */
export interface RepositoryCommands {
  checkRepositories(options: RepositoriesCheck): Promise<void>;
}

export const addRepositoryCommands = (program: Command, handlers: RepositoryCommands): void => {
  program
    .command('repositories')
    .description('the code of projects')
    .command('check')
    .description(
      'look whether every repository is whole and says what the database says; run it again to go on after an interruption',
    )
    .option('--project <path>', 'only that of one project')
    .option('--all', 'also those that were found well within the last day')
    .option('--minutes <number>', 'begin no further repository after so many minutes')
    .action((options: RepositoriesCheck) => handlers.checkRepositories(options));
};
