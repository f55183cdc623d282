import { Command, CommanderError } from 'commander';

export interface UserCreation {
  readonly username: string;
  readonly email: string;
  readonly name?: string;
  readonly passwordStdin?: true;
  readonly admin?: true;
}

export interface TokenCreation {
  readonly user: string;
  readonly scopes: string;
  readonly name: string;
  readonly expiresAt?: string;
}

/** What the commands do. Each resolves when it is done, and throws with a sentence when it is refused. */
export interface CommandHandlers {
  serve(): Promise<void>;
  migrate(options: { readonly status?: true }): Promise<void>;
  createUser(options: UserCreation): Promise<void>;
  resetPassword(options: { readonly username: string; readonly passwordStdin?: true }): Promise<void>;
  disableTwoFactor(options: { readonly username: string }): Promise<void>;
  createToken(options: TokenCreation): Promise<void>;
  revokeToken(options: { readonly id: string }): Promise<void>;
  demo(): Promise<void>;
  backup(options: { readonly to: string }): Promise<void>;
  rotateKeys(): Promise<void>;
  config(): Promise<void>;
}

export const EXIT_CODES = { done: 0, refused: 1, wrongUsage: 2 } as const;

/** The `gatehouse` command: what it is called with, and nothing of what it does. */
export const createProgram = (version: string, handlers: CommandHandlers): Command => {
  const program = new Command('gatehouse')
    .description('A self-hosted development-platform API')
    .version(version)
    .showHelpAfterError()
    .configureOutput({ writeOut: (text) => process.stdout.write(text), writeErr: (text) => process.stderr.write(text) })
    .exitOverride();

  program
    .command('serve')
    .description('migrate, listen and serve')
    .action(() => handlers.serve());
  program
    .command('migrate')
    .description('apply migrations')
    .option('--status', 'list them instead')
    .action((options: { status?: true }) => handlers.migrate(options));

  const user = program.command('user').description('people');
  user
    .command('create')
    .description('create a confirmed user; without a password a generated one is printed')
    .requiredOption('--username <name>')
    .requiredOption('--email <address>')
    .option('--name <name>', 'the full name; the user name by default')
    .option('--password-stdin', 'read the password from the standard input')
    .option('--admin', 'an administrator')
    .action((options: UserCreation) => handlers.createUser(options));
  user
    .command('reset-password')
    .description('set a new password and end the sessions; a generated one is printed')
    .requiredOption('--username <name>')
    .option('--password-stdin', 'read the password from the standard input')
    .action((options: { username: string; passwordStdin?: true }) => handlers.resetPassword(options));
  user
    .command('disable-two-factor')
    .description('let somebody in who lost the second factor')
    .requiredOption('--username <name>')
    .action((options: { username: string }) => handlers.disableTwoFactor(options));

  const token = program.command('token').description('personal access tokens');
  token
    .command('create')
    .description('print a new personal access token')
    .requiredOption('--user <name>')
    .requiredOption('--scopes <list>', 'separated by commas')
    .option('--name <name>', 'what it is for', 'command line')
    .option('--expires-at <day>', 'YYYY-MM-DD')
    .action((options: TokenCreation) => handlers.createToken(options));
  token
    .command('revoke')
    .requiredOption('--id <number>')
    .action((options: { id: string }) => handlers.revokeToken(options));

  program
    .command('demo')
    .description('fill an empty installation with the demo')
    .action(() => handlers.demo());
  program
    .command('backup')
    .description('a consistent copy of the database while serving')
    .requiredOption('--to <file>')
    .action((options: { to: string }) => handlers.backup(options));
  const keys = program.command('keys').description('the keys that sign tokens');
  keys
    .command('rotate')
    .description('make a new signing key; the old one verifies until its tokens have expired')
    .action(() => handlers.rotateKeys());
  program
    .command('config')
    .description('print the effective configuration, secrets masked')
    .action(() => handlers.config());

  for (const command of [program, ...program.commands, ...user.commands, ...token.commands, ...keys.commands]) {
    command.exitOverride().showHelpAfterError();
  }
  return program;
};

/** The exit code for whatever ended the command. */
export const exitCodeOf = (error: unknown): number => {
  if (!(error instanceof CommanderError)) return EXIT_CODES.refused;
  return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.wrongUsage;
};
