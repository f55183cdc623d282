import type { TSchema } from '@sinclair/typebox';

// How people and clients write a boolean in a query or a form.
const TRUE = new Set(['true', 'True', '1', 't', 'on', 'yes']);
const FALSE = new Set(['false', 'False', '0', 'f', 'off', 'no']);

const toBoolean = (value: unknown): unknown => {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return value;
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : value;
};

const INTEGER = /^-?\d{1,15}$/;
const toInteger = (value: unknown): unknown =>
  typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;

// `iids[]=1&iids[]=2`, `iids=1,2` and `iids=1` mean the same. A longer list than is allowed is left alone: it is refused as it is.
const toArray = (value: unknown, items: TSchema, maxItems: number): unknown => {
  const list = typeof value === 'string' ? value.split(',', maxItems + 1) : typeof value === 'number' ? [value] : value;
  return Array.isArray(list) && list.length <= maxItems ? list.map((item: unknown) => coerce(item, items)) : value;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

const coerce = (value: unknown, schema: TSchema): unknown => {
  const members = schema['anyOf'] as readonly TSchema[] | undefined;
  if (members !== undefined) {
    const kept = members.find(
      (member) => member['type'] !== undefined && member['type'] !== 'null' && member['const'] === undefined,
    );
    return kept === undefined || value === null ? value : coerce(value, kept);
  }
  switch (schema['type'] as string | undefined) {
    case 'boolean':
      return toBoolean(value);
    case 'integer':
      return toInteger(value);
    case 'array':
      return toArray(value, schema['items'] as TSchema, schema['maxItems'] as number);
    case 'string':
      return toText(value);
    case 'object':
      return isObject(value) ? coerceParameters(value, schema['properties'] as Record<string, TSchema>) : value;
    default:
      return value;
  }
};

/** Reads what a query, a form or JSON holds as the types that the schema wants; what can't be read stays as it was. */
export const coerceParameters = (
  given: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, TSchema>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => Object.hasOwn(given, name) && given[name] !== undefined)
      .map(([name, schema]) => [name, coerce(given[name], schema)]),
  );
