import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';
import { git } from '../support/git.js';
import { crossedPairs } from '../support/selected-databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { runStorage, SECRET_KEY_OF_COMMANDS } from '../support/storage-kills.js';
import { TestService } from '../support/test-service.js';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));

type Settings = Readonly<Record<string, string>>;

/** Runs a command, what it prints into a file where one is named, and answers its exit code and what it said. */
const run = async (settings: Settings, parameters: readonly string[], output = '/dev/null') => {
  const child = spawn(process.execPath, [MAIN, ...parameters], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  await pipeline(child.stdout, createWriteStream(output));
  return { code: (await exited)[0], said };
};

// Rows of all pairs: `contract/archive.test.ts`. Code is files, whichever the databases are.
for (const [from, to] of crossedPairs())
  describeDatabase(from, 'the drill', (openSource) =>
    describeDatabase(to, 'of restoring elsewhere', (openTarget) => {
      let directory = '';
      beforeEach(() => {
        directory = mkdtempSync(join(tmpdir(), 'gatehouse-drill-'));
      });
      afterEach(() => rmSync(directory, { recursive: true }));

      it('brings a service back with its code, from an archive that was encrypted on its way out', async () => {
        const [source, target] = [await openSource(), await openTarget()];
        const settings = {
          DATABASE_URL: source,
          SECRET_KEY: SECRET_KEY_OF_COMMANDS.toString('base64'),
          REPOSITORIES_DIR: join(directory, 'repositories'),
          ARTIFACTS_DIR: join(directory, 'artifacts'),
        };
        const preparing = await TestService.start(source, {}, SECRET_KEY_OF_COMMANDS);
        const { token } = await preparing.addUser('ada');
        await preparing.call('POST', '/projects', { token, json: { name: 'Engine' } });
        await preparing.close();

        const identity = await generateIdentity();
        const [file, key] = [join(directory, 'backup.ghb'), join(directory, 'key.txt')];
        writeFileSync(key, `# created for the drill\n${identity}\n`);
        const read = async ({ url }: ServiceProcess) => {
          const headers = { 'PRIVATE-TOKEN': token };
          const paths = ['/projects/ada%2Fengine', '/projects/ada%2Fengine/repository/commits', '/events', '/user'];
          return Promise.all(paths.map(async (path) => (await fetch(`${url}/api/v4${path}`, { headers })).text())).then(
            (answers) => answers.map((answer) => answer.replaceAll(url, '')),
          );
        };

        const service = await ServiceProcess.start(settings);
        const before = await (async () => {
          try {
            const work = join(directory, 'work');
            await git(['init', '-b', 'main', 'work'], { cwd: directory });
            await git(['commit', '--allow-empty', '-m', 'Begin'], { cwd: work });
            await git(['push', `${service.url.replace('://', `://ada:${token}@`)}/ada/engine.git`, 'main'], {
              cwd: work,
            });
            const recipient = await identityToRecipient(identity);
            const backup = await run(settings, ['backup', '--to', '-', '--encrypt-to', recipient], file);
            expect(backup.code).toBe(0);
            expect(readFileSync(file).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
            return await read(service);
          } finally {
            await service.end('SIGTERM');
          }
        })();

        // What was served since, a token's last use, is written at the end.
        const second = join(directory, 'second.ghb');
        const verified = await run(settings, ['backup', '--to', second, '--verify']);
        expect(verified).toMatchObject({ code: 0, said: expect.stringContaining('everything is as it was written') });
        expect(await runStorage(settings, 'verify', '--with', second)).toBe(0);

        const restored = { ...settings, DATABASE_URL: target, REPOSITORIES_DIR: join(directory, 'restored') };
        expect(await run(restored, ['restore', '--from', file])).toMatchObject({
          code: 1,
          said: expect.stringContaining('is encrypted: name the file with the key that opens it by --identity.'),
        });
        writeFileSync(join(directory, 'other.txt'), await generateIdentity());
        expect(
          await run(restored, ['restore', '--from', file, '--identity', join(directory, 'other.txt')]),
        ).toMatchObject({ code: 1, said: expect.stringContaining('the key that is given does not open it') });
        expect(await run(restored, ['restore', '--from', file, '--identity', key])).toMatchObject({ code: 0 });
        expect(await run(restored, ['repositories', 'check'])).toMatchObject({ code: 0 });
        const again = await ServiceProcess.start(restored);
        try {
          expect(await read(again)).toEqual(before);
        } finally {
          await again.end('SIGTERM');
        }
      });
    }),
  );
