import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exceededBound } from '../../../src/domain/shared/json-bounds.js';

const WIDE = { depth: 1_000, keys: 1_000_000, containers: 1_000_000, separators: 1_000_000 };

interface Counted {
  readonly depth: number;
  readonly keys: number;
  readonly containers: number;
  readonly separators: number;
}

/** What a value has, by walking through it. */
const count = (value: unknown): Counted => {
  if (typeof value !== 'object' || value === null) return { depth: 0, keys: 0, containers: 0, separators: 0 };
  const inside = Object.values(value).map(count);
  const sum = (of: (counted: Counted) => number): number => inside.reduce((before, each) => before + of(each), 0);
  return {
    depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
    keys: (Array.isArray(value) ? 0 : inside.length) + sum(({ keys }) => keys),
    containers: 1 + sum(({ containers }) => containers),
    separators: Math.max(0, inside.length - 1) + sum(({ separators }) => separators),
  };
};

/** Texts that look like structure. */
const text = fc.string({
  maxLength: 60,
  size: 'max',
  unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', 'a', 'é'),
});
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    text,
    fc.integer(),
    fc.constantFrom(true, null),
    fc.array(tie('value')),
    fc.dictionary(text, tie('value')),
  ),
}));

describe('bounds of JSON', () => {
  it('count what is structure, and nothing that stands in texts', () => {
    fc.assert(
      fc.property(value, (any) => {
        const json = JSON.stringify(any);
        const counted = count(any);
        expect(exceededBound(json, counted)).toBeUndefined();
        for (const bound of ['depth', 'keys', 'containers', 'separators'] as const)
          if (counted[bound] > 0) expect(exceededBound(json, { ...WIDE, [bound]: counted[bound] - 1 })).toBe(bound);
      }),
    );
  });

  it.each(['""" "', ']]]]{{{{', '"a" "b" "c" {{'])('leave what is no JSON to who parses it: %s', (json) => {
    expect(exceededBound(json, { ...WIDE, containers: 1, depth: 1 })).toBeUndefined();
    expect(() => JSON.parse(json) as unknown).toThrow(SyntaxError);
  });

  it.each(['"', '"\\"', '{"a', '{"a\\', `{"a":"${'\\'.repeat(99)}"`, '"a\\\\\\"{'])(
    'come to an end of a text that never does: %s',
    (json) => {
      expect(exceededBound(json, { ...WIDE, containers: 1, depth: 1 })).toBeUndefined();
    },
  );
});
