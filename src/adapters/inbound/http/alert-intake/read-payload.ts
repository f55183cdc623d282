import type { Payload } from '../../../../domain/alerts/generic-payload.js';
import { checkJsonBounds, type JsonBounds } from '../body/json-bounds.js';
import { HttpError } from '../http-error.js';

/** A payload's own: monitors send long lists of numbers. */
export const PAYLOAD_BOUNDS: JsonBounds = { depth: 100, keys: 10_000, containers: 100_000, separators: Infinity };

const refuse = (reason: string): HttpError => new HttpError(400, reason);

/** Only what is written so can be half a character, or a number beyond what a double holds: text that was decoded has no halves. */
const MAY_BE_UNFIT = /\\u[dD]|\d[eE]\+?\d|(?<!\d)\d{309}/;

/** @throws HttpError 400 for what not every database can keep. */
const checkValues = (value: unknown): void => {
  if (typeof value === 'string' && !value.isWellFormed()) throw refuse('The payload holds half a character.');
  if (typeof value === 'number' && !Number.isFinite(value))
    throw refuse('The payload holds a number that is too large.');
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[]) checkValues(element);
    return;
  }
  for (const name of Object.keys(value)) {
    checkValues(name);
    checkValues((value as Payload)[name]);
  }
};

/** The JSON object of a text. @throws HttpError 400 saying why it is none. */
export const parsePayload = (text: string): Payload => {
  checkJsonBounds(text, PAYLOAD_BOUNDS, 'payload');
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    throw refuse('The payload is not valid JSON.');
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw refuse('The payload must be a JSON object.');
  }
  if (MAY_BE_UNFIT.test(text)) checkValues(payload);
  return payload as Payload;
};

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** @throws HttpError 400 for bytes that are no UTF-8. */
export const decodePayload = (bytes: Buffer): string => {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw refuse('The payload is not UTF-8.');
  }
};
