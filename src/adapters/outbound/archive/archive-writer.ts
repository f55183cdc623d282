import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress } from 'node:zlib';
import type { ArchiveHeader, ArchiveManifest, ArchiveWriter } from '../../../application/storage/ports/archive.js';
import type { StoredTable } from '../../../application/storage/ports/stored-rows.js';
import { lineOf, type StoredRow } from '../../../domain/storage/stored-row.js';
import { END_OF_TABLE, FORMAT, FORMAT_VERSION } from './archive-format.js';
import { partialOf } from './partial-file.js';

/** Beyond it, a backup takes several times the processor's time for a tenth of the size. */
const QUALITY = 4;
const FILE_MODE = 0o600;

/** Writes an archive beside the place where it is to be, for its owner alone to read. */
class ArchiveFileWriter implements ArchiveWriter {
  readonly #compressed = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
  readonly #written: Promise<void>;
  readonly #partial: string;
  #inTable = false;

  constructor(private readonly file: string) {
    this.#partial = partialOf(file);
    const output = createWriteStream(this.#partial, { mode: FILE_MODE, flush: true });
    this.#written = pipeline(this.#compressed, output);
    // Whoever writes next, or ends it, is told.
    this.#written.catch(() => undefined);
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

  async end({ tables, counters }: ArchiveManifest): Promise<void> {
    await this.#endTable();
    await this.#write(`${JSON.stringify({ tables, counters: Object.fromEntries(counters) })}\n`);
    this.#compressed.end();
    await this.#written;
    await rename(this.#partial, this.file);
  }

  async discard(): Promise<void> {
    this.#compressed.destroy();
    await this.#written.catch(() => undefined);
    await rm(this.#partial, { force: true });
  }

  async #endTable(): Promise<void> {
    if (this.#inTable) await this.#write(`${END_OF_TABLE}\n`);
    this.#inTable = false;
  }

  async #write(text: string): Promise<void> {
    if (this.#compressed.write(text)) return;
    await Promise.race([once(this.#compressed, 'drain'), this.#written]);
  }
}

export const createArchive = async (file: string, header: ArchiveHeader): Promise<ArchiveWriter> => {
  const writer = new ArchiveFileWriter(file);
  await writer.begin(header);
  return writer;
};
