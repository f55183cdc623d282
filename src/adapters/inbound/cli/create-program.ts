import { Command, CommanderError } from 'commander';
import { PERSONAL_ACCESS_TOKEN_SCOPES } from '../../../domain/shared/scope.js';
import { addArchiveCommands, type ArchiveCommands } from './archive-commands.js';
import { addRepositoryCommands, type RepositoryCommands } from './repository-commands.js';
import { required } from './required-option.js';
import { addRunnerCommand, type RunnerCommands } from './runner-command.js';
import { addSecurityCommands, type SecurityCommands } from './security-command.js';
import { addStorageCommands, type StorageCommands } from './storage-commands.js';
import { addV3Commands, type V3Commands } from './v3-command.js';

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

interface OfUser {
  readonly username: string;
}

/** `gatehouse user …` */
export interface UserCommands {
  createUser(options: UserCreation): Promise<void>;
  listUsers(options: { readonly search?: string }): Promise<void>;
  blockUser(options: OfUser): Promise<void>;
  unblockUser(options: OfUser): Promise<void>;
  promoteUser(options: OfUser): Promise<void>;
  demoteUser(options: OfUser): Promise<void>;
  resetPassword(options: OfUser & { readonly passwordStdin?: true }): Promise<void>;
  disableTwoFactor(options: OfUser): Promise<void>;
}

/** `gatehouse token …` */
export interface TokenCommands {
  createToken(options: TokenCreation): Promise<void>;
  listTokens(options: { readonly user: string }): Promise<void>;
  revokeToken(options: { readonly id: string }): Promise<void>;
}

/** What the commands do. Each resolves when it is done, and throws with a sentence when it is refused. */
export interface CommandHandlers
  extends
    UserCommands,
    TokenCommands,
    StorageCommands,
    ArchiveCommands,
    RepositoryCommands,
    RunnerCommands,
    SecurityCommands,
    V3Commands {
  serve(): Promise<void>;
  migrate(options: { readonly status?: true; readonly plan?: true }): Promise<void>;
  demo(): Promise<void>;
  rotateKeys(): Promise<void>;
  rotateSecretKey(): Promise<void>;
  config(): Promise<void>;
}

const EXIT_CODES = { done: 0, refused: 1, wrongUsage: 2 } as const;

const PASSWORD_STDIN = ['--password-stdin', 'read the password from the standard input'] as const;
const USERNAME = '--username <name>';

const addUserCommands = (program: Command, handlers: UserCommands): void => {
  const user = program.command('user').description('people: create, list, block, promote, reset passwords');
  user
    .command('create')
    .description('create a confirmed user; without --password-stdin a generated password is printed')
    .addOption(required(USERNAME, 'the user name'))
    .addOption(required('--email <address>', 'the primary address, confirmed at once'))
    .option('--name <name>', 'the full name; the user name by default')
    .option(...PASSWORD_STDIN)
    .option('--admin', 'make them an administrator')
    .action((options: UserCreation) => handlers.createUser(options));
  user
    .command('list')
    .description('list users with their state and role')
    .option('--search <text>', 'only those whose name or user name contains this, or who have this address')
    .action((options: { search?: string }) => handlers.listUsers(options));
  user
    .command('reset-password')
    .description('set a new password and end all sessions; without --password-stdin a generated one is printed')
    .addOption(required(USERNAME, 'whose password'))
    .option(...PASSWORD_STDIN)
    .action((options: { username: string; passwordStdin?: true }) => handlers.resetPassword(options));
  const changes = {
    block: ['end their sessions and refuse their tokens until they are unblocked', 'blockUser'],
    unblock: ['let a blocked or locked user in again', 'unblockUser'],
    promote: ['make somebody an administrator', 'promoteUser'],
    demote: ['make an administrator an ordinary user', 'demoteUser'],
    'disable-two-factor': ['let somebody in who lost the second factor', 'disableTwoFactor'],
  } as const;
  for (const [name, [description, handler]] of Object.entries(changes))
    user
      .command(name)
      .description(description)
      .addOption(required(USERNAME, 'the user name'))
      .action((options: OfUser) => handlers[handler](options));
};

