import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http-error.js';
import { BodyTooLarge, declaresMoreThan } from './body-too-large.js';
import type { JsonBounds } from '../../../../domain/shared/json-bounds.js';
import { checkJsonBounds } from './json-bounds.js';
import { parseFields } from './parse-fields.js';
import { discardRest } from './answer-and-discard.js';
import { parseFieldsBeforeFiles, parseFiles, parseMultipart, type MultipartForm } from './parse-multipart.js';
import { readBeginning, readBytes } from './read-bytes.js';

/** How much body a request may have. */
export interface BodyBounds {
  /** Less than this many bytes, however they are encoded. */
  readonly bytes: number;
  /** The same of a form, which takes several times as long to read as JSON does; `bytes` unless told. */
  readonly formBytes?: number;
  /** Of a multipart form. */
  readonly parts: number;
  readonly json: JsonBounds;
}

/** What a route takes unless its declaration says otherwise. */
export const ORDINARY_BODY: BodyBounds = {
  bytes: 1_048_576,
  parts: 1_000,
  json: { depth: 100, keys: 1_000, containers: 10_000, separators: 10_000 },
};

/** Of a caller who is not known yet: enough for a form that carries its token. */
export const SMALL_BODY: BodyBounds = { ...ORDINARY_BODY, bytes: 65_536, parts: 100 };

type Parse = (bytes: Buffer, contentType: string, bounds: BodyBounds) => unknown;

const unreadable = (): HttpError => new HttpError(400, 'message body does not match declared format');
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

const decode = (bytes: Buffer): string => {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw unreadable();
  }
};

const parseJson: Parse = (bytes, _contentType, { json }) => {
  const text = decode(bytes);
  checkJsonBounds(text, json);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable();
  return value;
};

const JSON_BODY = { type: /^application\/(?:[\w.+-]*\+)?json\s*(?:;|$)/i, parse: parseJson };

const [PLUS, SPACE] = [0x2b, 0x20];

const parseForm: Parse = (bytes) => {
  // In a form each plus is a blank. As bytes: to replace half a million of them in text holds everybody up.
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index] === PLUS) bytes[index] = SPACE;
  return parseFields(decode(bytes));
};

const FORM_BODY = { type: /^application\/x-www-form-urlencoded\s*(?:;|$)/i, parse: parseForm };
const MULTIPART_BODY = { type: /^multipart\/form-data\s*(?:;|$)/i, parse: parseMultipart satisfies Parse };

interface BodyFormat {
  readonly type: RegExp;
  readonly parse: Parse;
}

export const API_FORMATS: readonly BodyFormat[] = [JSON_BODY, FORM_BODY, MULTIPART_BODY];
/** RFC 6749 appendix B knows no multipart forms. */
export const OAUTH_FORMATS: readonly BodyFormat[] = [JSON_BODY, FORM_BODY];
export const PAGE_FORMATS: readonly BodyFormat[] = [FORM_BODY];

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

const checkEncoding = ({ 'content-type': type = '', 'content-encoding': encoding }: IncomingMessage['headers']) => {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new HttpError(415, 'The provided content-encoding is not supported.');
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii')
    throw new HttpError(415, 'The provided charset is not supported.');
};

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** @throws as `readBody` does. */
const readFormat = async (request: IncomingMessage, formats: readonly BodyFormat[], bounds: BodyBounds) => {
  const type = request.headers['content-type'] ?? '';
  const format = formats.find((each) => each.type.test(type));
  if (format === undefined) throw new HttpError(415, `The provided content-type '${type}' is not supported.`);
  const limit = format === JSON_BODY ? bounds.bytes : (bounds.formBytes ?? bounds.bytes);
  if (declaresMoreThan(request, limit)) throw new BodyTooLarge();
  checkEncoding(request.headers);
  const bytes = await readBytes(request, limit);
  return format.parse(bytes, type, bounds);
};

/**
 * The fields of a request's body, or undefined without one. Compressed bodies are not taken.
 *
 * @throws BodyTooLarge; HttpError 415 for another type or encoding, 400 for what can't be read as it or exceeds its bounds.
 */
export const readBody = async (
  request: IncomingMessage,
  formats: readonly BodyFormat[],
  bounds: BodyBounds,
): Promise<Record<string, unknown> | undefined> =>
  hasBody(request) ? ((await readFormat(request, formats, bounds)) as Record<string, unknown>) : undefined;

const FILES: BodyFormat = { ...MULTIPART_BODY, parse: parseFiles };

/** Whether a form may come with files. */
export const isMultipart = ({ headers }: IncomingMessage): boolean =>
  MULTIPART_BODY.type.test(headers['content-type'] ?? '');

/** A form with files; one of another kind has none. @throws as `readBody` does. */
export const readFiles = async (request: IncomingMessage, bounds: BodyBounds): Promise<MultipartForm> => {
  if (!hasBody(request)) return { fields: {}, files: [] };
  if (isMultipart(request)) return (await readFormat(request, [FILES], bounds)) as MultipartForm;
  return { fields: (await readBody(request, PAGE_FORMATS, SMALL_BODY)) ?? {}, files: [] };
};

/**
 * What stands before the files of a multipart form that is not taken. The rest is thrown away.
 *
 * @throws BodyTooLarge where no file begins within the bound; otherwise as `readBody` does.
 */
export const readFieldsBeforeFiles = async (
  request: IncomingMessage,
  bounds: BodyBounds,
): Promise<Record<string, unknown>> => {
  if (!hasBody(request)) return {};
  checkEncoding(request.headers);
  const { bytes, isCut } = await readBeginning(request, bounds.bytes);
  discardRest(request);
  try {
    return await parseFieldsBeforeFiles(bytes, request.headers['content-type'] ?? '', bounds.parts);
  } catch (error) {
    throw isCut ? new BodyTooLarge() : error;
  }
};
