import { describe, expect, it } from '@jest/globals';
import { readTestReport } from '../../../src/adapters/outbound/ci/read-test-report.js';

/** In parts of so many bytes, wherever they end. */
async function* inParts(text: string | Buffer, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const read = (text: string | Buffer, size = 7) => readTestReport(inParts(text, size), 10_000);
const problemOf = async (text: string | Buffer) => {
  const { problem, cases, counts, seconds } = await read(text);
  expect([cases, counts, seconds]).toEqual([[], { success: 0, failed: 0, skipped: 0, error: 0 }, 0]);
  return problem;
};

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites time="9">
  <properties><property name="a" value="b"/></properties>
  <testsuite name="engine">
    <testcase name="turns" classname="Engine" file="engine.ts" time="1.5"><system-out>said</system-out></testcase>
    <testcase name="stops &lt;now&gt; &#252;" classname="Engine" time="0.25">
      <failure message="expected 1" type="Error"><![CDATA[at <line> 3]]>
 &amp; 4</failure>
      <error message="later"/>
    </testcase>
    <testsuite name="inner"><testcase name="breaks"><error message="no &quot;fuel&quot;"/></testcase></testsuite>
    <testcase name="waits" time="1,234.5"><skipped/></testcase>
    <testcase name="odd" time="-1"/>
  </testsuite>
</testsuites>`;

describe('a report of tests', () => {
  it.each([1, 7, 100_000])('is read the same in parts of %i bytes', async (size) => {
    const { counts, seconds, cases, problem } = await read(REPORT, size);
    expect([counts, seconds, problem]).toEqual([{ success: 2, failed: 1, skipped: 1, error: 1 }, 1_236.25, null]);
    const ordinary = { className: '', file: null, output: null, seconds: 0 };
    expect(cases).toEqual([
      { status: 'success', name: 'turns', className: 'Engine', file: 'engine.ts', seconds: 1.5, output: null },
      {
        ...{ ...ordinary, status: 'failed', name: 'stops <now> ü', className: 'Engine', seconds: 0.25 },
        output: 'at <line> 3\n & 4',
      },
      { ...ordinary, status: 'error', name: 'breaks', output: 'no "fuel"' },
      { ...ordinary, status: 'skipped', name: 'waits', seconds: 1_234.5 },
      { ...ordinary, status: 'success', name: 'odd' },
    ]);
  });

  it('may be several documents that follow each other', async () => {
    const one = '<?xml version="1.0"?>\n<testsuite><testcase name="one"/></testsuite>\n';
    const { cases, problem } = await read(`${one}${one.replace('one', 'two')}<!-- end -->\n`);
    expect([cases.map(({ name }) => name), problem]).toEqual([['one', 'two'], null]);
  });

  it.each([
    ['', 'the document is incomplete'],
    ['text', 'Non-whitespace before first tag.'],
    ['<testsuite><testcase>', 'the document is incomplete'],
    ['<testsuite></testsuites>', 'Unexpected close tag'],
    ['<html><testcase name="a"/></html>', 'the document begins with neither testsuites nor testsuite'],
    ['<testsuite><testcase name=a/></testsuite>', 'Unquoted attribute value'],
    ['<testsuite hasOwnProperty="1" b="2"/>', 'the document is not well-formed'],
    ['<testsuite><testcase name="&x;"/></testsuite>', 'Invalid character entity'],
    [`<!DOCTYPE a [<!ENTITY x "y">]><testsuite/>`, 'a document type is not allowed'],
    [Buffer.from([...Buffer.from('<testsuite name="'), 0xff]), 'the text is not UTF-8'],
    [`<testsuite>${'<a>'.repeat(50)}`, 'elements are more than 50 deep'],
    [`<testsuite name="${'a'.repeat(200_000)}"/>`, 'Max buffer length exceeded: attribValue'],
    [
      `<testsuite><a ${Array.from({ length: 1_001 }, (_, n) => `a${n}=""`).join(' ')}/></testsuite>`,
      'an element has more than 1000 attributes',
    ],
    ['<testsuite/>'.repeat(10_001), 'there are too many documents'],
    [`<testsuite>${'<testcase/>'.repeat(10_001)}</testsuite>`, 'there are too many tests'],
  ])('that is %.60j has a problem, and tells nothing else', async (text, problem) => {
    expect(await problemOf(text)).toMatch(new RegExp(`^JUnit XML parsing failed: .*${problem}`));
  });

  it('has its problem told in a few words', async () => {
    expect((await problemOf(`</${'b'.repeat(50_000)}>`))!.length).toBe(200);
  });

  it('has all of its tests counted, and those that failed listed however many succeed', async () => {
    const many = (count: number, name: string, end = '') =>
      Array.from({ length: count }, (_, n) => `<testcase name="${name}${n}" time="0.5">${end}</testcase>`).join('');
    const text = `<testsuite>${many(5_000, 's')}${many(1_100, 'f', '<failure>no</failure>')}</testsuite>`;
    const { counts, seconds, cases } = await read(text, 65_536);
    expect([counts.success, counts.failed, seconds]).toEqual([5_000, 1_100, 3_050]);
    expect([cases.length, cases.filter(({ status }) => status === 'failed').length]).toEqual([5_000, 1_000]);
  });

  it('may have as many attributes as it likes on many elements', async () => {
    const attributes = Array.from({ length: 1_000 }, (_, n) => `a${n}=""`).join(' ');
    const text = `<testsuite>${`<testcase ${attributes}/>`.repeat(3)}</testsuite>`;
    expect(await read(text, 65_536)).toMatchObject({ counts: { success: 3 }, problem: null });
  });

  it('leaves others their turn every 16 KiB, however much of it is there at once', async () => {
    let turns = 0;
    let reading = true;
    const turn = (): void => {
      turns += 1;
      if (reading) setImmediate(turn);
    };
    setImmediate(turn);
    const size = 1_048_576;
    const text = `<testsuite>${'<a/>'.repeat(size / 4)}</testsuite>`;
    expect((await read(text, text.length)).problem).toBeNull();
    reading = false;
    expect(turns).toBeGreaterThanOrEqual(size / 16_384);
  });

  it('has long texts cut', async () => {
    const output = '😀'.repeat(60_000);
    const text = `<testsuite><testcase name="${'n'.repeat(5_000)}"><failure>${output}</failure></testcase></testsuite>`;
    const [only] = (await read(text, 65_536)).cases;
    expect([only!.name.length, only!.output!.length]).toEqual([1_000, 20_000]);
  });
});
