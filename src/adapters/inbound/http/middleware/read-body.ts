import express, { type RequestHandler } from 'express';
import { HttpError } from '../http-error.js';

const KNOWN_TYPES = /^(?:application\/(?:[\w.+-]*\+)?json|application\/x-www-form-urlencoded)\b/i;

const hasBody: (headers: NodeJS.Dict<string | string[]>) => boolean = (headers) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const refuseUnknownType: RequestHandler = (request, _response, next) => {
  const type = request.headers['content-type'];
  if (!hasBody(request.headers) || (type !== undefined && KNOWN_TYPES.test(type))) return next();
  throw new HttpError(415, `The provided content-type '${type ?? ''}' is not supported.`);
};

/** Reads JSON and forms up to `limit` bytes; anything else with a body is refused with 415. Compressed bodies are not taken. */
export const readBody = (limit: number): readonly RequestHandler[] => [
  refuseUnknownType,
  express.json({ limit: limit - 1, inflate: false, type: ['application/json', 'application/*+json'] }),
  express.urlencoded({ limit: limit - 1, inflate: false, extended: true, parameterLimit: 1_000 }),
];
