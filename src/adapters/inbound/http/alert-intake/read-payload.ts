import type { Payload } from '../../../../domain/alerts/generic-payload.js';
import { HttpError } from '../http-error.js';

const MAX_DEPTH = 100;
const MAX_KEYS = 10_000;

const refuse = (reason: string): HttpError => new HttpError(400, reason);

/**
 * Looks at the text alone, once, before anything is built of it: how deep it nests and how many keys it has.
 * @throws HttpError 400.
 */
const measure = (text: string): void => {
  let [depth, keys, quoted] = [0, 0, false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (quoted) {
      if (character === '\\') index += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ':') keys += 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > MAX_DEPTH) throw refuse(`The payload nests deeper than ${MAX_DEPTH} levels.`);
    if (keys > MAX_KEYS) throw refuse(`The payload has more than ${MAX_KEYS} keys.`);
  }
};

/** @throws HttpError 400 for what not every database can keep. */
const checkValues = (value: unknown): void => {
  if (typeof value === 'string' && !value.isWellFormed()) throw refuse('The payload holds half a character.');
  if (typeof value === 'number' && !Number.isFinite(value))
    throw refuse('The payload holds a number that is too large.');
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    checkValues(name);
    checkValues(member);
  }
};

/** The JSON object of a text. @throws HttpError 400 saying why it is none. */
export const parsePayload = (text: string): Payload => {
  measure(text);
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    throw refuse('The payload is not valid JSON.');
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw refuse('The payload must be a JSON object.');
  }
  checkValues(payload);
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
