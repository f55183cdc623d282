import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { regexCompiler } from '../../../../src/adapters/outbound/ci/compile-regex.js';
import type { CiReading } from '../../../../src/domain/pipelines/ci-file/ci-config.js';
import { CiReference, type CiValue } from '../../../../src/domain/pipelines/ci-file/ci-value.js';
import { isPathOf, pathSet, pathsOfPattern } from '../../../../src/domain/pipelines/ci-file/path-patterns.js';
import { planJobs } from '../../../../src/domain/pipelines/ci-file/plan-jobs.js';
import { readCiFile } from '../../../../src/domain/pipelines/ci-file/read-ci-file.js';
import { circumstances, configOf, planningOf, planOf, problemsOf, readingOf } from '../../../support/ci-files.js';
import { anyText } from '../../../support/any-text.js';

const readingOfValue = (value: CiValue): CiReading => {
  const asking = readCiFile('', { readYaml: () => ({ value }), compile: regexCompiler() });
  let step = asking.next();
  while (step.done !== true) step = asking.next({ missing: 'file' });
  return step.value;
};

const KEYS = [
  ...[
    'script',
    'stage',
    'rules',
    'needs',
    'variables',
    'extends',
    'parallel',
    'matrix',
    'default',
    'include',
    'stages',
  ],
  ...[
    'workflow',
    'cache',
    'artifacts',
    'image',
    'only',
    'except',
    'if',
    'when',
    'retry',
    'timeout',
    'a',
    '.a',
    'local',
  ],
  ...['__proto__', 'constructor', 'allow_failure', 'environment', 'inherit', 'coverage', 'changes', 'exists'],
  ...[
    'release',
    'tag_name',
    'description',
    'assets',
    'links',
    'id_tokens',
    'aud',
    'hooks',
    'tags',
    'job',
    'dependencies',
  ],
];
const WORDS = ['a', 'test', 'manual', 'never', '1h', '$A == "b"', '$A =~ /a+/', '/x/', '', 'a.yml', 'main'];

const { value: anyValue } = fc.letrec<{ value: CiValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<CiValue>(null, true, false, 0, 1, 3, ...WORDS),
    fc.string(),
    fc.array(fc.constantFrom(...KEYS), { maxLength: 3 }).map((path) => new CiReference(path)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 6 }).map((all) => new Map(all)),
  ),
}));

const refused = { kind: 'refused' };

describe('a CI file is read or refused, whatever it says', () => {
  it('any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), anyText(), fc.json()), (text) => void readingOf(text)),
      {
        numRuns: 300,
      },
    );
  });

  it('any value', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const jobs = new Map<string, CiValue>([['b', new Map<string, CiValue>([['script', 'x']])]]);
        for (const one of [value, value instanceof Map ? new Map([...jobs, ...value]) : jobs]) {
          const reading = readingOfValue(one);
          if (reading.kind === 'read') planJobs(reading.config, circumstances());
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    'script',
    'rules',
    'needs',
    'variables',
    'cache',
    'artifacts',
    'image',
    'services',
    'only',
    'parallel',
    'retry',
  ])('any value as `%s` of a job', (key) => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const reading = readingOfValue(
          new Map([
            [
              'x',
              new Map<string, CiValue>([
                ['script', 'x'],
                [key, value],
              ]),
            ],
          ]),
        );
        if (reading.kind === 'read') planJobs(reading.config, circumstances());
      }),
    );
  });
});

