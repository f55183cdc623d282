import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/test-service.js';

const SENDERS = 48;
const ENOUGH = 500;
const PATIENCE_MS = 60_000;

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-thread-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Loaded into every thread before the service: any but the first throws where nobody catches it, once the file is there. */
const fault = (sign: string): string => `
  const { existsSync } = require('node:fs');
  if (!require('node:worker_threads').isMainThread)
    setInterval(() => {
      if (existsSync(${JSON.stringify(sign)})) throw new Error('Thrown by the test of a failing thread.');
    }, 20);`;

it(
  'the process ends with a failure when the thread of storms throws what nobody catches, and has what it acknowledged',
  async () => {
    const [sign, preloaded] = [join(directory, 'fail'), join(directory, 'fault.cjs')];
    writeFileSync(preloaded, fault(sign));
    const [databaseUrl, key] = [`sqlite:${join(directory, 'gatehouse.sqlite')}`, randomBytes(32)];
    const preparing = await TestService.start(databaseUrl, {}, key);
    const owner = await preparing.addUser('ada');
    const place = await AlertingProject.create(preparing, owner, 'engine');
    const given = await place.integrate();
    await preparing.close();

    const service = await ServiceProcess.start({
      DATABASE_URL: databaseUrl,
      SECRET_KEY: key.toString('base64'),
      RATE_LIMIT_ALERTS: 'off',
      NODE_OPTIONS: `--require ${preloaded}`,
    });
    const integration = { ...given, url: `${service.url}${new URL(given.url).pathname}` };
    let [acknowledged, over] = [0, false];
    const ended = service.ended().finally(() => {
      over = true;
    });
    const giveUp = setTimeout(() => void service.end('SIGKILL'), PATIENCE_MS);
    const send = async (): Promise<void> => {
      while (!over) {
        const { status } = await sendAlert(integration, { title: 'Hot' }).catch(() => ({ status: 0 }));
        if (status === 200) acknowledged += 1;
        if (acknowledged >= ENOUGH) writeFileSync(sign, '');
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, send));
    clearTimeout(giveUp);
    expect(await ended).toBe(1);

    const after = await TestService.start(databaseUrl, {}, key);
    const [alert] = await AlertingProject.of(after, owner, place.id).alerts();
    await after.close();
    expect(alert?.events).toBeGreaterThanOrEqual(acknowledged);
  },
  2 * PATIENCE_MS,
);
