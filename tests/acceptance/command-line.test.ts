import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { freePort } from '../support/free-port.js';
import { createEmptyPostgresDatabase } from '../support/databases.js';
import { Installation, type RunningProgram } from '../support/installation.js';

const newKey = (): string => randomBytes(32).toString('base64');
const ALONE = /^\S+\n$/;

describe('the command line', () => {
  const installation = new Installation({ ROOT_PASSWORD: 'chosen by the operator' });
  let service: RunningProgram;
  let url: string;

  beforeAll(async () => {
    service = installation.start(['serve']);
    url = await service.address();
  });

  afterAll(() => installation.remove());

  const as = async (token: string, path: string): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${url}/api/v4${path}`, { headers: { 'PRIVATE-TOKEN': token } });
    return { status: response.status, body: await response.json() };
  };
  const tokenOf = async (user: string, ...more: string[]): Promise<string> =>
    (await installation.run(['token', 'create', '--user', user, '--scopes', 'api', ...more])).stdout.trim();

  it('creates a confirmed user and prints the password, alone', async () => {
    const created = await installation.run(['user', 'create', '--username', 'ada', '--email', 'ada@example.com']);
    expect(created).toEqual({ code: 0, stdout: expect.stringMatching(ALONE), stderr: '' });
    expect((await as(await tokenOf('ada'), '/user')).body).toMatchObject({
      username: 'ada',
      confirmed_at: expect.any(String),
    });
  });

  it('reads the password from the standard input, and prints nothing then', async () => {
    const input = ['user', 'create', '--username', 'grace', '--email', 'grace@example.com', '--password-stdin'];
    expect(await installation.run([...input, '--admin'], {}, 'a fine password\n')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect((await as(await tokenOf('grace'), '/user')).body).toMatchObject({ is_admin: true });
  });

  it('prints a token, alone; lists it with its id, and revokes it by that', async () => {
    const name = 'nightly report';
    const created = await installation.run([
      ...['token', 'create', '--user', 'ada', '--scopes', 'read_user,api'],
      ...['--name', name, '--expires-at', '2999-12-31'],
    ]);
    expect(created).toEqual({ code: 0, stdout: expect.stringMatching(ALONE), stderr: '' });
    const token = created.stdout.trim();
    expect((await as(token, '/user')).status).toBe(200);
    const listed = async () => {
      const { code, stdout, stderr } = await installation.run(['token', 'list', '--user', 'Ada']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).not.toContain(token);
      return stdout.split('\n').find((line) => line.endsWith(name)) ?? '';
    };
    const [, id = ''] = /^(\d+) +active +2999-12-31 +\S+ +read_user,api +nightly report$/.exec(await listed()) ?? [];
    expect(await installation.run(['token', 'revoke', '--id', id])).toMatchObject({ code: 0, stdout: '' });
    expect((await as(token, '/user')).status).toBe(401);
    expect(await listed()).toMatch(/^\d+ +revoked /);
  });

  it('lists, blocks, unblocks, promotes and demotes users', async () => {
    const listed = async (...more: string[]) =>
      (await installation.run(['user', 'list', ...more])).stdout.trimEnd().split('\n').slice(1);
    const change = async (act: string, username: string) => {
      const { code, stdout, stderr } = await installation.run(['user', act, '--username', username]);
      return [code, stdout, stderr.trimEnd()];
    };
    expect((await listed()).map((line) => line.split(/ +/)[1])).toEqual(['root', 'ada', 'grace']);
    expect(await listed('--search', 'ADA')).toEqual([expect.stringMatching(/^\d+ +ada +active +user +never +ada@/)]);
    const token = await tokenOf('ada');
    const told = 'ada is blocked: their sessions have ended and their tokens are refused.';
    expect(await change('block', 'ada')).toEqual([0, '', told]);
    expect((await as(token, '/user')).status).toBe(403);
    expect(await change('block', 'ada')).toEqual([0, '', 'ada was blocked already.']);
    expect(await change('unblock', 'ada')).toEqual([0, '', 'ada may sign in again.']);
    expect(await change('unblock', 'ada')).toEqual([0, '', 'ada was not blocked.']);
    expect(await change('promote', 'ada')).toEqual([0, '', 'ada is an administrator now.']);
    expect((await as(token, '/user')).body).toMatchObject({ is_admin: true });
    expect(await change('demote', 'ada')).toEqual([0, '', 'ada is no longer an administrator.']);
    expect(await change('demote', 'grace')).toEqual([0, '', 'grace is no longer an administrator.']);
    for (const act of ['demote', 'block'])
      expect(await change(act, 'root')).toEqual([
        1,
        '',
        'gatehouse: root is the last administrator. Make somebody else an administrator first.',
      ]);
    expect(await change('promote', 'nobody')).toEqual([1, '', 'gatehouse: There is no user "nobody".']);
  });

  it('says in its help which scopes there are, and what is required', async () => {
    const { code, stdout, stderr } = await installation.run(['token', 'create', '--help']);
    expect([code, stderr]).toEqual([0, '']);
    const help = stdout.replace(/\s+/g, ' ');
    expect(help).toContain('any of api, read_api, read_user, read_repository, write_repository, sudo');
    expect(help.match(/--\S+ <\w+> [^-]*\(required\)/g)).toHaveLength(2);
  });

  it('refuses with a sentence and exit code 1', async () => {
    const refusals: [string[], RegExp][] = [
      [['token', 'create', '--user', 'nobody', '--scopes', 'api'], /There is no user "nobody"\.$/],
      [
        ['token', 'create', '--user', 'ada', '--scopes', 'everything'],
        /There is no scope "everything"\. Choose from api, .*sudo\.$/,
      ],
      [
        ['token', 'create', '--user', 'ada', '--scopes', 'api', '--expires-at', '2026-02-30'],
        /"2026-02-30" is not a date \(expected YYYY-MM-DD\)\.$/,
      ],
      [['token', 'revoke', '--id', 'x'], /"x" is not a token id/],
      [['token', 'revoke', '--id', '99999'], /^gatehouse: There is no token 99999\.$/],
      [['restore', '--from', '-'], /^gatehouse: An archive is read from a file, not from the standard input: /],
      [['user', 'create', '--username', 'ada', '--email', 'other@example.com'], /has already been taken/],
      [['user', 'create', '--username', 'a b', '--email', 'x'], /username|email/],
      [['user', 'reset-password', '--username', 'nobody'], /There is no user "nobody"\.$/],
      [['backup', '--to', join(installation.directory, 'data/gatehouse.sqlite')], /exists already\.$/],
    ];
    const refuse = async ([command, sentence]: [string[], RegExp]): Promise<void> => {
      const { code, stdout, stderr } = await installation.run(command);
      expect([command, code, stdout, stderr.trimEnd()]).toEqual([command, 1, '', expect.stringMatching(sentence)]);
      expect(stderr).not.toMatch(/\n {4}at /);
    };
    await Promise.all(refusals.map(refuse));
  });

  it('answers wrong usage with the usage on the standard error and exit code 2', async () => {
    const misuse = async (command: string[]): Promise<void> => {
      const { code, stdout, stderr } = await installation.run(command);
      expect([command, code, stdout, stderr]).toEqual([command, 2, '', expect.stringContaining('Usage: gatehouse')]);
    };
    await Promise.all(
      [
        ['nonsense'],
        ['user', 'create'],
        ['token'],
        ['serve', '--fast'],
        ['backup'],
        ['backup', '--to', 'backup.ghb', '--identity', 'key.txt'],
        ['migrate', '--status', '--plan'],
        ['user', 'block'],
        ['token', 'list'],
        [],
      ].map(misuse),
    );
  });

  it('sets a new password, and lets in who lost the second factor', async () => {
    const reset = await installation.run(['user', 'reset-password', '--username', 'ada']);
    expect(reset).toEqual({ code: 0, stdout: expect.stringMatching(ALONE), stderr: '' });
    const disabled = await installation.run(['user', 'disable-two-factor', '--username', 'ada']);
    expect(disabled).toMatchObject({ code: 0, stdout: '' });
  });

  it('finds calls of version 3 in logs and code, without a database', async () => {
    const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const lint = (files: string[], input?: string) => installation.run(['v3', 'lint', ...files], nowhere, input);
    writeFileSync(join(installation.directory, 'old.sh'), 'echo\ncurl -X DELETE $BASE/api/v3/projects/5/star\n');
    writeFileSync(join(installation.directory, 'new.sh'), 'curl $BASE/api/v4/projects\n');
    const found = await lint(['new.sh', 'old.sh']);
    expect(found).toEqual({
      code: 1,
      stdout:
        'old.sh:2: DELETE /api/v3/projects/5/star\n' +
        '  9.0: DELETE /projects/:id/star → POST /projects/:id/unstar. A star is taken back by POST at a path of its own.\n',
      stderr: 'gatehouse: Found 1 call of version 3.\n',
    });
    expect(await lint(['new.sh'])).toEqual({ code: 0, stdout: '', stderr: 'Found no calls of version 3.\n' });
    expect((await lint(['-'], 'GET /api/v3/version\n')).stdout).toBe(
      '-:1: GET /api/v3/version\n  The same is under /api/v4.\n',
    );
    expect(await lint(['gone.sh'])).toEqual({ code: 1, stdout: '', stderr: 'gatehouse: gone.sh is not there.\n' });
    expect((await lint(['.'])).stderr).toBe('gatehouse: . is a folder: name the files in it.\n');
    expect((await lint([])).code).toBe(2);
  });

  it('lists migrations', async () => {
    const { code, stdout } = await installation.run(['migrate', '--status']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^(applied {2}\d{14}_\w+\n)+$/)]);
  });

  it('copies the database while serving, and says that the key belongs with it', async () => {
    const copy = join(installation.directory, 'copy.sqlite');
    const { code, stderr } = await installation.run(['backup', '--to', copy, '--format', 'sqlite']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('gatehouse.sqlite.key')]);
    const database = openDatabase({ url: `sqlite:${copy}`, poolMax: 1 });
    const users = (await database.reader.query('users').select('username').orderBy('id')) as { username: string }[];
    await database.close();
    expect(users.map(({ username }) => username)).toEqual(['root', 'ada', 'grace']);
  });

  it('rotates the signing key; the one before it still verifies', async () => {
    const keys = async () =>
      ((await (await fetch(`${url}/oauth/discovery/keys`)).json()) as { keys: Record<string, string>[] }).keys;
    const [{ length: before }] = [await keys()];
    for (const command of [1, 2])
      expect([command, (await installation.run(['keys', 'rotate'])).code]).toEqual([command, 0]);
    const published = await keys();
    expect(published).toHaveLength(before + 2);
    for (const key of published) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
      expect(key).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' });
    }
  });

  it('says which port is in use, and which host is none of the machine', async () => {
    const { port } = new URL(url);
    const inUse = (setting: string) =>
      `The port ${port} is in use: choose another by ${setting}, or ${setting}=0 for a free one.`;
    const refusals: [Record<string, string>, string][] = [
      [{ PORT: port }, inUse('PORT')],
      [{ SSH_PORT: port }, inUse('SSH_PORT')],
      [{ HOST: '192.0.2.1' }, 'HOST is 192.0.2.1, which is no address of this machine.'],
      [{ SSH_PORT: '0', SSH_HOST: '192.0.2.1' }, 'SSH_HOST is 192.0.2.1, which is no address of this machine.'],
      [
        { PORT: '2222', SSH_PORT: '2222' },
        `SSH_PORT is "2222", but must be another port than PORT: two servers can't listen at one.`,
      ],
    ];
    for (const [settings, sentence] of refusals) {
      const { code, stderr } = await installation.run(['serve'], settings);
      expect([settings, code, stderr]).toEqual([settings, 1, `gatehouse: ${sentence}\n`]);
    }
  });

  it('prints the effective settings with secrets masked, and every problem of them at once', async () => {
    const settings = {
      DATABASE_URL: 'postgres://me:hush@db.example/main',
      SECRET_KEY: newKey(),
      SMTP_URL: 'smtp://me:hush@mail',
    };
    const good = await installation.run(['config'], settings);
    expect(good.code).toBe(0);
    expect(good.stdout).toContain('DATABASE_URL=postgres://me:[secret]@db.example/main\n');
    expect(good.stdout).toContain('SMTP_URL=smtp://me:[secret]@mail\n');
    for (const secret of ['hush', settings.SECRET_KEY, 'chosen by the operator']) {
      expect(good.stdout).not.toContain(secret);
    }
    const bad = await installation.run(['config'], { PORT: '99999', LOG_LEVEL: 'loud', WORKERS: '2' });
    expect([bad.code, bad.stdout]).toEqual([1, '']);
    expect(bad.stderr.trimEnd().split('\n')).toHaveLength(3);
  });

  it('does not start on a database that is out of reach: it says so', async () => {
    const port = await freePort();
    const settings = { DATABASE_URL: `postgres://x:hush@127.0.0.1:${port}/x`, SECRET_KEY: newKey() };
    const told = `gatehouse: The database is out of reach: nobody listens at 127.0.0.1:${port}.\n`;
    for (const command of [['migrate'], ['user', 'list'], ['storage', 'status']])
      expect(await installation.run(command, settings)).toEqual({ code: 1, stdout: '', stderr: told });
  });
});

