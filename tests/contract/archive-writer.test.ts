import { Session } from 'node:inspector/promises';
import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createArchive } from '../../src/adapters/outbound/archive/archive-writer.js';

const HEADER = { version: '1', migrations: [], createdAt: '', keyFingerprint: undefined };
const CHUNKS = 40_000;
const CHUNK = Buffer.alloc(16 * 1024);

/** What is in use once everything is gone that may go, in bytes. */
const heapInUse = async (): Promise<number> => {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  return process.memoryUsage().heapUsed;
};

describe('an archive that is written', () => {
  it('holds on to nothing of a file, however many parts that comes in', async () => {
    const output = new Writable({ write: (_chunk, _encoding, done) => done() });
    const archive = await createArchive({ to: output }, HEADER);
    let before = 0;
    let after = 0;
    const content = (async function* () {
      for (let count = 0; count < CHUNKS; count += 1) {
        if (count === 100) before = await heapInUse();
        yield CHUNK;
      }
      after = await heapInUse();
    })();
    await archive.addFile({ artifact: 'ab'.repeat(12), bytes: CHUNKS * CHUNK.length, content });
    await archive.end();
    expect(after - before).toBeLessThan(100 * CHUNKS);
  });

  it('ends with what went wrong where it is written', async () => {
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('the disk is full')) });
    const archive = await createArchive({ to: output }, HEADER);
    const content = (async function* () {
      for (;;) yield Buffer.from(crypto.getRandomValues(new Uint8Array(CHUNK.length)));
    })();
    await expect(archive.addFile({ artifact: 'ab'.repeat(12), bytes: 1, content })).rejects.toThrow('the disk is full');
    await archive.discard();
  });
});
