import { Invalid } from '../shared/domain-error.js';

/** What a receiver asks for beside what every delivery carries, such as the key of a gateway before it. */
export interface CustomHeader {
  readonly name: string;
  /** A secret, as that of `Authorization` is. */
  readonly value: string;
}

/** One as it is to be: without a value it keeps the one that it has. */
export interface WantedHeader {
  readonly name: string;
  readonly value: string | null;
}

export const MOST_CUSTOM_HEADERS = 20;
const MAX_HEADER_NAME = 255;
export const MAX_HEADER_VALUE = 2_048;

/** RFC 9110 section 5.5: what the value of a header is made of. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export const isHeaderValue = (value: string): boolean => HEADER_VALUE.test(value);

const HEADER_NAME = /^[a-z](?:[._-]?[a-z0-9])*$/i;

/** What a delivery says of itself begins so, too. */
const OWN_PREFIX = 'x-gitlab-';
const RESERVED: ReadonlySet<string> = new Set([
  // Those of every delivery.
  'content-type',
  'idempotency-key',
  'user-agent',
  // What else tells how the body is to be read.
  'content-encoding',
  'content-length',
  'content-range',
  // Those of the connection, and of proxies on its way.
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const refuse = (reason: string): never => {
  throw new Invalid({ custom_headers: [reason] });
};

/** Some receivers take the one sign for the other (RFC 3875 §4.1.18), and then the last header of two wins. */
const withDashes = (key: string): string => key.replaceAll(/[._]/g, '-');

const isReserved = (key: string): boolean => key.startsWith(OWN_PREFIX) || RESERVED.has(key);

/** Whether both names are of one header. */
export const isSameHeader = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Gives those that keep their value the one that it was. @throws Invalid at `custom_headers` for one that was not there. */
export const withKeptValues = (
  wanted: readonly WantedHeader[],
  before: readonly CustomHeader[],
): readonly CustomHeader[] =>
  wanted.map(({ name, value }) => {
    const kept = value ?? before.find((header) => isSameHeader(header.name, name))?.value;
    return { name, value: kept ?? refuse('need a value each that was not there before') };
  });

/** Values are in no message. @throws Invalid at `custom_headers`. */
export const checkCustomHeaders = (headers: readonly CustomHeader[]): void => {
  if (headers.length > MOST_CUSTOM_HEADERS) refuse(`are more than ${MOST_CUSTOM_HEADERS}`);
  const keys = headers.map(({ name }) => name.toLowerCase());
  if (!keys.every((key) => key.length <= MAX_HEADER_NAME && HEADER_NAME.test(key)))
    refuse('need names of letters and digits, with single periods, dashes or underscores between them');
  if (keys.map(withDashes).some(isReserved)) refuse('must not be those of every delivery, or of the connection');
  if (new Set(keys).size < keys.length) refuse('must not have the same name twice');
  for (const { value } of headers)
    if (value.trim() === '' || value.length > MAX_HEADER_VALUE || !isHeaderValue(value))
      refuse(`need values that a header can carry, of at most ${MAX_HEADER_VALUE} characters`);
};
