import { HttpError } from '../http-error.js';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** @throws HttpError 400 for bytes that are not UTF-8. */
export const decodePayload = (bytes: Buffer): string => {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new HttpError(400, 'The payload is not UTF-8.');
  }
};
