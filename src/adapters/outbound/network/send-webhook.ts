import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type {
  SendWebhook,
  WebhookRequest,
  WebhookResponse,
} from '../../../application/webhooks/ports/webhook-ports.js';
import type { MayReach } from '../../../domain/shared/outbound-url.js';
import { beforeTimeout } from './before-timeout.js';
import { createFindAddress, type FoundAddress, type Resolve } from './find-address.js';
import { pinnedTo } from './pinned-lookup.js';

export interface SendWebhookOptions {
  readonly mayReach: MayReach;
  readonly timeoutMs?: number;
  readonly resolve?: Resolve;
}

const TIMEOUT_MS = 10_000;
const MOST_ANSWER = 8_192;

const REFUSED = 'It leads to a private or reserved network.';

/**
 * Sends over connections of their own, to the very address that was checked: a name that leads elsewhere a moment later changes nothing.
 * A redirect is an answer like any other, and is not followed.
 */
export const createSendWebhook = ({ mayReach, timeoutMs = TIMEOUT_MS, resolve }: SendWebhookOptions): SendWebhook => {
  const findAddress = createFindAddress(mayReach, resolve);
  return async (sent) => {
    const url = new URL(sent.url);
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const found = await beforeTimeout(findAddress(url.hostname), timeout);
      if (found === undefined) return failed(REFUSED);
      return await beforeTimeout(exchange(url, sent, found, timeout), timeout);
    } catch (error) {
      return failed(timeout.aborted ? `No answer came within ${timeoutMs / 1_000} s.` : reasonOf(error));
    }
  };
};

const failed = (problem: string): WebhookResponse => ({ status: null, body: null, problem });

/** Words of the system, such as ECONNREFUSED, and nothing else of it. */
const reasonOf = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === undefined ? 'The connection failed.' : `The connection failed: ${code}.`;
};

const exchange = (
  url: URL,
  { headers, body, verifyCertificate }: WebhookRequest,
  found: FoundAddress,
  signal: AbortSignal,
): Promise<WebhookResponse> =>
  new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      lookup: pinnedTo(found),
      agent: false,
      signal,
    };
    const answered = (response: IncomingMessage): void => {
      readSome(response).then(
        (text) => resolve({ status: response.statusCode ?? null, body: text, problem: null }),
        reject,
      );
    };
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, rejectUnauthorized: verifyCertificate }, answered)
        : requestHttp(url, options, answered);
    // Nobody here speaks what the receiver would switch to: the answer is its status alone.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? null, body: '', problem: null });
    });
    request.on('error', reject);
    request.end(body);
  });

/** The beginning of an answer; the connection ends with it. */
const readSome = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MOST_ANSWER) break;
  }
  response.destroy();
  return Buffer.concat(chunks).subarray(0, MOST_ANSWER).toString('utf8').replaceAll('\u0000', '');
};
