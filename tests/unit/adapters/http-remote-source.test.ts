import type { RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { HttpRemoteSource } from '../../../src/adapters/outbound/network/http-remote-source.js';
import { Elsewhere } from '../../support/elsewhere.js';

const ID = 'a'.repeat(40);

const source = new HttpRemoteSource({
  findAddress: () => Promise.resolve({ address: '127.0.0.1', family: 4 }),
});
const { signal } = new AbortController();

const problemAt = async (answer: RequestListener, ask: 'refs' | 'pack'): Promise<unknown> => {
  let problem: unknown;
  await Elsewhere.during(answer, async ({ url }) => {
    const remote = { url, credentials: null };
    const asked = ask === 'refs' ? source.refsOf(remote, signal) : readWhole(source.pack(remote, [ID], signal));
    problem = await asked.catch((error: unknown) => error);
  });
  return problem;
};

const readWhole = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _ of bytes);
};

describe('a server elsewhere that is no friend', () => {
  it.each(['refs', 'pack'] as const)('is given up where it switches to another protocol: %s', async (ask) => {
    const problem = await problemAt(({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    }, ask);
    expect(problem).toMatchObject({ message: 'There is no git repository at this address.', passing: false });
  });
});
