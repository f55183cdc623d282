import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/*
 * Jest reads, resolves and links each module anew for each test file: of 1,500 of them that took longer than anything else that a
 * usual file does (docs/performance.md). So the sources are one file, made when a run begins, and each of them has a door: a module
 * of the same exports, which runs the source when it is first asked for. `source-resolver.js` leads tests there.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = join(ROOT, 'src');
const require = createRequire(join(ROOT, 'package.json'));

/** They begin as soon as they are loaded. */
const PROGRAMS = [
  'main',
  'run-program',
  'run-runner',
  'alert-thread/run-alert-thread',
  'retention-thread/run-retention-thread',
].map((program) => `infrastructure/${program}.ts`);

/** Packages of machine code, found by where they lie, or, as ssh2, that go by the names of their classes; and what packages do without where it isn't there. */
const LEFT_OUTSIDE = /^(?:better-sqlite3|@node-rs\/argon2|@picocss\/pico|spdx-license-list|ssh2)$/;
const ABSENT =
  /^(?:cpu-features|pg-native|pg-query-stream|sqlite3|mysql2?|mariadb\/callback|oracledb|tedious|cloudflare:sockets)$/;

/** Of packages that both sources and tests use there is one copy, or their classes would be two. */
const sharedPackages = (): readonly string[] => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const tests = globSync('tests/**/*.ts', { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'));
  return Object.keys(dependencies).filter(
    (name) => !LEFT_OUTSIDE.test(name) && tests.some((text) => text.includes(` from '${name}';`)),
  );
};

/** Of sources as they lie. What one imports by an address, a migration, each realm imports for itself: a script that they share can't. */
const keepAddresses: Plugin = {
  name: 'keep addresses',
  setup: (bundler) => {
    bundler.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('  import(pathToFileURL(', '  importFile(pathToFileURL('),
      loader: 'ts',
    }));
  },
};

const leaveOutside: Plugin = {
  name: 'leave outside',
  setup: (bundler) => {
    bundler.onResolve({ filter: LEFT_OUTSIDE }, ({ path }) => ({ path: require.resolve(path), external: true }));
    bundler.onResolve({ filter: ABSENT }, ({ path }) => ({ path, external: true }));
  },
};

/** A function of what the bundle is given, and packages of the older kind ask for, that answers how each source is loaded. */
const HEAD = '(function (require, importFile, module, __filename, __dirname) {';
const END = 'return module.exports.load; })';

type Loads = Readonly<Record<string, string>>;

/** An import of the kind that sources use: some packages have another copy for who requires them. */
const loadPackage = (directory: string, name: string): string => {
  const file = join(directory, 'packages', `${name}.mjs`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `export * as all from ${JSON.stringify(name)};\n`);
  return `require(${JSON.stringify(file)}).all`;
};

const makeScript = async (script: string, loads: Loads): Promise<void> => {
  const entries = Object.entries(loads).map(([name, load]) => `${JSON.stringify(name)}: () => ${load}`);
  await build({
    absWorkingDir: ROOT,
    stdin: { contents: `export const load = {\n${entries.join(',\n')}\n};`, resolveDir: ROOT, loader: 'js' },
    outfile: script,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    supported: { 'dynamic-import': false },
    nodePaths: [join(ROOT, 'node_modules')],
    plugins: [keepAddresses, leaveOutside],
    banner: { js: HEAD },
    footer: { js: END },
    // Each worker parses it; lines and names stay for stack traces.
    minifyWhitespace: true,
    lineLimit: 200,
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
};

/** The module that runs the script, once for each test file; `compileSources` is a global of its realm. */
const writeBundle = (bundle: string, script: string): void => {
  writeFileSync(
    bundle,
    `import { createRequire } from 'node:module';
const sources = compileSources(${JSON.stringify(script)});
export const load = sources(createRequire(${JSON.stringify(join(ROOT, 'package.json'))}), (file) => import(file),
  { exports: {} }, ${JSON.stringify(join(ROOT, 'index.js'))}, ${JSON.stringify(ROOT)});
`,
  );
};

const LIST_NAMES = `const { readFileSync } = await import('node:fs');
const { runInThisContext } = await import('node:vm');
globalThis.compileSources = (file) => runInThisContext(readFileSync(file, 'utf8'));
const { load } = await import(process.argv[1]);
console.log(JSON.stringify(Object.entries(load).map(([name, run]) => [name, Object.keys(run())])));`;

/** What each exports, in a process of its own: this one loads no sources. */
const exportsOf = (bundle: string): readonly (readonly [string, readonly string[]])[] =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', LIST_NAMES, pathToFileURL(bundle).href], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    }),
  ) as [string, string[]][];

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const writeDoor = (door: string, bundle: string, name: string, names: readonly string[]): void => {
  mkdirSync(dirname(door), { recursive: true });
  const named = names.filter((each) => each !== 'default' && each !== '__esModule' && IDENTIFIER.test(each));
  const lines = [
    `import { load } from ${JSON.stringify(bundle)};`,
    `const all = load[${JSON.stringify(name)}]();`,
    `const { ${named.map((each) => `${each}: $${each}`).join(', ')} } = all;`,
    `export { ${named.map((each) => `$${each} as ${each}`).join(', ')} };`,
    ...(names.includes('default') ? ['export default all.default;'] : []),
  ];
  writeFileSync(door, lines.join('\n'));
};

/** Answers the folder of the doors. */
export const bundleSources = async (directory: string): Promise<string> => {
  const sources = globSync('**/*.ts', { cwd: SOURCES }).filter(
    (file) => !PROGRAMS.includes(file) && !file.endsWith('.d.ts'),
  );
  const script = join(directory, 'sources.js');
  await makeScript(
    script,
    Object.fromEntries([
      ...sources.map((file) => [file, `require(${JSON.stringify(join(SOURCES, file))})`]),
      ...sharedPackages().map((name) => [name, loadPackage(directory, name)]),
    ]) as Loads,
  );
  const bundle = join(directory, 'bundle.mjs');
  writeBundle(bundle, script);
  const doors = join(directory, 'doors');
  for (const [name, names] of exportsOf(bundle)) writeDoor(join(doors, `${name}.mjs`), bundle, name, names);
  return doors;
};
