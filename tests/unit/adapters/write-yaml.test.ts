import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readYaml } from '../../../src/adapters/outbound/ci/read-yaml.js';
import { writeYaml } from '../../../src/adapters/outbound/ci/write-yaml.js';
import { CiReference, type CiValue } from '../../../src/domain/pipelines/ci-file/ci-value.js';
import { anyText } from '../../support/any-text.js';

const SIGNS = [
  'a',
  'y',
  '1',
  ' ',
  '\n',
  '\t',
  '-',
  ':',
  '#',
  '.',
  '?',
  '|',
  "'",
  '"',
  '\\',
  '{',
  ',',
  '~',
  '\u2028',
  'ä',
];
const storable = (text: string): string => text.replaceAll('\0', '');
const texts = fc.oneof(
  anyText().map(storable),
  fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 12 }),
  fc.constantFrom(
    ...['', 'on', 'No', 'null', '1.0', '0755', '1:30', '12e3', '.nan', '---', '...', '%a', '=', 'make\nall\n'],
  ),
);
// A key that merges is read as what it merges.
const keys = texts.filter((key) => key !== '<<');
const { value: values } = fc.letrec<{ value: CiValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'medium' },
    fc.oneof(texts, fc.constantFrom(null, true, false), fc.maxSafeInteger()),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}));

describe('YAML that is written', () => {
  it('reads as what was written', () =>
    fc.assert(
      fc.asyncProperty(values, async (value) => {
        expect(readYaml(await writeYaml(value))).toEqual({ value });
      }),
      { numRuns: 500 },
    ));

  it('looks as people write it', async () => {
    const { value } = readYaml(`
.steps: [make, "echo 'a: b'"]
build: {script: "make\\nmake all\\n", image: "node:22", variables: {PORT: "80", EMPTY: ""}, needs: [], cache: {}}
test: {script: [[a, b], c], rules: [{if: '$CI == "x"', when: never}], extends: !reference [build, x]}
`) as { value: CiValue };
    expect(await writeYaml(value)).toBe(`---
.steps:
  - make
  - "echo 'a: b'"
build:
  script: |
    make
    make all
  image: node:22
  variables:
    PORT: "80"
    EMPTY: ""
  needs: []
  cache: {}
test:
  script:
    - - a
      - b
    - c
  rules:
    - if: $CI == "x"
      when: never
  extends:
    - build
    - x
`);
    for (const [alone, written] of [
      [null, 'null'],
      ['a\nb', '"a\\nb"'],
      [new CiReference([]), '[]'],
    ] as const)
      expect(await writeYaml(alone)).toBe(`---\n${written}\n`);
  });

  it('reads as what was written where keys are longer than readers look for their sign', async () => {
    const long = 'k'.repeat(2_000);
    const value = new Map<string, CiValue>([
      [long, 'x'],
      [`${long}:`, new Map([[long, [1, 2]]])],
    ]);
    expect(readYaml(await writeYaml(value))).toEqual({ value });
  });

  it('leaves others their turn, however long it is', async () => {
    const block = new Map(Array.from({ length: 200 }, (_, n) => [`V${n}`, 'x']));
    let turns = 0;
    let over = false;
    const count = (): void => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    await writeYaml(new Map(Array.from({ length: 480 }, (_, n) => [`j${n}`, block])));
    over = true;
    expect(turns).toBeGreaterThan(10);
  });
});
