import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { AlertingProject, type AlertBody } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { leftOutWithout } from '../support/system-package.js';
import { TestService } from '../support/test-service.js';

const PATIENCE_MS = 20_000;

const hasAlertmanager = (): boolean => spawnSync('prometheus-alertmanager', ['--version']).status === 0;

const configuration = (url: string, key: string): string => `
route:
  receiver: gatehouse
  group_wait: 0s
  group_interval: 1s
  repeat_interval: 1s
receivers:
  - name: gatehouse
    webhook_configs:
      - url: ${url}
        http_config:
          authorization:
            credentials: ${key}
`;

/** Debian's Alertmanager as it comes, with a configuration that knows our address and key. */
class Alertmanager {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    private readonly url: string,
  ) {}

  static async start(intake: { readonly url: string; readonly token: string }): Promise<Alertmanager> {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-alertmanager-'));
    const file = join(directory, 'alertmanager.yml');
    writeFileSync(file, configuration(intake.url, intake.token));
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(
      'prometheus-alertmanager',
      [
        `--config.file=${file}`,
        `--storage.path=${directory}`,
        `--web.listen-address=${address}`,
        '--cluster.listen-address=',
      ],
      { stdio: 'ignore' },
    );
    const manager = new Alertmanager(child, directory, `http://${address}`);
    await until(async () => (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok === true);
    return manager;
  }

  /** Adds an alert as `amtool` does; with an end it is over. */
  async add(end?: Date): Promise<void> {
    const labels = ['alertname=EngineDown', 'severity=page', 'platform_environment_name=production'];
    const when = ['--start=2026-03-01T12:00:00Z', ...(end === undefined ? [] : [`--end=${end.toISOString()}`])];
    const annotations = ['--annotation=summary=The engine is down'];
    await promisify(execFile)('amtool', [
      `--alertmanager.url=${this.url}`,
      'alert',
      'add',
      ...when,
      ...annotations,
      ...labels,
    ]);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error('It did not come to be in time.');
    await new Promise((resume) => setTimeout(resume, 50));
  }
};

describeEachDatabase('Alertmanager, unmodified', (openTestDatabase) => {
  it('fires, repeats across a restart of ours, and resolves; the incident closes', async () => {
    if (leftOutWithout('prometheus-alertmanager', hasAlertmanager())) return;
    const databaseUrl = await openTestDatabase();
    const key = randomBytes(32);
    const port = await freePort();
    const start = () => TestService.start(databaseUrl, { port }, key);
    let service = await start();
    const owner = await service.addUser('ada');
    const { id } = await AlertingProject.create(service, owner, 'engine');
    const place = () => AlertingProject.of(service, owner, id);
    const intake = await place().integrate('prometheus');
    const alertmanager = await Alertmanager.start(intake);
    const first = async (): Promise<AlertBody | undefined> => (await place().alerts())[0];
    try {
      await alertmanager.add();
      await until(async () => (await first()) !== undefined);
      expect(await first()).toMatchObject({
        title: 'The engine is down',
        severity: 'high',
        environment: 'production',
        status: 'triggered',
        issue_iid: 1,
      });
      await until(async () => ((await first())?.events ?? 0) >= 2);
      const before = (await first())?.events ?? 0;
      await service.close();
      service = await start();
      // A connection of before may still be tried once.
      await until(async () => ((await first().catch(() => undefined))?.events ?? 0) > before);
      await alertmanager.add(new Date());
      await until(async () => (await first())?.status === 'resolved');
      expect((await place().call('GET', '/issues/1')).body).toMatchObject({
        state: 'closed',
        closed_by: { username: 'alert-bot' },
      });
      expect(await place().alerts()).toHaveLength(1);
    } finally {
      await alertmanager.stop();
      await service.close();
    }
  }, 90_000);
});
