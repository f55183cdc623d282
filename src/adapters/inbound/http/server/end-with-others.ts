import type { ServerResponse } from 'node:http';

interface Ending {
  readonly response: ServerResponse;
  readonly body: string | Uint8Array;
  readonly encoding: BufferEncoding;
}

let endings: Ending[] = [];

const endAll = (): void => {
  const all = endings;
  endings = [];
  for (const { response, body, encoding } of all) response.end(body, encoding);
};

/**
 * Ends an answer beside all others of this turn of the event loop. Each write wakes whoever reads at the other end, and what they send next comes
 * alone; of writes that follow each other without work between them only the first one does, and what is sent next comes together (`docs/performance.md`).
 *
 * The answer has been given from here on: its head can't be changed any more.
 */
export const endWithOthers = (
  response: ServerResponse,
  body: string | Uint8Array,
  encoding: BufferEncoding = 'latin1',
): void => {
  if (!response.headersSent) response.writeHead(response.statusCode);
  if (endings.push({ response, body, encoding }) === 1) setImmediate(endAll);
};
