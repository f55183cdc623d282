import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ArchiveCommands } from '../../src/adapters/inbound/cli/archive-commands.js';
import type { StorageCommands } from '../../src/adapters/inbound/cli/storage-commands.js';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import { createArchiveCommands } from '../../src/infrastructure/archive-commands.js';
import { createStorageCommands } from '../../src/infrastructure/storage-commands.js';
import { describeDatabase } from '../support/databases.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { hostileRows, onDatabase, plant, readAll } from '../support/stores.js';
import { testConfig } from '../support/test-config.js';
import { TestService } from '../support/test-service.js';

const KEY = Buffer.alloc(32, 7);
const ROWS = 3;

const commandsOn = (url: string, key = KEY): ArchiveCommands & StorageCommands & { readonly told: string[] } => {
  const told: string[] = [];
  const parts = {
    config: () => testConfig(url, { secretKey: new Sensitive(key.toString('base64')) }),
    environment: {},
    print: (line: string) => void told.push(line),
    tell: (line: string) => void told.push(line),
  };
  return { ...createArchiveCommands(parts), ...createStorageCommands(parts), told };
};

/** The same archive with its text changed. */
const tampered = (file: string, change: (text: string) => string): string => {
  const changed = `${file}.${randomUUID()}`;
  writeFileSync(changed, brotliCompressSync(change(brotliDecompressSync(readFileSync(file)).toString())));
  return changed;
};

for (const from of selectedDatabases())
  for (const to of selectedDatabases())
    describeDatabase(from, 'an archive', (openSource) =>
      describeDatabase(to, 'restored into another database', (openTarget) => {
        let directory = '';
        let file = '';
        beforeEach(() => {
          directory = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'));
          file = join(directory, 'backup.ghb');
        });
        afterEach(() => rmSync(directory, { recursive: true }));

        const backUp = async (url: string): Promise<void> => commandsOn(url).backup({ to: file, format: 'archive' });

        it('brings back every value of every table, and holds it against what is served', async () => {
          await fc.assert(
            fc.asyncProperty(fc.integer(), async (seed) => {
              const [source, target] = [await openSource(), await openTarget()];
              await plant(source, hostileRows(ROWS, seed));
              rmSync(file, { force: true });
              await backUp(source);
              await commandsOn(source).verifyStorage({ with: file });
              await commandsOn(target).restore({ from: file });
              expect(await readAll(target)).toEqual(await readAll(source));
              await commandsOn(target).verifyStorage({ with: source });
            }),
            { numRuns: 2, endOnFailure: true },
          );
        });

        it('is made while a service serves, and a service serves what was restored', async () => {
          const [source, target] = [await openSource(), await openTarget()];
          const service = await TestService.start(source, {}, KEY);
          const { token } = await service.addUser('ada');
          const { body } = await service.call<{ id: number }>('POST', '/projects', { token, json: { name: 'Engine' } });
          await backUp(source);
          await service.call('POST', '/projects', { token, json: { name: 'Later' } });
          await service.close();
          await commandsOn(target).restore({ from: file });
          const restored = await TestService.start(target, {}, KEY);
          try {
            expect(await restored.call('GET', `/projects/${body.id}`, { token })).toMatchObject({ status: 200 });
            expect(await restored.call('GET', '/projects', { token })).toMatchObject({ body: [{ id: body.id }] });
          } finally {
            await restored.close();
          }
          await expect(commandsOn(source).verifyStorage({ with: file })).rejects.toThrow('differs from what');
        });

        it('is for its owner alone to read, and never holds a part of what it should', async () => {
          const source = await openSource();
          await backUp(source);
          expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
          expect(existsSync(`${file}.partial`)).toBe(false);
          await expect(backUp(source)).rejects.toThrow(`${file} exists already.`);
        });

        it('is refused where it was made for another key, where it is damaged, and where somebody lives', async () => {
          const [source, target] = [await openSource(), await openTarget()];
          await plant(source, hostileRows(ROWS, 7));
          await backUp(source);
          const restore = (archive: string, key = KEY) => commandsOn(target, key).restore({ from: archive });
          await expect(restore(file, Buffer.alloc(32, 8))).rejects.toThrow('SECRET_KEY is not the secret key that');
          const half = join(directory, 'half');
          writeFileSync(half, readFileSync(file).subarray(0, 1_500));
          await expect(restore(half)).rejects.toThrow(/half (?:can't be read as an archive|is damaged)/);
          const altered = tampered(file, (text) => text.replace(/"table":"jobs".*\n3\t/, (begun) => `${begun}x`));
          await expect(restore(altered)).rejects.toThrow('The archive is damaged in jobs.');
          const newer = tampered(file, (text) =>
            text.replace('"migrations":[', '"migrations":["29991231000000_later",'),
          );
          await expect(restore(newer)).rejects.toThrow('made by a newer version (29991231000000_later)');
          writeFileSync(half, 'no archive');
          await expect(restore(half)).rejects.toThrow("can't be read as an archive");
          await expect(TestService.start(target, {}, KEY)).rejects.toThrow('is being filled from the archive');
          await commandsOn(target).abortMove({});
          await (await TestService.start(target, {}, KEY)).close();
          const begunAnew = await openTarget();
          await expect(commandsOn(begunAnew).restore({ from: altered })).rejects.toThrow('damaged');
          await commandsOn(begunAnew).restore({ from: file });
          expect(await readAll(begunAnew)).toEqual(await readAll(source));
          copyFileSync(file, half);
          await expect(commandsOn(begunAnew).restore({ from: half })).rejects.toThrow('is in use');
          await onDatabase(begunAnew, ({ schema }) => schema('jobs').delete());
        });
      }),
    );
