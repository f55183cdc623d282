import { Type } from '@sinclair/typebox';
import type { SnippetFile, SnippetQuery } from '../../../../../application/snippets/ports/snippet-ports.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { route, type Route, type RouteResult } from '../../route.js';
import { instant, parameters, pathId, type ParametersOf } from '../../validation/parameters.js';
import { bytesOf, disposition, PLAIN } from '../repository/bytes.js';
import { IN_PROJECT, PERSONAL, toRead, type Shelf, type SnippetRoutesParts } from './snippet-parts.js';
import { presentOrigin, presentSnippet, SnippetSchema, UserAgentSchema } from './snippet-schema.js';

type Parts = SnippetRoutesParts;

const TAG = 'Snippets';
const { list, get } = routesOf({ tag: TAG });

const FILTERS = {
  created_after: Type.Optional(instant('Only those made then or later')),
  created_before: Type.Optional(instant('Only those made then or earlier')),
};

const narrowedBy = ({ created_after: after, created_before: before }: ParametersOf<typeof FILTERS>) =>
  given({
    createdAfter: after === undefined ? undefined : new Date(after),
    createdBefore: before === undefined ? undefined : new Date(before),
  });

const listOf = (path: string, operationId: string, summary: string, of: Exclude<SnippetQuery['of'], number>) => {
  const make = ({ access, snippetReader, urls }: Parts) =>
    list(path, operationId, {
      summary,
      access: 'user',
      parameters: FILTERS,
      items: SnippetSchema,
      read: ({ actor, parameters: sent, page }) =>
        snippetReader.list({ viewer: access.viewer(actor), of, page, ...narrowedBy(sent) }),
      present: (snippet) => presentSnippet(snippet, urls),
    });
  return make;
};

const listProjectSnippets = ({ access, snippetReader, urls }: Parts) =>
  list(IN_PROJECT.all, 'listProjectSnippets', {
    summary: 'Snippets of a project, the newest first',
    access: 'anyone',
    parameters: { id: PROJECT_ID, ...FILTERS },
    items: SnippetSchema,
    guard: inProject(access, 'read_snippets'),
    read: ({ actor, subject: { project }, parameters: sent, page }) =>
      snippetReader.list({ viewer: access.viewer(actor), of: project.id, page, ...narrowedBy(sent) }),
    present: (snippet) => presentSnippet(snippet, urls),
  });

const getSnippet = (parts: Parts, shelf: Shelf) =>
  get(shelf.one, `get${shelf.noun}`, {
    summary: `Read ${shelf.words}`,
    access: 'anyone',
    parameters: shelf.inPath,
    answer: SnippetSchema,
    guard: toRead(parts, shelf),
    handle: ({ subject: { snippet } }) => presentSnippet(snippet, parts.urls),
  });

async function* inOnePiece(text: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(text);
}

const answerRaw = ({ path, content }: SnippetFile): RouteResult => {
  const text = Buffer.from(content);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    bytes: () => Promise.resolve(inOnePiece(text)),
    headers: { ...PLAIN, 'Content-Length': String(text.length), 'Content-Disposition': disposition('inline', name) },
  };
};

const getRawSnippet = (parts: Parts, shelf: Shelf) =>
  route({
    method: 'get',
    path: `${shelf.one}/raw`,
    operationId: `getRaw${shelf.noun}`,
    summary: `The text of the first file of ${shelf.words}`,
    tag: TAG,
    access: 'anyone',
    parameters: parameters(shelf.inPath),
    responses: { 200: bytesOf('text/plain') },
    guard: toRead(parts, shelf),
    handle: async ({ subject: { snippet } }) =>
      answerRaw(orNotFound(await parts.snippetReader.file(snippet.id), 'Snippet')),
  });

/** A snippet has no history: each of these means the files as they are. */
const REFS: ReadonlySet<string> = new Set(['main', 'master', 'HEAD']);

const getRawFile = (parts: Parts, shelf: Shelf) =>
  route({
    method: 'get',
    path: `${shelf.one}/files/:ref/:file_path/raw`,
    operationId: `getRaw${shelf.noun}File`,
    summary: `The text of one file of ${shelf.words}`,
    tag: TAG,
    access: 'anyone',
    parameters: parameters({
      ref: pathId('`main`: a snippet has no other version than this'),
      file_path: pathId('URL-encoded path of the file'),
      ...shelf.inPath,
    }),
    responses: { 200: bytesOf('text/plain') },
    guard: toRead(parts, shelf),
    handle: async ({ subject: { snippet }, parameters: { ref, file_path: path } }) => {
      if (!REFS.has(ref)) throw new NotFound('Reference');
      return answerRaw(orNotFound(await parts.snippetReader.file(snippet.id, path), 'File'));
    },
  });

const getOrigin = (parts: Parts, shelf: Shelf) =>
  get(`${shelf.one}/user_agent_detail`, `get${shelf.noun}UserAgent`, {
    summary: `What ${shelf.words} was made with, and from where`,
    access: 'admin',
    parameters: shelf.inPath,
    answer: UserAgentSchema,
    guard: toRead(parts, shelf),
    handle: async ({ subject: { snippet } }) =>
      presentOrigin(orNotFound(await parts.snippetReader.origin(snippet.id), 'Snippet')),
  });

const ofShelf = (parts: Parts, shelf: Shelf): readonly Route[] =>
  [getSnippet, getRawSnippet, getRawFile, getOrigin].map((make) => make(parts, shelf));

export const createSnippetReadingRoutes = (parts: Parts): readonly Route[] => [
  listOf('/snippets', 'listSnippets', 'Snippets of the caller, the newest first', 'own')(parts),
  listOf('/snippets/public', 'listPublicSnippets', 'Public snippets of people, the newest first', 'public')(parts),
  listOf('/snippets/all', 'listAllSnippets', 'All snippets that the caller sees, the newest first', 'all')(parts),
  ...ofShelf(parts, PERSONAL),
  listProjectSnippets(parts),
  ...ofShelf(parts, IN_PROJECT),
];
