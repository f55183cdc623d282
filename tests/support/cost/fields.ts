import type { Field } from './target.js';

/** As much of a schema as is looked at here. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly format?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

const KINDS: Readonly<Record<string, Field['kind']>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  array: 'list',
  boolean: 'flag',
};
/** Where nothing is said: longer than what anybody means. */
const LENGTH = 100_000;
const ITEMS = 100;
const ITEM_LENGTH = 255;

/** A value that a schema accepts, as large as it may be. */
const largest = (schema: Schema): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum.at(-1);
  if (schema.anyOf !== undefined) return largest(schema.anyOf[0] ?? {});
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return Math.min(schema.maximum ?? 100, 100);
  if (schema.type === 'array')
    return new Array(schema.maxItems ?? ITEMS).fill(largest({ maxLength: ITEM_LENGTH, ...schema.items }));
  if (schema.format === 'date') return '2026-12-31';
  if (schema.type === 'string') return 'é '.repeat(Math.min(schema.maxLength ?? LENGTH, LENGTH) / 2);
  return { a: 'a'.repeat(LENGTH) };
};

const kindOf = (schema: Schema): Field['kind'] => {
  const { type } = schema.anyOf?.find((each) => each.type === 'array') ?? schema.anyOf?.[0] ?? schema;
  return KINDS[type ?? ''] ?? 'anything';
};

export const fieldOf = (name: string, schema: Schema, required: boolean): Field => ({
  name,
  kind: schema.enum === undefined ? kindOf(schema) : 'flag',
  largest: largest(schema),
  required,
});

/** A field of a form, of which nothing is known but its name. */
export const textField = (name: string): Field => ({ name, kind: 'text', largest: 'a', required: false });

/** What goes along with hostile fields: required ones, at their shortest. */
export const companionsOf = (fields: readonly Field[]): Record<string, string> =>
  Object.fromEntries(
    fields
      .filter(({ required }) => required)
      .map(({ name, kind, largest: value }) => [
        name,
        kind === 'text' && !String(value).startsWith('20')
          ? name === 'email'
            ? 'a@example.com'
            : 'abc'
          : String(value),
      ]),
  );
