import type { IncomingMessage } from 'node:http';
import { BodyTooLarge } from './body-too-large.js';
import { HttpError } from '../http-error.js';

const brokenOff = (): HttpError => new HttpError(400, 'The request could not be read.');

/** The body of a request, of less than `limit` bytes. @throws BodyTooLarge; HttpError 400 for one that broke off. */
export const readBytes = (request: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Of one that has ended already nothing more is heard.
    if (request.destroyed) return reject(brokenOff());
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length < limit) return void chunks.push(chunk);
      request.off('data', take);
      reject(new BodyTooLarge());
    };
    request.on('data', take);
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)));
    request.once('close', () => {
      if (!request.complete) reject(brokenOff());
    });
  });

/** What a body begins with. */
export interface Beginning {
  readonly bytes: Buffer;
  /** Whether it has more, which is left unread. */
  readonly isCut: boolean;
}

/** Up to `limit` bytes of a body, and no more however much there is. @throws HttpError 400 for one that broke off within them. */
export const readBeginning = (request: IncomingMessage, limit: number): Promise<Beginning> =>
  new Promise((resolve, reject) => {
    if (request.destroyed) return reject(brokenOff());
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= limit) return;
      request.off('data', take);
      request.pause();
      resolve({ bytes: Buffer.concat(chunks).subarray(0, limit), isCut: true });
    };
    request.on('data', take);
    request.once('end', () => resolve({ bytes: Buffer.concat(chunks), isCut: false }));
    request.once('close', () => {
      if (!request.complete) reject(brokenOff());
    });
  });
