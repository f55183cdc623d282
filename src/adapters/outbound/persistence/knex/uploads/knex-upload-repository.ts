import type {
  NewUpload,
  UploadRepository,
  UploadSizes,
} from '../../../../../application/uploads/ports/upload-ports.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import { insertInto } from '../insert-rows.js';
import type { Session } from '../session.js';
import { BYTES_OF_PART, sizesOfUploads } from './upload-rows.js';

const INSERT_PARTS = insertInto('upload_parts', ['upload_id', 'number', 'content']);
/** So much text is made of the bytes at once. */
const PARTS_AT_ONCE = 64;
const FILES_AT_ONCE = 500;

export class KnexUploadRepository implements UploadRepository {
  constructor(private readonly session: Session) {}

  async holdSizes(projectId: ProjectId): Promise<UploadSizes> {
    await this.session.hold(`uploads of ${projectId}`);
    return sizesOfUploads(this.session, { project_id: projectId });
  }

  sizesBy(projectId: ProjectId, authorId: UserId): Promise<UploadSizes> {
    return sizesOfUploads(this.session, { project_id: projectId, author_id: authorId });
  }

  async add({ content, ...upload }: NewUpload): Promise<number> {
    const { query, dialect } = this.session;
    const [row] = await query('uploads')
      .insert({
        project_id: upload.projectId,
        author_id: upload.authorId,
        secret: upload.secret,
        file_name: upload.fileName,
        size: content.length,
        created_at: dialect.writeInstant(upload.createdAt),
      })
      .returning('id');
    await this.#addParts(row!.id, Buffer.from(content.buffer, content.byteOffset, content.length));
    return row!.id;
  }

  async remove(id: number): Promise<void> {
    await this.session.query('uploads').where({ id }).delete();
  }

  async removeOfProject(projectId: ProjectId, mostBytes: number): Promise<number> {
    const { query } = this.session;
    const files = await query('uploads')
      .where({ project_id: projectId })
      .orderBy('id')
      .limit(FILES_AT_ONCE)
      .select('id', 'size');
    const removed: number[] = [];
    let bytes = 0;
    for (const { id, size } of files) {
      if (bytes >= mostBytes) break;
      removed.push(id);
      bytes += size;
    }
    if (removed.length > 0) await query('uploads').whereIn('id', removed).delete();
    return removed.length;
  }

  async #addParts(id: number, content: Buffer): Promise<void> {
    const count = Math.ceil(content.length / BYTES_OF_PART);
    for (let from = 0; from < count; from += PARTS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(PARTS_AT_ONCE, count - from) }, (_, index) => from + index);
      const textOf = (number: number): string =>
        content.toString('base64', number * BYTES_OF_PART, (number + 1) * BYTES_OF_PART);
      await INSERT_PARTS(
        this.session,
        numbers.map((number) => [id, number, textOf(number)]),
      );
    }
  }
}
