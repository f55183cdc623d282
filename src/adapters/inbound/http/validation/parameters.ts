import {
  Type,
  type Static,
  type TBoolean,
  type TInteger,
  type TLiteral,
  type TNull,
  type TObject,
  type TSchema,
  type TUnion,
  type TUnsafe,
} from '@sinclair/typebox';
import { given } from '../kit/given.js';
import { LONGEST_INSTANT } from './schema-compiler.js';

/**
 * The building blocks of route parameters. Each has a bound, and only what is made here, a boolean or a constant may stand in a
 * declaration: a parameter whose text, list, number or depth has no limit does not compile.
 */

/** The most items of a list in a query, a form or JSON, unless its declaration allows fewer. */
export const MAX_LIST_ITEMS = 100;

declare const BOUNDED: unique symbol;
interface Bounded {
  readonly [BOUNDED]: true;
}

/** A schema whose values have a largest one. */
export type BoundedSchema = TSchema & (Bounded | TBoolean | TLiteral | TNull);
export type BoundedProperties = Readonly<Record<string, BoundedSchema>>;
/** The declared parameters of a route. */
export type BoundedObject<Properties extends BoundedProperties = BoundedProperties> = TObject<{
  -readonly [Name in keyof Properties]: Properties[Name];
}> &
  Bounded;

/** The values of parameters that are declared apart, to be shared by routes. */
export type ParametersOf<Properties extends BoundedProperties> = Static<BoundedObject<Properties>>;

const bounded = <Schema extends TSchema>(schema: Schema): Schema & Bounded => schema as Schema & Bounded;

interface Described {
  readonly description?: string;
}

const described = (description: string | undefined): Described => given({ description });

export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  options: { default?: Values[number]; description?: string } = {},
) => bounded(Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options }));

type NullableOf<Schema extends TSchema> = TUnion<[Schema, TNull]> & (Schema extends BoundedSchema ? Bounded : unknown);

export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]) as unknown as NullableOf<Schema>;

/** A path segment that names a group, project or user: numeric id or path. */
export const pathId = (description: string) => bounded(Type.String({ description, maxLength: 2_000 }));

export const integer = (options: Described & { minimum: number; maximum: number; default?: number }) =>
  bounded(Type.Integer(options));

/** A number that need not be whole. */
export const decimal = (options: Described & { minimum: number; maximum: number }) => bounded(Type.Number(options));

const identifying = <Id extends number>(schema: TInteger & Bounded) => schema as unknown as TUnsafe<Id> & Bounded;

/** Any integer that a double holds exactly. */
export const wholeNumber = (description?: string) =>
  integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...described(description) });

/** `identifier<UserId>()`: a parameter that is one of the identifiers of the domain. */
export const identifier = <Id extends number = number>(description?: string) =>
  identifying<Id>(integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...described(description) }));

/** An id, or 0 for none. */
export const identifierOrNone = <Id extends number = number>(description?: string) =>
  identifying<Id>(integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...described(description) }));

export const text = (maxLength: number, description?: string, options: { writeOnly?: true; default?: string } = {}) =>
  bounded(Type.String({ maxLength, ...described(description), ...options }));

export const requiredText = (maxLength: number, description?: string) =>
  bounded(Type.String({ minLength: 1, maxLength, ...described(description) }));

/** A list of distinct parameters, `name[]=`, or one with commas; no list is longer than `MAX_LIST_ITEMS`. */
export const listOf = <Item extends BoundedSchema>(
  items: Item,
  { maxItems = MAX_LIST_ITEMS, ...options }: ListOptions = {},
) => bounded(Type.Array(items, { maxItems: Math.min(maxItems, MAX_LIST_ITEMS), ...options }));
interface ListOptions extends Described {
  readonly maxItems?: number;
}

/** A parameter with parts, `name[part]=`. */
export const objectOf = <Properties extends BoundedProperties>(properties: Properties, description: string) =>
  bounded(Type.Object(properties, { description })) as unknown as BoundedObject<Properties>;

/** Any JSON, or text of it: as large as the body of its route may be, whose bounds hold for its depth and its keys. */
export const anyJson = (description: string) => bounded(Type.Unknown({ description }));

/** A list of any JSON, whose handler reads each: beside the bounds of the body it has one of its own. */
export const jsonList = (maxItems: number, description: string) =>
  bounded(Type.Array(Type.Unknown(), { maxItems, description }));

const LONGEST_DAY = 10;

/** A calendar day in UTC, `YYYY-MM-DD`. */
export const day = (description?: string) =>
  bounded(Type.String({ format: 'date', maxLength: LONGEST_DAY, ...described(description) }));

/** An instant with its offset, as in `2026-03-31T12:00:00Z`. */
export const instant = (description?: string) =>
  bounded(Type.String({ format: 'date-time', maxLength: LONGEST_INSTANT, ...described(description) }));

/** An instant with its offset; a day alone is its first instant in UTC, which is how `Date` reads it. */
export const instantOrDay = (description: string) =>
  bounded(
    Type.Unsafe<string>({
      anyOf: [
        { type: 'string', format: 'date-time', maxLength: LONGEST_INSTANT },
        { type: 'string', format: 'date', maxLength: LONGEST_DAY },
      ],
      description,
    }),
  );

/** What was sent of either kind. */
export const timeIn = (sent: string | undefined): Date | undefined => (sent === undefined ? undefined : new Date(sent));

/** A calendar day, where an empty text or null takes it away. */
export const clearableDay = () =>
  bounded(
    Type.Unsafe<string | null>({
      anyOf: [{ type: 'string', format: 'date', maxLength: LONGEST_DAY }, { const: '' }, { type: 'null' }],
      description: 'YYYY-MM-DD; empty takes it away',
    }),
  );

/** A text, where an empty one or null takes it away. */
export const clearableText = (maxLength: number, description: string) =>
  bounded(Type.Unsafe<string | null>({ anyOf: [{ type: 'string', maxLength }, { type: 'null' }], description }));

/** An id, where an empty text, null or 0 takes it away. */
export const clearableIdentifier = (description: string) =>
  bounded(
    Type.Unsafe<number | '' | null>({
      anyOf: [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, { const: '' }, { type: 'null' }],
      description,
    }),
  );

/** Somebody by their id: 0, or an empty text, is nobody. */
export const personOrNobody = <Id extends number>(description?: string) =>
  bounded(
    Type.Unsafe<Id | ''>({
      anyOf: [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, { const: '' }],
      ...described(description),
    }),
  );

/** People by their ids; clients send nobody alone to take everybody away. */
export const clearablePeople = <Id extends number>(description: string) =>
  listOf(personOrNobody<Id>(), { description: `${description}; 0, or empty, is nobody` });

/** Those that are somebody. */
export const peopleIn = <Id extends number>(ids: readonly (Id | '')[] | undefined): Id[] | undefined =>
  ids?.filter((id): id is Id => id !== '' && id > 0);

const PAGING = {
  page: integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: 'Page, counted from 1',
  }),
  per_page: bounded(
    Type.Integer({
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 20,
      not: { const: 0 },
      description: 'Items on a page, 100 at most',
    }),
  ),
};

export type PagingParameters = ParametersOf<typeof PAGING>;

export const parameters = <Properties extends BoundedProperties>(properties: Properties) =>
  Type.Object(properties) as unknown as BoundedObject<Properties>;

export const pagedParameters = <Properties extends BoundedProperties>(properties: Properties) =>
  parameters({ ...properties, ...PAGING });
