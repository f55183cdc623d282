import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonOf, type CiValue } from '../../../../src/domain/pipelines/ci-file/ci-value.js';
import { inputsIn } from '../../../../src/domain/pipelines/ci-file/inputs.js';
import { anyText } from '../../../support/any-text.js';
import { configOf, problemsOf, readingOf } from '../../../support/ci-files.js';

const spec = (inputs: string): string => `spec:\n  inputs: ${inputs}\n---\n`;
const JOB = 'x: {script: make}\n';
const given = (values: Readonly<Record<string, CiValue>>) => ({ inputs: new Map(Object.entries(values)) });

/** The variable `A` of a file that puts an input, or what is made of one, into it. */
const filled = (block: string, value: string, shown?: Readonly<Record<string, string>>): string | undefined =>
  configOf(
    `${spec('{a: }')}variables: {A: "${block}"}\n${JOB}`,
    {},
    {
      ...given({ a: value }),
      ...(shown && { shown: () => new Map(Object.entries(shown)) }),
    },
  ).variables.get('A');

describe('inputs of a CI file', () => {
  it('stand wherever the file names them: in names, values, lists and within longer texts', () => {
    const { jobs, stages, variables } = configOf(
      `# What this is for
spec:
  inputs:
    name: {description: What to build}
    stage: {default: build}
    copies: {type: number, default: 2}
    quick: {type: boolean, default: false}
    commands: {type: array, default: [make, make check]}
--- # the file itself
stages: [$[[ inputs.stage ]], "$[[inputs.stage]]-again"]
variables: {LEVEL: "$[[ inputs.copies ]]/$[[ inputs.quick ]]", LIST: 'all: $[[ inputs.commands ]]'}
"build-$[[ inputs.name ]]":
  stage: $[[ inputs.stage ]]
  parallel: $[[ inputs.copies ]]
  interruptible: $[[ inputs.quick ]]
  script: $[[ inputs.commands ]]
  rules:
    - if: $CI_COMMIT_BRANCH == "$[[ inputs.name ]]"
`,
      {},
      given({ name: 'mill', quick: true, copies: 3 }),
    );
    expect(stages).toEqual(['.pre', 'build', 'build-again', '.post']);
    expect(Object.fromEntries(variables)).toEqual({ LEVEL: '3/true', LIST: 'all: ["make","make check"]' });
    expect(jobs).toMatchObject([
      {
        name: 'build-mill',
        stage: 'build',
        parallel: 3,
        interruptible: true,
        options: { script: ['make', 'make check'] },
      },
    ]);
    expect(jobs[0]!.rules![0]!.condition!(new Map([['CI_COMMIT_BRANCH', 'mill']]))).toBe(true);
  });

  it('say nothing but values, whatever is in them, and are read as if they were written there only without quotes', () => {
    const text = `${spec('{a: }')}variables: {A: $[[ inputs.a ]], B: "$[[ inputs.a ]]"}\n${JOB}`;
    const of = (value: string) => Object.fromEntries(configOf(text, {}, given({ a: value })).variables);
    expect(of('0755')).toEqual({ A: '493', B: '0755' });
    for (const value of [
      'x, C: y',
      'a: b',
      '"',
      "'",
      'x\ny: {script: evil}',
      '#',
      '*a',
      '!reference [x]',
      '$[[ inputs.a ]]',
    ])
      expect(of(value)).toEqual({ A: value, B: value });
  });

  it('are told in the lines of the whole file where that is wrong', () => {
    expect(problemsOf(`${spec('{a: {default: b}}')}x:\n  script:\n    - @foo`)[0]).toMatch(/^Invalid YAML at line 6 /);
    expect(problemsOf(`spec:\n  inputs: [\n---\n${JOB}`)[0]).toMatch(/^Invalid YAML at line /);
  });

  it('are none where nothing is said of them, and their blocks are texts where there is no header', () => {
    for (const header of ['spec:\n---\n', '---\nspec: {inputs: }\n---\n', '%YAML 1.1\n# x\n---\nspec:\n---\n'])
      expect(configOf(header + JOB).jobs).toHaveLength(1);
    expect(configOf(`variables: {A: "$[[ inputs.a ]]"}\n${JOB}`).variables.get('A')).toBe('$[[ inputs.a ]]');
    expect(configOf(`---\nspec: {script: rspec}\n`).jobs).toHaveLength(1);
  });

  it('of comments are not asked for', () => {
    expect(problemsOf(`${spec('{a: {default: b}}')}# $[[ inputs.none ]]\n${JOB}`)).toEqual([]);
  });
});

