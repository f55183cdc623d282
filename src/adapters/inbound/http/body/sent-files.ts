import type { IncomingMessage } from 'node:http';
import { ParametersInvalid } from '../http-error.js';
import type { UploadedFile } from './parse-multipart.js';

const FILES = new WeakMap<IncomingMessage, readonly UploadedFile[]>();

/** Keeps the files of a form as long as its request is worked on. */
export const keepFiles = (request: IncomingMessage, files: readonly UploadedFile[]): void =>
  void FILES.set(request, files);

/** The file of a field. @throws ParametersInvalid where there is none. */
export const sentFile = (request: IncomingMessage, field: string): UploadedFile => {
  const file = FILES.get(request)?.find((each) => each.field === field);
  if (file === undefined) throw new ParametersInvalid([{ parameter: field, problem: 'is missing' }]);
  return file;
};
