import type { Command } from 'commander';

/** `gatehouse security …` */
export interface SecurityCommands {
  testSecurity(): Promise<void>;
}

export const addSecurityCommands = (program: Command, handlers: SecurityCommands): void => {
  program
    .command('security')
    .description('what keeps the installation safe')
    .command('self-test')
    .description('look through all rows, while serving, for secrets that whoever steals the database could use')
    .action(() => handlers.testSecurity());
};
