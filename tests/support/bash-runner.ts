import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CacheStore } from '../../src/adapters/outbound/ci-runner/cache-store.js';
import { FoldersOfJobs } from '../../src/adapters/outbound/ci-runner/job-folders.js';
import { Runner, type RunnerParts } from '../../src/adapters/outbound/ci-runner/runner.js';
import { RunnerClient } from '../../src/adapters/outbound/ci-runner/runner-client.js';

interface Told extends Partial<Omit<RunnerParts, 'client' | 'caches' | 'folders'>> {
  readonly url: string;
  readonly token: string;
  /** Where it has the folders of its jobs, and its caches. */
  readonly folder: string;
  readonly cacheBytes?: number;
}

/** What `gatehouse runner` starts, in this process and at a quicker pace. */
export const bashRunner = ({ url, token, folder, cacheBytes = 2 ** 30, ...parts }: Told): Runner =>
  new Runner({
    client: new RunnerClient({ url, token, systemId: 's_test', version: '0' }),
    machine: { path: process.env['PATH']!, home: tmpdir(), version: '0' },
    folders: new FoldersOfJobs(join(folder, 'jobs')),
    caches: new CacheStore(join(folder, 'caches'), cacheBytes),
    rhythm: { askMs: 20, tellMs: 20, retryMs: 5, mostRetryMs: 20, giveUpMs: 60_000 },
    now: () => new Date(),
    say: () => undefined,
    concurrent: 2,
    ...parts,
  });
