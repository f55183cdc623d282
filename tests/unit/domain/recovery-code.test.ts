import { describe, expect, it } from '@jest/globals';
import { readRecoveryCode, recoveryCodeOf } from '../../../src/domain/identity/recovery-code.js';

describe('a recovery code', () => {
  it('has a sign of base32 for each byte, in groups, and none that looks like another', () => {
    expect(recoveryCodeOf('00'.repeat(32))).toBe('0000-0000-0000-0000-0000');
    expect(recoveryCodeOf('ff'.repeat(32))).toBe('zzzz-zzzz-zzzz-zzzz-zzzz');
    const each = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, '0'));
    const signs = new Set(recoveryCodeOf(each.join('')) + recoveryCodeOf(each.toReversed().join('')));
    expect([...signs].sort().join('')).toBe('-0123456789abcdefghjkmnpqrstvwxyz');
    expect(['i', 'l', 'o', 'u'].filter((sign) => signs.has(sign))).toEqual([]);
  });

  it('is read however it is typed: in capitals, with spaces or without, and with letters for the digits they look like', () => {
    const code = '01ab-cdef-ghjk-mnpq-rstv';
    for (const typed of [
      code,
      code.toUpperCase(),
      code.replaceAll('-', ' '),
      ` ${code} `,
      code.replace('01', 'Oi'),
      'ol' + code.slice(2),
    ])
      expect(readRecoveryCode(typed)).toBe('01abcdefghjkmnpqrstv');
  });

  it('of an earlier release is read as it was', () => {
    expect(readRecoveryCode('0f1e-2d3c-4b5a')).toBe('0f1e2d3c4b5a');
  });
});
