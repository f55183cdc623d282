import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import busboy from 'busboy';
import { HttpError } from '../http-error.js';
import { BodyTooLarge, declaresMoreThan } from './body-too-large.js';
import { parseFields } from './parse-fields.js';
import { isMultipart } from './read-body.js';
import { takeField, unreadable } from './take-field.js';

const FIELD_BYTES = 4_096;
const PARTS = 30;
/** Of what is around a file in its form. */
const AROUND_BYTES = 65_536;

export interface ReceivedForm<Result> {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of the first file of the field that was asked for. */
  readonly file: { readonly name: string; readonly result: Result } | undefined;
}

const brokenOff = (): HttpError => new HttpError(400, 'The request could not be read.');

const formOf = ({ headers }: IncomingMessage): busboy.Busboy => {
  try {
    const limits = { fieldSize: FIELD_BYTES, fields: PARTS, files: PARTS, parts: PARTS + 1 };
    return busboy({ headers, defParamCharset: 'utf8', limits });
  } catch {
    throw unreadable();
  }
};

interface FileReading<Result> {
  /** Reads the file to its end, or throws: then the rest of the request isn't read. */
  readonly take: (bytes: Readable) => Promise<Result>;
  /** Watches how the whole request arrives, and throws where that is too slow. */
  readonly pace: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}

async function* bounded(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const chunk of bytes) {
    count += chunk.length;
    if (count > most) throw new BodyTooLarge();
    yield chunk;
  }
}

/**
 * Hands the file of a form on as it arrives, so that its size is never in memory; other files of the form are passed over.
 *
 * @throws BodyTooLarge for more than `mostBytes`, and HttpError 400, 415 for what is no such form or breaks off; what `take` throws.
 */
export const receiveFile = async <Result>(
  request: IncomingMessage,
  field: string,
  mostBytes: number,
  { take, pace }: FileReading<Result>,
): Promise<ReceivedForm<Result>> => {
  if (!isMultipart(request)) throw new HttpError(415, 'The file must be sent as multipart/form-data.');
  if (declaresMoreThan(request, mostBytes + AROUND_BYTES)) throw new BodyTooLarge();
  if (request.destroyed) throw brokenOff();
  const form = formOf(request);
  const arriving = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>;
  const source = Readable.from(bounded(pace(arriving), mostBytes + AROUND_BYTES), { objectMode: false });
  const fields: [name: string, value: string][] = [];
  let taking: Promise<{ readonly name: string; readonly result: Result }> | undefined;
  const read = new Promise<void>((resolve, reject) => {
    let current: Readable | undefined;
    const fail = (error: Error): void => {
      source.unpipe(form);
      source.destroy();
      current?.destroy(error);
      reject(error);
    };
    form.on('field', takeField(fields, fail));
    form.on('file', (name, stream, { filename }) => {
      stream.on('error', () => undefined);
      if (name !== field || taking !== undefined) return void stream.resume();
      current = stream;
      // The type says there is one always.
      const called = (filename as string | undefined) ?? '';
      taking = take(stream).then((result) => ({ name: called, result }));
      taking.catch(fail);
    });
    for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const)
      form.on(limit, () => fail(new HttpError(400, `The form has more than ${PARTS} parts.`)));
    form.on('error', () => fail(unreadable()));
    form.on('close', resolve);
    request.once('close', () => {
      if (!request.complete) fail(brokenOff());
    });
    source.on('error', fail);
    source.pipe(form);
  });
  try {
    await read;
    return { fields: parseFields(fields), file: await taking };
  } catch (error) {
    // Nothing of it is worked on any more when this throws.
    await taking?.catch(() => undefined);
    throw error;
  }
};
