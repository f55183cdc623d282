import type { RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createFetchText } from '../../../src/adapters/outbound/network/fetch-text.js';
import { createFindAddress } from '../../../src/adapters/outbound/network/find-address.js';
import { createIsAllowed, createMayReach } from '../../../src/adapters/outbound/network/reachable-hosts.js';
import { Elsewhere } from '../../support/elsewhere.js';

const HERE = ['127.0.0.1'];
/** Every name leads to this machine, and later to nowhere. */
const fetchWith = (allowlist: readonly string[], names = ['127.0.0.1', '192.0.2.1']) =>
  createFetchText({
    findAddress: createFindAddress(createMayReach(allowlist), () =>
      Promise.resolve([{ address: names.shift() ?? '192.0.2.1', family: 4 }]),
    ),
    mayAskPlainly: createIsAllowed(allowlist),
  });
const BOUNDS = { mostBytes: 1_000, timeoutMs: 5_000 };

const answered = async (answer: RequestListener, bounds = BOUNDS): Promise<unknown> => {
  let found: unknown;
  await Elsewhere.during(answer, async ({ port }) => {
    found = await fetchWith(HERE)(`http://ci.example.org:${port}/a.yml?b`, bounds);
  });
  return found;
};
const because = (reason: string) => ({ problem: `could not be fetched: ${reason}` });

describe('a text elsewhere', () => {
  it('is what the server at the checked address answers', async () => {
    const found = await answered(({ url, headers: { host } }, response) => void response.end(`${host} ${url} ä`));
    expect(found).toEqual({ text: expect.stringMatching(/^ci\.example\.org:\d+ \/a\.yml\?b ä$/) });
  });

  it.each<[string, RequestListener]>([
    ['the server answered with status 404.', (_, response) => void response.writeHead(404).end()],
    ['the server answered with status 204.', (_, response) => void response.writeHead(204).end()],
    [
      'the server redirects elsewhere, which is not followed.',
      (_, response) => void response.writeHead(302, { Location: 'http://127.0.0.1/' }).end(),
    ],
    ['it is longer than 1000 bytes.', (_, response) => void response.end('x'.repeat(1_001))],
    [
      'the server sent it compressed, which was not asked for.',
      (_, response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('x'),
    ],
    [
      'the server did not answer as one of HTTP does.',
      ({ socket }) =>
        void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ],
    ['the connection failed (ECONNRESET).', ({ socket }) => void socket.destroy()],
  ])('is not had where %s', async (reason, answer) => {
    expect(await answered(answer)).toEqual(because(reason));
  });

  it.each<[string, RequestListener]>([
    ['nothing', () => undefined],
    ['its beginning alone', (_, response) => void response.write('a')],
  ])('is waited for as long as it may take, where %s comes', async (_, answer) => {
    expect(await answered(answer, { ...BOUNDS, timeoutMs: 100 })).toEqual(because('no answer came within 0.1 s.'));
  });

  it('is asked of nobody in a network that is not public, by name or by address, unless the operator allows it', async () => {
    const refused = because('its address leads to a private or reserved network.');
    for (const address of ['http://ci.example.org/', 'https://127.0.0.1/', 'https://[::1]/', 'https://localhost/'])
      expect(await fetchWith([])(address, BOUNDS)).toEqual(refused);
  });

  it('is asked of nobody without encryption, unless the operator allows the network', async () => {
    expect(await fetchWith([], ['8.8.8.8'])('http://ci.example.org/', BOUNDS)).toEqual(
      because('its address has to begin with https://, unless the operator allows its network.'),
    );
  });

  it('is asked of nobody whose name is not found', async () => {
    const fetch = createFetchText({
      findAddress: () => Promise.reject(new Error('ENOTFOUND')),
      mayAskPlainly: () => true,
    });
    expect(await fetch('https://ci.example.org/', BOUNDS)).toEqual(because('its host was not found.'));
  });
});
