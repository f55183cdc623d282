import { CommanderError } from 'commander';
import { createProgramOf, exitCodeOf } from '../adapters/inbound/cli/create-program.js';
import { addRunnerCommand } from '../adapters/inbound/cli/runner-command.js';
import { endLeanStart } from './lean-start.js';
import { createRunnerCommands } from './runner-command.js';
import { VERSION } from './version.js';

// The program of the runner alone: it may be on a machine of its own, where nothing of the service is set up.
const commands = createRunnerCommands(process.env, (line) => void process.stdout.write(`${line}\n`));

// Whoever reads the output may stop reading: jobs go on.
process.stdout.on('error', () => undefined);

try {
  endLeanStart();
  await createProgramOf(VERSION, (program) => addRunnerCommand(program, commands)).parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) process.stderr.write(`gatehouse: ${(error as Error).message}\n`);
  process.exitCode = exitCodeOf(error);
}
