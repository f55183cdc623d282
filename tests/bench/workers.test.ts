import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { interleave } from '../support/interleave.js';
import { underLoad, type Load } from '../support/load.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/test-service.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const PROCESSES = [1, 2, 4] as const;
const CONNECTIONS = 32;
/** Until each process has compiled what it runs. */
const WARM_UP_ROUNDS = 2;

const nameOf = (processes: number): string => `${processes} ${processes === 1 ? 'process' : 'processes'}`;

interface Work {
  readonly what: string;
  readonly path: string;
}

type Settings = Readonly<Record<string, string>> & { readonly DATABASE_URL: string };

/** Processes share a port on PostgreSQL; on SQLite, which they read from beside each other, each has one of its own. */
const startProcesses = async (settings: Settings, processes: number): Promise<readonly ServiceProcess[]> => {
  if (!settings.DATABASE_URL.startsWith('sqlite:'))
    return [await ServiceProcess.start({ ...settings, WORKERS: String(processes) })];
  const started: ServiceProcess[] = [];
  while (started.length < processes) started.push(await ServiceProcess.start(settings));
  return started;
};

describeEachDatabase('one machine', (openTestDatabase) => {
  const services = new Map<number, readonly ServiceProcess[]>();
  let works: readonly Work[] = [];
  let headers: Readonly<Record<string, string>> = {};

  beforeAll(async () => {
    const databaseUrl = await openTestDatabase();
    const key = randomBytes(32);
    const seeded = await TestService.start(databaseUrl, {}, key);
    const ada = await seeded.addUser('ada');
    const project = await AlertingProject.create(seeded, ada, 'engine');
    await seeded.close();
    const settings = {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: key.toString('base64'),
      NODE_ENV: 'production',
      RATE_LIMIT_API: 'off',
    };
    for (const processes of PROCESSES) services.set(processes, await startProcesses(settings, processes));
    headers = { Authorization: `Bearer ${ada.token}` };
    works = [
      { what: 'GET /user', path: '/user' },
      { what: 'GET /projects/:id/issues', path: `/projects/${project.id}/issues` },
    ];
  });
  afterAll(async () => {
    for (const service of [...services.values()].flat()) await service.end('SIGTERM');
  });

  /** Of all of them together. @returns how many answers they gave a second. */
  const read = async (processes: number, path: string): Promise<number> => {
    const all = services.get(processes) ?? [];
    const loads = all.map(({ url }): Load => ({
      url: `${url}/api/v4${path}`,
      headers,
      connections: CONNECTIONS / all.length,
    }));
    const answers = await Promise.all(loads.map((load) => underLoad(load, SECONDS)));
    return answers.reduce((sum, each) => sum + each, 0);
  };

  it('is read by several processes', async () => {
    for (const { what, path } of works) {
      for (let round = 1; round <= WARM_UP_ROUNDS; round += 1)
        for (const processes of PROCESSES) await read(processes, path);
      const measured = await interleave(
        new Map(PROCESSES.map((processes) => [nameOf(processes), () => read(processes, path)])),
      );
      const ratios = PROCESSES.slice(1).map((processes) => measured.describeRatio(nameOf(processes), nameOf(1)));
      process.stdout.write(`${what}\n${measured.describe('a second')}${ratios.join('')}`);
      expect(measured.median(nameOf(1))).toBeGreaterThan(0);
    }
  });
});
