import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MeasuredService } from '../support/cost/measured-service.js';
import { describeFaults } from '../support/cost/report.js';
import { attackTarget } from '../support/cost/run-suite.js';
import { textField } from '../support/cost/fields.js';
import type { Target } from '../support/cost/target.js';
import { describeEachDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';

const EVERY_SHAPE = /^text of words|100,000 keys in JSON|largest/;

/** A server with a good route, and with one for each way to be dear. */
const PLANTED = `
import { createServer } from 'node:http';
const kept = [];
const read = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
const routes = {
  '/-/liveness': async () => 200,
  '/linear': async (request) => { (await read(request)).split(' ').length; return 200; },
  '/quadratic': async (request) => {
    const words = (await read(request)).split(' ');
    const seen = [];
    for (const word of words) if (!seen.includes(word + seen.length)) seen.push(word + seen.length);
    return 200;
  },
  '/greedy': async (request) => {
    const text = await read(request);
    if (text.length > 1000) kept.push(Buffer.alloc(60_000_000, 1));
    return 200;
  },
  '/slow': async (request) => {
    const text = await read(request);
    if (text.length > 1000) await new Promise((resume) => setTimeout(resume, 2300));
    return 200;
  },
  '/failing': async (request) => ((await read(request)).length > 1000 ? 500 : 200),
  '/deadly': async (request) => { if ((await read(request)).length > 1000) process.exit(3); return 200; },
};
const server = createServer(async (request, response) => {
  response.writeHead(await routes[request.url.split('?')[0]](request)).end('done');
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ address: 'http://127.0.0.1:' + server.address().port }));
});
`;

const target = (path: string): Target => ({
  name: `POST ${path}`,
  area: 'api',
  method: 'POST',
  fields: [textField('name')],
  bodyLimit: 1_048_576,
  takes: 'json',
  path: () => Promise.resolve(path),
  pathWith: () => undefined,
  headers: () => Promise.resolve({}),
  companions: {},
});

// Planted routes ask no database: the suite takes delays more exactly where the service never waits for a disk.
describeEachDatabase('the cost suite', (openTestDatabase) => {
  let service: MeasuredService;

  beforeAll(async () => {
    const file = join(process.env['GATEHOUSE_TEST_DIRECTORY'] ?? '', 'planted.mjs');
    writeFileSync(file, PLANTED);
    const start = (flags: readonly string[]) => ServiceProcess.run([...flags, file], {});
    service = await MeasuredService.start(start, await openTestDatabase());
  });

  afterAll(() => service.close());

  const faultsOf = async (path: string): Promise<string> =>
    describeFaults(await attackTarget(service, target(path), 'administrator', EVERY_SHAPE)).join('\n');

  it('lets a route pass whose work grows as its input does', async () => {
    expect(await faultsOf('/linear')).toBe('');
  });

  it.each([
    ['/quadratic', /delayed others by \d+ ms|nobody was served/],
    ['/greedy', /took \d+ MB/],
    ['/slow', /took \d{4} ms/],
    ['/failing', /answered 500/],
    ['/deadly', /the process ended/],
  ])('fails the planted route %s', async (path, fault) => {
    expect(await faultsOf(path)).toMatch(fault);
  });

  it('goes on with another process when one has ended', async () => {
    expect(service.restarts).toBeGreaterThan(0);
    expect(await faultsOf('/linear')).toBe('');
  });
});
