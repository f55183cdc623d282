import { setImmediate as others } from 'node:timers/promises';
import type { Response } from 'express';
import { jsonInPieces } from './json-in-pieces.js';
import { sendJsonText } from './send-json.js';

/** As much text as is made and sent in one turn of the event loop, and a piece of an item. */
const PIECE_LENGTH = 131_072;
/** A client that takes nothing for so long is cut off. */
const STALLED_MS = 30_000;

/** The JSON of a list in pieces; the last one is what it returns. */
async function* piecesOf(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<string, string, undefined> {
  let text = '[';
  let separator = '';
  for await (const batch of batches) {
    for (const item of batch) {
      text += separator;
      separator = ',';
      for (const piece of jsonInPieces(item)) {
        text += piece;
        if (text.length < PIECE_LENGTH) continue;
        yield text;
        text = '';
      }
    }
  }
  return `${text}]`;
}

/** Resolves when the client can take more, or is gone. */
const drained = (response: Response): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });

/** A list whose first piece has been read: what goes wrong until then is answered as any error. */
export class BegunList {
  private constructor(
    private readonly first: IteratorResult<string, string>,
    private readonly rest: AsyncGenerator<string, string, undefined>,
  ) {}

  static async begin(batches: AsyncIterable<readonly unknown[]>): Promise<BegunList> {
    const pieces = piecesOf(batches);
    return new BegunList(await pieces.next(), pieces);
  }

  /**
   * Sends a short list whole, and a long one in pieces: the next one is read when the client has taken the one before, and none once
   * it is gone. Others are let in between.
   * @throws whatever reading throws; the answer has begun by then, so only its connection can end.
   */
  async send(response: Response): Promise<void> {
    if (this.first.done === true) return sendJsonText(response, this.first.value);
    response.setHeader('Content-Type', 'application/json');
    try {
      if (response.req.method === 'HEAD') return void response.end();
      response.setTimeout(STALLED_MS, () => response.destroy());
      await this.#sendPieces(response);
    } finally {
      await this.rest.return('');
    }
  }

  async #sendPieces(response: Response): Promise<void> {
    let piece: IteratorResult<string, string> = this.first;
    while (piece.done !== true) {
      // Of one that has closed already nothing more is heard.
      if (!response.write(piece.value) && !response.destroyed) await drained(response);
      await others();
      if (response.destroyed) return;
      piece = await this.rest.next();
    }
    response.end(piece.value);
  }
}
