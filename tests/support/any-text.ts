import fc from 'fast-check';

const FIRST_HALF = 0xd800;
const HALVES = 0x800;
const LAST = 0x10ffff;

const codeOf = (text: unknown): number => {
  const code = typeof text === 'string' ? (text.codePointAt(0) ?? NaN) : NaN;
  if (text !== String.fromCodePoint(code)) throw new Error('no character');
  return code < FIRST_HALF ? code : code - HALVES;
};

/** Any character, but no half of a pair. That of `fast-check`, its unit `binary`, first makes a map of them all: half a second for each file. */
const character = fc
  .integer({ min: 0, max: LAST - HALVES })
  .map((index) => String.fromCodePoint(index < FIRST_HALF ? index : index + HALVES), codeOf);

export const anyText = (constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ unit: character, ...constraints });
