import { parse } from 'qs';
import { HttpError } from '../http-error.js';
import { MAX_LIST_ITEMS } from '../validation/parameters.js';
import { numberObjects } from './number-objects.js';

const MAX_FIELDS = 1_000;
const MAX_DEPTH = 5;

/** Decoded, in the order that they were sent. */
export type DecodedFields = readonly (readonly [name: string, value: string])[];

const HAS_OBJECTS_OF_LISTS = /(?:\[|%5B)(?:\]|%5D)(?:\[|%5B)/i;

const numberInText = (text: string): string => {
  if (!HAS_OBJECTS_OF_LISTS.test(text)) return text;
  const numbered = numberObjects(MAX_DEPTH);
  // One beyond the bound is enough to be refused.
  const fields = text.split('&', MAX_FIELDS + 1).map((field) => {
    const end = field.indexOf('=');
    const name = end < 0 ? field : field.slice(0, end);
    return numbered(name.replace(/%5B/gi, '[').replace(/%5D/gi, ']')) + field.slice(name.length);
  });
  return fields.join('&');
};

/** By name; the values of one that was given several times as a list. */
const byName = (fields: DecodedFields): Record<string, string | string[]> => {
  const numbered = numberObjects(MAX_DEPTH);
  const values = new Map<string, string[]>();
  for (const [given, value] of fields) {
    const name = numbered(given);
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
};

/**
 * The fields of a query or a form, with lists as `name[]=`, objects as `name[key]=` and lists of objects as `name[][key]=`. An index is a place in a list only below the
 * bound of lists, so that no name makes a sparse array.
 *
 * @param given URL-encoded, without a leading question mark; or decoded already.
 * @throws HttpError 400 for more fields, longer lists or deeper names than the bounds.
 */
export const parseFields = (given: string | DecodedFields): Record<string, unknown> => {
  try {
    const fields = typeof given === 'string' ? numberInText(given) : byName(given);
    return parse(fields as string | Record<string, string>, {
      parameterLimit: MAX_FIELDS,
      arrayLimit: MAX_LIST_ITEMS,
      depth: MAX_DEPTH,
      strictDepth: true,
      throwOnLimitExceeded: true,
      allowPrototypes: true,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new HttpError(
      400,
      `The query or form is too large: at most ${MAX_FIELDS} fields, ${MAX_LIST_ITEMS} items in a list, ${MAX_DEPTH} levels of brackets in a name.`,
    );
  }
};
