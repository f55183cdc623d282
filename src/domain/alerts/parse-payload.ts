import { exceededBound, type JsonBound, type JsonBounds } from '../shared/json-bounds.js';
import type { Payload } from './generic-payload.js';

/** A payload's own: monitors send long lists of numbers. */
export const PAYLOAD_BOUNDS: JsonBounds = { depth: 100, keys: 10_000, containers: 100_000, separators: Infinity };

/** Why a text is not a payload. */
export type PayloadProblem =
  | { readonly kind: 'bound_exceeded'; readonly bound: JsonBound }
  /** What not every database can keep is a problem, too. */
  | { readonly kind: 'not_json' | 'not_an_object' | 'unpaired_surrogate' | 'number_too_large' };

export type ParsedPayload = { readonly outcome: 'parsed'; readonly payload: Payload } | ReturnType<typeof refuse>;

const refuse = (problem: PayloadProblem) => ({ outcome: 'not_a_payload', problem }) as const;

/** Only what is written so can be an unpaired surrogate, or a number beyond what a double holds: text that was decoded has no surrogates. */
const MAY_BE_UNFIT = /\\u[dD]|\d[eE]\+?\d|(?<!\d)\d{309}/;

const problemOf = (value: unknown): PayloadProblem | undefined => {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : { kind: 'unpaired_surrogate' };
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { kind: 'number_too_large' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return firstProblem(value);
  return firstProblem(Object.keys(value)) ?? firstProblem(Object.values(value));
};

const firstProblem = (values: readonly unknown[]): PayloadProblem | undefined => {
  for (const value of values) {
    const problem = problemOf(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** The JSON object that a text holds. */
export const parsePayload = (text: string): ParsedPayload => {
  const bound = exceededBound(text, PAYLOAD_BOUNDS);
  if (bound !== undefined) return refuse({ kind: 'bound_exceeded', bound });
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return refuse({ kind: 'not_json' });
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return refuse({ kind: 'not_an_object' });
  const problem = MAY_BE_UNFIT.test(text) ? problemOf(payload) : undefined;
  return problem === undefined ? { outcome: 'parsed', payload: payload as Payload } : refuse(problem);
};
