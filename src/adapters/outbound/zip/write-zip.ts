import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file, and what it is called in a zip. */
export interface FileForZip {
  readonly path: string;
  /** Where it lies. */
  readonly from: string;
}

/** Writes a zip of files as they are now, one after the other. @throws what reading or writing throws. */
export const writeZip = async (files: readonly FileForZip[], target: string, signal: AbortSignal): Promise<void> => {
  const zip = new ZipFile();
  const output = zip.outputStream as NodeJS.ReadableStream & { readonly destroy: (error: Error) => void };
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { path, from } of files) zip.addFile(from, path);
  zip.end();
  await pipeline(output, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
};
