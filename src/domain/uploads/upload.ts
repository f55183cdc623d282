import type { ProjectId, UserId } from '../shared/identifiers.js';

const MEBIBYTE = 1_048_576;
export const MAX_FILE_BYTES = 10 * MEBIBYTE;
/** What a project has together. */
export const MAX_PROJECT_BYTES = 1_024 * MEBIBYTE;
export const MAX_PROJECT_FILES = 50_000;
/** What one who is no member has in a project: anybody may sign in, and its members must have room left. */
export const MAX_VISITOR_BYTES = 100 * MEBIBYTE;
export const MAX_VISITOR_FILES = 1_000;

/** A file that somebody has attached to what they write in a project. It never changes. */
export interface Upload {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly authorId: UserId | null;
  /** 32 hexadecimal digits, which nobody can guess. */
  readonly secret: string;
  readonly fileName: string;
  /** In bytes. */
  readonly size: number;
  readonly createdAt: Date;
}

type Named = Pick<Upload, 'secret' | 'fileName'>;

/** Brackets have a meaning in Markdown, and quotes in HTML. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/** Its address as texts of its project have it. */
export const uploadAddress = ({ secret, fileName }: Named): string => `/uploads/${secret}/${encoded(fileName)}`;

/** What would make brackets, a tag, an address or another character of a name. */
const MARKDOWN = /[[\]\\<&]/g;

/** What leads to it in a text of its project: a picture is shown. */
export const markdownOf = (upload: Named, isPicture: boolean): string =>
  `${isPicture ? '!' : ''}[${upload.fileName.replace(MARKDOWN, '\\$&')}](${uploadAddress(upload)})`;