describe('what would take too long, or too much, is refused', () => {
  it.each([
    [
      'aliases of aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefghi')
        .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[at]}`).join(',')}]`)
        .join('\n')}`,
    ],
    ['an alias of what it is in', 'a: &a [*a]'],
    ['a long text many times', `.a: &a ${'x'.repeat(500_000)}\nx: {script: [*a, *a, *a, *a, *a]}`],
    ['more than 1 MB', `x: {script: y}\n#${'x'.repeat(1_048_576)}`],
    ['1 MB of lines', `x:\n  script:\n${'  - x\n'.repeat(170_000)}`],
    ['1 MB of signs', `x: [${','.repeat(1_000_000)}]`],
    ['1 MB of keys', [...Array(80_000).keys()].map((at) => `k${at}: 1`).join('\n')],
    ['lists in lists', '['.repeat(100_000)],
    ['dashes after dashes', '- '.repeat(100_000)],
    ['mappings in mappings', [...Array(1000).keys()].map((at) => `${' '.repeat(at)}a:`).join('\n')],
    ['10,000 jobs', [...Array(10_000).keys()].map((at) => `job${at}: {script: x}`).join('\n')],
    ['501 jobs', [...Array(501).keys()].map((at) => `job${at}: {script: x}`).join('\n')],
    ['a name of 256 characters', `${'x'.repeat(256)}: {script: x}`],
    [
      'merge keys that copy much',
      `.a: &a {${[...Array(1000).keys()].map((at) => `k${at}: 1`).join(', ')}}\n${[...Array(1000).keys()].map((at) => `.b${at}: {<<: *a}`).join('\n')}`,
    ],
    [
      'bases that copy much',
      `.a: {variables: {${[...Array(1000).keys()].map((at) => `k${at}: 1`).join(', ')}}}\n${[...Array(1000).keys()].map((at) => `.b${at}: {extends: .a}`).join('\n')}\nx: {script: x}`,
    ],
    ['a condition in 100 parentheses', `x: {script: x, rules: [{if: '${'('.repeat(100)}$A${')'.repeat(100)}'}]}`],
    ['a condition of 1,000 parts', `x: {script: x, rules: [{if: '${'$A || '.repeat(1000)}$A'}]}`],
    ['a pattern that repeats repetitions', 'x: {script: x, rules: [{if: "$A =~ /((a{100}){100}){100}/"}]}'],
    ['as many lines that are wrong as there may be', `a: |\n  ${'\t\n'.repeat(49_000)}`],
    ['two documents', 'x: {script: x}\n---\ny: {script: y}'],
  ])('%s', (_what, text) => {
    const reading = readingOf(text);
    expect(reading).toMatchObject(refused);
    expect(reading.kind === 'refused' && reading.problems.join('').length).toBeLessThan(2000);
  });

  it('files that name more includes than are looked at, though none of them is wanted', () => {
    const rule = `{exists: ["${'$A '.repeat(300)}"]}`;
    const files = {
      'a.yml': 'a: {script: x}',
      'b.yml': `.x: &r {local: a.yml, rules: [${rule}]}\ninclude: [${'*r,'.repeat(1_800)}]`,
    };
    expect(problemsOf(`include: [${'b.yml,'.repeat(140)}]`, files)).toEqual([
      'Files name at most 5000 includes, rules of them and patterns of these.',
    ]);
  });

  it('a file that includes itself, and more files than there may be', () => {
    expect(problemsOf('include: a.yml', { 'a.yml': 'include: a.yml' })).toEqual([
      'Local file `a.yml` includes itself.',
    ]);
    const files = Object.fromEntries([...Array(151).keys()].map((at) => [`${at}.yml`, `a${at}: {script: x}`]));
    expect(problemsOf(`include: [${Object.keys(files).join(', ')}]`, files)).toEqual([
      'Maximum of 150 nested includes are allowed!',
    ]);
    const others = [...Array(21).keys()].map((at) => `{project: a/b, ref: v${at}, file: c.yml}`);
    const found = Object.fromEntries([...Array(21).keys()].map((at) => [`a/b@v${at}:c.yml`, 'variables: {A: b}']));
    expect(problemsOf(`include: [${others.join(', ')}]`, found)).toEqual([
      'Files of at most 20 other projects, or branches of them, can be included.',
    ]);
  });

  it('more jobs, and more of them, than a pipeline has', () => {
    const jobs = (count: number, said: string) =>
      [...Array(count).keys()].map((at) => `j${at}: {script: x, ${said}}`).join('\n');
    expect(planningOf(jobs(3, 'parallel: 200'))).toMatchObject(refused);
    expect(planOf(jobs(500, 'tags: []')).jobs).toHaveLength(500);
    expect(planningOf(`variables: {A: ${'x'.repeat(60_000)}}\n${jobs(500, 'tags: []')}`)).toMatchObject(refused);
  });
});

