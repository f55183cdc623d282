const TRUE = /^(?:yes|true|on)$/i;
const FALSE = /^(?:no|false|off)$/i;
const NULL = /^(?:~|null|)$/i;
const BINARY = /^([-+]?)0b([01_,]+)$/;
const OCTAL = /^([-+]?)0([0-7_,]+)$/;
const HEXADECIMAL = /^([-+]?)0x([\da-fA-F_,]+)$/;
const INTEGER = /^[-+]?(?:0|[1-9](?:\d|[,_]\d)*)$/;
const FLOAT = /^[-+]?(?:\d[\d_,]*)?\.\d*(?:e[-+]\d+)?$/i;
const CLOCK = /^([-+]?)(\d[\d_]*):([0-5]?\d)(?::([0-5]?\d))?$/;
const LONGEST_NUMBER = 400;

/**
 * What a scalar without quotes means. CI files are YAML 1.1 as Ruby reads it, wherever else they are used: `0755` is 493, `on` is true, `1_000` and `1,000` are 1000,
 * `1:30` is an hour and a half in seconds; `019`, `12e3` and `0o17` are texts. Numbers that a number can't hold stay texts, and so do fractions: `1.0` is no 1.
 */
export const plainScalar = (source: string): null | boolean | number | string => {
  if (NULL.test(source)) return null;
  if (TRUE.test(source)) return true;
  if (FALSE.test(source)) return false;
  if (source.length > LONGEST_NUMBER || !/^[-+.\d]/.test(source)) return source;
  return numberIn(source) ?? source;
};

const numberIn = (source: string): number | string | undefined => {
  if (INTEGER.test(source)) return exactly(BigInt(withoutMarks(source).replace(/^\+/, '')));
  for (const [pattern, prefix] of [
    [BINARY, '0b'],
    [OCTAL, '0o'],
    [HEXADECIMAL, '0x'],
  ] as const) {
    const [, sign, digits] = pattern.exec(source) ?? [];
    const bare = withoutMarks(digits ?? '');
    if (bare !== '') return exactly((sign === '-' ? -1n : 1n) * BigInt(prefix + bare));
  }
  return fractionIn(source) ?? clockIn(source);
};

const withoutMarks = (digits: string): string => digits.replaceAll(/[,_]/g, '');

const exactly = (value: bigint): number | string =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value);

const fractionIn = (source: string): string | undefined => {
  const bare = withoutMarks(source);
  if (!FLOAT.test(source) || !/\d/.test(bare)) return undefined;
  const value = Number(bare);
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
};

const clockIn = (source: string): number | undefined => {
  const found = CLOCK.exec(source);
  if (found === null) return undefined;
  const [, sign, first = '', second = '0', third = '0'] = found;
  const seconds = Number(first.replaceAll('_', '')) * 3600 + Number(second) * 60 + Number(third);
  return sign === '-' ? -seconds : seconds;
};
