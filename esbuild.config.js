import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { context } from 'esbuild';

/*
 * The service as a few files, packages included. A start reads them instead of two thousand, which takes half of the processor's time
 * (docs/performance.md), and what is installed from the archive is the very code that was tested.
 */

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const SOURCES = join(ROOT, 'src');
const BUILT = join(ROOT, 'dist');
const MAIN = 'infrastructure/main.ts';

/** What is read, or started as it stands, while the service runs: at the places where the code looks for it. */
const READ_WHILE_RUNNING = [
  'adapters/inbound/http/pages/templates',
  'adapters/inbound/http/pages/assets',
  'adapters/outbound/mail/templates',
  'adapters/outbound/git/runner/runner-process.js',
  'adapters/outbound/templates/files',
];

/** Packages that stay what they are: of machine code, of files that are sent as they are, or other drivers of Knex. */
const NOT_BUNDLED = [
  ...['better-sqlite3', '@node-rs/argon2', '@picocss/pico', 'pg-native', 'pg-query-stream', 'sqlite3'],
  // Read file by file.
  'spdx-license-list',
  // Machine code that ssh2 does without where it isn't there.
  'cpu-features',
];

const PROGRAM = /new URL\('(\.{1,2}\/[^']*)\.js', import\.meta\.url\)/g;

const isReadWhileRunning = (file) => READ_WHILE_RUNNING.some((read) => `${file}/`.startsWith(`${read}/`));

/** Threads and children are started by the address of a source; each is an entry of its own. */
const findPrograms = () =>
  globSync('**/*.ts', { cwd: SOURCES }).flatMap((file) =>
    [...readFileSync(join(SOURCES, file), 'utf8').matchAll(PROGRAM)]
      .flatMap(([, program]) => ['.ts', '.js'].map((kind) => join(dirname(file), `${program}${kind}`)))
      .filter((program) => existsSync(join(SOURCES, program)) && !isReadWhileRunning(program)),
  );

/** All files are in one folder once they are built: what a source finds by its own address is found from there. */
const keepAddresses = (programs) => ({
  name: 'keep addresses',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const built = `../${relative(SOURCES, path).replaceAll('\\', '/').replace(/\.ts$/, '.js')}`;
      const contents = readFileSync(path, 'utf8')
        .replaceAll(PROGRAM, (address, program) =>
          ['.ts', '.js'].some((kind) => programs.includes(join(dirname(relative(SOURCES, path)), `${program}${kind}`)))
            ? `new URL('./${basename(program)}.js', import.meta['url'])`
            : address,
        )
        .replaceAll('import.meta.url', `new URL('${built}', import.meta['url']).href`);
      return { contents, loader: 'ts' };
    });
  },
});

/**
 * To import `node:http` reads each of its exports, and one of them loads a whole client of HTTP that nobody here uses: a fifth of
 * the start. To require it reads none.
 */
const requireHttp = {
  name: 'require http',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(node:)?http$/ }, () => ({ path: 'http', namespace: 'required' }));
    onLoad({ filter: /^http$/, namespace: 'required' }, () => ({
      contents: "module.exports = process.getBuiltinModule('node:http');",
    }));
  },
};

/** What packages bring and nobody here uses: Express's readers of bodies with all their character sets, and Knex's other databases. */
const BODY_READERS = /^body-parser$/;
const OTHER_DATABASES = /^\.\/(?:cockroachdb|mariadb|mssql|mysql|mysql2|oracle|oracledb|pgnative|redshift)$/;

const leaveOut = {
  name: 'leave out',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: BODY_READERS }, ({ path }) => ({ path, namespace: 'unused' }));
    onResolve({ filter: OTHER_DATABASES }, ({ path, importer }) =>
      /[\\/]knex[\\/]/.test(importer) ? { path, namespace: 'unused' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Of the emoji nobody asks more than they and what they are called: the rest would stay in memory. */
const keepNamesOfEmoji = {
  name: 'keep names of emoji',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]gemoji[\\/]index\.js$/ }, async ({ path }) => {
      const { gemoji } = await import(pathToFileURL(path));
      return {
        contents: `export const gemoji = ${JSON.stringify(gemoji.map(({ emoji, names }) => ({ emoji, names })))};`,
      };
    });
  },
};

/** Their authors ask to be named wherever their code goes. */
const writeLicenses = ({ inputs }) => {
  const packages = new Set();
  for (const input of Object.keys(inputs)) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found !== null) packages.add(found[1]);
  }
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const [file] = globSync('{LICENSE,LICENCE,License,license}*', { cwd: join(ROOT, folder) });
    const text = file === undefined ? '' : readFileSync(join(ROOT, folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  writeFileSync(join(BUILT, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
};

const finish = {
  name: 'finish',
  setup: ({ onEnd }) => {
    onEnd(({ errors, metafile }) => {
      if (errors.length > 0) return;
      for (const place of READ_WHILE_RUNNING) cpSync(join(SOURCES, place), join(BUILT, place), { recursive: true });
      writeLicenses(metafile);
    });
  },
};

rmSync(BUILT, { recursive: true, force: true });
const programs = [...new Set(findPrograms())];
const bundler = await context({
  absWorkingDir: ROOT,
  entryPoints: [MAIN, ...programs].map((file) => join(SOURCES, file)),
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  outdir: join(BUILT, 'infrastructure'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  external: NOT_BUNDLED,
  plugins: [keepAddresses(programs), requireHttp, leaveOut, keepNamesOfEmoji, finish],
  // Comments would stay in memory; lines and names stay, for the stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 120,
  legalComments: 'none',
  // Packages of the older kind ask for these.
  banner: {
    js: `import{createRequire as $createRequire}from'node:module';import{fileURLToPath as $fileURLToPath}from'node:url';
const require=$createRequire(import.meta.url),__filename=$fileURLToPath(import.meta.url),__dirname=$fileURLToPath(new URL('.',import.meta.url));`,
  },
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});

if (process.argv.includes('--watch')) await bundler.watch();
else {
  await bundler.rebuild();
  await bundler.dispose();
}