describe('a command where nothing is installed', () => {
  const nowhere = new Installation();
  afterAll(() => nowhere.remove());

  const COMMANDS = [
    ['user', 'list'],
    ['user', 'promote', '--username', 'ada'],
    ['token', 'list', '--user', 'root'],
    ['keys', 'rotate'],
    ['secret-key', 'rotate'],
    ['repositories', 'check'],
    ['migrate', '--status'],
    ['migrate', '--plan'],
    ['backup', '--to', 'backup.ghb'],
    ['storage', 'status'],
  ];

  it('says that there is no database, and makes none', async () => {
    for (const command of COMMANDS) {
      const outcome = await nowhere.run(command, { SECRET_KEY_PREVIOUS: newKey() });
      const stderr = expect.stringMatching(
        /^gatehouse: There is no database at sqlite:\.\/data\/gatehouse\.sqlite.*\n$/,
      );
      expect([command, outcome]).toEqual([command, { code: 1, stdout: '', stderr }]);
    }
    expect(readdirSync(nowhere.directory)).toEqual([]);
  });

  it('says so of a file of another program, of another kind, and of a database that a server has not', async () => {
    writeFileSync(join(nowhere.directory, 'empty.sqlite'), '');
    writeFileSync(join(nowhere.directory, 'notes.sqlite'), 'Notes of mine.');
    const { url, drop } = await createEmptyPostgresDatabase();
    const missing = new URL(url);
    missing.pathname = '/mistyped';
    const refused = async (DATABASE_URL: string, sentence: RegExp): Promise<void> => {
      const outcome = await nowhere.run(['user', 'list'], { DATABASE_URL, SECRET_KEY: newKey() });
      expect([DATABASE_URL, outcome]).toEqual([
        DATABASE_URL,
        { code: 1, stdout: '', stderr: expect.stringMatching(sentence) },
      ]);
    };
    await refused(
      'sqlite:empty.sqlite',
      /^gatehouse: The database at sqlite:empty\.sqlite has no tables of Gatehouse: .*\n$/,
    );
    await refused(
      'sqlite:notes.sqlite',
      /^gatehouse: The database file .*notes\.sqlite can't be used: it is not a SQLite database\.\n$/,
    );
    await refused(url, /^gatehouse: The database at .* has no tables of Gatehouse: .*\n$/);
    await refused(missing.href, /^gatehouse: There is no database "mistyped" at .*\n$/);
    await drop();
  });
});

