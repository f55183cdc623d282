import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { runStorage } from '../support/storage-kills.js';
import { until } from '../support/until.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const NAME = /^gatehouse-\d{8}T\d{6}Z\.ghb$/;

describeEachDatabase('backups by the clock', (openTestDatabase) => {
  it('are written while serving, counted, can be compared with what is served, and the oldest are removed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'));
    const url = await openTestDatabase();
    writeFileSync(join(directory, 'notes.txt'), 'of somebody else');
    const old = ['20200101T030000', '20200102T030000'].map((time) => `gatehouse-${time}Z.ghb`);
    const killed = `${old[0]}.0123abcd.partial`;
    for (const name of [...old, killed]) writeFileSync(join(directory, name), '');
    const service = await ServiceProcess.start({
      DATABASE_URL: url,
      SECRET_KEY: KEY,
      ROOT_PASSWORD: 'a-difference-engine',
      REPOSITORIES_DIR: join(directory, 'repositories'),
      BACKUP_SCHEDULE: '* * * * * *',
      BACKUP_DIR: directory,
      BACKUP_KEEP: '2',
    });
    try {
      const written = async (): Promise<number> => {
        const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
        return Number(/gatehouse_backups_total\{outcome="written"\} (\d+)/.exec(metrics)?.[1]);
      };
      await until(async () => (await written()) >= 3, 60_000);
    } finally {
      expect(await service.end('SIGTERM')).toBe(0);
    }
    const archives = readdirSync(directory)
      .filter((name) => NAME.test(name))
      .sort();
    expect(archives.length).toBeLessThanOrEqual(3);
    expect(readdirSync(directory)).toContain('notes.txt');
    for (const name of [...old, killed]) expect(readdirSync(directory)).not.toContain(name);
    expect(await runStorage(url, 'verify', '--with', join(directory, archives[0] ?? ''))).toBe(0);
    rmSync(directory, { recursive: true });
  });
});