const addTokenCommands = (program: Command, handlers: TokenCommands): void => {
  const token = program.command('token').description('personal access tokens: create, list, revoke');
  token
    .command('create')
    .description('print a new personal access token, alone; "token list" shows its id')
    .addOption(required('--user <name>', 'whose token'))
    .addOption(required('--scopes <list>', `any of ${PERSONAL_ACCESS_TOKEN_SCOPES.join(', ')}, separated by commas`))
    .option('--name <name>', 'what it is for', 'command line')
    .option('--expires-at <day>', 'the UTC day on which it stops working, YYYY-MM-DD; never by default')
    .action((options: TokenCreation) => handlers.createToken(options));
  token
    .command('list')
    .description('list the tokens of a user with their ids; the tokens themselves are not stored')
    .addOption(required('--user <name>', 'whose tokens'))
    .action((options: { user: string }) => handlers.listTokens(options));
  token
    .command('revoke')
    .description('revoke a token')
    .addOption(required('--id <number>', 'the id that "token list" shows'))
    .action((options: { id: string }) => handlers.revokeToken(options));
};

const addServiceCommands = (program: Command, handlers: CommandHandlers): void => {
  program
    .command('serve')
    .description('migrate, listen and serve')
    .action(() => handlers.serve());
  program
    .command('migrate')
    .description('apply migrations')
    .option('--status', 'list them instead')
    .option('--plan', 'say instead what each that is pending does, and how long others wait for it')
    .action((options: { status?: true; plan?: true }, command: Command) => {
      if (options.status === true && options.plan === true)
        command.error('error: --status lists migrations and --plan says what they do: choose one of them');
      return handlers.migrate(options);
    });
  program
    .command('demo')
    .description('fill an empty installation with the demo')
    .action(() => handlers.demo());
  program
    .command('keys')
    .description('the keys that sign tokens')
    .command('rotate')
    .description('make a new signing key; the old one verifies until its tokens have expired')
    .action(() => handlers.rotateKeys());
  program
    .command('secret-key')
    .description('the key that seals secrets in the database')
    .command('rotate')
    .description('seal with SECRET_KEY what SECRET_KEY_PREVIOUS sealed, while serving; may be run again')
    .action(() => handlers.rotateSecretKey());
  program
    .command('config')
    .description('print the settings in force, with defaults and derived values, secrets masked')
    .action(() => handlers.config());
};

const refuseByThrowing = (command: Command): void => {
  command.exitOverride().showHelpAfterError();
  command.commands.forEach(refuseByThrowing);
};

/** A `gatehouse` command of some commands. */
export const createProgramOf = (version: string, addCommands: (program: Command) => void): Command => {
  const program = new Command('gatehouse')
    .description('A self-hosted development-platform API')
    .version(version)
    .configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => process.stderr.write(text),
    });
  addCommands(program);
  refuseByThrowing(program);
  return program;
};

/** The `gatehouse` command: what it is called with, and nothing of what it does. */
export const createProgram = (version: string, handlers: CommandHandlers): Command =>
  createProgramOf(version, (program) => {
    addServiceCommands(program, handlers);
    addUserCommands(program, handlers);
    addTokenCommands(program, handlers);
    addArchiveCommands(program, handlers);
    addStorageCommands(program, handlers);
    addRepositoryCommands(program, handlers);
    addRunnerCommand(program, handlers);
    addSecurityCommands(program, handlers);
    addV3Commands(program, handlers);
  });

/** The exit code for whatever ended the command. */
export const exitCodeOf = (error: unknown): number => {
  if (!(error instanceof CommanderError)) return EXIT_CODES.refused;
  return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.wrongUsage;
};
