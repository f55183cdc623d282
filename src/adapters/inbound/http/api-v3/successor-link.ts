import type { Field, OldRequest } from './changes/old-request.js';
import { isCredential } from '../pagination/page-headers.js';
import { API_PREFIX } from '../route.js';

/** What common servers and proxies take for an address; what is longer is cut to what still leads somewhere. */
const MAX_ADDRESS = 4_000;

/** Version 3 had these where a link must not repeat them: of a sign-in, of a trigger, of a runner, of a variable. */
const OLD_CREDENTIALS = new Set(['token', 'password', 'runners_token', 'registration_token', 'secret', 'value']);

/** By any word of the name, as in `user[password]`. */
const isSecret = ({ name, suffix }: Field): boolean =>
  (name + suffix)
    .toLowerCase()
    .split(/\W+/)
    .some((word) => isCredential(word) || OLD_CREDENTIALS.has(word));

/** A credential where none is looked for: after a semicolon, or a question mark that was encoded, as may be the `=`. */
const mentionsSecret = (text: string): boolean => /(?:private|access|bearer|job)_token[^=]{0,9}(?:=|%3d)/i.test(text);

/** Nothing but what RFC 3986 §3.3 allows in a segment; above all nothing that ends the address within a header. */
const safeSegment = (segment: string): string =>
  segment
    .replaceAll(/%(?![\dA-Fa-f]{2})/g, '%25')
    .replaceAll(/[^\w\-.~!$&'()*+,;=:@%]/gu, (character) => encodeURIComponent(character.toWellFormed()));

const queryOf = (fields: readonly Field[]): string =>
  new URLSearchParams(
    fields
      .filter((field) => field.place === 'query' && !isSecret(field) && !mentionsSecret(field.value))
      .map(({ name, suffix, value }): [string, string] => [name + suffix, value]),
  ).toString();

/** `<…>; rel="successor-version"` (RFC 5829 §3.3): always an address of this service below `/api/v4`, and never with a secret. */
export const successorLink = (baseUrl: string, { segments, fields }: OldRequest): string => {
  const path = segments.some(mentionsSecret) ? API_PREFIX : [API_PREFIX, ...segments.map(safeSegment)].join('/');
  const query = queryOf(fields);
  const addresses = [...(query === '' ? [] : [`${path}?${query}`]), path];
  const address = addresses.find(({ length }) => length <= MAX_ADDRESS) ?? API_PREFIX;
  return `<${baseUrl}${address}>; rel="successor-version"`;
};