describe('what is wrong with inputs is told in the known words', () => {
  it.each<[string, Readonly<Record<string, CiValue>>, string]>([
    ['{a: }', {}, '`a` input: required value has not been provided'],
    ['{a: }', { a: null }, '`a` input: required value has not been provided'],
    ['{a: {default: b}}', { b: 'c', d: 1 }, 'unknown input arguments: b, d'],
    ['{a: }', { a: ['b'] }, '`a` input: provided value is not a string'],
    ['{a: {type: number}}', { a: 'many' }, '`a` input: provided value is not a number'],
    ['{a: {type: boolean}}', { a: 'yes' }, '`a` input: provided value is not a boolean'],
    ['{a: {type: boolean}}', { a: 1 }, '`a` input: provided value is not a boolean'],
    ['{a: {type: array}}', { a: 'b' }, '`a` input: provided value is not an array'],
    ['{a: {type: array}}', { a: '{"b": 1}' }, '`a` input: provided value is not an array'],
    ['{a: {type: array}}', { a: '['.repeat(9_000) }, '`a` input: provided value is not an array'],
    ['{a: {type: number, default: few}}', { a: 1 }, '`a` input: default value is not a number'],
    [
      '{a: {options: [b, c]}}',
      { a: 'd' },
      '`a` input: `d` cannot be used because it is not in the list of allowed options',
    ],
    [
      '{a: {type: number, options: [1, 2]}}',
      { a: 3 },
      '`a` input: `3` cannot be used because it is not in the list of allowed options',
    ],
    ['{a: {regex: ^v\\d+$}}', { a: 'v1.2' }, '`a` input: provided value does not match required RegEx pattern'],
    ['{a: {regex: ^v, default: w}}', {}, '`a` input: default value does not match required RegEx pattern'],
    ['{a: {regex: (a}}', { a: 'a' }, '`a` input: invalid regular expression'],
    ['{a: {regex: (?=a)}}', { a: 'a' }, '`a` input: invalid regular expression'],
    ['{a: {regex: [a]}}', { a: 'a' }, '`a` input: invalid regular expression'],
    ['{a: {type: number, regex: a}}', { a: 1 }, '`a` input: RegEx validation can only be used with string inputs'],
    [
      '{a: {type: array, options: [a]}}',
      { a: [] },
      '`a` input: Options can only be used with string and number inputs',
    ],
    ['{a: {options: []}}', { a: 'b' }, '`a` input: options should be a list of at most 50'],
    ['{a: {description: [b]}}', { a: 'b' }, '`a` input: the description should be a text of at most 1000 characters'],
    ['{a: {type: map}}', {}, 'unknown input specification for `a` (valid types: array, boolean, number, string)'],
    ['{a: 1}', {}, 'unknown input specification for `a` (valid types: array, boolean, number, string)'],
    ['{a: {foo: 1}}', {}, 'header:spec:inputs:a config contains unknown keys: foo'],
    ['{"a b": }', {}, '`a b` input: a name has letters, digits, `_` and `-`, at most 255'],
    ['[a]', {}, 'header:spec:inputs config should be a hash'],
    [
      '{a: , b: {type: number}, c: , d: }',
      { b: 'x' },
      '`a` input: required value has not been provided, `b` input: provided value is not a number, `c` input: required value has not been provided',
    ],
  ])('%s given %j', (inputs, values, problem) => {
    expect(problemsOf(spec(inputs) + JOB, {}, given(values))).toEqual([problem]);
  });

  it.each([
    ['$[[ inputs.none ]]', 'unknown interpolation key: `none`'],
    ['$[[ inputs.a.b ]]', 'unknown interpolation key: `a`'],
    ['$[[ component.name ]]', 'unknown interpolation key: `component`'],
    ['$[[ inputs.constructor ]]', 'unknown interpolation key: `constructor`'],
    ['$[[ ]]', 'unknown interpolation key: ``'],
    [
      '$[[ inputs.a | upper ]]',
      'no function matching `upper`: check that the function name, arguments, and types are correct',
    ],
    [
      '$[[ inputs.a | truncate(1) ]]',
      'no function matching `truncate(1)`: check that the function name, arguments, and types are correct',
    ],
    [
      '$[[ inputs.n | posix_escape ]]',
      'error in `posix_escape` function: invalid input type: posix_escape can only be used with string inputs',
    ],
    [`$[[ inputs.a${' | posix_escape'.repeat(4)} ]]`, 'too many functions in interpolation block'],
  ])('%s', (block, problem) => {
    const file = `${spec('{a: {default: b}, n: {type: number, default: 1}}')}x: {script: "${block}"}`;
    expect(problemsOf(file)).toEqual([problem]);
  });

  it('where it is no header', () => {
    expect(problemsOf(`spec: {inputs: {a: }}\n${JOB}`)).toEqual([
      'root config: `spec` belongs into a header: at the top, with a line of `---` below it.',
    ]);
    expect(problemsOf(`spec: {component: [name]}\n---\n${JOB}`)).toEqual([
      'header:spec config contains unknown keys: component',
    ]);
    expect(problemsOf(`spec: \nstages: [a]\n---\n${JOB}`)).toEqual(['header config contains unknown keys: stages']);
    const unasked = 'Given inputs not defined in the `spec` section of the included configuration file';
    expect(problemsOf(JOB, {}, given({ a: 'b' }))).toEqual([unasked]);
    expect(problemsOf('include: {local: a.yml, inputs: {a: b}}', { 'a.yml': JOB })).toEqual([`\`a.yml\`: ${unasked}`]);
    expect(problemsOf('include: {local: a.yml, inputs: [a]}', { 'a.yml': JOB })).toEqual([
      'include:inputs config should be a hash',
    ]);
  });
});

