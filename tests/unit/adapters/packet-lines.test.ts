import { describe, expect, it } from '@jest/globals';
import { BrokenPackets, packet, readPackets } from '../../../src/adapters/outbound/network/packet-lines.js';

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += size)
    yield await Promise.resolve(Buffer.from(text.slice(at, at + size), 'latin1'));
}

const read = async (text: string, size = 1_000): Promise<readonly (string | null)[]> => {
  const lines: (string | null)[] = [];
  for await (const line of readPackets(inPieces(text, size))) lines.push(line?.toString('latin1') ?? null);
  return lines;
};

describe('packets of git’s protocol', () => {
  it.each([1, 3, 7, 1_000])('are read however they are cut: in pieces of %d bytes', async (size) => {
    expect(await read(`${packet('want a\n')}0000${packet('')}${packet('done\n')}`, size)).toEqual([
      'want a\n',
      null,
      '',
      'done\n',
    ]);
  });

  it.each(['hello', 'zzzz', '0003', 'ffff', '0008ab', '00'])(
    'are refused where they are none, or cut off: %s',
    async (text) => {
      await expect(read(text)).rejects.toThrow(BrokenPackets);
    },
  );
});
