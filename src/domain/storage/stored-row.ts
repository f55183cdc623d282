/**
 * A value as text, alike on every database: numbers in decimal digits, booleans as `1` and `0`, instants as
 * `2026-11-22T03:04:05.678Z`, texts as they are.
 */
export type StoredValue = string | null;

/** The values of a row in the order of its table's columns. */
export type StoredRow = readonly StoredValue[];

const NULL = '\\N';
const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const ORIGINALS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

const encode = (value: StoredValue): string => {
  if (value === null) return NULL;
  return SPECIAL.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '') : value;
};

const decode = (field: string): StoredValue => {
  if (field === NULL) return null;
  return field.includes('\\') ? field.replaceAll(/\\(.)/g, (_, letter: string) => ORIGINALS[letter] ?? letter) : field;
};

/** A row as one line, which is the same for equal rows wherever they are stored. Values stand apart by tabs; null is `\N`. */
export const lineOf = (row: StoredRow): string => `${row.map(encode).join('\t')}\n`;

/** @param line without its end. */
export const rowOf = (line: string): StoredRow => line.split('\t').map(decode);
