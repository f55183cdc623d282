import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { FetchBounds, FetchText } from '../../../application/pipelines/ports/fetch-text.js';
import type { MayReach } from '../../../domain/shared/outbound-url.js';
import { beforeTimeout } from './before-timeout.js';
import type { FindAddress, FoundAddress } from './find-address.js';
import { pinnedTo } from './pinned-lookup.js';

export interface FetchTextOptions {
  readonly findAddress: FindAddress;
  /** The addresses that are asked without encryption: anybody on the way may change what comes from there. */
  readonly mayAskPlainly: MayReach;
}

/** What is wrong, in words for whoever asked. */
class FetchProblem extends Error {}

const USER_AGENT = 'Gatehouse';
const UNREACHABLE = 'its host was not found.';
const REFUSED = 'its address leads to a private or reserved network.';
const NOT_PLAIN = 'its address has to begin with https://, unless the operator allows its network.';

/**
 * Fetches over connections of their own, to the very address that was checked. A redirect is not followed: it might lead where nobody looked.
 */
export const createFetchText =
  (options: FetchTextOptions): FetchText =>
  async (address, bounds) => {
    const timeout = AbortSignal.timeout(bounds.timeoutMs);
    try {
      return { text: await beforeTimeout(textAt(new URL(address), bounds, options, timeout), timeout) };
    } catch (error) {
      const reason = timeout.aborted ? `no answer came within ${bounds.timeoutMs / 1_000} s.` : reasonOf(error);
      return { problem: `could not be fetched: ${reason}` };
    }
  };

const reasonOf = (error: unknown): string => {
  if (error instanceof FetchProblem) return error.message;
  // Words of the system, such as ECONNREFUSED, and nothing else of it.
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === undefined ? 'the connection failed.' : `the connection failed (${code}).`;
};

const textAt = async (
  url: URL,
  { mostBytes }: FetchBounds,
  { findAddress, mayAskPlainly }: FetchTextOptions,
  signal: AbortSignal,
): Promise<string> => {
  const found = await findAddress(url.hostname).catch(() => {
    throw new FetchProblem(UNREACHABLE);
  });
  if (found === undefined) throw new FetchProblem(REFUSED);
  if (url.protocol !== 'https:' && !mayAskPlainly(found.address)) throw new FetchProblem(NOT_PLAIN);
  const answer = await exchange(url, found, signal);
  try {
    requireText(answer);
    return await wholeOf(answer, mostBytes);
  } finally {
    answer.destroy();
  }
};

const exchange = (url: URL, found: FoundAddress, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { 'User-Agent': USER_AGENT, Accept: '*/*', 'Accept-Encoding': 'identity' };
    const options: RequestOptions = { headers, lookup: pinnedTo(found), agent: false, signal };
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve);
    // Without anybody who listens Node tells nothing at all of a server that switches to another protocol.
    request.on('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new FetchProblem('the server did not answer as one of HTTP does.'));
    });
    request.on('error', reject);
    request.end();
  });

/** @throws FetchProblem. */
const requireText = ({ statusCode = 0, headers }: IncomingMessage): void => {
  if (statusCode >= 300 && statusCode < 400)
    throw new FetchProblem('the server redirects elsewhere, which is not followed.');
  if (statusCode !== 200) throw new FetchProblem(`the server answered with status ${statusCode}.`);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new FetchProblem('the server sent it compressed, which was not asked for.');
};

const wholeOf = async (answer: IncomingMessage, mostBytes: number): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new FetchProblem(`it is longer than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
