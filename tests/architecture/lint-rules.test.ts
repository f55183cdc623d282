import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { runProgram } from '../support/run-program.js';
import { inTemporaryTree } from '../support/temporary-tree.js';

const ESLINT = fileURLToPath(new URL('../../node_modules/eslint/bin/eslint.js', import.meta.url));

interface LintedFile {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly message: string }[];
}

interface Planted {
  readonly title: string;
  readonly path: string;
  readonly text: string;
  /** What is said about it; nothing about what is allowed. */
  readonly says: readonly string[];
}

const SYNCHRONOUS = 'The domain is synchronous.';
const TIME = 'Time comes in as an argument or through the Clock.';
const RANDOMNESS = 'Randomness comes in through a port.';
const DATABASES = 'Databases are named in persistence/knex/dialect and in infrastructure only.';
const NAMED = 'Exports are named.';
const IDENTIFIERS = 'Rows, and parameters by way of identifierIn, give identifiers their type.';

const DOMAIN = 'src/domain/oauth';
const APPLICATION = 'src/application/oauth';
const INBOUND = 'src/adapters/inbound/http';
const DIALECT = 'src/adapters/outbound/persistence/knex/dialect';
const INFRASTRUCTURE = 'src/infrastructure';

const NOW = 'export const now = (): Date => new Date();\n';
const WIRED = "import { Container } from 'inversify';\nexport const container = new Container();\n";
const lines = (count: number): string => '  step();\n'.repeat(count);
const STEP = 'declare const step: () => void;\n';
const functionOf = (count: number): string => `${STEP}export const work = (): void => {\n${lines(count - 2)}};\n`;
const withParameters = (count: number): string =>
  `export const sum = (${names(count).join(': number, ')}: number) => ${names(count).join(' + ')};\n`;
const constructedFrom = (count: number): string =>
  `export class Sum {\n  constructor(${names(count)
    .map((name) => `readonly ${name}: number`)
    .join(', ')}) {}\n}\n`;
const names = (count: number): readonly string[] => 'abcdefghij'.slice(0, count).split('');
const withBranches = (count: number): string =>
  `export const pick = (n: number): number => {\n${'  if (n > 1) return n;\n'.repeat(count - 1)}  return 0;\n};\n`;

const DATABASE_STRING = "export const name = 'postgres';\n";

