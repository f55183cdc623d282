import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import fc from 'fast-check';
import type { ArchiveCommands } from '../../src/adapters/inbound/cli/archive-commands.js';
import type { StorageCommands } from '../../src/adapters/inbound/cli/storage-commands.js';
import { openArchive } from '../../src/adapters/outbound/archive/archive-reader.js';
import { SENTINELS } from '../../src/adapters/outbound/persistence/knex/secret-key/rotated-columns.js';
import { STORED_TABLES } from '../../src/adapters/outbound/persistence/knex/storage/stored-tables.js';
import { startSha256 } from '../../src/adapters/outbound/security/sha256-digest.js';
import { Sensitive } from '../../src/application/shared/sensitive.js';
import { restoreArchive } from '../../src/application/storage/restore.js';
import { REPLACED_MIGRATIONS } from '../../src/domain/storage/released-migrations.js';
import {
  archivePeer,
  asSource,
  asTarget,
  givenUp,
  UNTOUCHED,
  type StorageControl,
} from '../../src/domain/storage/storage-control.js';
import type { Config } from '../../src/infrastructure/configuration/config.js';
import { createArchiveCommands } from '../../src/infrastructure/archive-commands.js';
import { createStorageCommands } from '../../src/infrastructure/storage-commands.js';
import { describeDatabase, type OpenTestDatabase } from '../support/databases.js';
import { crossedPairs, selectedDatabases, type DatabaseName } from '../support/selected-databases.js';
import { hostileRows, onDatabase, plant, readAll, withEnds } from '../support/stores.js';
import { testConfig } from '../support/test-config.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

const KEY = Buffer.alloc(32, 7);
const ROWS = 3;

