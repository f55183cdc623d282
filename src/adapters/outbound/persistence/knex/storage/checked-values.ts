import { isUtf8 } from 'node:buffer';
import type { StoredRow, StoredValue } from '../../../../../domain/storage/stored-row.js';
import { faultOf } from './check-value.js';
import type { TypedTable } from './stored-tables.js';

interface Found {
  readonly column: string;
  readonly says: string;
}

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
    const plain = text ?? '';
    const says = text === undefined ? NO_TEXT : faultOf(type, plain);
    if (says !== undefined) found.push({ column: name, says });
    return plain;
  });
  return { row, found };
};
