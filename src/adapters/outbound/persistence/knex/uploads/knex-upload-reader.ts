import type { UploadDetails, UploadKey, UploadReader } from '../../../../../application/uploads/ports/upload-ports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { ByteSpan } from '../../../../../domain/shared/byte-span.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import type { Upload } from '../../../../../domain/uploads/upload.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { BYTES_OF_PART, sizesOfUploads, toUpload } from './upload-rows.js';

/** So many are in memory while a client takes them. */
const PARTS_AT_ONCE = 8;

type ListedRow = RowOf<'uploads'> & { readonly username: string | null; readonly name: string };

const authorOf = ({ author_id: id, username, name }: ListedRow): UploadDetails['author'] =>
  id === null || username === null ? null : { id, username, name };

export class KnexUploadReader implements UploadReader {
  constructor(private readonly session: Session) {}

  async find(projectId: ProjectId, key: UploadKey): Promise<Upload | undefined> {
    const { query, dialect } = this.session;
    const where = 'id' in key ? { id: key.id } : { secret: key.secret, file_name: key.fileName };
    const row = await query('uploads')
      .where({ project_id: projectId, ...where })
      .first();
    return row && toUpload(row, dialect);
  }

  async list(projectId: ProjectId, page: PageRequest): Promise<Page<UploadDetails>> {
    const { query, dialect } = this.session;
    const list = query('uploads')
      .where({ project_id: projectId })
      .leftJoin('users', 'users.id', 'uploads.author_id')
      .orderBy('uploads.id', 'desc')
      .select('uploads.*', 'users.username', 'users.name');
    return pageOfRows(this.session, list, page, (row: ListedRow) => ({
      ...toUpload(row, dialect),
      author: authorOf(row),
    }));
  }

  async sizeOf(projectId: ProjectId): Promise<number> {
    return (await sizesOfUploads(this.session, { project_id: projectId })).bytes;
  }

  async beginning(id: number): Promise<Uint8Array> {
    const [first] = await this.#parts(id, 0, 1);
    return first ?? new Uint8Array();
  }

  async *content(
    { id, size }: Pick<Upload, 'id' | 'size'>,
    { first, last }: ByteSpan = { first: 0, last: size - 1 },
  ): AsyncGenerator<Uint8Array> {
    const count = Math.floor(last / BYTES_OF_PART) + 1;
    for (let from = Math.floor(first / BYTES_OF_PART); from < count; from += PARTS_AT_ONCE) {
      const to = Math.min(count, from + PARTS_AT_ONCE);
      const parts = await this.#parts(id, from, to);
      if (parts.length < to - from) throw new Error('The file was removed while it was read.');
      for (const [index, part] of parts.entries()) {
        const begins = (from + index) * BYTES_OF_PART;
        yield part.subarray(Math.max(0, first - begins), last - begins + 1);
      }
    }
  }

  async #parts(id: number, from: number, to: number): Promise<readonly Uint8Array[]> {
    const rows = await this.session
      .query('upload_parts')
      .where({ upload_id: id })
      .where('number', '>=', from)
      .where('number', '<', to)
      .orderBy('number')
      .select('content');
    return rows.map(({ content }) => Buffer.from(content, 'base64'));
  }
}
