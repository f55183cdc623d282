import type { Response } from 'express';
import { etagOf, isKnown } from './send-json.js';

/** JSON that is large and seldom changes, made into bytes once: writing a megabyte anew for each request would hold others. */
export class KeptJson {
  private readonly bytes: Buffer;
  private readonly etag: string;

  constructor(body: unknown) {
    const text = JSON.stringify(body);
    this.bytes = Buffer.from(text);
    this.etag = etagOf(text, this.bytes.length);
  }

  /** What it was made of, for who looks at answers. */
  read(): unknown {
    return JSON.parse(this.bytes.toString());
  }

  send(response: Response): void {
    response.setHeader('ETag', this.etag);
    if (isKnown(response)) return void response.status(304).end();
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', this.bytes.length);
    response.end(this.bytes);
  }
}
