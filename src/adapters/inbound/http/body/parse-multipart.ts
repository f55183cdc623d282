import busboy from 'busboy';
import { HttpError } from '../http-error.js';
import { parseFields } from './parse-fields.js';
import { takeField, unreadable } from './take-field.js';

const MAX_FILES = 100;

/** A file of a form. */
export interface UploadedFile {
  /** The name of its field. */
  readonly field: string;
  /** As its sender calls it, without folders. */
  readonly name: string;
  readonly content: Buffer;
}

export interface MultipartForm {
  readonly fields: Record<string, unknown>;
  readonly files: readonly UploadedFile[];
}

interface Most {
  readonly files: number;
  readonly parts: number;
}

const parserOf = (bytes: Buffer, contentType: string, { files, parts }: Most): busboy.Busboy => {
  try {
    const form = busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      // Neither a field nor a file has more than the whole. Of parts, busboy counts their boundaries.
      limits: { fieldSize: bytes.length, fileSize: bytes.length, files, fields: parts, parts: parts + 1 },
    });
    // The stream of a file that breaks off fails as the form does, and a failure that nobody hears would end the process.
    form.on('file', (_field, stream) => void stream.on('error', () => undefined));
    return form;
  } catch {
    throw unreadable();
  }
};

/** A file that the sender has chosen; a field of a form where none was has no name. */
const takeFile =
  (into: UploadedFile[]) =>
  (field: string, stream: NodeJS.ReadableStream, { filename }: busboy.FileInfo) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The type says there is one always; browsers send none for a field that was left empty.
    const name = (filename as string | undefined) ?? '';
    stream.on('end', () => name !== '' && into.push({ field, name, content: Buffer.concat(chunks) }));
  };

const parse = (bytes: Buffer, contentType: string, most: Most): Promise<MultipartForm> =>
  new Promise((resolve, reject) => {
    const fields: [name: string, value: string][] = [];
    const files: UploadedFile[] = [];
    const form = parserOf(bytes, contentType, most);
    form.on('field', takeField(fields, reject));
    form.on('file', takeFile(files));
    form.on('filesLimit', () =>
      reject(
        most.files === 0
          ? new HttpError(400, 'The form has a file, and nothing here takes one.')
          : new HttpError(400, `The form has more than ${most.files} files.`),
      ),
    );
    for (const limit of ['fieldsLimit', 'partsLimit'] as const)
      form.on(limit, () => reject(new HttpError(400, `The form has more than ${most.parts} parts.`)));
    form.on('error', () => reject(unreadable()));
    form.on('close', () => {
      try {
        resolve({ fields: parseFields(fields), files });
      } catch (error) {
        reject(error as Error);
      }
    });
    form.end(bytes);
  });

/**
 * The fields of a multipart form, which people send with `curl --form`. Their names mean what they mean in any other form.
 *
 * @param bytes the whole body, whose size the reader has bounded.
 * @throws HttpError 400 for what is no such form, for a file, and for more parts than the bound.
 */
export const parseMultipart = async (
  bytes: Buffer,
  contentType: string,
  { parts }: Pick<Most, 'parts'>,
): Promise<Record<string, unknown>> => (await parse(bytes, contentType, { files: 0, parts })).fields;

/** The same with its files. @throws HttpError 400 for what is no such form, and for more parts or files than the bounds. */
export const parseFiles = (
  bytes: Buffer,
  contentType: string,
  { parts }: Pick<Most, 'parts'>,
): Promise<MultipartForm> => parse(bytes, contentType, { files: MAX_FILES, parts });

/**
 * The fields that stand before the first file of a form.
 *
 * @param bytes the form, or as much of it as was read.
 * @throws HttpError 400 for what is no such form, and where it is cut off before a file.
 */
export const parseFieldsBeforeFiles = (
  bytes: Buffer,
  contentType: string,
  parts: number,
): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const fields: [name: string, value: string][] = [];
    const form = parserOf(bytes, contentType, { files: 1, parts });
    const finish = (): void => {
      try {
        resolve(parseFields(fields));
      } catch (error) {
        reject(error as Error);
      }
    };
    form.on('field', takeField(fields, reject));
    // A field for files that was left empty has no name.
    form.on('file', (_field, stream, { filename }) => ((filename as string | undefined) ? finish() : stream.resume()));
    form.on('close', finish);
    form.on('error', () => reject(unreadable()));
    form.end(bytes);
  });
