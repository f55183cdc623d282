import { config as readDotenv } from 'dotenv';
import { CommanderError } from 'commander';
import { createProgram, exitCodeOf } from '../adapters/inbound/cli/create-program.js';
import { createCommands } from './commands.js';
import { loadConfig } from './configuration/load-config.js';
import { explainFailure } from './explain-failure.js';
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

try {
  const program = createProgram(VERSION, commands);
  // The service itself ends its start when it is ready.
  program.hook('preAction', (_program, command) => void (command.name() === 'serve' || endLeanStart()));
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) tell(`gatehouse: ${explainFailure(error)}`);
  process.exitCode = exitCodeOf(error);
}