describe('an installation that nobody has served yet', () => {
  const usersOf = async (installation: Installation): Promise<string[]> => {
    const { stdout } = await installation.run(['user', 'list']);
    return stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ +/).slice(1, 4).join(' '));
  };

  it('is given its administrator before the demo, which prints the password', async () => {
    const installation = new Installation({ DATABASE_URL: 'sqlite:./demo.sqlite' });
    const { code, stdout } = await installation.run(['demo']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^root \S+\nada \S+\n/)]);
    expect((await usersOf(installation))[0]).toBe('root active administrator');
    await installation.remove();
  });

  it('is given its administrator before its first user, who does not take its address', async () => {
    const installation = new Installation({ DATABASE_URL: 'sqlite:./users.sqlite' });
    const create = (email: string) => installation.run(['user', 'create', '--username', 'ada', '--email', email]);
    const told = /^The first user of an installation is its administrator: root, with the password \S+\n/;
    expect(await create('root@localhost')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(told) });
    expect(await create('ada@example.com')).toEqual({ code: 0, stdout: expect.stringMatching(ALONE), stderr: '' });
    expect(await usersOf(installation)).toEqual(['root active administrator', 'ada active user']);
    await installation.remove();
  });

  it('has no other administrator than the one that is its first user', async () => {
    const installation = new Installation({ DATABASE_URL: 'sqlite:./own.sqlite' });
    const mine = ['user', 'create', '--username', 'root', '--email', 'me@example.com', '--admin'];
    expect(await installation.run(mine)).toMatchObject({ code: 0, stderr: '' });
    expect(await usersOf(installation)).toEqual(['root active administrator']);
    await installation.remove();
  });
});

