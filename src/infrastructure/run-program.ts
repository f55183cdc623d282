import { config as readDotenv } from 'dotenv';
import { CommanderError } from 'commander';
import { createProgram, exitCodeOf } from '../adapters/inbound/cli/create-program.js';
import { Invalid } from '../domain/shared/domain-error.js';
import { createCommands } from './commands.js';
import { loadConfig } from './configuration/load-config.js';
import { endLeanStart } from './lean-start.js';
import { VERSION } from './version.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

// Whoever reads the output may stop reading, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

readDotenv({ quiet: true });

const commands = createCommands({ config: () => loadConfig(process.env), environment: process.env, print, tell });

// Whatever goes wrong is a sentence; a stack trace is for whoever asks for it.
const explain = (error: unknown): string => {
  if (error instanceof Invalid) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'The port is in use: choose another by PORT, or PORT=0 for a free one.';
  if (code === 'EACCES') return `Permission denied: ${message}`;
  return message;
};

try {
  const program = createProgram(VERSION, commands);
  // The service itself ends its start when it is ready.
  program.hook('preAction', (_program, command) => void (command.name() === 'serve' || endLeanStart()));
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) tell(`gatehouse: ${explain(error)}`);
  process.exitCode = exitCodeOf(error);
}
