import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));
const KILLS = 20;
const CLIENTS = 8;
const LONGEST_LIFE_MS = 400;

describeEachDatabase('a service that is killed again and again', (openTestDatabase) => {
  it(`holds everything that it answered 201 to, after ${KILLS} kills in the middle of writes`, async () => {
    const settings = { DATABASE_URL: await openTestDatabase(), SECRET_KEY: randomBytes(32).toString('base64') };
    await (await ServiceProcess.start({ ...settings, ROOT_PASSWORD: 'a-difference-engine' })).end('SIGTERM');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [MAIN, 'token', 'create', '--user', 'root', '--scopes', 'api'],
      { env: { PATH: process.env['PATH'], ...settings } },
    );
    const headers = { 'PRIVATE-TOKEN': stdout.trim(), 'Content-Type': 'application/json' };
    const answered: string[] = [];
    let asked = 0;

    const writeUntilKilled = async (url: string): Promise<void> => {
      for (;;) {
        const path = `g${(asked += 1)}`;
        try {
          const body = JSON.stringify({ name: path, path });
          const response = await fetch(`${url}/api/v4/groups`, { method: 'POST', headers, body });
          await response.text();
          if (response.status === 201) answered.push(path);
        } catch {
          // The process is gone, and with it the answer: this one may count or not.
          return;
        }
      }
    };

    for (let kill = 1; kill <= KILLS; kill += 1) {
      const service = await ServiceProcess.start(settings);
      const clients = Array.from({ length: CLIENTS }, () => writeUntilKilled(service.url));
      await new Promise((resume) => setTimeout(resume, (LONGEST_LIFE_MS * kill) / KILLS));
      await service.end('SIGKILL');
      await Promise.all(clients);
    }

    const service = await ServiceProcess.start(settings);
    const kept = new Set<string>();
    for (let page = 1; page !== 0;) {
      const response = await fetch(`${service.url}/api/v4/groups?per_page=100&order_by=id&page=${page}`, { headers });
      for (const { path } of (await response.json()) as { path: string }[]) kept.add(path);
      page = Number(response.headers.get('x-next-page'));
    }
    expect(await service.end('SIGTERM')).toBe(0);
    process.stdout.write(
      `asked ${asked}, answered ${answered.length}, kept ${kept.size}, lost ${answered.filter((path) => !kept.has(path)).length}\n`,
    );
    expect(answered.length).toBeGreaterThan(KILLS);
    expect(answered.filter((path) => !kept.has(path))).toEqual([]);
  });
});
