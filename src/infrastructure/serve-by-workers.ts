import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Config } from './configuration/config.js';
import { serve } from './serve.js';

/** Several processes on one port. The first only watches: it passes signals on and ends when the last worker has ended. */
export const serveByWorkers = async (config: Config, print: (line: string) => void): Promise<void> => {
  if (cluster.isWorker) {
    await serve(config, print);
    process.disconnect();
    return;
  }
  const workers = Array.from({ length: config.workers }, () => cluster.fork());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => workers.forEach((worker) => worker.process.kill('SIGTERM')));
  }
  const exits = await Promise.all(workers.map((worker) => once(worker, 'exit') as Promise<[number | null]>));
  const failed = exits.filter(([code]) => code !== 0).length;
  if (failed > 0) throw new Error(`${failed} of ${config.workers} workers ended with a failure.`);
};
