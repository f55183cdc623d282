import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/test-service.js';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));
const WATCHER = fileURLToPath(new URL('./peers/watch-event-loop.js', import.meta.url));

const ITEMS = 100;
const ALERTS = 60;
const TEXT = 'a long text, '.repeat(77_000).slice(0, 1_000_000);
const ELEMENTS = `{"fingerprint":"FINGERPRINT","list":[${'1,'.repeat(499_999)}1]}`;
const MOST_HELD_MS = 50;
const MOST_MEMORY_MB = 20;
const PAUSE_MS = 500;

interface Watched {
  readonly heldMs: number;
  readonly peakMb: number;
  readonly nowMb: number;
  /** Without what could be collected. */
  readonly heldMb: number;
}

describeEachDatabase('answers that are big', (openTestDatabase) => {
  const file = join(tmpdir(), `watched-${randomBytes(6).toString('hex')}.json`);
  let service: ServiceProcess;
  let token: string;
  let browser: FormBrowser;
  let projectId: number;
  let integrationId: number;

  beforeAll(async () => {
    const url = await openTestDatabase();
    const secretKey = randomBytes(32);
    const seeded = await TestService.start(url, {}, secretKey);
    const ada = await seeded.addUser('ada', { password: PASSWORD });
    token = ada.token;
    const project = await AlertingProject.create(seeded, ada, 'engine');
    projectId = project.id;
    await project.call('PUT', '/alert_settings', { create_incident: false });
    const integration = await project.integrate();
    integrationId = integration.id;
    for (let number = 0; number < ALERTS; number += 1)
      await sendAlert(integration, ELEMENTS.replace('FINGERPRINT', String(number)));
    for (let number = 0; number < ITEMS; number += 1) {
      const made = await project.call<{ id: number }>('POST', '/milestones', {
        title: `M${number}`,
        description: TEXT,
      });
      const fields = { title: `I${number}`, description: TEXT, milestone_id: made.body.id };
      await project.call('POST', '/issues', fields);
      await project.call('POST', '/issues/1/notes', { body: TEXT });
    }
    await seeded.close();
    service = await ServiceProcess.run(['--expose-gc', '--import', WATCHER, MAIN, 'serve'], {
      PORT: '0',
      DATABASE_URL: url,
      SECRET_KEY: secretKey.toString('base64'),
      RATE_LIMIT_ALERTS: 'off',
      WATCH_EVENT_LOOP_FILE: file,
    });
    browser = new FormBrowser(service.url);
    await browser.signIn('ada');
  }, 300_000);

  afterAll(async () => {
    await service.end('SIGTERM');
    rmSync(file, { force: true });
  });

  const watched = async (): Promise<Watched> => {
    rmSync(file, { force: true });
    service.signal('SIGUSR2');
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(10);
    return JSON.parse(readFileSync(file, 'utf8')) as Watched;
  };

  /** @param pausing is called when a slow reader has taken the beginning of the answer and takes no more until it resolves. */
  const read = (path: string, pausing?: () => Promise<void>) =>
    new Promise<{ status: number; bytes: number }>((resolve, reject) => {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = path.startsWith('/api') ? { 'PRIVATE-TOKEN': token } : { cookie };
      get(service.url + path, { headers }, (response: IncomingMessage) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => (bytes += chunk.length));
        response.once('data', () => {
          if (pausing === undefined) return;
          response.pause();
          pausing().then(() => response.resume(), reject);
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
        response.once('error', reject);
      }).once('error', reject);
    });

  const PATHS: readonly (readonly [string, () => string])[] = [
    ['the page of an alert', () => '/ada/engine/-/alert_management/1/details'],
    ['the page of alerts', () => '/ada/engine/-/alert_management'],
    ['the page of an issue with its notes', () => '/ada/engine/-/issues/1'],
    ['the page of issues', () => '/ada/engine/-/issues'],
    ['the page of a milestone', () => '/ada/engine/-/milestones/1'],
    ['the page of what somebody did', () => '/users/ada/activity'],
    ['one alert', () => `/api/v4/projects/${projectId}/alert_management_alerts/1`],
    ['one issue', () => `/api/v4/projects/${projectId}/issues/1`],
    ['alerts', () => `/api/v4/projects/${projectId}/alert_management_alerts?per_page=100`],
    ['deliveries', () => `/api/v4/projects/${projectId}/alert_integrations/${integrationId}/deliveries?per_page=100`],
    ['issues', () => `/api/v4/projects/${projectId}/issues?per_page=100`],
    ['notes', () => `/api/v4/projects/${projectId}/issues/1/notes?per_page=100`],
    ['milestones', () => `/api/v4/projects/${projectId}/milestones?per_page=100`],
    ['issues of a milestone', () => `/api/v4/projects/${projectId}/milestones/1/issues?per_page=100`],
    ['events', () => `/api/v4/projects/${projectId}/events?per_page=100`],
  ];

  const tell = (line: string) => process.stdout.write(`${expect.getState().currentTestName ?? ''}: ${line}\n`);

  it.each(PATHS)('%s hold nobody else up', async (_name, path) => {
    await read('/-/liveness');
    const before = await watched();
    const { status, bytes } = await read(path());
    const { heldMs, peakMb } = await watched();
    const grown = Math.max(peakMb - before.nowMb, 0);
    tell(`${(bytes / 1e6).toFixed(2)} MB, held ${heldMs.toFixed(0)} ms, ${grown.toFixed(0)} MB more resident at most`);
    expect([status, heldMs < MOST_HELD_MS]).toEqual([200, true]);
  });

  it.each(PATHS)('%s hold little memory while their reader takes nothing', async (_name, path) => {
    await read('/-/liveness');
    const before = await watched();
    let held = 0;
    await read(path(), async () => {
      await sleep(PAUSE_MS);
      held = (await watched()).heldMb - before.heldMb;
    });
    tell(`${held.toFixed(1)} MB held`);
    expect(held).toBeLessThan(MOST_MEMORY_MB);
  });
});
