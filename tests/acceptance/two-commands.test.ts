import { exec } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Installation, type RunningProgram } from '../support/installation.js';

const run = promisify(exec);

describe('the service that an empty directory is enough for', () => {
  const installation = new Installation({ DEMO: 'true' });
  let service: RunningProgram;
  let url: string;

  beforeAll(async () => {
    service = installation.start(['serve']);
    url = await service.address();
    await service.prints(/curl .*\/api\/v4\/projects\n/);
  });

  afterAll(() => installation.remove());

  it('makes its database and, for its owner alone to read, its secret key', () => {
    const key = join(installation.directory, 'data/gatehouse.sqlite.key');
    expect(existsSync(join(installation.directory, 'data/gatehouse.sqlite'))).toBe(true);
    expect(statSync(key).mode & 0o777).toBe(0o600);
  });

  it('says the password of root once, and names root once among those who can sign in', () => {
    const [, password = ''] = /^root password: (\S{20,})$/m.exec(service.stdout) ?? [];
    expect(service.stdout.split(password)).toHaveLength(2);
    const people = service.stdout.split('\n').filter((line) => /^ {2}(?:ada|grace|alan|root) /.test(line));
    expect(people.map((line) => line.trim().split(/ +/)[0])).toEqual(['ada', 'grace', 'alan', 'root']);
    expect(new Set(people.map((line) => /^ {2}\S+ +(?:\(.*?\)|\S+) +/.exec(line)?.[0].length)).size).toBe(1);
    expect(service.stdout).toContain(`Who can sign in at ${url}/users/sign_in:`);
  });

  it('prints commands that work when they are pasted', async () => {
    const commands = service.stdout.split('\n').filter((line) => /^ {2}(export|curl) /.test(line));
    expect(commands.filter((line) => line.includes('curl'))).toHaveLength(6);
    const pasted = commands.map((line) => line.replace(/curl /, 'curl --silent --show-error --fail ')).join('\necho\n');
    const { stdout } = await run(pasted, { shell: '/bin/bash' });
    const answers = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
    expect(answers).toEqual([
      expect.objectContaining({ username: 'ada' }),
      expect.arrayContaining([expect.objectContaining({ path_with_namespace: 'engines/compiler' })]),
      expect.objectContaining({ token_type: 'bearer', scope: 'read_user' }),
      [{ iid: 1, title: 'The engine is hot' }],
      expect.arrayContaining([expect.objectContaining({ action_name: 'joined', author_username: 'grace' })]),
      expect.objectContaining({ name: 'Sketch', visibility: 'public' }),
    ]);
  });

  it('shows people, nested groups, projects of every visibility and members', async () => {
    const token = /TOKEN=(\S+)/.exec(service.stdout)?.[1] ?? '';
    const read = async (path: string) =>
      (await (await fetch(`${url}/api/v4${path}`, { headers: { 'PRIVATE-TOKEN': token } })).json()) as Record<
        string,
        unknown
      >[];
    const people = (await read('/users')).map(({ username }) => username).sort();
    expect(people).toEqual(['ada', 'alan', 'alert-bot', 'grace', 'root']);
    expect((await read('/groups')).map((group) => group['full_path']).sort()).toEqual(['engines', 'engines/research']);
    const projects = await read('/projects?membership=true');
    expect([...new Set(projects.map(({ visibility }) => visibility))].sort()).toEqual([
      'internal',
      'private',
      'public',
    ]);
    expect(await read('/projects/engines%2Fcompiler/members')).toHaveLength(2);
  });

  it('is not filled a second time, neither by itself nor by the command', async () => {
    const again = await installation.run(['demo']);
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toBe('gatehouse: The demo is for an empty installation; this one has users already.\n');
  });

  it('answers where to read the API', async () => {
    const page = await fetch(`${url}/api/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).not.toMatch(/(?:src|href)="https?:/);
    const operations = /href="(\/api\/docs\?tag=Project\+members)"/.exec(html)?.[1] ?? '';
    expect(await (await fetch(url + operations)).text()).toContain('/projects/{id}/members');
  });

  it('finishes what runs when it is told to stop, and ends well', async () => {
    service.signal('SIGTERM');
    const { code, stdout } = await service.outcome();
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toContain('"message":"stopped"');
  });

  it('starts again with what it has, says no secret, but where to sign in and how to get a new token', async () => {
    const next = installation.start(['serve']);
    const address = await next.address();
    const [, command = ''] = await next.prints(/^ {2}npx gatehouse (token create .*?) *#/m);
    const made = await installation.run(command.split(' '));
    expect((await fetch(`${address}/api/v4/user`, { headers: { 'PRIVATE-TOKEN': made.stdout.trim() } })).status).toBe(
      200,
    );
    await next.prints(/npx gatehouse user reset-password --username ada/);
    next.signal('SIGINT');
    const { code, stdout } = await next.outcome();
    expect(code).toBe(0);
    expect(stdout).toContain(`Sign in at ${address}/users/sign_in`);
    expect(stdout).not.toMatch(/root password|TOKEN=/);
  });

  it('says nothing of a demo where none is wanted', async () => {
    const next = installation.start(['serve'], { DEMO: 'false' });
    await next.address();
    next.signal('SIGTERM');
    expect((await next.outcome()).stdout).not.toMatch(/demo|npx/);
  });
});
