import type { Response } from 'express';
import { etagOf, isKnown } from './send-json.js';
import { endWithOthers } from './server/end-with-others.js';
import { endWithText } from './server/end-with-text.js';

/** Beyond so many characters it is bytes, which are sent as they are; as text it leaves in one piece with its head. */
const SHORT = 65_536;

/** JSON that seldom changes, made once: to write a megabyte, or a page of a folder, anew takes most of the time of its request. */
export class KeptJson {
  /** Of what is sent. */
  readonly length: number;
  private readonly sent: string | Buffer;
  private readonly etag: string;

  constructor(body: unknown) {
    const text = JSON.stringify(body);
    this.length = Buffer.byteLength(text);
    this.sent = text.length > SHORT ? Buffer.from(text) : text;
    this.etag = etagOf(text, this.length);
  }

  /** What it was made of, for who looks at answers. */
  read(): unknown {
    return JSON.parse(this.sent.toString());
  }

  send(response: Response): void {
    response.setHeader('ETag', this.etag);
    if (isKnown(response)) return endWithOthers(response.status(304), '');
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', this.length);
    if (typeof this.sent === 'string') endWithText(response, this.sent, this.length);
    else endWithOthers(response, this.sent);
  }
}
