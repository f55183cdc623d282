import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Installation } from '../support/installation.js';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Package {
  readonly version: string;
  readonly bin: { readonly gatehouse: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Package;

describe('the archive that npm pack makes', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-packed-'));
  const installed = join(directory, 'lib/node_modules');
  const program = join(installed, 'gatehouse', manifest.bin.gatehouse);
  const installation = new Installation({ ROOT_PASSWORD: 'chosen by the operator' }, program);

  beforeAll(async () => {
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', directory], { cwd: ROOT });
    mkdirSync(join(installed, 'gatehouse'), { recursive: true });
    const archive = join(directory, `gatehouse-${manifest.version}.tgz`);
    await run('tar', ['-xzf', archive, '--strip-components=1', '-C', join(installed, 'gatehouse')]);
    // What an installation would fetch, and nothing that only the development needs.
    for (const name of Object.keys(manifest.dependencies)) {
      mkdirSync(dirname(join(installed, name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(installed, name));
    }
  });

  afterAll(async () => {
    await installation.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  it('holds what runs, and neither sources nor tests', () => {
    const entries = readdirSync(join(installed, 'gatehouse')).sort();
    expect(entries).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'migrations', 'package.json']));
    for (const absent of ['src', 'tests', 'node_modules', '.ci', 'data']) expect(entries).not.toContain(absent);
    expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('serves in an empty folder, with its pages, styles, templates, migrations and mails', async () => {
    const service = installation.start(['serve']);
    const url = await service.address();
    expect(await (await fetch(`${url}/-/health`)).text()).toBe('GatehouseOK');
    const page = await fetch(`${url}/users/sign_in`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const styles = [...(await page.text()).matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href);
    expect(styles.length).toBeGreaterThan(0);
    for (const href of styles) expect((await fetch(new URL(href ?? '', url))).status).toBe(200);
    const token = await installation.run(['token', 'create', '--user', 'root', '--scopes', 'api']);
    const version = await fetch(`${url}/api/v4/version`, { headers: { 'PRIVATE-TOKEN': token.stdout.trim() } });
    expect(await version.json()).toMatchObject({ version: expect.stringContaining(manifest.version) });
    for (const template of ['licenses/mit', 'gitignores/Node', 'platform_ci_ymls/Go', 'dockerfiles/PHP'])
      expect((await fetch(`${url}/api/v4/templates/${template}`)).status).toBe(200);
    expect(statSync(join(installation.directory, 'data/gatehouse.sqlite')).mode & 0o777).toBe(0o600);
    service.signal('SIGTERM');
    expect(await service.outcome()).toMatchObject({ code: 0, stderr: '' });
  });
});
