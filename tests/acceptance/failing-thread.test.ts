import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService, type TestUser } from '../support/test-service.js';

const SENDERS = 48;
const ENOUGH = 500;
/** Longer than so many requests take to arrive, and shorter than they wait. */
const HELD_UP_MS = 1_500;
const PATIENCE_MS = 120_000;

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-thread-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Loaded into every thread before the service: any but the first throws where nobody catches it. */
const THROW = "throw new Error('Thrown by the test of a failing thread.')";
/** It leaves a file. */
const atOnce = (thrown: string): string => `
  if (!require('node:worker_threads').isMainThread) {
    require('node:fs').writeFileSync(${JSON.stringify(thrown)}, '');
    ${THROW};
  }`;
/** Once it has got what it is there for, and the file is there. */
const whenTold = (sign: string): string => `
  const { existsSync } = require('node:fs');
  const { isMainThread, parentPort } = require('node:worker_threads');
  if (!isMainThread) {
    let asked = false;
    parentPort.on('message', () => (asked = true));
    setInterval(() => {
      if (asked && existsSync(${JSON.stringify(sign)})) ${THROW};
    }, 20);
  }`;

/** A database with a project that takes alerts, and the service on it with something loaded into each thread. */
class FailingService {
  private constructor(
    readonly process: ServiceProcess,
    private readonly databaseUrl: string,
    private readonly key: Buffer<ArrayBuffer>,
    private readonly owner: TestUser,
    private readonly projectId: number,
    private readonly integration: IntegrationBody,
  ) {}

  static async start(name: string, program: string): Promise<FailingService> {
    const preloaded = join(directory, `${name}.cjs`);
    writeFileSync(preloaded, program);
    const [databaseUrl, key] = [`sqlite:${join(directory, `${name}.sqlite`)}`, randomBytes(32)];
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
    return new FailingService(service, databaseUrl, key, owner, place.id, integration);
  }

  /** Sends alerts as long as it goes on, and answers how many were acknowledged. */
  async storm(goesOn: (acknowledged: number) => boolean): Promise<number> {
    let acknowledged = 0;
    // While somebody else writes, all of them wait at once: that is a storm, on a slow machine too.
    const other = openDatabase({ url: this.databaseUrl, poolMax: 1 });
    const heldUp = other.transact(() => sleep(HELD_UP_MS));
    const giveUpAt = performance.now() + PATIENCE_MS;
    const send = async (): Promise<void> => {
      while (goesOn(acknowledged) && performance.now() < giveUpAt) {
        const { status } = await sendAlert(this.integration, { title: 'Hot' }).catch(() => ({ status: 0 }));
        if (status === 200) acknowledged += 1;
      }
    };
    await Promise.all([heldUp, ...Array.from({ length: SENDERS }, send)]);
    await other.close();
    return acknowledged;
  }

  /** When the service is over: what its database has of the alert. */
  async counted(): Promise<number | undefined> {
    const after = await TestService.start(this.databaseUrl, {}, this.key);
    const [alert] = await AlertingProject.of(after, this.owner, this.projectId).alerts();
    await after.close();
    return alert?.events;
  }
}

it('the process ends with a failure when the thread of storms throws what nobody catches, and has what it acknowledged', async () => {
  const sign = join(directory, 'fail');
  const service = await FailingService.start('in-its-midst', whenTold(sign));
  let over = false;
  const ended = service.process.ended().finally(() => {
    over = true;
  });
  const giveUp = setTimeout(() => void service.process.end('SIGKILL'), PATIENCE_MS);
  const acknowledged = await service.storm((count) => {
    if (count >= ENOUGH) writeFileSync(sign, '');
    return !over;
  });
  clearTimeout(giveUp);
  expect(await ended).toBe(1);
  expect(await service.counted()).toBeGreaterThanOrEqual(acknowledged);
});

it('alerts are taken without a thread of their own when it fails before it has begun', async () => {
  const thrown = join(directory, 'thrown');
  const service = await FailingService.start('at-once', atOnce(thrown));
  const acknowledged = await service.storm((count) => count < ENOUGH || !existsSync(thrown));
  expect(existsSync(thrown)).toBe(true);
  expect(await service.process.end('SIGTERM')).toBe(0);
  expect(await service.counted()).toBe(acknowledged);
});
