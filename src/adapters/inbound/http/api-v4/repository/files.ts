import { Type } from '@sinclair/typebox';
import type { PermittedCode } from '../../../../../application/repositories/browse/revisions.js';
import type { BlameHunk, Commit } from '../../../../../application/repositories/ports/object-stores.js';
import { HttpError, ParametersInvalid } from '../../http-error.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { component } from '../../openapi/component.js';
import { route, type Route } from '../../route.js';
import { integer, objectOf, parameters, pathId, requiredText, text } from '../../validation/parameters.js';
import { bytesOf, disposition, PLAIN, readBlob, withContent } from './bytes.js';
import { DescribedFiles } from './described-files.js';
import { inCode, MAX_NAME, REF, revisionOf, type CodeRoutesParts } from './code-routes-parts.js';

const TAG = 'Repository files';
const ONE = '/projects/:id/repository/files/:file_path';
const IN_PATH = { id: PROJECT_ID, file_path: pathId('Path of the file, URL-encoded: `src%2Fmain.c`') };
/** Tokens of pipelines and tools that clone may read files, too. */
const SCOPES = ['read_repository'] as const;

const FileSchema = component(
  'schemas/RepositoryFile',
  Type.Object({
    file_name: Type.String(),
    file_path: Type.String(),
    size: Type.Integer(),
    encoding: Type.Literal('base64'),
    content_sha256: Type.String(),
    ref: Type.String(),
    blob_id: Type.String(),
    commit_id: Type.String({ description: 'What the ref leads to' }),
    last_commit_id: Type.String({ description: 'The last commit that changed the file' }),
    execute_filemode: Type.Boolean(),
    content: Type.String({ description: 'In base64, without line ends; of a symbolic link its target' }),
  }),
);

const instant = Type.String({ format: 'date-time' });

const BlameSchema = Type.Array(
  Type.Object({
    commit: Type.Object({
      id: Type.String(),
      parent_ids: Type.Array(Type.String()),
      message: Type.String(),
      authored_date: instant,
      author_name: Type.String(),
      author_email: Type.String(),
      committed_date: instant,
      committer_name: Type.String(),
      committer_email: Type.String(),
    }),
    lines: Type.Array(Type.String()),
  }),
);

/** @throws HttpError for a path that no file has, such as one that leads out of the repository. */
const checkPath = (path: string): void => {
  if (path.split('/').some((name) => ['', '.', '..'].includes(name)))
    throw new HttpError(400, 'file_path should be a valid file path');
};

type FileRoutesParts = CodeRoutesParts & { readonly described: DescribedFiles };

/** The commit comes before the file: who asks for neither is told of the commit. */
const describedIn = async (parts: FileRoutesParts, place: PermittedCode, path: string, ref: string | undefined) => {
  checkPath(path);
  return parts.described.of(await revisionOf(parts, place, ref, 'Commit'), path);
};

const getFile = (parts: FileRoutesParts): Route =>
  route({
    method: 'get',
    path: ONE,
    operationId: 'getFile',
    summary: 'A file, with its content in base64',
    description: 'HEAD answers the same but the content as headers that begin with `X-Gitlab-`.',
    tag: TAG,
    access: 'anyone',
    scopes: SCOPES,
    parameters: parameters({ ...IN_PATH, ref: requiredText(MAX_NAME, 'A branch, a tag, or the id of a commit') }),
    responses: { 200: FileSchema },
    guard: inCode(parts),
    handle: async ({ subject, parameters: { file_path: path, ref } }) => {
      const { store, info, fields, headers } = await describedIn(parts, subject, path, ref);
      const bytes = async () => withContent(fields, await readBlob(parts.objects, store, info));
      return { bytes, headers: { ...headers, 'Content-Type': 'application/json' } };
    },
  });

const getRawFile = (parts: FileRoutesParts): Route =>
  route({
    method: 'get',
    path: `${ONE}/raw`,
    operationId: 'getRawFile',
    summary: 'The bytes of a file',
    tag: TAG,
    access: 'anyone',
    scopes: SCOPES,
    parameters: parameters({ ...IN_PATH, ref: Type.Optional(text(MAX_NAME, REF)) }),
    responses: { 200: bytesOf('text/plain') },
    guard: inCode(parts),
    handle: async ({ subject, parameters: { file_path: path, ref } }) => {
      const { store, info, fields, headers } = await describedIn(parts, subject, path, ref);
      return {
        bytes: () => readBlob(parts.objects, store, info),
        headers: {
          ...headers,
          ...PLAIN,
          'Content-Length': String(info.size),
          'Content-Disposition': disposition('inline', fields.file_name),
        },
      };
    },
  });

const presentBlamed = (commit: Commit, { lines }: BlameHunk) => ({
  commit: {
    id: commit.id,
    parent_ids: commit.parents,
    message: commit.message,
    authored_date: commit.author.at,
    author_name: commit.author.name,
    author_email: commit.author.email,
    committed_date: commit.committer.at,
    committer_name: commit.committer.name,
    committer_email: commit.committer.email,
  },
  lines,
});

const HUNKS_AT_ONCE = 50;

/** A few at a time: many hunks may repeat one long message. */
async function* blameInBatches(parts: CodeRoutesParts, store: string, hunks: readonly BlameHunk[]) {
  for (let at = 0; at < hunks.length; at += HUNKS_AT_ONCE) {
    const some = hunks.slice(at, at + HUNKS_AT_ONCE);
    const ids = [...new Set(some.map(({ commit }) => commit))];
    const commits = new Map<string, Commit | undefined>();
    for (const id of ids) commits.set(id, await parts.objects.commit(store, id));
    yield some.flatMap((hunk) => {
      const commit = commits.get(hunk.commit);
      return commit === undefined ? [] : [presentBlamed(commit, hunk)];
    });
  }
}

const LINE = integer({ minimum: 1, maximum: 10_000_000 });

const getBlame = (parts: FileRoutesParts): Route =>
  route({
    method: 'get',
    path: `${ONE}/blame`,
    operationId: 'getBlame',
    summary: 'Which commit each line of a file is from',
    tag: TAG,
    access: 'anyone',
    scopes: SCOPES,
    parameters: parameters({
      ...IN_PATH,
      ref: requiredText(MAX_NAME, 'A branch, a tag, or the id of a commit'),
      range: Type.Optional(objectOf({ start: LINE, end: LINE }, 'Only these lines, counted from 1')),
    }),
    responses: { 200: BlameSchema },
    guard: inCode(parts),
    handle: async ({ subject, request, parameters: { file_path: path, ref, range } }) => {
      if (range !== undefined && range.start > range.end)
        throw new HttpError(400, 'range[start] must be less than or equal to range[end]');
      const { store, fields, headers } = await describedIn(parts, subject, path, ref);
      if (request.method === 'HEAD') return { body: [], headers };
      const lines = range && { from: range.start, to: range.end };
      const hunks = await parts.history.blame(store, fields.commit_id, path, lines);
      if (range !== undefined && hunks.length === 0)
        throw new ParametersInvalid([{ parameter: 'range', problem: 'is invalid' }]);
      return { batches: blameInBatches(parts, store, hunks), headers };
    },
  });

export const createFileRoutes = (parts: CodeRoutesParts): readonly Route[] => {
  const withDescribed = { ...parts, described: new DescribedFiles(parts) };
  return [getFile, getRawFile, getBlame].map((make) => make(withDescribed));
};
