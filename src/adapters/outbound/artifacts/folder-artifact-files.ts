import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type {
  ArtifactFiles,
  Bytes,
  OtherDigest,
  ReceivedFile,
  ZippedFile,
} from '../../../application/pipelines/ports/artifact-ports.js';
import { BadRequest, NotFound, TooLarge, Unavailable } from '../../../domain/shared/domain-error.js';
import type { ByteSpan } from '../../../domain/shared/byte-span.js';
import { Slots } from '../../turns/slots.js';
import { sweepBackups } from '../git/backup-folder.js';
import { codeOf, randomName, syncFolder } from '../git/durable-files.js';
import { isArtifactKey, OF_PACKAGE, PARTS, partOf, placeOf } from './artifact-folder.js';
import { isOfSystem, NoZip, ZipReader, type ZipEntry, type ZipPlace } from '../zip/read-zip.js';
import { ZipList, ZipLists } from './zip-lists.js';

/** What is still being written lies apart. */
const UNFINISHED = 'unfinished';
/** Nothing is written for so long. */
const ABANDONED_MS = 86_400_000;
/** Of the parts of the folder so many are looked through at a time. */
const PARTS_AT_ONCE = 16;

/** A zip gives each name 64 KiB: nobody reads such a list. */
const LONGEST_PATH = 1_024;
const MOST_LETTERS = 262_144;
const LOOKS_AT_ONCE = 4;
/** What stays free for others that write to the same disk. */
const LEAST_FREE_BYTES = 256 * 1_048_576;

const unavailable = (error: unknown): unknown =>
  isOfSystem(error) ? new Unavailable('artifacts', { cause: error }) : error;

const notPacked = (): BadRequest => new BadRequest('Invalid Format');

const unreadable = (): BadRequest => new BadRequest('The archive can not be read.');

const missing = (error: unknown): unknown => (codeOf(error) === 'ENOENT' ? new NotFound() : unavailable(error));

/** Files below a folder, each by a name that nobody can guess. Several processes may share it. */
export class FolderArtifactFiles implements ArtifactFiles {
  /** A long archive takes seconds of a processor: one look into each at a time. */
  readonly #looks = new Slots(LOOKS_AT_ONCE, 1);
  readonly #lists = new ZipLists();
  #nextPart = Math.floor(Math.random() * PARTS);

  constructor(private readonly root: string) {}

  receive(bytes: Bytes, mostBytes: number): Promise<ReceivedFile> {
    return this.#receive(randomName(''), bytes, mostBytes, []);
  }

  receiveOfPackage(bytes: Bytes, mostBytes: number, also: readonly OtherDigest[]): Promise<ReceivedFile> {
    return this.#receive(randomName('') + OF_PACKAGE, bytes, mostBytes, also);
  }

