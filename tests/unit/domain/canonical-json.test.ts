import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson } from '../../../src/domain/alerts/canonical-json.js';

describe('canonical JSON', () => {
  it.each([
    ['{"b":1,"a":[{"10":1,"9":{"z":1,"y":2}},[]]}', '{"a":[{"10":1,"9":{"y":2,"z":1}},[]],"b":1}'],
    ['{"__proto__":{"b":1,"a":2},"constructor":null}', '{"__proto__":{"a":2,"b":1},"constructor":null}'],
    ['{"a":-0.0,"b":1e21,"c":1.10,"d":"\\u00fc\\/\\n"}', '{"a":0,"b":1e+21,"c":1.1,"d":"ü/\\n"}'],
    ['{"":"\\"\\\\ud800","\\\\ud800":"\\\\ud800\\""}', '{"":"\\"\\\\ud800","\\\\ud800":"\\\\ud800\\""}'],
    ['{"😀":1,"\\uffff":2,"é":3}', '{"é":3,"😀":1,"\uffff":2}'],
  ])('of %s is %s', (given, canonical) => {
    expect(canonicalJson(JSON.parse(given))).toBe(canonical);
    expect(canonicalize(JSON.parse(given))).toBe(canonical);
  });

  it('is what another implementation writes, whatever the value', () => {
    const name = fc.oneof(fc.string({ unit: 'grapheme' }), fc.nat(20).map(String), fc.constant('__proto__'));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(name, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        const parsed: unknown = JSON.parse(JSON.stringify(given));
        expect(canonicalJson(parsed)).toBe(canonicalize(parsed));
      }),
      { numRuns: 500 },
    );
  });
});
