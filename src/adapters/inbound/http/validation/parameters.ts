import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';

/** The building blocks of route parameters. */

export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  options: { default?: Values[number]; description?: string } = {},
) => Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** A path segment that names a group, project or user: numeric id or path. */
export const pathId = (description: string) => Type.String({ description, maxLength: 2_000 });

export const identifier = (description?: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...(description === undefined ? {} : { description }) });

export const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) });

export const requiredText = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }) });

/** A calendar day in UTC, `YYYY-MM-DD`. */
export const day = (description?: string) =>
  Type.String({ format: 'date', ...(description === undefined ? {} : { description }) });

/** The same, where an empty text or null takes it away. */
export const clearableDay = () =>
  Type.Unsafe<string | null>({
    anyOf: [{ type: 'string', format: 'date' }, { const: '' }, { type: 'null' }],
    description: 'YYYY-MM-DD; empty takes it away',
  });

const PAGING = {
  page: Type.Integer({ default: 1, description: 'Page, counted from 1' }),
  per_page: Type.Integer({ default: 20, not: { const: 0 }, description: 'Items on a page, 100 at most' }),
};

export const pagedParameters = <Properties extends TProperties>(properties: Properties) =>
  Type.Object({ ...properties, ...PAGING });

export const parameters = <Properties extends TProperties>(properties: Properties): TObject<Properties> =>
  Type.Object(properties);
