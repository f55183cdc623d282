import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { runProgram } from '../support/run-program.js';
import { inTemporaryTree, type Files } from '../support/temporary-tree.js';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const CRUISER = fileURLToPath(
  new URL('../../node_modules/dependency-cruiser/bin/dependency-cruise.mjs', import.meta.url),
);
const CONFIGURATION = '.dependency-cruiser.cjs';

interface Cruise {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: { readonly violations: readonly { readonly rule: { readonly name: string } }[] };
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

const brokenRules = (files: Files): Promise<string[]> =>
  inTemporaryTree(files, [CONFIGURATION, 'tsconfig.json', 'package.json'], async (directory) => {
    const { summary } = await cruise(directory);
    return [...new Set(summary.violations.map(({ rule }) => rule.name))];
  });

const imports = (path: string): string => `import type { Thing } from '${path}';\nexport type Own = Thing;\n`;
const calls = (path: string): string => `import { thing } from '${path}';\nexport const own = thing;\n`;
const THING = 'export interface Thing { readonly id: number }\nexport const thing: Thing = { id: 1 };\n';

interface Violation {
  readonly rule: string;
  readonly title: string;
  readonly files: Files;
}

const VIOLATIONS: readonly Violation[] = [
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
    rule: 'application-contexts-meet-at-ports',
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
  'src/adapters/outbound/persistence/one.ts': imports('../../../application/identity/ports/port.js'),
  'src/application/oauth/two.ts': THING,
  'src/adapters/inbound/http/one.ts': imports('../../../application/oauth/two.js'),
  'src/infrastructure/one.ts': "import type { Container } from 'inversify';\nexport type Own = Container;\n",
};

describe('the rules about who may import whom', () => {
  it.concurrent.each(VIOLATIONS)('$rule is broken when $title', async ({ rule, files }) => {
    expect(await brokenRules(files)).toEqual([rule]);
  });

  it('let pass what the architecture allows', async () => {
    expect(await brokenRules(LAWFUL)).toEqual([]);
  });

  it('are each seen to fail above: a rule that cannot fail is no rule', () => {
    const { forbidden } = createRequire(import.meta.url)(`${REPOSITORY}${CONFIGURATION}`) as {
      forbidden: readonly { readonly name: string; readonly comment: string; readonly severity: string }[];
    };
    expect([...new Set(VIOLATIONS.map(({ rule }) => rule))].sort()).toEqual(forbidden.map(({ name }) => name).sort());
    expect(forbidden.filter(({ comment, severity }) => comment === '' || severity !== 'error')).toEqual([]);
  });
});

describe('the service', () => {
  it('keeps every rule, with something in every layer to keep it', async () => {
    const { modules, summary } = await cruise(REPOSITORY);
    expect(summary.violations).toEqual([]);
    for (const layer of ['domain', 'application', 'adapters/inbound', 'adapters/outbound', 'infrastructure']) {
      const files = modules.filter(({ source }) => source.startsWith(`src/${layer}/`));
      expect({ layer, empty: files.length === 0 }).toEqual({ layer, empty: false });
    }
  });
});
