import { Ajv, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import type { TSchema } from '@sinclair/typebox';

const ajv = ajvFormats.default(
  new Ajv({
    allErrors: true,
    strict: true,
    useDefaults: true,
    coerceTypes: false,
    allowUnionTypes: true,
    // Nearly all schemas are written by TypeBox, and tests check those of bodies and answers: to compile what checks them takes each start 10 ms.
    meta: false,
    validateSchema: false,
    // What Ajv makes of its own code takes it longer than all else of a schema, and V8 does as much.
    code: { optimize: false },
  }),
  ['date', 'date-time', 'email', 'uri'],
);

const dateTime = ajvFormats.default.get('date-time') as { readonly validate: (text: string) => boolean };
/** Characters. The format splits a text at its blanks, and is asked of one that is too long, too. */
export const LONGEST_INSTANT = 64;
// RFC 3339 has leap seconds, and `Date` has none: what it can't read is no instant here.
ajv.addFormat(
  'date-time',
  (text: string) => text.length <= LONGEST_INSTANT && dateTime.validate(text) && !Number.isNaN(Date.parse(text)),
);

const compiled = new WeakMap<TSchema, ValidateFunction>();

/** Compiles a schema when it is first needed: all of them at the start would cost seconds. */
export const compileSchema = (schema: TSchema): ValidateFunction => {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validate = ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
};
