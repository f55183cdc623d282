import express, { type RequestHandler } from 'express';
import multer from 'multer';
import { BodyTooLarge, declaresMoreThan } from '../body-too-large.js';
import { HttpError } from '../http-error.js';

const JSON_AND_FORMS = /^application\/(?:json|x-www-form-urlencoded)(?:\s*;|\s*$)/i;
const KNOWN_TYPES = /^(?:application\/(?:[\w.+-]*\+)?json|application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
const MAX_FIELDS = 1_000;

const hasBody = (headers: NodeJS.Dict<string | string[]>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const refuseTypesBut =
  (known: RegExp): RequestHandler =>
  (request, _response, next) => {
    const type = request.headers['content-type'];
    if (type !== undefined && known.test(type)) return next();
    throw new HttpError(415, `The provided content-type '${type ?? ''}' is not supported.`);
  };

/** Fields alone: nothing here takes a file. */
const readMultipart = (limit: number): RequestHandler => {
  const read = multer({ limits: { fields: MAX_FIELDS, fieldSize: limit, files: 0, parts: MAX_FIELDS } }).none();
  return (request, response, next) => {
    void read(request, response, (error: unknown) => {
      if (error === undefined || error === null) return next();
      next(new HttpError(400, 'message body does not match declared format'));
    });
  };
};

const refuseTooLarge =
  (limit: number): RequestHandler =>
  (request, _response, next) =>
    next(declaresMoreThan(request, limit) ? new BodyTooLarge() : undefined);

const readJsonAndForms = (limit: number): readonly RequestHandler[] => [
  refuseTooLarge(limit),
  express.json({ limit: limit - 1, inflate: false, type: ['application/json', 'application/*+json'] }),
  express.urlencoded({ limit: limit - 1, inflate: false, extended: true, parameterLimit: MAX_FIELDS }),
];

/** One after the other, for the requests that have a body: most have none, and pay for no reader. */
const forBodies =
  (readers: readonly RequestHandler[]): RequestHandler =>
  (request, response, next) => {
    if (!hasBody(request.headers)) return next();
    const run = (index: number): void => {
      const reader = readers[index];
      if (reader === undefined) return next();
      void reader(request, response, (error?: unknown) => (error === undefined ? run(index + 1) : next(error)));
    };
    run(0);
  };

/** Reads JSON and forms of less than `limit` bytes; anything else with a body is refused with 415. Compressed bodies are not taken. */
export const readBody = (limit: number): RequestHandler =>
  forBodies([refuseTypesBut(KNOWN_TYPES), ...readJsonAndForms(limit), readMultipart(limit)]);

/** The same for `/oauth`, where multipart forms are not known (RFC 6749 appendix B). */
export const readOAuthBody = (limit: number): RequestHandler =>
  forBodies([refuseTypesBut(JSON_AND_FORMS), ...readJsonAndForms(limit)]);

/** The forms of pages. */
export const readForm = (limit: number): readonly RequestHandler[] => [
  express.urlencoded({ limit, inflate: false, extended: false, parameterLimit: 100 }),
];