describe('an input', () => {
  it('of numbers, truths and texts takes texts that say one, as forms send them', () => {
    const file = `${spec('{n: {type: number}, b: {type: boolean}, s: }')}variables: {A: "$[[ inputs.n ]] $[[ inputs.b ]] $[[ inputs.s ]]"}\n${JOB}`;
    const of = (n: CiValue, b: CiValue, s: CiValue) => configOf(file, {}, given({ n, b, s })).variables.get('A');
    expect([of('3', 'true', 3), of(1.5, false, true), of('1.50', 'false', '')]).toEqual([
      '3 true 3',
      '1.5 false true',
      '1.50 false ',
    ]);
  });

  it('that is a list takes a text of JSON, too', () => {
    const file = `${spec('{a: {type: array}}')}x: {script: $[[ inputs.a ]]}`;
    const { options } = configOf(file, {}, given({ a: '["make", "make check"]' })).jobs[0]!;
    expect(options.script).toEqual(['make', 'make check']);
  });

  it('is one of its options, and matches its pattern', () => {
    const file = `${spec('{a: {options: [1, b], regex: "^[1b]$"}, n: {type: number, options: [1, 2]}}')}${JOB}`;
    for (const a of ['1', 'b', 1]) expect(problemsOf(file, {}, given({ a, n: '2' }))).toEqual([]);
  });

  it('is cut, escaped and filled with variables that may be shown, from left to right', () => {
    expect(filled('$[[ inputs.a | truncate(2, 3) ]]', 'ab😀cdef')).toBe('😀cd');
    expect(filled('$[[ inputs.a | truncate(9,1) ]]', 'a')).toBe('');
    expect(filled('$[[ inputs.a | posix_escape ]]', `it's $HOME; "x"`)).toBe(`it\\'s\\ \\$HOME\\;\\ \\"x\\"`);
    expect(filled('$[[ inputs.a | posix_escape ]]', 'a\nb')).toBe("a'\n'b");
    expect(filled('$[[ inputs.a | posix_escape ]]', '')).toBe("''");
    const shown = { REF: 'main-$SHA', SHA: 'abc' };
    expect(filled('$[[ inputs.a | expand_vars ]]', '$REF ${SHA} $NONE', shown)).toBe('main-$SHA abc $NONE');
    expect(filled('$[[ inputs.a | expand_vars ]]', '$REF')).toBe('$REF');
    expect(filled('$[[ inputs.a | expand_vars | truncate(0,6) | posix_escape ]]', '$REF', shown)).toBe(`main-\\$`);
  });

  it('is given to each file that is included, by name or by pattern, and each time anew', () => {
    const files = {
      'ci/a.yml': `${spec('{name: , list: {type: array, default: []}}')}"$[[ inputs.name ]]": {script: make, tags: $[[ inputs.list ]]}`,
      'a/b@HEAD:c.yml': `${spec('{of: }')}include: {local: d.yml, inputs: {name: "$[[ inputs.of ]]-far"}}`,
      'a/b@HEAD:d.yml': `${spec('{name: }')}"$[[ inputs.name ]]": {script: make}`,
    };
    const { jobs } = configOf(
      `${spec('{all: {type: array, default: [x, y]}, where: {default: ci}}')}
include:
  - {local: $[[ inputs.where ]]/a.yml, inputs: {name: one, list: $[[ inputs.all ]]}}
  - {local: ci/*.yml, inputs: {name: two}}
  - {project: a/b, file: c.yml, inputs: {of: three}}`,
      files,
    );
    expect(jobs.map(({ name, tags }) => [name, ...tags])).toEqual([['one', 'x', 'y'], ['two'], ['three-far']]);
    expect(problemsOf('include: ci/a.yml', files)).toEqual([
      '`ci/a.yml`: `name` input: required value has not been provided',
    ]);
    expect(problemsOf('include: {project: a/b, file: c.yml}', files)).toEqual([
      '`a/b: c.yml`: `of` input: required value has not been provided',
    ]);
  });
});

