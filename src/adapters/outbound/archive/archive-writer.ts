import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, type BrotliCompress } from 'node:zlib';
import type {
  ArchiveHeader,
  ArchiveManifest,
  ArchiveWriter,
  FileOfArchive,
} from '../../../application/storage/ports/archive.js';
import type { StoredTable } from '../../../application/storage/ports/stored-rows.js';
import { lineOf, type StoredRow } from '../../../domain/storage/stored-row.js';
import { END_OF_TABLE, FORMAT, FORMAT_VERSION } from './archive-format.js';
import { partialOf } from './partial-file.js';
import { sealTo } from './sealed-archives.js';

/** Beyond it, a backup takes several times the processor's time for a tenth of the size. */
const QUALITY = 4;
const FILE_MODE = 0o600;

/** Where an archive goes: a file, which appears when it is whole, or whoever reads it as it is written. */
interface Destination {
  readonly output: Writable;
  /** Puts it where it belongs. */
  readonly keep: () => Promise<void>;
  readonly discard: () => Promise<void>;
  /** What to say instead of an error of `output`, which knows no path. */
  readonly explain: (error: NodeJS.ErrnoException) => Error;
}

/** Beside the place where it is to be, for its owner alone to read. */
const toFile = (file: string): Destination => {
  const partial = partialOf(file);
  return {
    output: createWriteStream(partial, { mode: FILE_MODE, flush: true }),
    keep: () => rename(partial, file),
    discard: () => rm(partial, { force: true }),
    explain: (error) => Object.assign(error, { path: file }),
  };
};

const toReader = (output: Writable): Destination => ({
  output,
  keep: () => Promise.resolve(),
  discard: () => Promise.resolve(),
  explain: (error) =>
    error.code === 'EPIPE'
      ? new Error('Whoever reads the archive stopped reading: what was sent is no archive.', { cause: error })
      : Object.assign(error, { path: 'The standard output' }),
});

class WrittenArchive implements ArchiveWriter {
  readonly #written: Promise<void>;
  readonly #failed = new AbortController();
  #inTable = false;

  constructor(
    private readonly compressed: BrotliCompress,
    sent: Readable,
    private readonly to: Destination,
  ) {
    this.#written = pipeline(sent, to.output).catch((error: unknown) => {
      throw to.explain(error as NodeJS.ErrnoException);
    });
    // Whoever writes next, or ends it, is told.
    this.#written.catch(() => this.#failed.abort());
  }

  async begin(header: ArchiveHeader): Promise<void> {
    await this.#write(`${JSON.stringify({ format: FORMAT, formatVersion: FORMAT_VERSION, ...header })}\n`);
  }

  async beginTable({ name, columns }: StoredTable): Promise<void> {
    await this.#endTable();
    await this.#write(`${JSON.stringify({ table: name, columns })}\n`);
    this.#inTable = true;
  }

  async rows(rows: readonly StoredRow[]): Promise<void> {
    await this.#write(rows.map(lineOf).join(''));
  }

  async endRows({ tables, counters }: ArchiveManifest): Promise<void> {
    await this.#endTable();
    await this.#write(`${JSON.stringify({ tables, counters: Object.fromEntries(counters) })}\n`);
  }

  async addFile(file: FileOfArchive): Promise<void> {
    if ('sameAs' in file) {
      const { store, path, sameAs } = file;
      await this.#write(`${JSON.stringify({ store, path, sameAs })}\n`);
      return;
    }
    const { content, ...said } = file;
    await this.#write(`${JSON.stringify(said)}\n`);
    const digest = createHash('sha256');
    for await (const chunk of content) {
      digest.update(chunk);
      await this.#write(`${Buffer.from(chunk).toString('base64')}\n`);
    }
    await this.#write(`${JSON.stringify({ sha256: digest.digest('hex') })}\n`);
  }

  async end(): Promise<void> {
    await this.#write(`${JSON.stringify({ end: true })}\n`);
    this.compressed.end();
    await this.#written;
    await this.to.keep();
  }

  async discard(): Promise<void> {
    this.compressed.destroy();
    await this.#written.catch(() => undefined);
    await this.to.discard();
  }

  async #endTable(): Promise<void> {
    if (this.#inTable) await this.#write(`${END_OF_TABLE}\n`);
    this.#inTable = false;
  }

  async #write(text: string): Promise<void> {
    if (this.compressed.write(text)) return;
    const { signal } = this.#failed;
    try {
      // Not a race with what lasts as long as the archive: that would remember each.
      await once(this.compressed, 'drain', { signal });
    } catch (error) {
      if (signal.aborted) await this.#written;
      throw error;
    }
  }
}

export interface ArchivePlace {
  /** A file, or what takes it as it is written. */
  readonly to: string | Writable;
  /** The public half of the key that alone opens it. */
  readonly recipient?: string | undefined;
}

/** @throws Error with a sentence when `recipient` is no key. */
export const createArchive = async ({ to, recipient }: ArchivePlace, header: ArchiveHeader): Promise<ArchiveWriter> => {
  const compressed = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
  const sent = recipient === undefined ? compressed : await sealTo(recipient, compressed);
  const writer = new WrittenArchive(compressed, sent, typeof to === 'string' ? toFile(to) : toReader(to));
  await writer.begin(header);
  return writer;
};
