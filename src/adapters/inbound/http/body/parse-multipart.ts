import busboy from 'busboy';
import { HttpError } from '../http-error.js';
import { parseFields } from './parse-fields.js';

const MAX_PARTS = 1_000;

const unreadable = (): HttpError => new HttpError(400, 'message body does not match declared format');

/**
 * The fields of a multipart form, which people send with `curl --form`. Their names mean what they mean in any other form.
 *
 * @param bytes the whole body, whose size the reader has bounded.
 * @throws HttpError 400 for what is no such form, for a file, and for more parts than the bound.
 */
export const parseMultipart = (bytes: Buffer, contentType: string): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const fields = new Map<string, string[]>();
    let form: busboy.Busboy;
    try {
      form = busboy({
        headers: { 'content-type': contentType },
        limits: { fieldSize: bytes.length, files: 0, fields: MAX_PARTS, parts: MAX_PARTS },
      });
    } catch {
      return reject(unreadable());
    }
    form.on('field', (name, value) => {
      const known = fields.get(name);
      if (known === undefined) fields.set(name, [value]);
      else known.push(value);
    });
    form.on('filesLimit', () => reject(new HttpError(400, 'The form has a file, and nothing here takes one.')));
    for (const limit of ['fieldsLimit', 'partsLimit'] as const)
      form.on(limit, () => reject(new HttpError(400, `The form has more than ${MAX_PARTS} parts.`)));
    form.on('error', () => reject(unreadable()));
    form.on('close', () => {
      try {
        const decoded = [...fields].map(([name, values]) => [name, values.length === 1 ? values[0]! : values] as const);
        resolve(parseFields(Object.fromEntries(decoded)));
      } catch (error) {
        reject(error as Error);
      }
    });
    form.end(bytes);
  });
