import { createInstantWriter } from './write-instants.js';

const writeInstant = createInstantWriter();

/** What JSON writes in another way than an array of the database does: all but quotes and backslashes. */
const WRITTEN_OTHERWISE = /[^ -\ud7ff\ue000-\uffff]/;

/** The engine quotes a text many times faster than two replacements do. */
const quoted = (text: string): string =>
  WRITTEN_OTHERWISE.test(text) ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : JSON.stringify(text);

const elementOf = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (value === null || value === undefined) return 'NULL';
  return value instanceof Date ? `"${writeInstant(value)}"` : String(value as number | bigint | boolean);
};

/** Numbers, booleans, instants, texts and nothing, as an array of the database is written: the driver takes several times as long. */
export const writeArray = (values: readonly unknown[]): string => `{${values.map(elementOf).join(',')}}`;
