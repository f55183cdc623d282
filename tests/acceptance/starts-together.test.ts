import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand } from '../support/service-kills.js';
import { ServiceProcess } from '../support/service-process.js';

const AT_ONCE = 5;

// Of nodes on a server the locks of its own do it.
describe('processes that start at once on a file that is not there yet', () => {
  let directory: string;
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'gatehouse-start-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  const atOnce = <Result>(start: () => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: AT_ONCE }, start));

  const settings = () => ({ DATABASE_URL: `sqlite:${join(directory, 'new.sqlite')}` });

  it('wait for the one that migrates it, and fail none', async () => {
    const ended = await atOnce(() => runCommand(settings(), 'migrate'));
    expect(ended.map(({ code }) => code)).toEqual(new Array(AT_ONCE).fill(0));
    expect(ended.filter(({ printed }) => printed.includes('Applied'))).toHaveLength(1);
  });

  it('all serve, with one secret key and one administrator', async () => {
    const services = await atOnce(() => ServiceProcess.start({ ...settings(), ROOT_PASSWORD: 'a-password-of-root' }));
    try {
      for (const { url } of services) expect((await fetch(`${url}/-/readiness`)).status).toBe(200);
      expect(readFileSync(join(directory, 'new.sqlite.key'), 'utf8')).toMatch(/^[\w+/]{43}=\n$/);
      const { printed } = await runCommand(settings(), 'user', 'list');
      expect(printed.match(/root@localhost/g)).toHaveLength(1);
    } finally {
      for (const service of services) await service.end('SIGTERM');
    }
  });
});
