import { Type } from '@sinclair/typebox';
import type { PermittedCode } from '../../../../../application/repositories/browse/revisions.js';
import { archiveFormat, archiveName, ARCHIVE_SPELLINGS } from '../../../../../domain/repositories/archive-name.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { HttpError } from '../../http-error.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { route, type Route, type RouteResult } from '../../route.js';
import { oneOf, parameters, pathId, text } from '../../validation/parameters.js';
import { bytesOf, disposition } from './bytes.js';
import { inCode, MAX_NAME, plainPath, REF, revisionOf, type CodeRoutesParts } from './code-routes-parts.js';

const DECLARED = {
  summary: 'All files of a commit as an archive',
  description: 'The same commit gives the same bytes. Formats: tar.gz, tar.bz2, tar, zip, and their short spellings.',
  tag: 'Repositories',
  access: 'anyone',
  scopes: ['read_repository'],
  responses: { 200: bytesOf('application/octet-stream') },
} as const;

const MOST_EXCLUDED = 100;
const MAX_EXCLUDED = 16_384;

const FIELDS = {
  id: PROJECT_ID,
  sha: Type.Optional(text(MAX_NAME, REF)),
  path: Type.Optional(text(MAX_NAME, 'Only what is in this folder')),
  exclude_paths: Type.Optional(
    text(MAX_EXCLUDED, `Files and folders to leave out, with commas between them: ${MOST_EXCLUDED} at most`),
  ),
};

interface Wanted {
  readonly sha?: string | undefined;
  readonly path?: string | undefined;
  readonly exclude_paths?: string | undefined;
}

/** @throws HttpError for too many. */
const excludedPaths = (text = ''): readonly string[] => {
  const paths = text.split(',').map((path) => plainPath(path.trim()));
  const named = paths.filter((path) => path !== '');
  if (named.length > MOST_EXCLUDED) throw new HttpError(400, `exclude_paths has more than ${MOST_EXCLUDED} paths`);
  return named;
};

const send = async (
  parts: CodeRoutesParts,
  permitted: PermittedCode,
  spelling: string,
  wanted: Wanted,
): Promise<RouteResult> => {
  const format = archiveFormat(spelling);
  if (format === undefined) throw new NotFound();
  const excluded = excludedPaths(wanted.exclude_paths);
  const { store, commit, name } = await revisionOf(parts, permitted, wanted.sha, 'File');
  const path = plainPath(wanted.path ?? '');
  const entry = await parts.objects.entryAt(store, commit.tree, path);
  if (entry?.mode !== '40000') throw new NotFound('File');
  const prefix = archiveName(permitted.project.path, name, commit.id, path);
  return {
    bytes: () => parts.archives.archive(store, { commit: commit.id, format, prefix, path, excluded }),
    headers: {
      'Content-Type': format === 'zip' ? 'application/zip' : 'application/octet-stream',
      'Content-Disposition': disposition('attachment', `${prefix}.${format}`),
    },
  };
};

const getArchive = (parts: CodeRoutesParts): Route =>
  route({
    ...DECLARED,
    method: 'get',
    path: '/projects/:id/repository/archive',
    operationId: 'getArchive',
    parameters: parameters({
      ...FIELDS,
      format: oneOf([...ARCHIVE_SPELLINGS], { default: 'tar.gz', description: 'How it is packed' }),
    }),
    guard: inCode(parts),
    handle: ({ subject, parameters: { format, ...wanted } }) => send(parts, subject, format, wanted),
  });

const getArchiveOfFormat = (parts: CodeRoutesParts): Route =>
  route({
    ...DECLARED,
    method: 'get',
    path: '/projects/:id/repository/archive.:format',
    operationId: 'getArchiveOfFormat',
    parameters: parameters({ ...FIELDS, format: pathId('How it is packed: `tar.gz`, `zip` …') }),
    guard: inCode(parts),
    handle: ({ subject, parameters: { format, ...wanted } }) => send(parts, subject, format, wanted),
  });

export const createArchiveRoutes = (parts: CodeRoutesParts): readonly Route[] => [
  getArchive(parts),
  getArchiveOfFormat(parts),
];
