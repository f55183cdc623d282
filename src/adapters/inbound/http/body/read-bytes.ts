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
