import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = join(ROOT, `src${sep}`);
const TESTS = join(ROOT, `tests${sep}`);

const doorOf = (doors, name) => {
  const door = join(doors, `${name}.mjs`);
  return existsSync(door) ? door : undefined;
};

/** A second copy of a source would be loaded beside the one in the bundle, with classes of its own. */
const doorOfSource = (doors, source) => {
  const door = doorOf(doors, `${source}.ts`);
  if (door === undefined)
    throw new Error(`src/${source} is no source that tests can import: it is a program, or not there.`);
  return door;
};

/** Leads tests that import a source, or a package that sources use too, to its door (`bundled-sources.ts`). */
const findDoor = (path, importer) => {
  const doors = process.env.GATEHOUSE_TEST_SOURCES;
  // What Jest itself looks for before a run has begun.
  if (doors === undefined || !join(importer, sep).startsWith(TESTS)) return undefined;
  if (!/^[./]/.test(path)) return path.startsWith('node:') ? undefined : doorOf(doors, path);
  const file = resolve(importer, path);
  return file.startsWith(SOURCES) ? doorOfSource(doors, relative(SOURCES, file).replace(/\.ts$/, '')) : undefined;
};

export const sync = (path, { basedir, defaultResolver, ...options }) =>
  findDoor(path, basedir) ?? defaultResolver(path, { basedir, defaultResolver, ...options });
