import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RunnerCommands } from '../adapters/inbound/cli/runner-command.js';
import { CacheStore } from '../adapters/outbound/ci-runner/cache-store.js';
import { FoldersOfJobs } from '../adapters/outbound/ci-runner/job-folders.js';
import { Runner } from '../adapters/outbound/ci-runner/runner.js';
import { RunnerClient } from '../adapters/outbound/ci-runner/runner-client.js';
import { USUAL_RHYTHM } from '../adapters/outbound/ci-runner/report-job.js';
import type { Environment } from './configuration/load-config.js';
import { VERSION } from './version.js';

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';
const GIBIBYTE = 2 ** 30;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Where a runner has its files. @throws Error with a sentence. */
const makeFolder = async (wanted: string | undefined, environment: Environment): Promise<string> => {
  const caches = environment['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = resolve(wanted ?? join(caches, 'gatehouse-runner'));
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    throw new Error(`The folder ${folder} can't be made (${(error as Error).message}): --folder names another one.`);
  }
};

/** `gatehouse runner`: it knows nothing of the service but its protocol, and loads nothing of it. */
export const createRunnerCommands = (environment: Environment, print: (line: string) => void): RunnerCommands => ({
  runner: async ({ url, token, concurrent, folder: wanted, cacheGib }) => {
    // Jobs of the same user could read the token where processes are listed.
    process.title = 'gatehouse runner';
    const folder = await makeFolder(wanted, environment);
    const runner = new Runner({
      client: new RunnerClient({ url, token, systemId: `s_${randomUUID().slice(0, 12)}`, version: VERSION }),
      concurrent,
      machine: { path: environment['PATH'] ?? USUAL_PATH, home: homedir(), version: VERSION },
      folders: new FoldersOfJobs(join(folder, 'jobs')),
      caches: new CacheStore(join(folder, 'caches'), cacheGib * GIBIBYTE),
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