const PLANTED: readonly Planted[] = [
  ...[DOMAIN, APPLICATION, INBOUND, DIALECT].map((folder) => ({
    title: `unbounded normalization in ${folder}`,
    path: `${folder}/normalized.ts`,
    text: "export const key = (text: string): string => text.normalize('NFC');\n",
    says: ['Text is normalized by canonicalText, which bounds the work.'],
  })),
  {
    title: 'a permission that is made by a cast',
    path: `${INBOUND}/forged.ts`,
    text: "type Permitted<P> = { readonly permission: P };\nexport const forged = (it: unknown) => it as Permitted<'manage_labels'>;\n",
    says: ['WorkspaceAccess hands permissions out.'],
  },
  {
    title: 'an identifier that is made by a cast',
    path: `${INBOUND}/identifier.ts`,
    text: 'type UserId = number & { readonly of: 1 };\nexport const forged = (id: number) => [id as UserId, id as UserId | null];\n',
    says: [IDENTIFIERS, IDENTIFIERS],
  },
  {
    title: 'an async function in the domain',
    path: `${DOMAIN}/async.ts`,
    text: 'export const rule = async () => 1;\n',
    says: [SYNCHRONOUS],
  },
  {
    title: 'a promise in the domain',
    path: `${DOMAIN}/promise.ts`,
    text: 'export const rule = () => Promise.resolve(1);\n',
    says: [SYNCHRONOUS],
  },
  {
    title: 'a type of a promise in the domain',
    path: `${DOMAIN}/promise-type.ts`,
    text: 'export type Rule = () => Promise<number>;\n',
    says: [SYNCHRONOUS],
  },
  {
    title: 'an await in the domain',
    path: `${DOMAIN}/await.ts`,
    text: 'declare const answer: PromiseLike<number>;\nexport const rule = await answer;\n',
    says: [SYNCHRONOUS, SYNCHRONOUS],
  },
  {
    title: 'an async function in the application',
    path: `${APPLICATION}/async.ts`,
    text: 'export const rule = async () => 1;\n',
    says: [],
  },
  { title: 'the hour in the domain', path: `${DOMAIN}/now.ts`, text: NOW, says: [TIME] },
  { title: 'the hour in the application', path: `${APPLICATION}/now.ts`, text: NOW, says: [TIME] },
  { title: 'the hour in an adapter', path: `${INBOUND}/now.ts`, text: NOW, says: [] },
  {
    title: 'an instant that is given',
    path: `${DOMAIN}/instant.ts`,
    text: 'export const instant = (text: string): Date => new Date(text);\n',
    says: [],
  },
  {
    title: 'the hour in milliseconds',
    path: `${APPLICATION}/milliseconds.ts`,
    text: 'export const now = (): number => Date.now() + performance.now();\nexport const text = (): string => Date();\n',
    says: [TIME, TIME, TIME],
  },
  {
    title: 'chance in the domain',
    path: `${DOMAIN}/chance.ts`,
    text: 'export const chance = (): number => Math.random();\n',
    says: [RANDOMNESS],
  },
  {
    title: 'an identifier out of thin air in the application',
    path: `${APPLICATION}/identifier.ts`,
    text: "import { randomUUID } from 'node:crypto';\nexport const one = randomUUID();\nexport const other = crypto.randomUUID();\n",
    says: [RANDOMNESS, RANDOMNESS],
  },
  { title: 'a database’s name as a string', path: `${INBOUND}/string.ts`, text: DATABASE_STRING, says: [DATABASES] },
  {
    title: 'a database’s name in a name',
    path: `${APPLICATION}/name.ts`,
    text: 'export const onSqlite = true;\n',
    says: [DATABASES],
  },
  {
    title: 'a database’s name in a template',
    path: 'src/adapters/outbound/persistence/knex/oauth/template.ts',
    text: 'export const url = (host: string): string => `postgres://${host}`;\n',
    says: [DATABASES],
  },
  { title: 'a database’s name in its dialect', path: `${DIALECT}/string.ts`, text: DATABASE_STRING, says: [] },
  {
    title: 'a database’s name in infrastructure',
    path: `${INFRASTRUCTURE}/string.ts`,
    text: DATABASE_STRING,
    says: [],
  },
  {
    title: 'a container outside infrastructure',
    path: `${INBOUND}/wired.ts`,
    text: WIRED,
    says: [
      "'inversify' import is restricted from being used. Only infrastructure wires; everything else is handed what it needs.",
    ],
  },
  { title: 'a container in infrastructure', path: `${INFRASTRUCTURE}/wired.ts`, text: WIRED, says: [] },
  {
    title: 'a default export',
    path: `${INBOUND}/default.ts`,
    text: 'const one = 1;\nexport default one;\n',
    says: [NAMED],
  },
  {
    title: 'a default export by another way, in infrastructure',
    path: `${INFRASTRUCTURE}/default.ts`,
    text: 'const one = 1;\nexport { one as default };\n',
    says: [NAMED],
  },
  {
    title: 'a function of more than 60 lines',
    path: `${DOMAIN}/long-function.ts`,
    text: functionOf(61),
    says: ['Arrow function has too many lines (61). Maximum allowed is 60.'],
  },
  { title: 'a function of 60 lines', path: `${DOMAIN}/function.ts`, text: functionOf(60), says: [] },
  {
    title: 'a file of more than 300 lines',
    path: `${APPLICATION}/long-file.ts`,
    text: 'export {};\n'.repeat(301),
    says: ['File has too many lines (301). Maximum allowed is 300.'],
  },
  {
    title: 'a file of 300 lines beside blanks and comments',
    path: `${APPLICATION}/file.ts`,
    text: `${'export {};\n'.repeat(300)}\n// Said.\n`,
    says: [],
  },
  {
    title: 'a function with five parameters',
    path: `${INBOUND}/five.ts`,
    text: withParameters(5),
    says: ['5 parameters are too many: 4 at most.'],
  },
  { title: 'a function with four parameters', path: `${INBOUND}/four.ts`, text: withParameters(4), says: [] },
  {
    title: 'a constructor with seven parameters',
    path: `${APPLICATION}/seven.ts`,
    text: constructedFrom(7),
    says: ['7 parameters are too many: 6 at most.'],
  },
  { title: 'a constructor with six parameters', path: `${APPLICATION}/six.ts`, text: constructedFrom(6), says: [] },
  {
    title: 'what is wired from more',
    path: `${INFRASTRUCTURE}/composition/wired-from-more.ts`,
    text: withParameters(9),
    says: [],
  },
  {
    title: 'a function with more than twelve ways through it',
    path: `${DOMAIN}/complex.ts`,
    text: withBranches(13),
    says: ['Arrow function has a complexity of 13. Maximum allowed is 12.'],
  },
  {
    title: 'a function with twelve ways through it',
    path: `${DOMAIN}/less-complex.ts`,
    text: withBranches(12),
    says: [],
  },
  {
    title: 'a promise that nobody waits for',
    path: `${INBOUND}/floating.ts`,
    text: 'export const forget = (): void => {\n  Promise.resolve(1);\n};\n',
    says: [
      'Promises must be awaited, end with a call to .catch, end with a call to .then with a rejection handler or be explicitly marked as ignored with the `void` operator.',
    ],
  },
  {
    title: 'a rule switched off without a reason',
    path: `${INBOUND}/switched-off.ts`,
    text: '// eslint-disable-next-line no-console\nconsole.log(1);\n',
    says: ['Unexpected undescribed directive comment. Include descriptions to explain why the comment is necessary.'],
  },
  {
    title: 'a rule switched off with a reason',
    path: `${INBOUND}/explained.ts`,
    text: '// eslint-disable-next-line no-console -- a person reads it\nconsole.log(1);\n',
    says: [],
  },
  {
    title: 'a rule switched off that says nothing here',
    path: `${INBOUND}/useless.ts`,
    text: '// eslint-disable-next-line no-console -- a person reads it\nexport const one = 1;\n',
    says: ["Unused eslint-disable directive (no problems were reported from 'no-console')."],
  },
];

describe('the rules of the house that the linter keeps', () => {
  const said = new Map<string, readonly string[]>();

  // One run for all of them: most of its time goes into starting the type checker.
  beforeAll(async () => {
    const files = Object.fromEntries(PLANTED.map(({ path, text }) => [path, text]));
    await inTemporaryTree(files, ['eslint.config.js', 'tsconfig.json', 'package.json'], async (directory) => {
      const { stdout, stderr } = await runProgram(ESLINT, ['--format', 'json', 'src'], directory);
      if (!stdout.startsWith('[')) throw new Error(`eslint did not answer: ${stderr}`);
      for (const { filePath, messages } of JSON.parse(stdout) as readonly LintedFile[]) {
        said.set(
          filePath.slice(filePath.lastIndexOf('/src/') + 1),
          messages.map(({ message }) => message),
        );
      }
    });
  });

  it.each(PLANTED.filter(({ says }) => says.length > 0))('complain of $title', ({ path, says }) => {
    expect(said.get(path)).toEqual(says);
  });

  it.each(PLANTED.filter(({ says }) => says.length === 0))('allow $title', ({ path }) => {
    expect(said.get(path)).toEqual([]);
  });
});
