import { once } from 'node:events';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Config } from './configuration/config.js';
import { boundYoungObjects } from './bound-young-objects.js';
import { endLeanStart } from './lean-start.js';
import { prepareFirstStart } from './first-start.js';
import { printDemo, printDemoAgain } from './demo/print-demo.js';
import { whyNotMakeable } from './new-file.js';
import { Service } from './service.js';
import { REPOSITORY_TOKENS } from './composition/repositories.tokens.js';
import { TOKENS } from './composition/tokens.js';

type Print = (line: string) => void;

/** A database that starts beside us, as in a composition of containers, is given ten seconds. */
export const DATABASE_ATTEMPTS = 10;

/** A proxy may send another request over each connection that it keeps: so long it finds them open. */
const IDLE_MS = 1_000;

/** The last lines of the log are out by then. */
const FLUSH_MS = 100;

/** Everything else works without git: its absence is a line in the log, and readiness names it. */
const tellWithoutGit = async ({ container }: Service): Promise<void> => {
  try {
    await container.get(REPOSITORY_TOKENS.gitStores).keeper.ready();
  } catch (error) {
    container.get(TOKENS.logger).warn('repositories are out of reach', { reason: (error as Error).message });
  }
};

/** So is what can't be written to: nobody finds out by the first push, or the first backup, alone. */
const tellOfFolders = ({ container }: Service): void => {
  const { repositoriesDirectory, artifactsDirectory, backupDirectory, backupSchedule } = container.get(TOKENS.config);
  const folders = Object.entries({
    REPOSITORIES_DIR: repositoriesDirectory,
    ARTIFACTS_DIR: artifactsDirectory,
    ...(backupSchedule === undefined ? {} : { BACKUP_DIR: backupDirectory }),
  });
  for (const [setting, folder] of folders) {
    const reason = whyNotMakeable(folder);
    if (reason !== undefined)
      container.get(TOKENS.logger).warn('nothing can be written into a folder', { setting, folder, reason });
  }
};

/** Runs the service until it is told to stop; then finishes what runs. */
export const serve = async (config: Config, print: Print): Promise<void> => {
  const told = Promise.race((['SIGTERM', 'SIGINT'] as const).map((name) => once(process, name).then(() => name)));
  const service = await Service.open(config, {
    databaseAttempts: DATABASE_ATTEMPTS,
    threads: true,
    idleMs: IDLE_MS,
  });
  const logger = service.container.get(TOKENS.logger);
  try {
    const { rootPassword, demo } = await prepareFirstStart(service);
    if (rootPassword !== undefined) print(`root password: ${rootPassword}`);
    const baseUrl = await service.listen();
    logger.info('ready', { address: baseUrl, host: config.host, port: service.port });
    endLeanStart();
    boundYoungObjects();
    void tellWithoutGit(service);
    tellOfFolders(service);
    // The lines of the log go out when the turn ends: what is printed is to stand behind them.
    await endOfTurn();
    if (demo !== undefined) printDemo(baseUrl, demo, print);
    else if (config.demo) printDemoAgain(baseUrl, print);
    logger.info('stopping', { signal: await told });
  } finally {
    await service.close();
    // What was left behind, and holds a connection or a timer, must not keep the process.
    setTimeout(() => process.exit(), FLUSH_MS).unref();
  }
  logger.info('stopped');
};
