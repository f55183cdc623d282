import { exceededBound, type JsonBound, type JsonBounds } from '../../../../domain/shared/json-bounds.js';
import { HttpError } from '../http-error.js';

const EXCEEDED: Readonly<Record<JsonBound, (limit: number) => string>> = {
  depth: (limit) => `nests deeper than ${limit} levels`,
  keys: (limit) => `has more than ${limit} keys`,
  containers: (limit) => `has more than ${limit} arrays and objects`,
  separators: (limit) => `has more than ${limit} values`,
};

/** @param what the text is called in the refusal. */
export const refusalOfBound = (bound: JsonBound, bounds: JsonBounds, what: 'body' | 'payload'): HttpError =>
  new HttpError(400, `The ${what} ${EXCEEDED[bound](bounds[bound])}.`);

/** @throws HttpError 400 naming the bound that the body exceeds. */
export const checkJsonBounds = (text: string, bounds: JsonBounds): void => {
  const exceeded = exceededBound(text, bounds);
  if (exceeded !== undefined) throw refusalOfBound(exceeded, bounds, 'body');
};
