import { CommanderError } from 'commander';
import { createProgram, exitCodeOf } from '../adapters/inbound/cli/create-program.js';
import { createCommands } from './commands.js';
import { loadConfig } from './configuration/load-config.js';
import { explainFailure, reasonOf } from './explain-failure.js';
import { endLeanStart } from './lean-start.js';
import { readDotenv } from './read-dotenv.js';
import { VERSION } from './version.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** An archive that is sent there hears of it itself, and is to clear up behind it. */
let heardByCommand = false;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever reads the output may stop reading, as `head` does.
  if (error.code === 'EPIPE' || heardByCommand) return;
  tell(`gatehouse: The standard output can't be written to: ${reasonOf(error)}.`);
  process.exit(1);
});

const commands = createCommands({ config: () => loadConfig(process.env), environment: process.env, print, tell });

try {
  const program = createProgram(VERSION, commands);
  program.hook('preAction', (_program, command) => {
    readDotenv(process.env);
    heardByCommand = command.name() === 'backup';
    // The service itself ends its start when it is ready.
    if (command.name() !== 'serve') endLeanStart();
  });
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) tell(`gatehouse: ${explainFailure(error)}`);
  process.exitCode = exitCodeOf(error);
}
