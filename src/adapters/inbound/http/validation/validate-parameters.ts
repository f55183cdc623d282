import type { TObject, TSchema } from '@sinclair/typebox';
import type { ErrorObject } from 'ajv';
import { ParametersInvalid, type ParameterProblem } from '../http-error.js';
import { coerceParameters } from './coerce-parameters.js';
import { isStorable } from './storable-text.js';
import { compileSchema } from './schema-compiler.js';

/** What is missing within another parameter, or none of the values to choose from, is named as a query names it: `range[end]`. */
const parameterOf = ({ keyword, instancePath, params }: ErrorObject): string => {
  const [, ...path] = instancePath.split('/');
  if (keyword === 'required') path.push((params as { missingProperty: string }).missingProperty);
  const [first = '', ...below] = path;
  if (keyword === 'required') return first + inBrackets(below);
  // Of a list it is the whole list that is wrong.
  return first + (keyword === 'enum' && !below.some((name) => /^\d+$/.test(name)) ? inBrackets(below) : '');
};

const inBrackets = (names: readonly string[]): string => names.map((name) => `[${name}]`).join('');

const problemOf = (error: ErrorObject, value: unknown): ParameterProblem => {
  const parameter = parameterOf(error);
  if (error.keyword === 'required') return { parameter, problem: 'is missing' };
  if (value === '') return { parameter, problem: 'is empty' };
  if (error.keyword === 'enum') {
    return {
      parameter,
      problem: 'does not have a valid value',
      allowed: (error.params as { allowedValues: unknown[] }).allowedValues,
    };
  }
  if (error.keyword === 'not') return { parameter, problem: 'has a value not allowed' };
  return { parameter, problem: 'is invalid' };
};

/** Whether a value is longer than its declaration lets it be, found without looking at what is in it. */
const isTooLong = (value: unknown, { maxItems, maxLength }: TSchema): boolean =>
  (Array.isArray(value) && value.length > Number(maxItems ?? 0)) ||
  // A character may be two units of UTF-16.
  (typeof value === 'string' && value.length > 2 * Number(maxLength ?? Infinity));

const takesNull = (schema: TSchema | undefined): boolean => {
  const members = schema?.['anyOf'] as readonly TSchema[] | undefined;
  return members?.some((member) => takesNull(member)) ?? (schema?.['type'] ?? 'null') === 'null';
};

/** Clients send null for each optional parameter that they were not given: where null is no value it counts as not sent. */
const withoutNulls = (
  { properties, required = [] }: TObject,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const isSent = (name: string): boolean =>
    given[name] !== null || required.includes(name) || takesNull(properties[name]);
  return Object.fromEntries(Object.entries(given).filter(([name]) => isSent(name)));
};

/**
 * The declared parameters of a request with their types; what is not declared is left out.
 * @throws ParametersInvalid naming every fault, one a parameter.
 */
export const validateParameters = (
  schema: TObject,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const coerced = Object.entries(coerceParameters(withoutNulls(schema, given), schema.properties));
  const problems = new Map<string, ParameterProblem>();
  // What walks over a value would take as long as it is.
  const parameters = Object.fromEntries(coerced.filter(([name, value]) => !isTooLong(value, schema.properties[name]!)));
  for (const [parameter, value] of coerced) {
    if (!Object.hasOwn(parameters, parameter) || !isStorable(value))
      problems.set(parameter, { parameter, problem: 'is invalid' });
  }
  const validate = compileSchema(schema);
  if (!validate(parameters)) {
    for (const error of validate.errors ?? []) {
      const problem = problemOf(error, parameters[parameterOf(error)]);
      const known = problems.get(problem.parameter);
      // Of a union (a value or null) the list says more than the type.
      if (known === undefined || (known.allowed === undefined && problem.allowed !== undefined)) {
        problems.set(problem.parameter, problem);
      }
    }
  }
  if (problems.size > 0) throw new ParametersInvalid([...problems.values()]);
  return parameters;
};
