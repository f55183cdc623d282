import type { IncomingMessage } from 'node:http';
import { ParametersInvalid } from '../http-error.js';
import type { UploadedFile } from './parse-multipart.js';

const FILES = new WeakMap<IncomingMessage, readonly UploadedFile[]>();

/** Keeps the files of a form as long as its request is worked on. */
export const keepFiles = (request: IncomingMessage, files: readonly UploadedFile[]): void =>
  void FILES.set(request, files);

/** The files of a field. */
export const sentFiles = (request: IncomingMessage, field: string): readonly UploadedFile[] =>
  FILES.get(request)?.filter((each) => each.field === field) ?? [];

/** The file of a field. @throws ParametersInvalid where there is none. */
export const sentFile = (request: IncomingMessage, field: string): UploadedFile => {
  const [file] = sentFiles(request, field);
  if (file === undefined) throw new ParametersInvalid([{ parameter: field, problem: 'is missing' }]);
  return file;
};
