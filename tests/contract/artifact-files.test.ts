import { randomBytes } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { existsSync, readdirSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { FolderArtifactFiles } from '../../src/adapters/outbound/artifacts/folder-artifact-files.js';
import { BadRequest, NotFound, TooLarge, Unavailable } from '../../src/domain/shared/domain-error.js';
import { temporaryFolder } from '../support/git.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zips.js';

const bytesOf = (...chunks: readonly string[]): AsyncIterable<Uint8Array> =>
  Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
const DAY_MS = 86_400_000;
/** Behind the list of a zip. */
const END_BYTES = 22;

describe('the folder of files that jobs leave', () => {
  it('has a file once it is whole, for every process that shares it', async () => {
    const root = temporaryFolder();
    const [one, other] = [new FolderArtifactFiles(root), new FolderArtifactFiles(root)];
    const file = await one.receive(bytesOf('hello, ', 'world'), 12);
    expect(file).toMatchObject({
      size: 12,
      sha256: '09ca7e4eaa6e8ae9c7d261167129184883644d07dfba7cbfbc4c8a2e08360d5b',
    });
    expect((await buffer(await other.read(file.key))).toString()).toBe('hello, world');
    await other.remove([file.key, 'ffffffffffffffffffffffff']);
    await expect(one.read(file.key)).rejects.toThrow(NotFound);
  });

  it('reads of a file that is asked for in part nothing else', async () => {
    const files = new FolderArtifactFiles(temporaryFolder());
    const content = randomBytes(1_000_000);
    const { key } = await files.receive(Readable.from([content]), 1_000_000);
    const [first, last] = [300_000, 300_009];
    const reading = (await files.read(key, { first, last })) as ReadStream;
    expect((await buffer(reading)).equals(content.subarray(first, last + 1))).toBe(true);
    expect(reading.bytesRead).toBe(10);
  });

  it('calls files of packages as older programs call none that they remove, and tells other digests of them', async () => {
    const files = new FolderArtifactFiles(temporaryFolder());
    const { digests, key } = await files.receiveOfPackage(bytesOf('hello, ', 'world'), 12, ['md5', 'sha1']);
    expect(digests).toEqual({
      md5: 'e4d7f1b4ed2e42d15898f4b27b019da4',
      sha1: 'b7e23ec29af22b0b4e41da31e868d57226121c84',
    });
    const old = /^[0-9a-f]{24}$/;
    const ofJob = await files.receive(bytesOf('x'), 1);
    expect([old.test(key), old.test(ofJob.key), ofJob.digests]).toEqual([false, true, {}]);
    expect((await buffer(await files.read(key))).toString()).toBe('hello, world');
  });

  it('has nothing of what is too large, breaks off, or can not be written', async () => {
    const root = temporaryFolder();
    const files = new FolderArtifactFiles(root);
    await expect(files.receive(bytesOf('12345', '67890'), 9)).rejects.toThrow(TooLarge);
    const breaking = Readable.from(
      (function* () {
        yield Buffer.from('beginning');
        throw new Error('It broke off.');
      })(),
    );
    await expect(files.receive(breaking, 100)).rejects.toThrow('It broke off.');
    expect(readdirSync(root, { recursive: true })).toEqual(['unfinished']);
    const file = join(root, 'file');
    writeFileSync(file, '');
    await expect(new FolderArtifactFiles(file).receive(bytesOf('x'), 9)).rejects.toThrow(Unavailable);
  });

  it('unpacks what is small, and refuses what is larger, broken, or no text', async () => {
    const files = new FolderArtifactFiles(temporaryFolder());
    const keyOf = async (bytes: Uint8Array) => (await files.receive(Readable.from([bytes]), 1_000_000)).key;
    const read = async (bytes: Uint8Array, most = 10) => files.readPacked(await keyOf(bytes), most);
    // One after the other is one text.
    expect(await read(Buffer.concat([gzipSync('A=Ω\n'), gzipSync('B=2')]))).toBe('A=Ω\nB=2');
    expect(await read(gzipSync(''))).toBe('');
    await expect(read(gzipSync('x'.repeat(11)))).rejects.toThrow(TooLarge);
    await expect(read(gzipSync(Buffer.alloc(500_000_000)))).rejects.toThrow(TooLarge);
    for (const broken of [Buffer.from('A=1'), gzipSync('A=1').subarray(0, -5), gzipSync(Buffer.from([0xff, 0xfe]))])
      await expect(read(broken)).rejects.toThrow(BadRequest);
    await expect(files.readPacked('f'.repeat(24), 10)).rejects.toThrow(NotFound);
  });

  it('leads nowhere else, whatever it is asked for', async () => {
    const files = new FolderArtifactFiles(temporaryFolder());
    for (const key of ['../../etc/passwd', '', 'zz', '..'])
      await expect(files.read(key).then(() => 'read')).rejects.toThrow(NotFound);
  });

  it('tells what lies there for long, part by part, and forgets what never came whole', async () => {
    const root = temporaryFolder();
    const files = new FolderArtifactFiles(root);
    const [old, young] = [await files.receive(bytesOf('old'), 9), await files.receive(bytesOf('young'), 9)];
    const abandoned = join(root, 'unfinished', 'abandoned');
    writeFileSync(abandoned, '');
    const longAgo = new Date(Date.now() - 3 * DAY_MS);
    for (const path of [join(root, old.key.slice(0, 2), old.key), abandoned]) utimesSync(path, longAgo, longAgo);
    const found: string[] = [];
    for (let count = 0; count < 16; count += 1) found.push(...(await files.olderThan(new Date(Date.now() - DAY_MS))));
    expect(found).toEqual([old.key]);
    expect(existsSync(abandoned)).toBe(false);
    expect(young.size).toBe(5);
  });

  it('lists no names that nobody reads, however many there are', async () => {
    const files = new FolderArtifactFiles(temporaryFolder());
    const long = Array.from({ length: 300 }, (_, index) => `${String(index).padStart(4, '0')}/${'x'.repeat(1_000)}`);
    const zip = await zipOf(Object.fromEntries(['a', 'y'.repeat(1_100), ...long].map((path) => [path, ''])));
    const { key } = await files.receive(Readable.from([zip]), zip.length);
    const listed = await files.list(key, 1_000);
    expect(listed[0]).toEqual({ path: 'a', size: 0 });
    expect(listed.length).toBeGreaterThan(200);
    expect(listed.length).toBeLessThan(300);
  });

  it('lists zips, and reads single files of them', async () => {
    const files = new FolderArtifactFiles(temporaryFolder());
    const zip = await zipOf({ a: 'A', 'b/c': 'CC', 'b/d': '' });
    const { key } = await files.receive(Readable.from([zip]), zip.length);
    expect(await files.list(key, 2)).toEqual([
      { path: 'a', size: 1 },
      { path: 'b/c', size: 2 },
    ]);
    const found = await files.open(key, 'b/c');
    expect(found?.size).toBe(2);
    expect((await buffer(await found!.bytes())).toString()).toBe('CC');
    expect(await files.open(key, 'b')).toBeUndefined();
    const none = await files.receive(bytesOf('no zip'), 9);
    await expect(files.list(none.key, 9)).rejects.toThrow(BadRequest);
  });

  it('reads the list of a zip once, whatever it is asked for, and forgets it with the zip', async () => {
    const root = temporaryFolder();
    const files = new FolderArtifactFiles(root);
    const long = `${'folder/'.repeat(20)}file`;
    const zip = await zipOf({ a: 'A', [long]: 'long', [`${long}s`]: 'longer' });
    const { key } = await files.receive(Readable.from([zip]), zip.length);
    expect(await files.open(key, 'nope')).toBeUndefined();
    // The list stands at the end, and isn't looked at any more: what it names is where it was.
    const place = join(root, key.slice(0, 2), key);
    writeFileSync(place, Buffer.from(zip).fill(0, zip.indexOf('PK\u0001\u0002'), zip.length - END_BYTES));
    const textOf = async (path: string) => {
      const found = await files.open(key, path);
      return found && (await buffer(await found.bytes())).toString();
    };
    expect(await Promise.all(['a', long, `${long}s`, 'nope'].map(textOf))).toEqual(['A', 'long', 'longer', undefined]);
    await expect(files.list(key, 9)).rejects.toThrow(BadRequest);
    await files.remove([key]);
    await expect(files.open(key, 'a')).rejects.toThrow(NotFound);
  });

  it('reads what stands in a zip before its list breaks off, and says of all else that it can not be read', async () => {
    const root = temporaryFolder();
    const files = new FolderArtifactFiles(root);
    const zip = await zipOf({ a: 'A', b: 'B' });
    const broken = Buffer.from(zip).fill(0, zip.lastIndexOf('PK\u0001\u0002'), zip.length - END_BYTES);
    const { key } = await files.receive(Readable.from([broken]), zip.length);
    for (let time = 0; time < 2; time += 1) {
      expect((await buffer(await (await files.open(key, 'a'))!.bytes())).toString()).toBe('A');
      for (const path of ['b', 'nope']) await expect(files.open(key, path)).rejects.toThrow(BadRequest);
    }
  });

  it('holds nothing open of what is read in part, or never', async () => {
    const files = new FolderArtifactFiles(temporaryFolder());
    const zip = await zipOf({ a: 'A', large: randomBytes(1_000_000) });
    const { key } = await files.receive(Readable.from([zip]), zip.length);
    const isOpen = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).endsWith(key);
        } catch {
          return false;
        }
      }).length;
    const begin = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
      const reading = bytes[Symbol.asyncIterator]();
      await reading.next();
      await reading.return?.();
    };
    const found = (await files.open(key, 'large'))!;
    await begin(await found.bytes());
    await begin(await files.read(key));
    await (await found.bytes())[Symbol.asyncIterator]().return(undefined);
    await files.list(key, 1);
    if (existsSync('/proc/self/fd')) await until(() => Promise.resolve(isOpen() === 0));
    expect(found.size).toBe(1_000_000);
  });
});
