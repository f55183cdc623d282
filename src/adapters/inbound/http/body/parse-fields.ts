import { parse } from 'qs';
import { HttpError } from '../http-error.js';
import { MAX_LIST_ITEMS } from '../validation/parameters.js';

const MAX_FIELDS = 1_000;
const MAX_DEPTH = 5;

/** Fields by name, decoded; the values of one that was given several times as a list. */
export type DecodedFields = Readonly<Record<string, string | readonly string[]>>;

/**
 * The fields of a query or a form, with lists as `name[]=` and objects as `name[key]=`. An index is a place in a list only below the
 * bound of lists, so that no name makes a sparse array.
 *
 * @param given URL-encoded, without a leading question mark; or decoded already.
 * @throws HttpError 400 for more fields, longer lists or deeper names than the bounds.
 */
export const parseFields = (given: string | DecodedFields): Record<string, unknown> => {
  try {
    return parse(given as string | Record<string, string>, {
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
