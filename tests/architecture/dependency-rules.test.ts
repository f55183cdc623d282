import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { runProgram } from '../support/run-program.js';
import { inTemporaryTree, type Files } from '../support/temporary-tree.js';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const CRUISER = fileURLToPath(
  new URL('../../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', import.meta.url),
);
const CONFIGURATION = '.dependency-cruiser.cjs';
const CONTEXTS = '.contexts.cjs';

interface Cruise {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
  };
}

const cruise = async (directory: string): Promise<Cruise> => {
  const { stdout, stderr } = await runProgram(
    CRUISER,
    ['--config', CONFIGURATION, '--output-type', 'json', 'src'],
    directory,
  );
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser did not answer: ${stderr}`);
  return JSON.parse(stdout) as Cruise;
};

let wholeService: Promise<Cruise> | undefined;
/** Read once: it takes seconds. */
const cruiseService = (): Promise<Cruise> => (wholeService ??= cruise(REPOSITORY));

const cruiseFiles = (files: Files): Promise<Cruise> =>
  inTemporaryTree(files, [CONFIGURATION, CONTEXTS, 'tsconfig.json', 'package.json'], cruise);

const imports = (path: string): string => `import type { Thing } from '${path}';\nexport type Own = Thing;\n`;
const calls = (path: string): string => `import { thing } from '${path}';\nexport const own = thing;\n`;
const THING = 'export interface Thing { readonly id: number }\nexport const thing: Thing = { id: 1 };\n';

interface Violation {
  readonly rule: string;
  readonly title: string;
  readonly files: Files;
}

const required = createRequire(import.meta.url);
const MAY_KNOW = required(`${REPOSITORY}${CONTEXTS}`) as Readonly<Record<string, readonly string[]>>;

/** For each context, another that it may not know. */
const STRANGERS = Object.entries(MAY_KNOW).map(([context, known]) => {
  const stranger = Object.keys(MAY_KNOW).find((each) => each !== context && !known.includes(each));
  if (stranger === undefined) throw new Error(`The ${context} context knows everybody.`);
  return { context, stranger };
});

const VIOLATIONS: readonly Violation[] = [
  ...STRANGERS.map(({ context, stranger }) => ({
    rule: `contexts-know-what-is-declared-${context}`,
    title: `${context} knows a port of ${stranger}`,
    files: {
      [`src/application/${context}/one.ts`]: imports(`../${stranger}/ports/two.js`),
      [`src/application/${stranger}/ports/two.ts`]: THING,
    },
  })),
  {
    rule: 'contexts-know-what-is-declared-identity',
    title: 'identity knows the domain of OAuth',
    files: {
      'src/application/identity/one.ts': imports('../../domain/oauth/two.js'),
      'src/domain/oauth/two.ts': THING,
    },
  },
  {
    rule: 'contexts-are-declared',
    title: 'a context is declared nowhere',
    files: {
      'src/application/undeclared/one.ts': imports('../../domain/shared/two.js'),
      'src/domain/shared/two.ts': THING,
    },
  },
  {
    rule: 'shared-knows-no-context',
    title: 'what is shared knows a port of a context',
    files: {
      'src/application/shared/one.ts': imports('../identity/ports/two.js'),
      'src/application/identity/ports/two.ts': THING,
    },
  },
  {
    rule: 'no-circles',
    title: 'two files know each other',
    files: { 'src/domain/oauth/one.ts': imports('./two.js'), 'src/domain/oauth/two.ts': imports('./one.js') },
  },
  {
    rule: 'domain-is-pure',
    title: 'the domain uses a module of Node',
    files: { 'src/domain/oauth/one.ts': "import { createHash } from 'node:crypto';\nexport const own = createHash;\n" },
  },
  {
    rule: 'domain-is-pure',
    title: 'the domain uses a package',
    files: { 'src/domain/oauth/one.ts': "import type { Knex } from 'knex';\nexport type Own = Knex;\n" },
  },
  {
    rule: 'domain-is-pure',
    title: 'the domain knows a use case',
    files: {
      'src/domain/oauth/one.ts': imports('../../application/oauth/two.js'),
      'src/application/oauth/two.ts': THING,
    },
  },
  {
    rule: 'domain-contexts-are-apart',
    title: 'a context of the domain knows another’s rules',
    files: { 'src/domain/oauth/one.ts': imports('../identity/two.js'), 'src/domain/identity/two.ts': THING },
  },
  {
    rule: 'application-knows-no-technology',
    title: 'a use case knows an adapter',
    files: {
      'src/application/oauth/one.ts': imports('../../adapters/outbound/mail/two.js'),
      'src/adapters/outbound/mail/two.ts': THING,
    },
  },
  {
    rule: 'application-knows-no-technology',
    title: 'a use case uses a package',
    files: { 'src/application/oauth/one.ts': "import type { Request } from 'express';\nexport type Own = Request;\n" },
  },
  {
    rule: 'application-contexts-meet-at-ports-and-operations',
    title: 'a use case knows another context’s use case',
    files: { 'src/application/oauth/one.ts': imports('../identity/two.js'), 'src/application/identity/two.ts': THING },
  },
  {
    rule: 'inbound-never-outbound',
    title: 'a route knows a table',
    files: {
      'src/adapters/inbound/http/one.ts': imports('../../outbound/persistence/two.js'),
      'src/adapters/outbound/persistence/two.ts': THING,
    },
  },
  {
    rule: 'outbound-serves-ports',
    title: 'a store knows a use case',
    files: {
      'src/adapters/outbound/persistence/one.ts': imports('../../../application/oauth/two.js'),
      'src/application/oauth/two.ts': THING,
    },
  },
  {
    rule: 'outbound-never-inbound',
    title: 'a store knows a route',
    files: {
      'src/adapters/outbound/persistence/one.ts': imports('../../inbound/http/two.js'),
      'src/adapters/inbound/http/two.ts': THING,
    },
  },
  {
    rule: 'adapters-never-infrastructure',
    title: 'an adapter knows the configuration',
    files: {
      'src/adapters/inbound/http/one.ts': imports('../../../infrastructure/configuration/two.js'),
      'src/infrastructure/configuration/two.ts': THING,
    },
  },
  {
    rule: 'only-infrastructure-wires',
    title: 'an adapter knows the container',
    files: {
      'src/adapters/inbound/http/one.ts': "import type { Container } from 'inversify';\nexport type Own = Container;\n",
    },
  },
  {
    rule: 'packages-are-declared',
    title: 'the service uses a package that only tests install',
    files: { 'src/adapters/inbound/http/one.ts': "import jest from 'jest';\nexport const own = jest;\n" },
  },
  {
    rule: 'packages-are-declared',
    title: 'a file that does not exist is imported',
    files: { 'src/adapters/inbound/http/one.ts': calls('./two.js') },
  },
  {
    rule: 'no-test-code-in-the-service',
    title: 'the service uses test support',
    files: { 'src/infrastructure/one.ts': calls('../../tests/support/two.js'), 'tests/support/two.ts': THING },
  },
];

const LAWFUL: Files = {
  'src/domain/identity/identifiers.ts': THING,
  'src/domain/oauth/one.ts': imports('../identity/identifiers.js'),
  'src/application/identity/ports/port.ts': THING,
  'src/application/oauth/one.ts': imports('../identity/ports/port.js'),
  'src/application/planning/operations/operation.ts': THING,
  'src/application/alerts/one.ts': imports('../planning/operations/operation.js'),
  'src/adapters/outbound/persistence/one.ts': imports('../../../application/identity/ports/port.js'),
  'src/application/oauth/two.ts': THING,
  'src/adapters/inbound/http/one.ts': imports('../../../application/oauth/two.js'),
  'src/infrastructure/one.ts': "import type { Container } from 'inversify';\nexport type Own = Container;\n",
};

/** The files of each violation beside those of all others, under names of its own: one start of the program tells of all. */
const apart = ({ files }: Violation, number: number): Files =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path.replace(/\/(one|two)\.ts$/, `/$1-${number}.ts`),
      text.replace(/\/(one|two)\.js'/, `/$1-${number}.js'`),
    ]),
  );