describe('a hostile pattern takes no longer than a plain one', () => {
  it('as a regular expression', () => {
    const text = "x: {script: x, rules: [{if: '$A =~ /(a+)+$/'}]}";
    const asked = (value: string) => planningOf(text, { variables: new Map([['A', value]]) }).kind;
    expect([asked('a'.repeat(100_000)), asked(`${'a'.repeat(99_999)}b`)]).toEqual(['planned', 'nothing']);
  });

  it('as regular expressions that leave very many ways open, and as very many of them', () => {
    const rules = [900, 600].map((times) => `{if: '$A =~ /(?:[ab]?){${times}}[cd]/'}`).join(', ');
    const asked = (text: string) => planningOf(text, { variables: new Map([['A', 'a'.repeat(65_000)]]) }).kind;
    expect(asked(`x: {script: x, rules: [${rules}]}`)).toBe('nothing');
    const many = Array.from({ length: 100 }, (_, at) => `{if: '$A =~ /b{1000}${at}/'}`).join(', ');
    const jobs = Array.from(
      { length: 20 },
      (_, at) => `x${at}: {script: x, rules: [${many.replaceAll('b{', `b${at}{`)}]}`,
    );
    expect(asked(jobs.join('\n'))).toBe('nothing');
  });

  it('as very many paths that only their end tells apart', () => {
    const pattern = (at: number) => `{${','.repeat(99)}}${'a'.repeat(900)}${at}*`;
    const patterns = Array.from({ length: 23 }, (_, at) => `"${pattern(at)}"`).join(', ');
    const text = `x: {script: x, rules: [{exists: &p [${patterns}]}, {changes: {paths: *p, compare_to: b}}, {changes: *p}]}`;
    const changed = { changedPaths: ['a'], changedSince: new Map([['b', ['a']]]) };
    expect(planningOf(text, { paths: ['a', 'b'], ...changed }).kind).toBe('planned');
    expect(isPathOf(`${'['.repeat(1000)}*b`, '['.repeat(1000))).toBe(false);
    expect(isPathOf(`{${'a,'.repeat(99)}}${'[a'.repeat(400)}*`, 'b')).toBe(false);
    expect(isPathOf('[a-c]*/[!x]', 'bd/y')).toBe(true);
  });

  it('as a path', () => {
    expect(isPathOf(`${'*a'.repeat(500)}b`, 'a'.repeat(4000))).toBe(false);
    expect(isPathOf(`${'**/'.repeat(300)}b`, 'a/'.repeat(2000))).toBe(false);
    expect(isPathOf('{a,b}'.repeat(100), 'ab')).toBe(false);
    expect(isPathOf('{a,'.repeat(300), 'ab')).toBe(false);
  });

  it('as a path among very many that begin as it does', () => {
    const paths = Array.from({ length: 50_000 }, (_, at) => `${'a'.repeat(250)}${at}`);
    const pattern = `*${'a'.repeat(200)}b*`;
    expect(pathsOfPattern(pattern, paths)).toEqual([]);
    // What would take too long isn't found out.
    expect(pathSet(paths).hasAny([pattern])).toBe(true);
    expect(pathSet(paths).hasAny(['*b', '{c,d}/**', 'b*', '**/*.tf', '**/a'])).toBe(false);
    expect(pathsOfPattern('*a1', paths)).toEqual([paths[1]]);
  });
});

describe('names that objects have are names as any other', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s', (name) => {
    const text = `${name}: {script: x, variables: {${name}: y}, needs: [other]}\nother: {script: z, environment: {name: ${name}}, artifacts: {reports: {${name}: r}}}`;
    const { jobs } = planOf(text);
    expect(jobs[0]).toMatchObject({ name, needs: [{ name: 'other' }] });
    expect(jobs[0]!.variables).toEqual([{ key: name, value: 'y' }]);
    expect(JSON.parse(JSON.stringify(jobs[1]!.options.artifacts!.reports))).toEqual(JSON.parse(`{"${name}":"r"}`));
    expect(problemsOf('x: {extends: constructor, script: x}')).toEqual(['x: unknown keys in `extends` (constructor)']);
    expect(configOf('.a: {script: x}\nx: {extends: .a}').jobs).toHaveLength(1);
  });
});

