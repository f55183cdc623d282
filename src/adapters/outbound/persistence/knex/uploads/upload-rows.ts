import type { UploadSizes } from '../../../../../application/uploads/ports/upload-ports.js';
import type { Upload } from '../../../../../domain/uploads/upload.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

/** Of the file; base64 makes 64 KiB of it. */
export const BYTES_OF_PART = 48 * 1_024;

export const toUpload = (row: RowOf<'uploads'>, dialect: Dialect): Upload => ({
  id: row.id,
  projectId: row.project_id,
  authorId: row.author_id,
  secret: row.secret,
  fileName: row.file_name,
  size: row.size,
  createdAt: dialect.readInstant(row.created_at),
});

export const sizesOfUploads = async (
  { query }: Session,
  of: Partial<Pick<RowOf<'uploads'>, 'project_id' | 'author_id'>>,
): Promise<UploadSizes> => {
  const [row] = await query('uploads').where(of).count({ files: '*' }).sum({ bytes: 'size' });
  return { files: Number(row?.['files'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) };
};
