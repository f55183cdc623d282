import type { Artifacts } from '../../../../../application/pipelines/artifacts.js';
import type { CiArtifact } from '../../../../../domain/pipelines/artifact.js';
import type { RouteResult } from '../../route.js';
import { disposition } from '../repository/bytes.js';

const TYPES = { zip: 'application/zip', gzip: 'application/gzip', raw: 'application/octet-stream' } as const;

/** It may be taken away, and so may the right to read it. */
const HARMLESS = { 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' };

/** Saved, whatever it is. */
export const headersOfArtifact = ({
  format,
  fileName,
  size,
  sha256,
}: Pick<CiArtifact, 'format' | 'fileName' | 'size' | 'sha256'>): Record<string, string> => ({
  ...HARMLESS,
  'Content-Type': TYPES[format],
  'Content-Disposition': disposition('attachment', fileName),
  'Content-Length': String(size),
  ETag: `"${sha256}"`,
});

/** A file as a job left it, or a part of it. */
export const artifactAnswer = (artifacts: Pick<Artifacts, 'read'>, artifact: CiArtifact): RouteResult => ({
  headers: headersOfArtifact(artifact),
  ranged: true,
  bytes: (span) => artifacts.read(artifact, span),
});

/** Of a file out of an archive: no browser makes a page of it. */
export const headersOfZipped = (path: string): Record<string, string> => ({
  ...HARMLESS,
  'Content-Type': 'application/octet-stream',
  'Content-Disposition': disposition('attachment', path.split('/').at(-1) ?? 'file'),
});
