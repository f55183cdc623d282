import { once } from 'node:events';
import type { Config } from './configuration/config.js';
import { resolveSecretKey } from './configuration/secret-key.js';
import { fillDemo, type Demo } from './demo.js';
import { createRoot, hasUsersBeyondRoot } from './first-start.js';
import { Service } from './service.js';
import { TOKENS } from './composition/tokens.js';

type Print = (line: string) => void;

const printDemo = (baseUrl: string, { people, token }: Demo, print: Print): void => {
  print('The demo is there. Who can sign in:');
  for (const { username, password, does } of people) print(`  ${username.padEnd(8)} ${password}   ${does}`);
  print('Worth pasting:');
  print(`  export TOKEN=${token}   # a personal access token of ${people[0]?.username ?? ''}`);
  print(`  curl -H "PRIVATE-TOKEN: $TOKEN" ${baseUrl}/api/v4/user`);
  print(`  curl -H "PRIVATE-TOKEN: $TOKEN" "${baseUrl}/api/v4/projects?membership=true&simple=true"`);
  print(`  curl -H "PRIVATE-TOKEN: $TOKEN" -d name=Sketch -d visibility=public ${baseUrl}/api/v4/projects`);
};

/** Runs the service until it is told to stop; then finishes what runs. */
export const serve = async (config: Config, print: Print): Promise<void> => {
  const service = await Service.open(config, { secretKey: resolveSecretKey(config) });
  const logger = service.container.get(TOKENS.logger);
  const rootPassword = await createRoot(service);
  if (rootPassword !== undefined) print(`root password: ${rootPassword}`);
  const demo = config.demo && !(await hasUsersBeyondRoot(service)) ? await fillDemo(service) : undefined;
  const baseUrl = await service.listen();
  logger.info('ready', { address: baseUrl, host: config.host, port: service.port });
  if (demo !== undefined) printDemo(baseUrl, demo, print);
  const signal = await Promise.race(
    (['SIGTERM', 'SIGINT'] as const).map((name) => once(process, name).then(() => name)),
  );
  logger.info('stopping', { signal });
  await service.close();
  logger.info('stopped');
};