describe('inputs have bounds', () => {
  it.each([
    [
      'how many there are',
      spec(`{${[...Array(101).keys()].map((at) => `i${at}: {default: a}`).join(', ')}}`) + JOB,
      'header:spec:inputs config has too many entries (maximum is 100)',
    ],
    [
      'how long they are',
      spec(`{a: {default: ${'x'.repeat(10_001)}}}`) + JOB,
      '`a` input: default value is longer than 10000 characters',
    ],
    [
      'how long lists are',
      spec(`{a: {type: array, default: [${'x, '.repeat(2_500)}]}}`) + JOB,
      '`a` input: default value is longer than 10000 characters',
    ],
    [
      'how deep lists are',
      spec(`{a: {type: array, default: ${'['.repeat(11)}${']'.repeat(11)}}}`) + JOB,
      '`a` input: default value is not an array',
    ],
    [
      'how often they stand in files',
      `${spec('{a: {default: b}}')}x: {script: ["${'$[[ inputs.a ]]'.repeat(10_001)}"]}`,
      'too many interpolation blocks',
    ],
    [
      'how much they say together',
      `${spec(`{a: {default: ${'x'.repeat(10_000)}}}`)}x: {script: [${'$[[ inputs.a ]], '.repeat(105)}]}`,
      'Inputs put more than 1 MB into the file and what it includes.',
    ],
    [
      'how much functions look at',
      `${spec(`{a: {default: ${'x'.repeat(10_000)}}}`)}x: {script: [${[...Array(105).keys()].map((at) => `"$[[ inputs.a | truncate(0, ${at}) ]]"`).join(', ')}]}`,
      'Inputs put more than 1 MB into the file and what it includes.',
    ],
  ])('%s', (_what, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it('what variables make of them', () => {
    const shown = () => new Map([['A', 'x'.repeat(10_000)]]);
    const text = `${spec(`{a: {default: ${'$A'.repeat(5_000)}}}`)}x: {script: "$[[ inputs.a | expand_vars ]]"}`;
    expect(problemsOf(text, {}, { shown })).toEqual(['Inputs put more than 1 MB into the file and what it includes.']);
  });

  it('files that include each other with more and more', () => {
    const files = { 'a.yml': `${spec('{a: }')}include: {local: a.yml, inputs: {a: "$[[ inputs.a ]]$[[ inputs.a ]]"}}` };
    expect(problemsOf('include: {local: a.yml, inputs: {a: b}}', files)).toEqual([
      'Local file `a.yml` includes itself.',
    ]);
    const wide = Object.fromEntries(
      [...Array(20).keys()].map((at) => [
        `${at}.yml`,
        `${spec('{a: }')}include: {local: ${at + 1}.yml, inputs: {a: "$[[ inputs.a ]]$[[ inputs.a ]]"}}`,
      ]),
    );
    expect(problemsOf('include: {local: 0.yml, inputs: {a: b}}', wide)[0]).toMatch(/longer than 10000 characters$/);
  });

  it.each<[string, CiValue]>([
    ['string', 'b\0'],
    ['string', 'b\ud800'],
    ['array', ['b\0']],
    ['array', [new Map([['b\udc00', 1]])]],
  ])('no database has to keep what is no text: a %s of %j', (type, a) => {
    expect(problemsOf(spec(`{a: {type: ${type}}}`) + JOB, {}, given({ a }))).toEqual([
      '`a` input: provided value has a character that is none',
    ]);
  });

  it('a file of nothing but beginnings of blocks takes no longer than another', () => {
    const text = `${spec('{a: {default: b}}')}x: {script: "${'$[['.repeat(300_000)}"}\n# ]]`;
    const before = performance.now();
    readingOf(text);
    readingOf(text.replaceAll('$[[', '$[[\n'));
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it('a pattern that would take long takes no longer than a plain one', () => {
    const text = `${spec('{a: {regex: ^(a+)+$}}')}${JOB}`;
    expect(problemsOf(text, {}, given({ a: `${'a'.repeat(9_999)}b` }))).toEqual([
      '`a` input: provided value does not match required RegEx pattern',
    ]);
  });
});

describe('whatever inputs say', () => {
  const json = fc.oneof(anyText(), fc.string(), fc.double(), fc.boolean(), fc.constant(null));
  const value: fc.Arbitrary<CiValue> = fc.oneof(
    json,
    fc.array(json),
    fc.dictionary(anyText(), json).map((said) => new Map(Object.entries(said))),
  );

  it('a file is read or refused', () => {
    const file = `${spec('{a: , n: {type: number, default: 1}, b: {type: boolean, default: true}, l: {type: array, default: []}}')}
$[[ inputs.a ]]: {script: "$[[ inputs.a ]]", parallel: $[[ inputs.n ]], tags: $[[ inputs.l ]], interruptible: $[[ inputs.b ]]}
include: $[[ inputs.l ]]`;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'n', 'b', 'l', 'other'), value), (values) => {
        expect(['read', 'refused']).toContain(readingOf(file, {}, given(values)).kind);
      }),
    );
  });

  it('what is sent is as it was, or refused where it is too much', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (sent) => {
        const read = JSON.stringify(jsonOf(inputsIn(sent)!));
        expect(JSON.parse(read)).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
    );
    const deep = JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`) as unknown;
    const many = Object.fromEntries([...Array(101).keys()].map((at) => [`a${at}`, 1]));
    for (const sent of [{ a: deep }, many, [], 'a', null, 1, { a: undefined }, { a: Infinity }])
      expect(inputsIn(sent)).toBeUndefined();
  });

  it('a header is read or refused', () => {
    const key = fc.constantFrom('default', 'type', 'options', 'regex', 'description', 'x');
    const said = fc.oneof(json, fc.array(json), fc.constantFrom('string', 'number', 'boolean', 'array'));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(json, fc.dictionary(key, said))), (inputs) => {
        const text = `${JSON.stringify({ spec: { inputs } })}\n---\n${JOB}`;
        expect(['read', 'refused']).toContain(readingOf(text).kind);
      }),
    );
  });

  it('a quoted text holds it as it is', () => {
    fc.assert(
      fc.property(
        anyText().filter((text) => !text.includes('\0') && text.isWellFormed() && text.length <= 10_000),
        (text) => {
          expect(filled('<$[[ inputs.a ]]>', text)).toBe(`<${text}>`);
        },
      ),
    );
  });

  it('a shell takes what was escaped for one word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        const word = filled('<$[[ inputs.a | posix_escape ]]>', text)!.slice(1, -1);
        const read = word.replaceAll(
          /'\n'|''|\\([\s\S])/g,
          (said, one: string | undefined) => one ?? (said === "''" ? '' : '\n'),
        );
        expect(read).toBe(text);
        expect(word.replaceAll(/'\n'|''|\\[\s\S]/g, '')).toMatch(/^[\w.,:+/@-]*$/);
      }),
    );
  });
});
