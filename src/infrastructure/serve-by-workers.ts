import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Config } from './configuration/config.js';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import { loggerOf, prepareDatabase } from './prepare-database.js';
import { DATABASE_ATTEMPTS, serve } from './serve.js';

/**
 * Several processes on one port. The first only watches: it replaces a worker that dies while serving, passes signals on,
 * and ends when the last worker has ended.
 *
 * @throws Error when the database can't be used, a worker could not start, or did not end well.
 */
export const serveByWorkers = async (config: Config, print: (line: string) => void): Promise<void> => {
  if (cluster.isWorker) {
    await serve(config, print);
    process.disconnect();
    return;
  }
  // What would keep every worker from starting is said once.
  const parts = { logger: loggerOf(config), clock: systemClock, databaseAttempts: DATABASE_ATTEMPTS };
  await (await prepareDatabase(config, parts)).database.close();
  const workers = new Set<Worker>();
  let stopping = false;
  const stop = (): void => {
    stopping = true;
    workers.forEach((worker) => worker.process.kill('SIGTERM'));
  };

  /** Resolves with whether the worker, or the last of those that replaced it, ended well. */
  const keepOne = async (): Promise<boolean> => {
    const worker = cluster.fork();
    workers.add(worker);
    const life = { served: false };
    worker.once('listening', () => {
      life.served = true;
    });
    const [code] = (await once(worker, 'exit')) as [number | null];
    workers.delete(worker);
    if (stopping) return code === 0;
    if (life.served) return keepOne();
    stop();
    return false;
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  const endedWell = await Promise.all(Array.from({ length: config.workers }, keepOne));
  const failed = endedWell.filter((well) => !well).length;
  if (failed > 0) throw new Error(`${failed} of ${config.workers} workers ended with a failure.`);
};
