import type { LogicalType } from '../tables/table.js';

const WHOLE_NUMBER = /^-?\d{1,19}$/;
const INSTANT = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const INTEGER_LIMIT = 2 ** 31;

const integerFault = (value: string): string | undefined => {
  if (!WHOLE_NUMBER.test(value)) return 'holds no whole number';
  const number = Number(value);
  return number >= INTEGER_LIMIT || number < -INTEGER_LIMIT ? 'holds a number of more than 32 bits' : undefined;
};

const textFault = (value: string): string | undefined => {
  const place = value.indexOf('\0');
  return place < 0 ? undefined : `holds U+0000 at character ${place + 1}, which not every database can keep`;
};

/** What keeps a value from being stored on every database, as the rest of a sentence. */
export const faultOf = (type: LogicalType, value: string): string | undefined => {
  switch (type) {
    case 'integer':
      return integerFault(value);
    case 'id':
    case 'reference':
    case 'shared_id':
    case 'big_integer':
      return WHOLE_NUMBER.test(value) ? undefined : 'holds no whole number';
    case 'boolean':
      return value === '0' || value === '1' ? undefined : 'holds neither true nor false';
    case 'instant':
      return INSTANT.test(value)
        ? undefined
        : 'holds no instant of the years 1 to 9999 in milliseconds, as 2026-11-22T03:04:05.678Z';
    default:
      return textFault(value);
  }
};
