import type { User } from '../../../domain/identity/user.js';
import type { ByteSpan } from '../../../domain/shared/byte-span.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { Upload } from '../../../domain/uploads/upload.js';

export type NewUpload = Omit<Upload, 'id' | 'size'> & { readonly content: Uint8Array };

/** What files come to. */
export interface UploadSizes {
  readonly files: number;
  readonly bytes: number;
}

export interface UploadRepository {
  /** Of all files of a project. Whoever else asks waits until the transaction ends. */
  holdSizes(projectId: ProjectId): Promise<UploadSizes>;
  /** Of those that one person attached there. */
  sizesBy(projectId: ProjectId, authorId: UserId): Promise<UploadSizes>;
  /** @returns its id. */
  add(upload: NewUpload): Promise<number>;
  remove(id: number): Promise<void>;
  /** Removes some of a project's, not many more than so many bytes, and returns how many files that were. */
  removeOfProject(projectId: ProjectId, mostBytes: number): Promise<number>;
}

/** By what a file is found in its project: its number, or its address. */
export type UploadKey = Pick<Upload, 'id'> | Pick<Upload, 'secret' | 'fileName'>;

export interface UploadDetails extends Upload {
  readonly author: Pick<User, 'id' | 'username' | 'name'> | null;
}

export interface UploadReader {
  find(projectId: ProjectId, key: UploadKey): Promise<Upload | undefined>;
  /** The newest first. */
  list(projectId: ProjectId, page: PageRequest): Promise<Page<UploadDetails>>;
  /** Bytes of all files of a project. */
  sizeOf(projectId: ProjectId): Promise<number>;
  /** Its first bytes; none of an empty file. */
  beginning(id: number): Promise<Uint8Array>;
  /** All of its bytes, or those of the span, a few at a time. @throws Error where it is removed meanwhile. */
  content(upload: Pick<Upload, 'id' | 'size'>, span?: ByteSpan): AsyncIterable<Uint8Array>;
}
