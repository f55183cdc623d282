import type { Request } from 'express';
import { fieldOf, type Field, type OldRequest } from './changes/old-request.js';
import { requestTarget } from '../request-target.js';

/** Segments as sent, without the empty ones; `.` and `..`, however written, mean what they mean in every address. */
const segmentsOf = (path: string): readonly string[] => {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    const plain = segment.length > 6 ? segment : segment.replaceAll(/%2e/gi, '.');
    if (plain === '..') segments.pop();
    else if (plain !== '' && plain !== '.') segments.push(segment);
  }
  return segments;
};

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

const bodyFields = (body: unknown): readonly Field[] => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((each) => fieldOf(name, textOf(each), 'body')),
  );
};

/** What a request below `/api/v3` asked for; `request.url` is relative to that. */
export const readOldRequest = (request: Pick<Request, 'method' | 'url' | 'body'>): OldRequest => {
  const target = requestTarget(request.url);
  const mark = target.indexOf('?');
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  return {
    method: request.method,
    segments: segmentsOf(mark < 0 ? target : target.slice(0, mark)),
    fields: [
      ...[...query].map(([name, value]) => fieldOf(name, value, 'query')),
      ...bodyFields(request.body as unknown),
    ],
  };
};
