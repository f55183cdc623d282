import type { UploadReader } from '../../application/uploads/ports/upload-ports.js';
import type { Uploads } from '../../application/uploads/uploads.js';
import { token } from './token.js';

/** Files that people attach to what they write. */
export interface UploadUseCases {
  readonly uploads: Uploads;
  readonly uploadReader: UploadReader;
}

export const UPLOAD_TOKENS = {
  uploads: token<UploadUseCases>('UploadUseCases'),
} as const;
