import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';
import { processorTimeOf } from './processor-time.js';
import { until } from './until.js';

export const hasAlertmanager = (): boolean => spawnSync('prometheus-alertmanager', ['--version']).status === 0;

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
export class Alertmanager {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    readonly url: string,
  ) {}

  /** @param oneCore keeps it, and what it runs in, to one core. */
  static async start(
    intake: { readonly url: string; readonly token: string },
    { oneCore }: { readonly oneCore?: boolean } = {},
  ): Promise<Alertmanager> {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-alertmanager-'));
    const file = join(directory, 'alertmanager.yml');
    writeFileSync(file, configuration(intake.url, intake.token));
    const address = `127.0.0.1:${await freePort()}`;
    const pinned = oneCore === true ? ['taskset', '--cpu-list', '0'] : [];
    const command = [
      ...pinned,
      'prometheus-alertmanager',
      `--config.file=${file}`,
      `--storage.path=${directory}`,
      `--web.listen-address=${address}`,
      '--cluster.listen-address=',
    ];
    const child = spawn(command[0] ?? '', command.slice(1), { stdio: 'ignore' });
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

  /** Processor time of all its threads since it was started, in milliseconds. */
  processorTime(): number {
    return processorTimeOf(this.child.pid ?? 0);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    rmSync(this.directory, { recursive: true, force: true });
  }
}
