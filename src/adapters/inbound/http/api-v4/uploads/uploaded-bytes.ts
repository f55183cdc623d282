import type { Upload } from '../../../../../domain/uploads/upload.js';
import { pictureType } from '../../picture-type.js';
import { disposition } from '../repository/bytes.js';

/** It never changes, but may be taken away, and so may the right to read it; and somebody else may sign in with the same browser. */
const CACHED = 'private, no-cache';

/**
 * Pictures are shown, by their bytes and not by their name; everything else is saved, so that no browser takes it for a page.
 * @param beginning its first bytes.
 */
export const headersOfUpload = ({ fileName, size, secret }: Upload, beginning: Uint8Array): Record<string, string> => {
  const picture = pictureType(beginning);
  return {
    'Content-Type': picture ?? 'application/octet-stream',
    'Content-Disposition': disposition(picture === undefined ? 'attachment' : 'inline', fileName),
    'Content-Length': String(size),
    'Cache-Control': CACHED,
    ETag: etagOf({ secret }),
    'X-Content-Type-Options': 'nosniff',
  };
};

export const etagOf = ({ secret }: Pick<Upload, 'secret'>): string => `"${secret}"`;
