import { isUtf8 } from 'node:buffer';
import type { StoredRow, StoredValue } from '../../../../../domain/storage/stored-row.js';
import { faultOf } from './check-value.js';
import type { TypedTable } from './stored-tables.js';

interface Found {
  readonly column: string;
  readonly says: string;
}

/** To the microsecond, of which the last three digits say nothing. */
const MICROSECONDS_LENGTH = '2026-11-22T03:04:05.678000Z'.length;
const withoutMicroseconds = (text: string): string =>
  text.length === MICROSECONDS_LENGTH && text.endsWith('000Z') ? `${text.slice(0, -4)}Z` : text;

const NO_TEXT = 'holds bytes that are no text';

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return isUtf8(value) ? value.toString('utf8') : undefined;
  return String(value as number);
};

/** The values of a row as all databases have them, and those that not all can keep. */
export const checkedValues = (
  { typed }: TypedTable,
  values: readonly unknown[],
): { readonly row: StoredRow; readonly found: readonly Found[] } => {
  const found: Found[] = [];
  const row = typed.map(({ name, type }, place): StoredValue => {
    const value = values[place];
    if (value === null || value === undefined) return null;
    const text = textOf(value);
    const plain = type === 'instant' ? withoutMicroseconds(text ?? '') : (text ?? '');
    const says = text === undefined ? NO_TEXT : faultOf(type, plain);
    if (says !== undefined) found.push({ column: name, says });
    return plain;
  });
  return { row, found };
};
