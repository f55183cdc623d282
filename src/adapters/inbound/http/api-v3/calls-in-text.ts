import type { ApiChange } from './changes/api-change.js';
import { findSuccessor } from './changes/find-successor.js';
import { readOldRequest } from './read-old-request.js';

/** A call of the removed version that a line of a log or of code makes. */
export interface CallInText {
  /** As in `GET /api/v3/projects`: without its query, which may have a credential; without a method where the line tells none. */
  readonly call: string;
  /** Every change that concerns it; where the method is unknown, that concerns it by any method. */
  readonly changes: readonly ApiChange[];
}

const ADDRESS = /\/api\/v3(?![\w.-])([^\s"'`<>|\\,;)\]]*)/g;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** As logs have them, and as functions are called: `requests.post(`. */
const METHOD = /\b(GET|HEAD|POST|PUT|PATCH|DELETE)\b|\.(get|head|post|put|patch|delete)\(/g;
/** How far from the address its method is looked for. */
const NEARBY = 200;

/** What code writes where an id will be, as in `${id}`, `#{id}`, `{id}`, `:id`, `%d` and `$id`; it is taken for a number. */
const PLACEHOLDER = /[$#]?\{[^{}]*\}|\$\w+|(?<=\/):\w+|%[ds](?=$|[/?])/g;

const methodsIn = (text: string): readonly string[] =>
  [...text.matchAll(METHOD)].map(([, word, called]) => word ?? (called ?? '').toUpperCase());

/** The method that stands nearest: before the address, as in logs, else after it. */
const methodBeside = (line: string, start: number, end: number): string | undefined =>
  methodsIn(line.slice(Math.max(0, start - NEARBY), start)).at(-1) ?? methodsIn(line.slice(end, end + NEARBY))[0];

const changesOf = (methods: readonly string[], url: string): readonly ApiChange[] => {
  const found = methods.flatMap((method) => findSuccessor(readOldRequest({ method, url, body: undefined })).changes);
  return [...new Set(found)];
};

/** The calls of version 3 in a line, in the order in which they stand there. */
export const callsInText = (line: string): readonly CallInText[] =>
  [...line.matchAll(ADDRESS)].map((match) => {
    const [address, below = ''] = match;
    const method = methodBeside(line, match.index, match.index + address.length);
    const path = address.split('?', 1)[0]!;
    // A HEAD is a GET that answers no body.
    const methods = method === undefined ? METHODS : [method === 'HEAD' ? 'GET' : method];
    return {
      call: method === undefined ? path : `${method} ${path}`,
      changes: changesOf(methods, below.replaceAll(PLACEHOLDER, '1')),
    };
  });