describe('two nodes that start at once on one empty database', () => {
  it('migrate it once, make root once and fill the demo once', async () => {
    const { url, drop } = await createEmptyPostgresDatabase();
    const nodes = new Installation({ DATABASE_URL: url, SECRET_KEY: newKey(), DEMO: 'true' });
    try {
      const started = [nodes.start(['serve']), nodes.start(['serve'])];
      const addresses = await Promise.all(started.map((node) => node.address()));
      await Promise.race(started.map((node) => node.prints(/curl .*\/projects\n/)));
      const printed = started.map((node) => node.stdout).join('');
      expect(printed.match(/^root password: /gm)).toHaveLength(1);
      const token = /TOKEN=(\S+)/.exec(printed)?.[1] ?? '';
      for (const address of addresses) {
        const users = await fetch(`${address}/api/v4/users`, { headers: { 'PRIVATE-TOKEN': token } });
        expect(await users.json()).toHaveLength(4);
      }
      started.forEach((node) => node.signal('SIGTERM'));
      expect((await Promise.all(started.map((node) => node.outcome()))).map(({ code }) => code)).toEqual([0, 0]);
    } finally {
      await nodes.remove();
      await drop();
    }
  });
});

describe('several workers on one port', () => {
  it('serve together, replace one that dies, and end well together', async () => {
    const { url, drop } = await createEmptyPostgresDatabase();
    const port = await freePort();
    const nodes = new Installation({ DATABASE_URL: url, SECRET_KEY: newKey(), WORKERS: '2', PORT: String(port) });
    try {
      const service = nodes.start(['serve']);
      await service.prints(/"ready"[\s\S]*"ready"/);
      expect(service.stdout.match(/^root password: /gm)).toHaveLength(1);
      const [worker] = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').split(' ');
      process.kill(Number(worker), 'SIGKILL');
      await service.prints(/"ready"[\s\S]*"ready"[\s\S]*"ready"/);
      expect(await (await fetch(`http://localhost:${port}/-/health`)).text()).toBe('GatehouseOK');
      service.signal('SIGTERM');
      expect((await service.outcome()).code).toBe(0);
    } finally {
      await nodes.remove();
      await drop();
    }
  });
});
