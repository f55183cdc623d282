import { once } from 'node:events';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Config } from './configuration/config.js';
import { resolveSecretKey } from './configuration/secret-key.js';
import type { Demo } from './demo.js';
import { endLeanStart } from './lean-start.js';
import { prepareFirstStart } from './first-start.js';
import { Service } from './service.js';
import { TOKENS } from './composition/tokens.js';

type Print = (line: string) => void;

/** A database that starts beside us, as in a composition of containers, is given ten seconds. */
const DATABASE_ATTEMPTS = 10;

const printDemo = (baseUrl: string, { people, token, application, alerts }: Demo, print: Print): void => {
  const [first] = people;
  print('The demo is there. Who can sign in:');
  for (const { username, password, does } of people) print(`  ${username.padEnd(8)} ${password}   ${does}`);
  print('Worth pasting:');
  print(`  export TOKEN=${token}   # a personal access token of ${first?.username ?? ''}`);
  print(`  curl -H "PRIVATE-TOKEN: $TOKEN" ${baseUrl}/api/v4/user`);
  print(`  curl -H "PRIVATE-TOKEN: $TOKEN" "${baseUrl}/api/v4/projects?membership=true&simple=true"`);
  const { uid, secret } = application;
  print(
    `  curl -u ${uid}:${secret} -d grant_type=password -d scope=read_user -d username=${first?.username ?? ''} -d password=${first?.password ?? ''} ${baseUrl}/oauth/token`,
  );
  const alert = `'{"title":"The engine is hot","severity":"high"}'`;
  print(
    `  curl -H "Authorization: Bearer ${alerts.key}" -H "Content-Type: application/json" -d ${alert} ${baseUrl}${alerts.path}`,
  );
  print(`  curl -H "PRIVATE-TOKEN: $TOKEN" "${baseUrl}/api/v4/events?scope=all"`);
  print(`  curl -H "PRIVATE-TOKEN: $TOKEN" -d name=Sketch -d visibility=public ${baseUrl}/api/v4/projects`);
};

/** Runs the service until it is told to stop; then finishes what runs. */
export const serve = async (config: Config, print: Print): Promise<void> => {
  const told = Promise.race((['SIGTERM', 'SIGINT'] as const).map((name) => once(process, name).then(() => name)));
  const service = await Service.open(config, {
    secretKey: resolveSecretKey(config),
    databaseAttempts: DATABASE_ATTEMPTS,
    threads: true,
  });
  const logger = service.container.get(TOKENS.logger);
  try {
    const { rootPassword, demo } = await prepareFirstStart(service);
    if (rootPassword !== undefined) print(`root password: ${rootPassword}`);
    const baseUrl = await service.listen();
    logger.info('ready', { address: baseUrl, host: config.host, port: service.port });
    endLeanStart();
    // The lines of the log go out when the turn ends: what is printed is to stand behind them.
    await endOfTurn();
    if (demo !== undefined) printDemo(baseUrl, demo, print);
    logger.info('stopping', { signal: await told });
  } finally {
    await service.close();
  }
  logger.info('stopped');
};
