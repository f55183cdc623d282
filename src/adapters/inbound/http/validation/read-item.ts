import type { Static, TObject } from '@sinclair/typebox';
import { HttpError } from '../http-error.js';
import { coerceParameters } from './coerce-parameters.js';
import { compileSchema } from './schema-compiler.js';
import { isStorable } from './storable-text.js';

/** A place in a list of objects, as in `actions[2]`. */
export interface ItemPlace {
  readonly list: string;
  readonly index: number;
}

/** @throws HttpError 400. */
export const refuseItem = ({ list, index }: ItemPlace, name: string, problem: string): never => {
  throw new HttpError(400, `${list}[${index}][${name}] ${problem}`);
};

/**
 * An object of a list that a parameter of any JSON holds, as JSON or as a form (`actions[][action]=…`) sends it.
 * @throws HttpError 400 naming the first fault.
 */
export const readItem = <Schema extends TObject>(place: ItemPlace, sent: unknown, schema: Schema): Static<Schema> => {
  if (typeof sent !== 'object' || sent === null) throw new HttpError(400, `${place.list}[${place.index}] is invalid`);
  const fields = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
  const item = coerceParameters(fields, schema.properties);
  const broken = Object.keys(item).find((name) => !isStorable(item[name]));
  if (broken !== undefined) refuseItem(place, broken, 'is invalid');
  const validate = compileSchema(schema);
  const [problem] = validate(item) ? [] : (validate.errors ?? []);
  if (problem === undefined) return item as Static<Schema>;
  if (problem.keyword === 'required')
    return refuseItem(place, (problem.params as { missingProperty: string }).missingProperty, 'is missing');
  const name = problem.instancePath.slice(1);
  if (problem.keyword === 'enum') return refuseItem(place, name, 'does not have a valid value');
  return refuseItem(place, name, problem.keyword === 'minLength' ? 'is empty' : 'is invalid');
};
