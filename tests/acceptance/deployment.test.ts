import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeConfig } from '../../src/infrastructure/configuration/describe-config.js';
import { describeDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { hasNginx, Nginx } from '../support/nginx.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { leftOutWithout } from '../support/system-package.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEPLOY = join(ROOT, 'deploy');
const read = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8');
const isThere = (program: string, ...parameters: string[]): boolean => spawnSync(program, parameters).status === 0;

/** Names that others than the service read. */
const OTHERS = /^(?:POSTGRES_|CMD|MALLOC_ARENA_MAX$)/;
const SETTINGS = new Set(describeConfig({}).map((line) => line.split('=')[0]));

/** Where each file names settings of the service. */
const NAMED: Readonly<Record<string, RegExp>> = {
  Dockerfile: /\b([A-Z][A-Z_]+)=/g,
  'compose.yaml': /^\s+([A-Z][A-Z_]+):/gm,
  'gatehouse.service': /^Environment=([A-Z_]+)=/gm,
  'kubernetes.yaml': /(?:name: |--from-literal=)([A-Z][A-Z_]+)/g,
  'nginx.conf': /\b([A-Z][A-Z_]{3,})=/g,
  Caddyfile: /\b([A-Z][A-Z_]{3,})=/g,
};

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(([, name = '']) => name);

describe('the files of a deployment', () => {
  it.each(Object.entries(NAMED))('%s names settings that there are', (file, pattern) => {
    const names = namesIn(read(file), pattern).filter((name) => !OTHERS.test(name));
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !SETTINGS.has(name))).toEqual([]);
  });

  it('are all spoken of in the documentation', () => {
    const page = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8');
    const files = readdirSync(DEPLOY, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of files) expect(page).toContain(name);
  });

  it('make an image of files that the repository has, and of nothing else', () => {
    const sources = read('Dockerfile')
      .split('\n')
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    const admitted = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect([...new Set(sources)].sort()).toEqual(admitted.sort());
    for (const source of sources) expect(existsSync(join(ROOT, source))).toBe(true);
    expect(read('Dockerfile')).toMatch(/^USER \d+:\d+$/m);
  });

  it('serve as a unit that systemd finds nothing wrong with, and that may do little', async () => {
    if (leftOutWithout('systemd', isThere('systemd-analyze', '--version'))) return;
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-unit-'));
    try {
      const unit = join(directory, 'gatehouse.service');
      // What is installed elsewhere is put where this machine has something.
      writeFileSync(unit, read('gatehouse.service').replace('/usr/bin/gatehouse', process.execPath));
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]);
      expect(stderr.split('\n').filter((line) => line.includes('gatehouse'))).toEqual([]);
      // Of 100; what has no bounds at all has 96.
      await run('systemd-analyze', ['security', '--offline=true', '--threshold=15', unit]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('have rules for Prometheus that fire when they should', async () => {
    if (leftOutWithout('prometheus', isThere('promtool', '--version'))) return;
    const cwd = join(DEPLOY, 'prometheus');
    expect((await run('promtool', ['check', 'rules', 'alerts.yaml'], { cwd })).stdout).toMatch(
      /SUCCESS: \d+ rules found/,
    );
    await run('promtool', ['test', 'rules', 'alerts-test.yaml'], { cwd });
  });

  it('have a Caddyfile that Caddy takes', async () => {
    if (leftOutWithout('caddy', isThere('caddy', 'version'))) return;
    const { stdout } = await run('caddy', ['adapt', '--config', join(DEPLOY, 'Caddyfile'), '--adapter', 'caddyfile']);
    expect(stdout).toContain('127.0.0.1:8080');
  });
});

for (const database of selectedDatabases())
  describeDatabase(database, 'a deployment', (openTestDatabase) => {
    let service: TestService;
    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase(), { trustProxy: 'loopback' });
    });
    afterAll(() => service.close());

    it('is watched by metrics that there are', async () => {
      const exposed = await (await fetch(`${service.url}/-/metrics`)).text();
      const there = new Set([...exposed.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
      const watched = read('prometheus/alerts.yaml') + read('grafana-dashboard.json');
      const names = new Set(watched.match(/\b(?:gatehouse|http|nodejs|process)_[a-z_0-9]+/g));
      expect(names.size).toBeGreaterThan(15);
      const missing = [...names].filter((name) => !there.has(name.replace(/_(?:count|bucket)$/, '')));
      expect(missing).toEqual([]);
    });

    it('is served behind nginx, which says who asks, whatever they say themselves', async () => {
      if (leftOutWithout('nginx', hasNginx())) return;
      const { url, stop } = await Nginx.start([service.service.port]);
      try {
        const { token } = await service.addUser('ada');
        const headers = { 'PRIVATE-TOKEN': token, 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' };
        const snippet = await fetch(`${url}/api/v4/snippets`, {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify({ title: 'Cogs', file_name: 'cogs.txt', content: 'cogs', visibility: 'private' }),
        });
        expect(snippet.status).toBe(201);
        const [stored] = await service.service.database.reader.query('snippets').select('creator_address');
        expect(stored?.creator_address).toMatch(/127\.0\.0\.1$/);
        const large = await fetch(`${url}/api/v4/projects`, {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify({ name: 'Engine', description: 'x'.repeat(2_000_000) }),
        });
        // By the service, and not by the proxy.
        expect([large.status, large.headers.has('x-request-id')]).toEqual([413, true]);
        expect((await fetch(`${url}/-/metrics`)).status).toBe(200);
      } finally {
        await stop();
      }
    });

    it('is served behind Caddy, which keeps the metrics from everybody else, however they are spelled', async () => {
      if (leftOutWithout('caddy', isThere('caddy', 'version'))) return;
      const directory = mkdtempSync(join(tmpdir(), 'gatehouse-caddy-'));
      const port = await freePort();
      let caddy: ChildProcess | undefined;
      try {
        const site = read('Caddyfile')
          // Without a certificate, and with operators who are elsewhere.
          .replace('gatehouse.example {', `http://127.0.0.1:${port} {`)
          .replace('not remote_ip 127.0.0.1 ::1', 'not remote_ip 192.0.2.1')
          .replaceAll('127.0.0.1:8080', `127.0.0.1:${service.service.port}`);
        const configuration = join(directory, 'Caddyfile');
        writeFileSync(configuration, `{\n\tadmin off\n}\n${site}`);
        const env = { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
        caddy = spawn('caddy', ['run', '--config', configuration, '--adapter', 'caddyfile'], { stdio: 'ignore', env });
        const url = `http://127.0.0.1:${port}`;
        await until(async () => (await fetch(`${url}/-/health`).catch(() => undefined))?.status === 200);
        const spellings = ['/-/metrics', '/-/metrics/', '/-/metrics?a', '/-/%6Detrics', '/-/Metrics', '/-//metrics/'];
        const statuses = await Promise.all(spellings.map(async (path) => (await fetch(`${url}${path}`)).status));
        expect(statuses).toEqual(spellings.map(() => 404));
      } finally {
        if (caddy !== undefined) {
          const ended = once(caddy, 'exit');
          caddy.kill('SIGTERM');
          await ended;
        }
        rmSync(directory, { recursive: true, force: true });
      }
    });
  });
