import type { Payload } from '../../../../domain/alerts/generic-payload.js';
import { HttpError } from '../http-error.js';

const MAX_DEPTH = 100;
const MAX_KEYS = 10_000;
/** Arrays and objects, empty ones too: each takes the engine longer than any other value. */
const MAX_CONTAINERS = 100_000;

const refuse = (reason: string): HttpError => new HttpError(400, reason);

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [BRACE, END_OF_BRACE, BRACKET, END_OF_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Looks at the text alone, once, before anything is built of it: how deep it nests, and how many keys, arrays and objects it has.
 * @throws HttpError 400.
 */
const measure = (text: string): void => {
  let [depth, keys, containers, quoted] = [0, 0, 0, false];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (quoted) {
      if (unit === BACKSLASH) index += 1;
      else if (unit === QUOTE) quoted = false;
    } else if (unit === QUOTE) quoted = true;
    else if (unit === COLON) {
      keys += 1;
      if (keys > MAX_KEYS) throw refuse(`The payload has more than ${MAX_KEYS} keys.`);
    } else if (unit === BRACE || unit === BRACKET) {
      depth += 1;
      containers += 1;
      if (containers > MAX_CONTAINERS) throw refuse(`The payload has more than ${MAX_CONTAINERS} arrays and objects.`);
      if (depth > MAX_DEPTH) throw refuse(`The payload nests deeper than ${MAX_DEPTH} levels.`);
    } else if (unit === END_OF_BRACE || unit === END_OF_BRACKET) depth -= 1;
  }
};

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
