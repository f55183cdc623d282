import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http-error.js';

const brokenOff = (): HttpError => new HttpError(400, 'The request could not be read.');

/** Whether a body was sent at all: an empty file is one, too. */
export const isSent = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** A whole body that is a file, handed on as it arrives, so that its size is never in memory. @throws HttpError 400 where it breaks off. */
export async function* bodyOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  if (request.destroyed) throw brokenOff();
  const arriving = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>;
  try {
    yield* arriving;
  } catch (error) {
    throw request.complete ? error : brokenOff();
  }
  if (!request.complete) throw brokenOff();
}
