import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Installation } from '../support/installation.js';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));

describe('a file .env', () => {
  const installation = new Installation();
  const file = join(installation.directory, '.env');
  afterEach(() => rmSync(file, { recursive: true }));
  afterAll(() => installation.remove());

  const refused = (reason: string) => ({ code: 1, stdout: '', stderr: `gatehouse: .env can't be used: ${reason}.\n` });

  it('that can’t be read ends every command, before another installation is made', async () => {
    mkdirSync(file);
    for (const command of [['serve'], ['config'], ['user', 'list']])
      expect([command, await installation.run(command)]).toEqual([command, refused('it is a folder')]);
    expect(existsSync(join(installation.directory, 'data'))).toBe(false);
    expect(await installation.run(['--version'])).toMatchObject({ code: 0 });
  });

  it('with a line that is no setting is refused by the number of the line, which is not shown', async () => {
    writeFileSync(file, '# Ours\n\nROOT_PASSWORD="of two\nlines"\nSMTP_URL smtp//me:hush\n');
    expect(await installation.run(['serve'])).toEqual(
      refused('line 5 is neither a setting, as in NAME=value, nor a comment'),
    );
  });

  it('gives settings of each form, and what the environment says counts before it', async () => {
    writeFileSync(
      file,
      'export PORT=1234\r\nMAIL_FROM: "Ours <us@example.com>" # who\r\nLOG_LEVEL=warn\r\nSMTP_URL=\r\n',
    );
    const { code, stdout } = await installation.run(['config'], { LOG_LEVEL: 'error' });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Ours <us@example.com>')]);
    expect(stdout).toMatch(/^LOG_LEVEL=error\b/m);
  });
});

describe('a standard output', () => {
  const installation = new Installation();
  beforeAll(async () => {
    await installation.run(['user', 'create', '--username', 'ada', '--email', 'ada@example.com', '--admin']);
    for (const folder of ['repositories', 'artifacts'])
      mkdirSync(join(installation.directory, 'data', folder), { recursive: true });
  });
  afterAll(() => installation.remove());

  /** Answers what a line of a shell ends with, and what it said. */
  const shell = (line: string): Promise<{ readonly code: unknown; readonly stderr: string }> =>
    promisify(execFile)('bash', ['--norc', '-o', 'pipefail', '-c', line], {
      cwd: installation.directory,
      env: { PATH: process.env['PATH'], NODE: process.execPath, MAIN },
    }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      (error: unknown) => {
        const { code, stderr } = error as { readonly code: unknown; readonly stderr: string };
        return { code, stderr };
      },
    );
  const left = () =>
    ['repositories', 'artifacts'].flatMap((folder) =>
      readdirSync(join(installation.directory, 'data', folder)).filter((name) => name.startsWith('backup-')),
    );

  it('that takes no archive is told in a sentence, and nothing stays behind', async () => {
    const backup = '"$NODE" "$MAIN" backup --to -';
    expect(await shell(`${backup} > /dev/full`)).toEqual({
      code: 1,
      stderr: "gatehouse: The standard output can't be used: no space is left on the device.\n",
    });
    expect(await shell(`${backup} | true`)).toEqual({
      code: 1,
      stderr: 'gatehouse: Whoever reads the archive stopped reading: what was sent is no archive.\n',
    });
    expect(left()).toEqual([]);
  });

  it('that takes nothing else ends any other command with a sentence', async () => {
    expect(await shell('"$NODE" "$MAIN" config > /dev/full')).toEqual({
      code: 1,
      stderr: "gatehouse: The standard output can't be written to: no space is left on the device.\n",
    });
    expect(await shell('"$NODE" "$MAIN" config | true')).toEqual({ code: 0, stderr: '' });
  });
});

describe('folders that nothing can be written into', () => {
  const file = 'taken';
  const folders = { REPOSITORIES_DIR: `${file}/repositories`, ARTIFACTS_DIR: file, BACKUP_DIR: `${file}/backups` };
  const installation = new Installation({ ...folders, BACKUP_SCHEDULE: '0 3 * * *' });
  beforeAll(() => writeFileSync(join(installation.directory, file), ''));
  afterAll(() => installation.remove());

  it('are named at the start, each once, and by readiness without telling where they lie', async () => {
    const service = installation.start(['serve']);
    const url = await service.address();
    for (const [setting, folder] of Object.entries(folders))
      await service.prints(new RegExp(`"setting":"${setting}","folder":"${folder}"`));
    const readiness = await fetch(`${url}/-/readiness`);
    const refused = (setting: string) => ({
      status: 'failed',
      reason: `nothing can be written into ${setting}: a part of the path is not a folder`,
    });
    expect([readiness.status, await readiness.json()]).toEqual([
      200,
      {
        status: 'ok',
        checks: {
          database: 'ok',
          repositories: refused('REPOSITORIES_DIR'),
          artifacts: refused('ARTIFACTS_DIR'),
        },
      },
    ]);
    service.signal('SIGTERM');
    expect((await service.outcome()).stdout.match(/nothing can be written into a folder/g)).toHaveLength(3);
  });
});
