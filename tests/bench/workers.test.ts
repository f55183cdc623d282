import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject } from '../support/alerting.js';
import { describeDatabase } from '../support/databases.js';
import { interleave } from '../support/interleave.js';
import { underLoad, type Load } from '../support/load.js';
import { selectedDatabases } from '../support/selected-databases.js';
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
  readonly at: (serviceUrl: string) => Load;
}

for (const database of selectedDatabases().filter((name) => name === 'postgres'))
  describeDatabase(database, 'one machine', (openTestDatabase) => {
    const services = new Map<number, ServiceProcess>();
    let works: readonly Work[] = [];

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
      for (const processes of PROCESSES)
        services.set(processes, await ServiceProcess.start({ ...settings, WORKERS: String(processes) }));
      const reading = { headers: { Authorization: `Bearer ${ada.token}` }, connections: CONNECTIONS };
      works = [
        { what: 'GET /user', at: (url) => ({ ...reading, url: `${url}/api/v4/user` }) },
        {
          what: 'GET /projects/:id/issues',
          at: (url) => ({ ...reading, url: `${url}/api/v4/projects/${project.id}/issues` }),
        },
      ];
    });
    afterAll(async () => {
      for (const service of services.values()) await service.end('SIGTERM');
    });

    it('is read by several processes', async () => {
      for (const { what, at } of works) {
        const load = (processes: number): Load => at(services.get(processes)?.url ?? '');
        for (let round = 1; round <= WARM_UP_ROUNDS; round += 1)
          for (const processes of PROCESSES) await underLoad(load(processes), SECONDS);
        const measured = await interleave(
          new Map(PROCESSES.map((processes) => [nameOf(processes), () => underLoad(load(processes), SECONDS)])),
        );
        const ratios = PROCESSES.slice(1).map((processes) => measured.describeRatio(nameOf(processes), nameOf(1)));
        process.stdout.write(`${what}\n${measured.describe('a second')}${ratios.join('')}`);
        expect(measured.median(nameOf(1))).toBeGreaterThan(0);
      }
    });
  });
