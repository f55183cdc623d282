import type { RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import {
  HttpRemoteSource,
  type RemoteSourceOptions,
} from '../../../src/adapters/outbound/network/http-remote-source.js';
import { packet } from '../../../src/adapters/outbound/network/packet-lines.js';
import { Elsewhere } from '../../support/elsewhere.js';

const ID = 'a'.repeat(40);

const { signal } = new AbortController();

const problemAt = async (
  answer: RequestListener,
  ask: 'refs' | 'pack',
  bounds: Partial<RemoteSourceOptions> = {},
): Promise<unknown> => {
  const source = new HttpRemoteSource({
    findAddress: () => Promise.resolve({ address: '127.0.0.1', family: 4 }),
    ...bounds,
  });
  let problem: unknown;
  await Elsewhere.during(answer, async ({ url }) => {
    const remote = { url, credentials: null };
    const asked =
      ask === 'refs'
        ? source.refsOf(remote, signal)
        : readWhole(source.pack(remote, { wanted: [ID], had: [] }, signal));
    problem = await asked.catch((error: unknown) => error);
  });
  return problem;
};

const readWhole = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _ of bytes);
};

const TYPES = { refs: 'advertisement', pack: 'result' } as const;

/** Begins as git does, and goes on as a test says, until nobody listens any more. */
const dripping =
  (ask: 'refs' | 'pack', drop: Buffer | string, everyMs = 20): RequestListener =>
  (_request, response) => {
    response.setHeader('Content-Type', `application/x-git-upload-pack-${TYPES[ask]}`);
    response.write(ask === 'refs' ? `${packet('# service=git-upload-pack\n')}0000` : packet('NAK\n'));
    const drip = setInterval(() => response.write(drop), everyMs);
    response.on('close', () => clearInterval(drip));
  };

const REF = packet(`${ID} refs/heads/main\0side-band-64k\n`);
const KEEP_ALIVE = packet('\u0001');

describe('a server elsewhere that takes its time', () => {
  const TOO_SLOW = 'The server sends too slowly: it was given up, so that others get their turn.';

  it.each([
    ['refs', REF],
    ['pack', packet('\u0001x')],
  ] as const)('is given up for good where it drips: %s', async (ask, drop) => {
    const problem = await problemAt(dripping(ask, drop), ask, { slownessMs: 300 });
    expect(problem).toMatchObject({ message: TOO_SLOW, passing: false });
  });

  it('is not kept by signs of life without a byte of code', async () => {
    const problem = await problemAt(dripping('pack', KEEP_ALIVE), 'pack', { slownessMs: 300 });
    expect(problem).toMatchObject({ message: TOO_SLOW, passing: false });
  });

  it('is given up where its answer does not begin, however much it says before', async () => {
    const talkative: RequestListener = ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X: y\r\n'), 20);
      socket.on('close', () => clearInterval(drip)).on('error', () => undefined);
    };
    const problem = await problemAt(talkative, 'refs', { slownessMs: 300 });
    expect(problem).toMatchObject({ message: TOO_SLOW, passing: false });
  });

  it.each(['refs', 'pack'] as const)('may do better another time where it falls silent: %s', async (ask) => {
    const problem = await problemAt(dripping(ask, REF, 60_000), ask, { silenceMs: 200 });
    expect(problem).toMatchObject({ message: 'The server stopped answering.', passing: true });
  });

  it('is given up at the end of the time that all may take, however fast it sends', async () => {
    const fast = dripping('pack', packet(`\u0001${'x'.repeat(30_000)}`));
    const problem = await problemAt(fast, 'pack', { slownessMs: 300, wholeMs: 700 });
    expect(problem).toMatchObject({ message: 'The server took longer than is waited for.', passing: false });
  });

  it('is not slow where it is this side that takes its time', async () => {
    let sent = false;
    await Elsewhere.during(
      (request, response) => {
        dripping('pack', packet('\u0001x'), 60_000)(request, response);
        response.end(`${packet('\u0001x')}0000`);
      },
      async ({ url }) => {
        const findAddress = () => Promise.resolve({ address: '127.0.0.1', family: 4 });
        const source = new HttpRemoteSource({ findAddress, slownessMs: 100 });
        for await (const _ of source.pack({ url, credentials: null }, { wanted: [ID], had: [] }, signal))
          await new Promise((resolve) => setTimeout(resolve, 400));
        sent = true;
      },
    );
    expect(sent).toBe(true);
  });
});

describe('a server elsewhere that is no friend', () => {
  it.each(['refs', 'pack'] as const)('is given up where it switches to another protocol: %s', async (ask) => {
    const problem = await problemAt(({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    }, ask);
    expect(problem).toMatchObject({ message: 'There is no git repository at this address.', passing: false });
  });

  /** As many refs of a kind as a test says. */
  const having =
    (count: number, folder: string): RequestListener =>
    (_request, response) => {
      response.setHeader('Content-Type', `application/x-git-upload-pack-${TYPES.refs}`);
      const lines = Array.from({ length: count }, (_, index) => packet(`${ID} refs/${folder}/${index}\n`));
      response.end(`${packet('# service=git-upload-pack\n')}0000${REF}${lines.join('')}0000`);
    };

  it('is read no further than to ten thousand branches and tags, whatever they are called', async () => {
    for (const folder of ['heads', 'tags', 'heads/..'])
      expect(await problemAt(having(10_000, folder), 'refs')).toMatchObject({
        ...{ message: 'The server has more branches and tags than can be read.', passing: false },
      });
    expect(await problemAt(having(9_999, 'heads'), 'refs')).toEqual({ head: null, refs: expect.any(Map) });
  });

  it('may keep any number of refs beside those, of which nothing is kept', async () => {
    const found = await problemAt(having(20_000, 'pull'), 'refs');
    expect(found).toEqual({ head: null, refs: new Map([['refs/heads/main', ID]]) });
  });
});
