import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { Migrator } from '../../src/adapters/outbound/persistence/knex/migrate.js';
import { MIGRATIONS_DIRECTORY } from '../../src/infrastructure/migrate-database.js';
import { onDatabase } from './stores.js';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RELEASES = join(ROOT, 'tests/fixtures/releases');
/** What a release serves from, as its archive for npm has it. */
const PARTS = ['dist', 'migrations', 'package.json'];
const FILE = 'program.tar.br';
const MOST_BYTES = 64 * 1024 * 1024;

/** Keeps the program of the version that was built here. */
export const keepProgram = async (folder: string): Promise<void> => {
  const { stdout } = await run('tar', ['c', '--exclude=*.map', '--exclude=.built', ...PARTS], {
    cwd: ROOT,
    encoding: 'buffer',
    maxBuffer: MOST_BYTES,
  });
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(join(folder, FILE), brotliCompressSync(stdout, { params }));
};

/** The releases whose programs are kept. */
export const keptPrograms = (): readonly string[] =>
  readdirSync(RELEASES)
    .filter((release) => readdirSync(join(RELEASES, release)).includes(FILE))
    .sort();

/** The program of a release, as it was built, with the packages that are installed here. */
export interface ReleaseProgram {
  readonly main: string;
  readonly migrations: readonly string[];
  readonly remove: () => void;
}

export const unpackProgram = async (release: string): Promise<ReleaseProgram> => {
  const directory = mkdtempSync(join(tmpdir(), `gatehouse-${release}-`));
  const archive = join(directory, 'program.tar');
  writeFileSync(archive, brotliDecompressSync(readFileSync(join(RELEASES, release, FILE))));
  await run('tar', ['xf', archive, '-C', directory]);
  rmSync(archive);
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return {
    main: join(directory, 'dist/infrastructure/main.js'),
    migrations: readdirSync(join(directory, 'migrations'))
      .filter((file) => file.endsWith('.js'))
      .map((file) => basename(file, '.js')),
    remove: () => rmSync(directory, { recursive: true }),
  };
};

/** Takes a database back to what a release knew. */
export const takeBackTo = (url: string, migrations: readonly string[]): Promise<void> =>
  onDatabase(url, async (database) => {
    const migrator = new Migrator(database, MIGRATIONS_DIRECTORY);
    const { applied } = await migrator.status();
    await migrator.rollBack(applied.filter((name) => !migrations.includes(name)).length);
  });
