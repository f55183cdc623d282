import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/test-service.js';

const MIB = 1_048_576;
const BODIES = 5;
const BODY_BYTES = 50 * MIB;
const MOST_MEMORY_MB = 300;
const MOST_MS = 50;
const TRIES = 7;

describeEachDatabase('an intake that is flooded', (openTestDatabase) => {
  let service: ServiceProcess;
  let integration: Pick<IntegrationBody, 'url' | 'token'>;

  beforeAll(async () => {
    const url = await openTestDatabase();
    const secretKey = randomBytes(32);
    const seeded = await TestService.start(url, {}, secretKey);
    const project = await AlertingProject.create(seeded, await seeded.addUser('ada'), 'engine');
    const made = await project.integrate();
    await seeded.close();
    service = await ServiceProcess.start({ DATABASE_URL: url, SECRET_KEY: secretKey.toString('base64') });
    integration = { url: service.url + new URL(made.url).pathname, token: made.token };
  });

  afterAll(() => service.end('SIGTERM'));

  /** Sends a body that nobody announced the length of, as fast as it is taken. */
  const flood = () =>
    new Promise<number>((resolve) => {
      const chunk = Buffer.alloc(65_536, 'a');
      const headers = { Authorization: `Bearer ${integration.token}`, 'Content-Type': 'application/json' };
      const outgoing = request(integration.url, { method: 'POST', headers }, (answer) => {
        answer.resume();
        answer.once('close', () => resolve(answer.statusCode ?? 0));
      });
      outgoing.on('error', () => resolve(0));
      let sent = 0;
      const write = (): void => {
        while (sent < BODY_BYTES && !outgoing.destroyed) {
          sent += chunk.length;
          if (!outgoing.write(chunk)) return void outgoing.once('drain', write);
        }
        outgoing.end();
      };
      write();
    });

  it(`takes less than ${MOST_MEMORY_MB} MB for ${BODIES} bodies of 50 MB at once, and serves others meanwhile`, async () => {
    const memory = [service.residentMemory()];
    const flooding = new AbortController();
    const watching = (async () => {
      while (!flooding.signal.aborted) {
        memory.push(service.residentMemory());
        expect((await sendAlert(integration, { title: 'Meanwhile' })).status).toBe(200);
      }
    })();
    const answers = await Promise.all(Array.from({ length: BODIES }, flood));
    flooding.abort();
    await watching;
    const most = Math.max(...memory) * 1.048_576;
    process.stdout.write(`${expect.getState().currentTestName ?? ''}: ${Math.round(most)} MB at most\n`);
    expect(answers).toEqual(new Array(BODIES).fill(413));
    expect(most).toBeLessThan(MOST_MEMORY_MB);
  });

  it(`refuses each hostile payload within ${MOST_MS} ms`, async () => {
    const nearlyTooLarge = MIB - 1_000;
    const hostile: Readonly<Record<string, string>> = {
      'no JSON': 'not json',
      'half of it': '{"title":',
      'not an object': '[]',
      deep: `{"a":${'['.repeat(nearlyTooLarge / 2)}`,
      wide: `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
      'a huge number': `{"a":${'9'.repeat(nearlyTooLarge)}}`,
      'half a character': '{"title":"\\ud800"}',
      'one byte too large': 'a'.repeat(MIB),
    };
    const lines: string[] = [];
    for (const [name, payload] of Object.entries(hostile)) {
      const times: number[] = [];
      for (let turn = 0; turn < TRIES; turn += 1) {
        const startedAt = performance.now();
        const { status } = await sendAlert(integration, payload);
        times.push(performance.now() - startedAt);
        expect([name, status >= 400 && status < 500]).toEqual([name, true]);
      }
      // The first one meets code that has never run.
      const slowest = Math.max(...times.slice(1));
      lines.push(`  ${name.padEnd(20)} ${slowest.toFixed(1)} ms at most\n`);
      expect([name, slowest < MOST_MS]).toEqual([name, true]);
    }
    process.stdout.write(lines.join(''));
  });
});
