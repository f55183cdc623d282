import type { PackageFile } from '../../../../../domain/packages/package.js';
import { disposition } from '../repository/bytes.js';

/** It may be taken away, and so may the right to read it; and another file may come by its name. */
const CACHED = 'private, no-cache';

/** Saved, whatever it is: no browser makes a page of it. */
export const headersOfPackageFile = ({ fileName, size, sha256 }: PackageFile) => ({
  'Content-Type': 'application/octet-stream',
  'Content-Disposition': disposition('attachment', fileName),
  'Content-Length': String(size),
  'Cache-Control': CACHED,
  ETag: `"${sha256}"`,
  'X-Content-Type-Options': 'nosniff',
});

/** What a client is told that has it already. */
export const headersOfSame = (file: PackageFile) => {
  const { 'Cache-Control': cached, ETag } = headersOfPackageFile(file);
  return { 'Cache-Control': cached, ETag };
};