const commandsOn = (
  url: string,
  key = KEY,
  settings: Partial<Config> = {},
): ArchiveCommands & StorageCommands & { readonly told: string[] } => {
  const told: string[] = [];
  const parts = {
    // Rows alone: what they say of files of CI jobs is made up.
    config: () =>
      testConfig(url, { secretKey: new Sensitive(key.toString('base64')), backupArtifacts: false, ...settings }),
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

const ROWS_OF_MOVE = 4;

let directory = '';
let file = '';
/** Of made-up rows, whose repositories nobody has. */
const backUp = async (url: string): Promise<void> =>
  commandsOn(url).backup({ to: file, format: 'archive', withoutRepositories: true });

const describePair = (
  from: DatabaseName,
  to: DatabaseName,
  suite: (openSource: OpenTestDatabase, openTarget: OpenTestDatabase) => void,
): void =>
  describeDatabase(from, 'an archive', (openSource) =>
    describeDatabase(to, 'restored into another database', (openTarget) => {
      beforeEach(() => {
        directory = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'));
        file = join(directory, 'backup.ghb');
      });
      afterEach(() => rmSync(directory, { recursive: true }));
      suite(openSource, openTarget);
    }),
  );

for (const from of selectedDatabases())
  for (const to of selectedDatabases())
    describePair(from, to, (openSource, openTarget) => {
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
    });

for (const [from, to] of crossedPairs())
  describePair(from, to, (openSource, openTarget) => {
    it('is for its owner alone to read, and never holds a part of what it should', async () => {
      const source = await openSource();
      await backUp(source);
      expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
      expect(readdirSync(directory)).toEqual(['backup.ghb']);
      await expect(backUp(source)).rejects.toThrow(`${file} exists already.`);
    });

    it('is whole though two are written to one place at once', async () => {
      const source = await openSource();
      await plant(source, hostileRows(ROWS, 7));
      await Promise.all([backUp(source), backUp(source), backUp(source)]);
      expect(readdirSync(directory)).toEqual(['backup.ghb']);
      await commandsOn(source).verifyStorage({ with: file });
    });

    it('is restored where a development version made it that had the whole schema of the first release', async () => {
      const [source, target] = [await openSource(), await openTarget()];
      await plant(source, hostileRows(ROWS, 7));
      await backUp(source);
      const madeBy = (names: readonly string[]) =>
        tampered(file, (text) =>
          text.replace('"20261126000000_create_baseline"', names.map((name) => `"${name}"`).join(',')),
        );
      const restore = (archive: string) => commandsOn(target).restore({ from: archive });
      await expect(restore(madeBy(REPLACED_MIGRATIONS.slice(1)))).rejects.toThrow(
        'a development version before 0.2.0, which lacks 20261121000100_create_identity.',
      );
      await restore(madeBy(REPLACED_MIGRATIONS));
      expect(await readAll(target)).toEqual(await readAll(source));
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
      const torn = tampered(file, (text) => text.replace('\n{"table":"jobs"', '\nsecret\thush{"table":"jobs"'));
      await expect(restore(torn)).rejects.toThrow(/ is damaged: it has something else where a table /);
      const newer = tampered(file, (text) => text.replace('"migrations":[', '"migrations":["29991231000000_later",'));
      await expect(restore(newer)).rejects.toThrow('made by a newer version (29991231000000_later)');
      const elsewhere = join(directory, 'elsewhere.sqlite');
      await expect(commandsOn(`sqlite:${elsewhere}`).restore({ from: newer })).rejects.toThrow('newer version');
      expect(existsSync(elsewhere)).toBe(false);
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
  });

for (const database of selectedDatabases())
  describeDatabase(database, 'a restore', (openTestDatabase) => {
    it('lets nobody serve from what another restore has begun anew since', async () => {
      const directory = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'));
      const [url, source] = [await openTestDatabase(), await openTestDatabase()];
      const file = join(directory, 'backup.ghb');
      await plant(source, hostileRows(ROWS, 7));
      await commandsOn(source).backup({ to: file, format: 'archive', withoutRepositories: true });
      await withEnds([url, url], async (end) => {
        const snapshot = end.snapshot.bind(end);
        end.snapshot = async (read) => {
          const result = await snapshot(read);
          const control = await end.control();
          if (control.role === 'target') {
            await end.empty();
            await end.beginFilling(asTarget(control, 'of another restore', archivePeer(file)));
          }
          return result;
        };
        const parts = { tables: STORED_TABLES, startDigest: startSha256, name: file, newMove: randomUUID };
        const restored = restoreArchive(end, { ...parts, open: () => openArchive(file) });
        await expect(restored).rejects.toThrow('Another process moves this database');
        expect(await end.control()).toMatchObject({ role: 'target', state: 'filling' });
      });
      rmSync(directory, { recursive: true });
    });
  });

describeDatabase('sqlite', 'a copy of the file', (openTestDatabase) => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-copy-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('appears when it is whole, and nobody else reads it meanwhile', async () => {
    const source = await openTestDatabase();
    const to = join(directory, 'copy.sqlite');
    const seen = new Set<string>();
    const copy = { ended: false };
    const copied = commandsOn(source)
      .backup({ to, format: 'sqlite' })
      .finally(() => {
        copy.ended = true;
      });
    while (!copy.ended) {
      for (const name of readdirSync(directory)) {
        // It may be renamed in between.
        const found = statSync(join(directory, name), { throwIfNoEntry: false });
        if (found === undefined) continue;
        const { mode, size } = found;
        seen.add(name === 'copy.sqlite' ? `${size} bytes` : (mode & 0o777).toString(8));
      }
      await setImmediate();
    }
    await copied;
    expect(readdirSync(directory)).toEqual(['copy.sqlite']);
    expect([...seen].filter((each) => each !== `${statSync(to).size} bytes`)).toEqual(['600']);
  });

  it('is refused with the setting that it would not follow', async () => {
    const to = join(directory, 'copy.sqlite');
    const settings = { backupRecipient: await identityToRecipient(await generateIdentity()) };
    const copied = commandsOn(await openTestDatabase(), KEY, settings).backup({ to, format: 'sqlite' });
    await expect(copied).rejects.toThrow(/^BACKUP_RECIPIENT is set, and a copy of the file of SQLite is not encrypted/);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is refused where there is no database, and makes none', async () => {
    const copied = commandsOn(`sqlite:${join(directory, 'none.sqlite')}`).backup({
      to: join(directory, 'copy.sqlite'),
      format: 'sqlite',
    });
    await expect(copied).rejects.toThrow('There is no database at ');
    expect(readdirSync(directory)).toEqual([]);
  });
});

if (selectedDatabases().includes('postgres'))
  describeDatabase('postgres', 'a copy of the file', (openTestDatabase) => {
    it('is left to pg_dump, whichever settings there are', async () => {
      const settings = { backupRecipient: 'age1' };
      const copied = commandsOn(await openTestDatabase(), KEY, settings).backup({ to: 'copy', format: 'sqlite' });
      await expect(copied).rejects.toThrow('use pg_dump');
    });
  });

describe('commands of the storage', () => {
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  describeDatabase('sqlite', 'on an installation', (openTestDatabase) => {
    it('take the address of a database where one is meant, and nothing else', async () => {
      const url = await openTestDatabase();
      const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-archive-')), 'backup.ghb');
      const commands = commandsOn(url);
      await commands.backup({ to: file, format: 'archive' });
      for (const to of [
        'gatehouse',
        './other.sqlite',
        'mysql://me:hush@db/name',
        'postgres://me:hush@db:x/name',
        'sqlite:',
      ])
        for (const run of [
          () => commands.moveStorage({ to }),
          () => commands.restore({ from: file, to }),
          () => commands.abortMove({ to }),
          () => commands.reopenStorage({ successor: to }),
          () => commands.forgetStorage({ successor: to }),
        ])
          await expect(run()).rejects.toThrow(/^The address of a database must be sqlite:PATH or postgres:/);
      rmSync(dirname(file), { recursive: true });
    });

    it('refuse a move, and its dry run, before anything is made of a target that can take none', async () => {
      const [url, used] = [await openTestDatabase(), await openTestDatabase()];
      await plant(used, new Map([...hostileRows(1, 7)].filter(([name]) => name === 'users')));
      const folder = mkdtempSync(join(tmpdir(), 'gatehouse-target-'));
      const [foreign, fresh] = [join(folder, 'foreign.sqlite'), join(folder, 'fresh.sqlite')];
      await onDatabase(
        `sqlite:${foreign}`,
        async ({ schema }) => void (await schema.raw('create table users (x text)')),
      );
      const refusals = [
        ['mysql://me:hush@db/name', 'The address of a database must be'],
        ['postgres://me:hush@127.0.0.1:1/name', 'The database is out of reach: nobody listens at 127.0.0.1:1.'],
        [url, 'Both addresses name the same database.'],
        [used, 'a move fills one that is empty'],
        [`sqlite:${foreign}`, 'holds tables of another program (users)'],
        [`sqlite:${join(folder, 'none', 'x.sqlite')}`, 'No file can be made in'],
      ] as const;
      for (const [to, sentence] of refusals) {
        await expect(commandsOn(url).moveStorage({ to, dryRun: true })).rejects.toThrow(sentence);
        await expect(commandsOn(url).moveStorage({ to })).rejects.toThrow(sentence);
      }
      const tables = await withEnds([`sqlite:${foreign}`, url], (end) => end.tables());
      expect(tables).toEqual(['users']);
      const commands = commandsOn(url);
      await commands.moveStorage({ to: `sqlite:${fresh}`, dryRun: true });
      expect(commands.told).toEqual(['0 rows can be moved. Nothing was written.']);
      expect(existsSync(fresh)).toBe(false);
      await expect(commandsOn(url).forgetStorage({})).rejects.toThrow('there is nothing to forget.');
      rmSync(folder, { recursive: true });
    });

    it('find out that they can write no receipt or archive before they do anything', async () => {
      const [source, target] = [await openTestDatabase(), await openTestDatabase()];
      const file = join(tmpdir(), randomUUID(), 'receipt.json');
      const commands = commandsOn(source);
      await expect(commands.moveStorage({ to: target, receipt: file })).rejects.toThrow(/^There is no folder /);
      for (const format of ['archive', 'sqlite'])
        await expect(commands.backup({ to: file, format })).rejects.toThrow(/^There is no folder /);
      for (const to of ['/proc/new.file', '', join(source.slice('sqlite:'.length), 'x')]) {
        const sentence = /can't be written: .*\.$|is empty\.$/;
        await expect(commands.moveStorage({ to: target, receipt: to })).rejects.toThrow(sentence);
        for (const format of ['archive', 'sqlite'])
          await expect(commands.backup({ to, format })).rejects.toThrow(sentence);
      }
      await commands.storageStatus();
      expect(commands.told).toContain('role      primary');
      await commands.moveStorage({ to: target });
    });

    it('refuse a move, and its dry run, with a key that is not that of the database', async () => {
      const [url, to] = [await openTestDatabase(), `sqlite:${join(directory, 'target.sqlite')}`];
      const service = await TestService.start(url, {}, KEY);
      await service.close();
      for (const dryRun of [{}, { dryRun: true }] as const)
        await expect(commandsOn(url, Buffer.alloc(32, 8)).moveStorage({ to, ...dryRun })).rejects.toThrow(
          /^SECRET_KEY is not the key of this database/,
        );
      expect(readdirSync(directory)).toEqual([]);
      await commandsOn(url).moveStorage({ to, dryRun: true });
    });

    it('say of a database without tables that nothing was installed there', async () => {
      const [url, other] = [`sqlite:${join(directory, 'empty.sqlite')}`, await openTestDatabase()];
      writeFileSync(join(directory, 'empty.sqlite'), '');
      const commands = commandsOn(url);
      const sentence = /^The database at sqlite:.*empty\.sqlite has no tables of Gatehouse: /;
      for (const run of [
        () => commands.storageStatus(),
        () => commands.cutStorage(),
        () => commands.abortMove({}),
        () => commands.backup({ to: join(directory, 'x'), format: 'archive' }),
        () => commands.moveStorage({ to: `sqlite:${join(directory, 'y')}` }),
        () => commandsOn(other).verifyStorage({ with: url }),
      ])
        await expect(run()).rejects.toThrow(sentence);
      expect(readdirSync(directory).filter((name) => /^[xy]/.test(name))).toEqual([]);
    });

    it('restore nothing where repositories could not be written, or from what is not there', async () => {
      const archive = join(directory, 'backup.ghb');
      const source = await openTestDatabase();
      await commandsOn(source).backup({ to: archive, format: 'archive' });
      const named = tampered(archive, (text) => text.replace('"repositories":0', '"repositories":1'));
      const to = `sqlite:${join(directory, 'restored.sqlite')}`;
      for (const repositoriesDirectory of ['/proc/repositories', join(archive, 'below')])
        await expect(commandsOn(to, KEY, { repositoriesDirectory }).restore({ from: named })).rejects.toThrow(
          `Nothing can be written into ${repositoriesDirectory}: `,
        );
      const missing = join(directory, 'missing.ghb');
      await expect(commandsOn(to).restore({ from: missing })).rejects.toThrow(`${missing} is not there.`);
      await expect(commandsOn(to).restore({ from: directory })).rejects.toThrow(`${directory} can't be read (EISDIR).`);
      expect(existsSync(join(directory, 'restored.sqlite'))).toBe(false);
    });

    it('never repeat the key that opens archives, wherever it was given by mistake', async () => {
      const commands = commandsOn(await openTestDatabase());
      const [secret, file] = ['AGE-SECRET-KEY-1HUSH', join(directory, 'backup.ghb')];
      await expect(commands.backup({ to: file, format: 'archive', encryptTo: secret })).rejects.toThrow(
        /^The key to encrypt to is the secret half of a key, but must be the public one, which begins with age1\.$/,
      );
      await expect(commands.backup({ to: file, format: 'archive', encryptTo: 'age1hush' })).rejects.toThrow(
        /^The key to encrypt to is no public half of a key, but must be one as age-keygen prints it, which begins with age1\.$/,
      );
      const recipient = await identityToRecipient(await generateIdentity());
      await commands.backup({ to: file, format: 'archive', encryptTo: recipient });
      await expect(commands.restore({ from: file, identity: secret })).rejects.toThrow(
        /^--identity is the secret half of a key itself: name the file that holds it instead\.$/,
      );
    });

    it('try the key that an archive is to be read again with before they write it', async () => {
      const commands = commandsOn(await openTestDatabase());
      const [file, key] = [join(directory, 'backup.ghb'), join(directory, 'key.txt')];
      const right = await generateIdentity();
      const encryptTo = await identityToRecipient(right);
      const backUpBy = () => commands.backup({ to: file, format: 'archive', encryptTo, verify: true, identity: key });
      await expect(backUpBy()).rejects.toThrow('ENOENT');
      writeFileSync(key, await generateIdentity());
      await expect(backUpBy()).rejects.toThrow(`No key in ${key} opens what is encrypted to ${encryptTo}.`);
      expect([readdirSync(directory), commands.told]).toEqual([['key.txt'], []]);
      writeFileSync(key, right);
      await backUpBy();
    });

    it('say how far a move is, and afterwards which one was the last', async () => {
      const [source, target] = [await openTestDatabase(), await openTestDatabase()];
      await plant(source, hostileRows(ROWS_OF_MOVE, 7));
      // What is planted there was sealed by no key, and a move asks whether its own is the one of the database.
      await onDatabase(source, ({ schema }) => schema(SENTINELS.table).delete());
      const commands = commandsOn(source);
      const status = async (): Promise<string[]> => {
        commands.told.length = 0;
        await commands.storageStatus();
        return commands.told;
      };
      expect(await status()).toEqual([expect.stringMatching(/^database /), 'role      primary']);
      const moving = commandsOn(source).moveStorage({ to: target, hold: true });
      const given = expect(moving).rejects.toThrow('The move was given up meanwhile.');
      await until(async () => (await status()).includes('role      primary, holding'));
      const [, , move = '', copied = ''] = commands.told;
      const [, done, of] = /^copied {4}(\d+) of (\d+) rows$/.exec(copied) ?? [];
      expect([move, done]).toEqual([expect.stringMatching(/^move {6}[0-9a-f]{8}, with /), of]);
      expect(Number(done)).toBeGreaterThan(ROWS_OF_MOVE);
      expect(commands.told.join()).not.toContain('command ');
      await commandsOn(source).abortMove({});
      await given;
      expect((await status()).slice(1)).toEqual(['role      primary', `last ${move.replace(/ +/, ' ')}: given up`]);
    });

    it('say of a move that nobody is at work on, or began to give up, what is left to do', async () => {
      const source = await openTestDatabase();
      const commands = commandsOn(source);
      const journey = { move: 'abcd1234', peer: 'db.example/gatehouse', sealedSuccessor: 'sealed' };
      const begun = asSource(UNTOUCHED, journey);
      const statusOf = async (before: StorageControl, control: StorageControl): Promise<string[]> => {
        await withEnds([source, source], (end) => end.mark(control, before));
        commands.told.length = 0;
        await commands.storageStatus();
        return commands.told.slice(1);
      };
      expect(await statusOf(UNTOUCHED, begun)).toEqual([
        'role      primary, copying',
        'move      abcd1234, with db.example/gatehouse',
        'command   none: run the same move again to go on, or give it up by "gatehouse storage abort"',
      ]);
      expect(await statusOf(begun, givenUp(begun))).toEqual([
        'role      primary',
        'move      abcd1234, with db.example/gatehouse: being given up, run "gatehouse storage abort" again',
      ]);
    });

    it('tell programs of a move by an object a line', async () => {
      const [source, target] = [await openTestDatabase(), await openTestDatabase()];
      const commands = commandsOn(source);
      await commands.moveStorage({ to: target, json: true, rate: 1_000_000 });
      const objects = commands.told.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object);
      expect(objects).toEqual([
        { step: 'looked', look: { rows: 0, faults: [], faulty: 0 } },
        { step: 'made indexes' },
        { step: 'verified' },
        { step: 'cut', keys: 0, pauseMs: expect.any(Number) },
        { step: 'compared again' },
        { step: 'moved', move: expect.any(String), from: source, to: target },
      ]);
    });
  });

  if (selectedDatabases().includes('postgres'))
    describeDatabase('postgres', 'towards a server', (openTestDatabase) => {
      it('leave a database alone that has tables of another program, or that no tables may be made in', async () => {
        const [url, to] = [await openTestDatabase(), await openTestDatabase()];
        const role = `reader_${randomUUID().replaceAll('-', '')}`;
        await onDatabase(to, async ({ schema }) => {
          await schema.raw('drop schema public cascade; create schema public; create table foo (id int)');
          await schema.raw(`create role ${role} login password 'hush'; grant usage on schema public to ${role}`);
        });
        const asReader = new URL(to);
        [asReader.username, asReader.password] = [role, 'hush'];
        const tables = () => withEnds([to, url], (end) => end.tables());
        for (const dryRun of [{ dryRun: true } as const, {}]) {
          await expect(commandsOn(url).moveStorage({ to, ...dryRun })).rejects.toThrow('of another program (foo)');
          expect(await tables()).toEqual(['foo']);
        }
        await onDatabase(to, ({ schema }) => schema.raw('drop table foo'));
        const moved = commandsOn(url).moveStorage({ to: asReader.href });
        await expect(moved).rejects.toThrow('may not make tables there: grant it CREATE on the schema.');
        expect(await tables()).toEqual([]);
        await onDatabase(to, ({ schema }) => schema.raw(`drop owned by ${role}; drop role ${role}`));
      });
    });
});
