import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseCommit } from '../../../src/adapters/outbound/git/commit-text.js';
import { signatureOf } from '../../../src/application/repositories/commit-signature.js';
import { encodeCommit } from '../../../src/domain/repositories/object-format.js';

const TREE = 'a'.repeat(40);
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-](?:[01]\d|2[0-3]):[0-5]\d$/;

/** When a commit was written, as its object says it. */
const told = (time: string): string => {
  const text = `tree ${TREE}\nauthor ada <a@b.c> ${time}\ncommitter ada <a@b.c> ${time}\n\nx\n`;
  return parseCommit(TREE, new TextEncoder().encode(text)).author.at;
};

describe('when a commit was written', () => {
  it.each([
    ['1700000000 +0000', '2023-11-14T22:13:20.000+00:00'],
    ['1700000000 -0330', '2023-11-14T18:43:20.000-03:30'],
    ['1700000000 +2500', '2023-11-15T22:12:20.000+23:59'],
    ['1700000000 -0075', '2023-11-14T20:58:20.000-01:15'],
    ['1700000000 +1860', '2023-11-15T17:13:20.000+19:00'],
    ['0 -0500', '1969-12-31T19:00:00.000-05:00'],
    ['99999999999999999999 +1400', '9999-12-31T23:59:59.000+14:00'],
  ])('is told by the clock of its author: %s', (time, at) => expect(told(time)).toBe(at));

  it('is a real time for every number and zone, and is written into other commits as the same', () => {
    const digits = fc.integer({ min: 0, max: 9_999 }).map((zone) => String(zone).padStart(4, '0'));
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
        fc.constantFrom('+', '-'),
        digits,
        (seconds, sign, zone) => {
          const at = told(`${seconds} ${sign}${zone}`);
          expect(at).toMatch(RFC_3339);
          const person = signatureOf({ name: 'ada', email: 'a@b.c', at });
          const { content } = encodeCommit({
            tree: TREE,
            parents: [],
            author: person,
            committer: person,
            message: 'x',
          });
          expect(new Date(parseCommit(TREE, content).author.at)).toEqual(new Date(at));
        },
      ),
    );
  });
});