describe('the rules about who may import whom', () => {
  let broken: Cruise['summary']['violations'] = [];
  beforeAll(async () => {
    const planted = Object.assign({}, ...VIOLATIONS.map(apart)) as Files;
    broken = (await cruiseFiles(planted)).summary.violations;
  });

  it.each(VIOLATIONS.map((violation, number) => ({ ...violation, number })))(
    '$rule is broken when $title',
    ({ rule, number }) => {
      const own = broken.filter(({ from }) => from.endsWith(`-${number}.ts`));
      expect([...new Set(own.map(({ rule: { name } }) => name))]).toEqual([rule]);
    },
  );

  it('let pass what the architecture allows', async () => {
    expect((await cruiseFiles(LAWFUL)).summary.violations).toEqual([]);
  });

  it('are each seen to fail above: a rule that cannot fail is no rule', () => {
    const { forbidden } = required(`${REPOSITORY}${CONFIGURATION}`) as {
      forbidden: readonly { readonly name: string; readonly comment: string; readonly severity: string }[];
    };
    expect([...new Set(VIOLATIONS.map(({ rule }) => rule))].sort()).toEqual(forbidden.map(({ name }) => name).sort());
    expect(forbidden.filter(({ comment, severity }) => comment === '' || severity !== 'error')).toEqual([]);
  });
});

describe('contexts', () => {
  it('know each other in no circle', () => {
    const reachable = (context: string, seen: readonly string[] = []): readonly string[] =>
      (MAY_KNOW[context] ?? []).flatMap((other) =>
        seen.includes(other) ? [] : [other, ...reachable(other, [...seen, other])],
      );
    const circles = Object.keys(MAY_KNOW).filter((context) => reachable(context).includes(context));
    expect(circles).toEqual([]);
  });

  it('are declared with no other than there is, and know all that are declared for them', async () => {
    const { modules } = await cruiseService();
    const known = new Map(Object.keys(MAY_KNOW).map((context) => [context, new Set<string>()]));
    for (const { source, dependencies } of modules) {
      const context = /^src\/application\/([^/]+)\//.exec(source)?.[1] ?? '';
      for (const { resolved } of dependencies) {
        const other = /^src\/(?:application|domain)\/([^/]+)\//.exec(resolved)?.[1];
        if (other !== undefined && other !== context && other !== 'shared') known.get(context)?.add(other);
      }
    }
    const declared = Object.entries(MAY_KNOW).map(([context, others]) => [context, [...others].sort()]);
    expect([...known].map(([context, others]) => [context, [...others].sort()])).toEqual(declared);
  });
});

describe('the service', () => {
  it('keeps every rule, with something in every layer to keep it', async () => {
    const { modules, summary } = await cruiseService();
    expect(summary.violations).toEqual([]);
    for (const layer of ['domain', 'application', 'adapters/inbound', 'adapters/outbound', 'infrastructure']) {
      const files = modules.filter(({ source }) => source.startsWith(`src/${layer}/`));
      expect({ layer, empty: files.length === 0 }).toEqual({ layer, empty: false });
    }
  });
});
