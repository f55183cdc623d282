import { describe, expect, it } from '@jest/globals';
import { PackageLicenses } from '../../../src/adapters/outbound/templates/package-licenses.js';
import { RecognizeLicense } from '../../../src/application/templates/recognize-license.js';
import { fillLicense } from '../../../src/domain/templates/license.js';

const licenses = new PackageLicenses();
const recognize = new RecognizeLicense(licenses);
const BLANKS = { year: 2031, holder: 'Ada Lovelace and Others', project: 'Difference Engine' };
let serial = 0;
const keyOf = async (text: string): Promise<string | undefined> =>
  (await recognize.execute(`${(serial += 1)}`, () => Promise.resolve(text)))?.key;

describe('a text', () => {
  it.each(licenses.list().map(({ key }) => key))('is recognized as %s with its blanks filled in', async (key) => {
    const [license] = await licenses.read(licenses.list().filter((each) => each.key === key));
    const text = fillLicense(license!.content, BLANKS);
    expect(await keyOf(text)).toBe(key);
    // Where lines end, what comes before them, and a heading don't count.
    expect(await keyOf(`# License\r\n\r\n${text.replaceAll(/\s+/g, ' \n').toUpperCase()}`)).toBe(key);
    expect(await keyOf(text.slice(0, text.length / 2))).toBeUndefined();
  });

  it('that says more than a license, or something else, is none of them', async () => {
    const [mit, bsd] = await licenses.read(licenses.list().filter(({ key }) => ['mit', 'bsd-2-clause'].includes(key)));
    expect(
      await keyOf(`${mit!.content} The Software shall be used for Good, not Evil, and by nobody on a Sunday.`),
    ).toBe(undefined);
    expect(await keyOf(mit!.content + bsd!.content)).toBeUndefined();
    expect(await keyOf('Ask us.')).toBeUndefined();
    expect(await keyOf('')).toBeUndefined();
  });

  it('is read once', async () => {
    let reads = 0;
    const read = () => Promise.resolve((reads += 1) > 0 ? 'Ask us.' : undefined);
    for (let round = 0; round < 3; round += 1) expect(await recognize.execute('once', read)).toBeUndefined();
    expect(reads).toBe(1);
    for (let other = 0; other < 1_000; other += 1) await recognize.execute(`other ${other}`, async () => undefined);
    await recognize.execute('once', read);
    expect(reads).toBe(2);
  });
});
