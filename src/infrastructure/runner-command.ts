import { randomUUID } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import type { RunnerCommands } from '../adapters/inbound/cli/runner-command.js';
import { Runner } from '../adapters/outbound/ci-runner/runner.js';
import { RunnerClient } from '../adapters/outbound/ci-runner/runner-client.js';
import { USUAL_RHYTHM } from '../adapters/outbound/ci-runner/report-job.js';
import type { Environment } from './configuration/load-config.js';
import { VERSION } from './version.js';

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** `gatehouse runner`: it knows nothing of the service but its protocol, and loads nothing of it. */
export const createRunnerCommands = (environment: Environment, print: (line: string) => void): RunnerCommands => ({
  runner: async ({ url, token, concurrent }) => {
    // Jobs of the same user could read the token where processes are listed.
    process.title = 'gatehouse runner';
    const runner = new Runner({
      client: new RunnerClient({ url, token, systemId: `s_${randomUUID().slice(0, 12)}`, version: VERSION }),
      concurrent,
      machine: { path: environment['PATH'] ?? USUAL_PATH, home: homedir(), folder: tmpdir(), version: VERSION },
      rhythm: USUAL_RHYTHM,
      now: () => new Date(),
      say: print,
    });
    const stop = (): void => runner.stop();
    for (const name of SIGNALS) process.on(name, stop);
    try {
      await runner.execute();
    } finally {
      for (const name of SIGNALS) process.off(name, stop);
    }
  },
});
