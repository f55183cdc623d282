import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/*
 * The one file of all sources (`bundled-sources.ts`) is a script, since V8 shares what it compiled of a script among the realms of
 * test files, and compiles a module anew for each. The first worker that is given a second test file compiles the whole
 * of it, once a run, and later workers are given that.
 */

let script;
let runs = 0;
let compiledFile;

const read = (file) => readFileSync(file, 'utf8');

/** Two workers may both do it: either is as good. */
const compileWhole = (file, compiled) => {
  // Else only what runs at once is compiled. It is not V8's way to be asked that for a single file.
  setFlagsFromString('--no-lazy');
  script = new Script(read(file), { filename: file });
  setFlagsFromString('--lazy');
  const made = `${compiled}-${process.pid}`;
  writeFileSync(made, script.createCachedData());
  renameSync(made, compiled);
};

const compile = (file) => {
  const compiled = `${file}.compiled`;
  // Another run in the same process has sources of its own.
  if (compiledFile !== file) [compiledFile, script, runs] = [file, undefined, 0];
  runs += 1;
  // A run of a single file has nothing of it.
  if (runs === 2 && !existsSync(compiled)) compileWhole(file, compiled);
  script ??= new Script(read(file), {
    filename: file,
    ...(existsSync(compiled) && { cachedData: readFileSync(compiled) }),
  });
  return script;
};

/** What makes the sources, anew for the realm of a test file. */
export const sourcesIn = (context) => (file) => compile(file).runInContext(context);
