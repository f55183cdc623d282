import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { readTestReport } from '../../src/adapters/outbound/ci/read-test-report.js';

/** What a report may delay others by. */
const MOST_HELD_MS = 50;
/** Of these the best counts: the machine does other work, too. */
const TRIES = 3;
/** As much as is read of a pipeline. */
const SIZE = 20 * 1_048_576;
const MOST_TESTS = 200_000;

/** As many pieces as there is room for. */
const filled = (before: string, piece: string, after: string, size = SIZE): string =>
  before + piece.repeat(Math.floor((size - before.length - after.length) / piece.length)) + after;

const attributes = (count: number): string => Array.from({ length: count }, (_, n) => `a${n}="" `).join('');

const SHAPES: Readonly<Record<string, string>> = {
  'tests that failed': filled(
    '<testsuite>',
    '<testcase name="a" classname="b.C" time="0.5"><failure message="no">at line 5</failure></testcase>\n',
    '</testsuite>',
  ),
  'tiny elements': filled('<testsuite>', '<a/>', '</testsuite>'),
  'elements in elements': filled('<testsuite>', '<a>'.repeat(48) + '</a>'.repeat(48), '</testsuite>'),
  'ends of tags that are none': filled('<testsuite>', '>', '</testsuite>'),
  'one text': filled('<testsuite><testcase><failure>', 'a', '</failure></testcase></testsuite>'),
  'ends of a section that are none': filled(
    '<testsuite><testcase><failure><![CDATA[',
    ']>',
    ']]></failure></testcase></testsuite>',
  ),
  entities: filled('<testsuite><testcase><failure>', '&amp;', '</failure></testcase></testsuite>'),
  'long names': filled('<testsuite>', `<${'a'.repeat(60_000)}/>`, '</testsuite>'),
  'many attributes': filled('<testsuite>', `<a ${attributes(1_000)}/>`, '</testsuite>'),
  'more attributes than there may be': `<testsuite><a ${attributes(1_400_000)}/></testsuite>`,
};

/** The longest that others waited for their turn. */
const heldBy = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let working = true;
  let before = performance.now();
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
    if (working) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  working = false;
  await new Promise((resume) => setImmediate(resume));
  return longest;
};

it.each(Object.keys(SHAPES))(
  'a report of %s, as large as may be, keeps others waiting for a moment only',
  async (name) => {
    const bytes = Buffer.from(SHAPES[name]!);
    const held: number[] = [];
    for (let each = 0; each < TRIES; each += 1) {
      const startedAt = performance.now();
      held.push(await heldBy(() => readTestReport(Readable.from([bytes]), MOST_TESTS)));
      const took = Math.round(performance.now() - startedAt);
      process.stdout.write(`${name}: ${took} ms, held for ${Math.round(held.at(-1)!)} ms\n`);
    }
    expect(Math.min(...held)).toBeLessThanOrEqual(MOST_HELD_MS);
  },
);
