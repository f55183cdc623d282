import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { median } from '../support/statistics.js';

const ROUNDS = 5;
const SETTLE_MS = 1_000;

describeEachDatabase('an idle service', (openTestDatabase) => {
  it('is ready in 600 ms and takes at most 100 MB', async () => {
    const settings = { DATABASE_URL: await openTestDatabase(), SECRET_KEY: randomBytes(32).toString('base64') };
    // The first start makes root; what counts is every other.
    await (await ServiceProcess.start(settings)).end('SIGTERM');
    const [ready, memory]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = await ServiceProcess.start(settings);
      await fetch(`${service.url}/-/readiness`);
      await new Promise((resume) => setTimeout(resume, SETTLE_MS));
      ready.push(Math.round(service.readyAfter));
      memory.push(Math.round(service.residentMemory()));
      await service.end('SIGTERM');
    }
    process.stdout.write(`ready after ${ready.join(', ')} ms; resident ${memory.join(', ')} MiB\n`);
    expect(median(ready)).toBeLessThanOrEqual(600);
    expect(median(memory) * 1.048_576).toBeLessThanOrEqual(100);
  });
});