  async #receive(key: string, bytes: Bytes, mostBytes: number, also: readonly OtherDigest[]): Promise<ReceivedFile> {
    const unfinished = join(this.root, UNFINISHED, key);
    try {
      await mkdir(join(this.root, UNFINISHED), { recursive: true, mode: 0o700 });
      await this.#requireSpace();
      const handle = await open(unfinished, 'wx', 0o600);
      const written = await this.#write(handle, bytes, mostBytes, also).finally(() => handle.close());
      await this.#putInPlace(unfinished, key);
      return { key, ...written };
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw unavailable(error);
    }
  }

  /** The database and the code may lie on the same disk: they are not to be kept from writing. */
  async #requireSpace(): Promise<void> {
    const { bavail, bsize } = await statfs(this.root);
    if (bavail * bsize < LEAST_FREE_BYTES) throw new Unavailable('artifacts');
  }

  async #write(handle: FileHandle, bytes: Bytes, mostBytes: number, also: readonly OtherDigest[]) {
    const hash = createHash('sha256');
    const others = also.map((name) => [name, createHash(name)] as const);
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > mostBytes) throw new TooLarge();
      hash.update(chunk);
      for (const [, other] of others) other.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.datasync();
    const digests = Object.fromEntries(others.map(([name, other]) => [name, other.digest('hex')]));
    return { size, sha256: hash.digest('hex'), digests };
  }

  async #putInPlace(unfinished: string, key: string): Promise<void> {
    const { part, path } = placeOf(this.root, key);
    if ((await mkdir(part, { recursive: true, mode: 0o700 })) !== undefined) await syncFolder(this.root);
    await rename(unfinished, path);
    await syncFolder(part);
  }

  async read(key: string, span?: ByteSpan): Promise<Bytes> {
    try {
      const handle = await open(this.#pathOf(key), 'r');
      const part = span === undefined ? {} : { start: span.first, end: span.last };
      return createReadStream('', { fd: handle, autoClose: true, ...part });
    } catch (error) {
      throw missing(error);
    }
  }

  async readPacked(key: string, mostBytes: number): Promise<string> {
    const unpacked: Uint8Array[] = [];
    for await (const chunk of this.unpack(key, mostBytes)) unpacked.push(chunk);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(unpacked));
    } catch {
      throw notPacked();
    }
  }

  async *unpack(key: string, mostBytes: number): AsyncGenerator<Uint8Array> {
    const packed = Readable.from(await this.read(key));
    let size = 0;
    try {
      for await (const chunk of pipeline(packed, createGunzip(), () => undefined)) {
        size += (chunk as Buffer).length;
        if (size > mostBytes) throw new TooLarge();
        yield chunk as Buffer;
      }
    } catch (error) {
      if (error instanceof TooLarge) throw error;
      throw isOfSystem(error) ? unavailable(error) : notPacked();
    } finally {
      packed.destroy();
    }
  }

  async remove(keys: readonly string[]): Promise<void> {
    // What stays behind here is found by the clean-up.
    for (const key of keys) {
      this.#lists.forget(key);
      await rm(this.#pathOf(key), { force: true }).catch(() => undefined);
    }
  }

  async olderThan(at: Date): Promise<readonly string[]> {
    const old: string[] = [];
    for (let count = 0; count < PARTS_AT_ONCE; count += 1) {
      const part = partOf(this.#nextPart);
      this.#nextPart = (this.#nextPart + 1) % PARTS;
      old.push(...(await this.#olderIn(part, at)).filter(isArtifactKey));
    }
    await sweepBackups(this.root).catch(() => undefined);
    const abandoned = await this.#olderIn(UNFINISHED, new Date(at.getTime() - ABANDONED_MS));
    for (const name of abandoned) await rm(join(this.root, UNFINISHED, name), { force: true }).catch(() => undefined);
    return old;
  }

  async #olderIn(folder: string, at: Date): Promise<readonly string[]> {
    const old: string[] = [];
    const names = await readdir(join(this.root, folder)).catch(() => []);
    for (const name of names) {
      const found = await stat(join(this.root, folder, name)).catch(() => undefined);
      if (found?.isFile() === true && found.mtime < at) old.push(name);
    }
    return old;
  }

  async list(key: string, most: number): Promise<readonly ZippedFile[]> {
    const files: ZippedFile[] = [];
    let letters = 0;
    await this.#through(key, ({ isFolder, path, size }) => {
      if (isFolder || path.length > LONGEST_PATH) return false;
      letters += path.length;
      files.push({ path, size });
      return files.length >= most || letters > MOST_LETTERS;
    });
    return files;
  }

  async open(key: string, path: string) {
    const list = this.#lists.get(key) ?? (await this.#looks.during(key, () => this.#listOf(key)));
    const found = list.find(path);
    if (found === undefined && list.isBroken) throw unreadable();
    if (found === undefined) return undefined;
    const { size, place } = found;
    // Opened anew once it is read, so that what was looked up and is never read holds nothing open.
    return { path, size, bytes: () => Promise.resolve(unpack(() => this.#zip(key), place)) };
  }

  async #listOf(key: string): Promise<ZipList> {
    // Whoever had its turn before may have read it.
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const list = new ZipList();
    try {
      await this.#lookThrough(key, (entry) => {
        if (isPlain(entry)) list.add(entry);
        return false;
      });
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      list.isBroken = true;
    }
    this.#lists.remember(key, list);
    return list;
  }

  /** Looks at entries until one is enough. */
  #through(key: string, look: (entry: ZipEntry) => boolean): Promise<void> {
    return this.#looks.during(key, () => this.#lookThrough(key, look));
  }

  async #lookThrough(key: string, look: (entry: ZipEntry) => boolean): Promise<void> {
    const zip = await this.#zip(key);
    try {
      for await (const entry of zip.entries()) if (look(entry)) return;
    } catch (error) {
      throw error instanceof NoZip ? unreadable() : unavailable(error);
    } finally {
      zip.close();
    }
  }

  async #zip(key: string): Promise<ZipReader> {
    try {
      return await ZipReader.open(this.#pathOf(key));
    } catch (error) {
      throw error instanceof NoZip ? unreadable() : missing(error);
    }
  }

  #pathOf(key: string): string {
    if (!isArtifactKey(key)) throw new NotFound();
    return placeOf(this.root, key).path;
  }
}

const isPlain = ({ isFolder, isLink }: ZipEntry): boolean => !isFolder && !isLink;

async function* unpack(open: () => Promise<ZipReader>, place: ZipPlace): AsyncGenerator<Uint8Array> {
  const zip = await open();
  try {
    yield* await zip.bytesAt(place);
  } catch (error) {
    throw isOfSystem(error) ? unavailable(error) : unreadable();
  } finally {
    zip.close();
  }
}