describe('planning', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const job = fc.record({
    stage: fc.constantFrom('build', 'test', 'deploy'),
    needs: fc.option(fc.uniqueArray(name, { maxLength: 3 }), { nil: undefined }),
    optional: fc.boolean(),
    parallel: fc.constantFrom(undefined, 2, 3),
    when: fc.constantFrom('never', 'manual', 'on_success', undefined),
  });
  const file = fc.dictionary(name, job, { minKeys: 1 }).map((jobs) =>
    Object.entries(jobs)
      .map(([key, { stage, needs, optional, parallel, when }]) => {
        const said: Record<string, unknown> = { script: 'x', stage };
        if (needs !== undefined) said['needs'] = needs.map((each) => ({ job: each, optional }));
        if (parallel !== undefined) said['parallel'] = parallel;
        if (when !== undefined) said['rules'] = [{ when }];
        return `${key}: ${JSON.stringify(said)}`;
      })
      .join('\n'),
  );

  it('of the same comes to the same, and nothing waits for what is not there or comes later', () => {
    fc.assert(
      fc.property(file, (text) => {
        const reading = readingOf(text);
        if (reading.kind === 'refused') return;
        const planning = planJobs(reading.config, circumstances());
        expect(planJobs(reading.config, circumstances())).toEqual(planning);
        if (planning.kind !== 'planned') return;
        const { jobs } = planning.plan;
        const stages = new Map(jobs.map((each) => [each.name, each.stageIndex]));
        expect(stages.size).toBe(jobs.length);
        for (const each of jobs)
          for (const need of each.needs ?? []) expect(stages.get(need.name)).toBeLessThanOrEqual(each.stageIndex);
      }),
      { numRuns: 300 },
    );
  });
});

it('needs of jobs that a matrix makes are at most five hundred of a job, however they are said', () => {
  const matrix =
    '{A: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], B: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]}';
  const made = `x: {stage: build, script: x, parallel: {matrix: [${matrix}]}}\n`;
  const needs = `.n: &n [${Array.from({ length: 50 }, () => `{job: x, parallel: {matrix: [${matrix}]}}`).join(', ')}]\n`;
  const jobs = Array.from({ length: 40 }, (_, index) => `y${index}: {script: y, needs: *n}`);
  const told = (text: string) => new Set(problemsOf(text).map((problem) => problem.replace(/y\d+/, 'y')));
  const MORE = 'config has too many entries (maximum is 500)';
  expect(told(made + needs + jobs.join('\n'))).toEqual(new Set([`jobs:y:needs ${MORE}`]));
  const rules = Array.from({ length: 20 }, () => '{if: $NONE, needs: *n}').join(', ');
  expect(told(`${made}${needs}y: {script: y, rules: [${rules}]}`)).toEqual(
    new Set([`jobs:y:rules:rule:needs ${MORE}`]),
  );
});

describe('jobs of a matrix', () => {
  const values = (count: number, of = (index: number) => String(index)): string =>
    Array.from({ length: count }, (_, index) => of(index)).join(', ');

  it("are asked about once for all that their rules can't tell apart, and their patterns have a bound together", () => {
    let asked = 0;
    const braces = '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'.padEnd(900, 'x');
    const patterns = Array.from({ length: 50 }, (_, index) => `"$A-${index}${braces}*"`).join(', ');
    const rules = Array.from({ length: 10 }, () => `{exists: [${patterns}]}`).join(', ');
    const text = `x: {script: x, parallel: {matrix: [{A: [${values(200)}]}]}, rules: [${rules}]}`;
    const paths = new Proxy(['a'], {
      get: (target, key) => {
        if (key === 'some') asked += 1;
        return Reflect.get(target, key) as unknown;
      },
    });
    // Beyond the bound each pattern counts as found.
    expect(planningOf(text, { paths }).kind).toBe('planned');
    expect(asked).toBeLessThan(50 * 200);
  });

  it('have values that can be told, and no names that hold more than a name', () => {
    expect(problemsOf(`x: {script: x, parallel: {matrix: [{A: [${'y'.repeat(1_025)}]}]}}`)).toEqual([
      'jobs:x:parallel:matrix config: a value of `A` is longer than 1024 characters',
    ]);
    const lines = Array.from({ length: 50 }, (_, index) => `V${index}: ${'z'.repeat(1_000)}`).join(', ');
    const text = `x: {script: x, parallel: {matrix: [{A: [${values(20)}], ${lines}}]}}\ny: {script: y, needs: [q]}`;
    expect(problemsOf(text)).toEqual(['y job: undefined need: q']);
  });
});
