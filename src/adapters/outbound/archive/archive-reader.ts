import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, type BrotliDecompress } from 'node:zlib';
import type {
  ArchiveHeader,
  ArchiveManifest,
  ArchiveReader,
  FileOfArchive,
} from '../../../application/storage/ports/archive.js';
import type { ArchivedArtifact } from '../../../application/storage/ports/archived-artifacts.js';
import type { ArchivedFile, SameFile } from '../../../application/storage/ports/archived-repositories.js';
import type { Page, RowSource, StoredTable } from '../../../application/storage/ports/stored-rows.js';
import { isSecretHalf } from '../../../domain/storage/backup-key.js';
import { releasedMigrations } from '../../../domain/storage/released-migrations.js';
import { rowOf, type StoredRow } from '../../../domain/storage/stored-row.js';
import { END_OF_TABLE, FORMAT, FORMAT_VERSION } from './archive-format.js';
import { isSealed, openSealed, sealTo } from './sealed-archives.js';

const READ_VERSIONS: ReadonlySet<number> = new Set([1, 2, FORMAT_VERSION]);
/** Rows of one page at most, and about how much text. */
const PAGE_ROWS = 2_000;
const PAGE_CHARACTERS = 2_097_152;

// Not by `readline`, which ends a line at characters that texts may have.
async function* linesOf(text: Readable): AsyncGenerator<string, void, undefined> {
  let begun = '';
  for await (const chunk of text) {
    const lines = (begun + (chunk as string)).split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
  if (begun !== '') yield begun;
}

type ContentLine = Omit<ArchivedFile, 'content'> | Omit<ArchivedArtifact, 'content'>;
type FileLine = { readonly end: true } | SameFile | ContentLine;

const nameOf = (line: ContentLine): string =>
  'artifact' in line ? `the file ${line.artifact} of a CI job` : `${line.path} of a repository`;

interface ManifestLine {
  readonly tables: ArchiveManifest['tables'];
  readonly counters: Readonly<Record<string, string>>;
}

class ArchiveFileReader implements ArchiveReader {
  readonly rows: RowSource;
  #manifest: ArchiveManifest | undefined;

  constructor(
    readonly header: ArchiveHeader,
    private readonly file: string,
    private readonly text: BrotliDecompress,
    private readonly lines: AsyncIterator<string>,
  ) {
    this.rows = {
      pages: (table) => this.#pages(table),
      pagesAfter: () => {
        throw new Error('An archive is read from its beginning.');
      },
      counters: async () => (await this.manifest()).counters,
    };
  }

  async manifest(): Promise<ArchiveManifest> {
    if (this.#manifest === undefined) {
      const { tables, counters } = parse<ManifestLine>(this.file, await this.#line());
      this.#manifest = { tables, counters: new Map(Object.entries(counters)) };
    }
    return this.#manifest;
  }

  async *files(): AsyncGenerator<FileOfArchive> {
    let artifacts = 0;
    const { done, value } = await nextLine(this.file, this.lines);
    // Those of before had nothing behind their rows, not even an end.
    const { repositories, artifacts: said } = this.header;
    if (done === true && repositories === undefined && said === undefined) return this.#refuseMore();
    for (let text = done === true ? await this.#line() : (value as string); ; text = await this.#line()) {
      const line = fileLineOf(this.file, text);
      if ('end' in line) return this.#refuseOtherEnd(artifacts);
      if ('artifact' in line) artifacts += 1;
      yield 'sameAs' in line ? line : { ...line, content: this.#content(line) };
    }
  }

  async *#content(line: ContentLine): AsyncGenerator<Uint8Array> {
    const digest = createHash('sha256');
    let left = line.bytes;
    while (left > 0) {
      const chunk = Buffer.from(await this.#line(), 'base64');
      left -= chunk.length;
      if (chunk.length === 0) throw new Error(`${this.file} is damaged in ${nameOf(line)}.`);
      digest.update(chunk);
      yield chunk;
    }
    const { sha256 } = parse<{ sha256?: string }>(this.file, await this.#line());
    if (left < 0 || sha256 !== digest.digest('hex')) throw new Error(`${this.file} is damaged in ${nameOf(line)}.`);
  }

  async #refuseOtherEnd(artifacts: number): Promise<void> {
    if (artifacts !== (this.header.artifacts ?? 0))
      throw new Error(`${this.file} is damaged: it has not as many files of CI jobs as it says.`);
    await this.#refuseMore();
  }

  /** What is encrypted is refused by itself where something stands behind its end. */
  async #refuseMore(): Promise<void> {
    const { done } = await nextLine(this.file, this.lines);
    const isRead = (await isSealed(this.file)) || this.text.bytesWritten === (await stat(this.file)).size;
    if (done !== true || !isRead) throw new Error(`${this.file} is damaged: something stands behind its end.`);
  }

  async close(): Promise<void> {
    this.text.destroy();
  }

  async *#pages(table: StoredTable): AsyncGenerator<Page, void, undefined> {
    const begun = parse<{ table?: string; columns?: readonly string[] }>(this.file, await this.#line());
    if (begun.table !== table.name || begun.columns?.join() !== table.columns.join())
      throw new Error(`${this.file} is damaged: it has no rows of ${table.name} where they should be.`);
    let rows: StoredRow[] = [];
    let characters = 0;
    for (let line = await this.#line(); line !== END_OF_TABLE; line = await this.#line()) {
      rows.push(rowOf(line));
      characters += line.length;
      if (rows.length < PAGE_ROWS && characters < PAGE_CHARACTERS) continue;
      yield { rows, faults: [] };
      rows = [];
      characters = 0;
    }
    if (rows.length > 0) yield { rows, faults: [] };
  }

  async #line(): Promise<string> {
    const { done, value } = await nextLine(this.file, this.lines);
    if (done === true) throw new Error(`${this.file} is damaged: it ends too early.`);
    return value;
  }
}

/** Of a line that is not as it was written nothing is told: it may be a row. */
const parse = <Line>(file: string, line: string): Line => {
  try {
    return JSON.parse(line) as Line;
  } catch {
    throw new Error(`${file} is damaged: it has something else where a table or its end should be.`);
  }
};

const isName = (file: unknown): boolean => {
  const { store, path } = (file ?? {}) as Readonly<Record<string, unknown>>;
  return typeof store === 'string' && typeof path === 'string';
};

/** Whether a line says what comes behind it, and nothing else besides. */
const isFileLine = (line: Readonly<Record<string, unknown>>): boolean => {
  if ('end' in line) return line['end'] === true;
  if ('sameAs' in line) return !('artifact' in line) && isName(line) && isName(line['sameAs']);
  return Number.isSafeInteger(line['bytes']) && (typeof line['artifact'] === 'string' || isName(line));
};

const fileLineOf = (file: string, text: string): FileLine => {
  const line = parse<Readonly<Record<string, unknown>> | null>(file, text);
  if (line === null || typeof line !== 'object' || !isFileLine(line))
    throw new Error(`${file} is damaged: it has something else where a file or its end should be.`);
  return line as unknown as FileLine;
};

const nextLine = async (
  file: string,
  lines: AsyncIterator<string>,
  otherwise = 'is damaged or cut off.',
): Promise<IteratorResult<string, unknown>> => {
  try {
    return await lines.next();
  } catch (error) {
    // What the machine refuses has a name that people know; what is wrong with the bytes has not.
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw new Error(`${file} ${syscall === undefined ? otherwise : `can't be read (${code}).`}`, { cause: error });
  }
};

const headerOf = (file: string, line: string | undefined): ArchiveHeader => {
  const parsed = parse<ArchiveHeader & { format?: string; formatVersion?: number }>(
    file,
    line?.startsWith('{') === true ? line : '{}',
  );
  if (parsed.format !== FORMAT) throw new Error(`${file} is no archive.`);
  if (!READ_VERSIONS.has(parsed.formatVersion ?? 0))
    throw new Error(
      `${file} is an archive of another form (${parsed.formatVersion}): restore it with ${parsed.version}.`,
    );
  return { ...parsed, migrations: releasedMigrations(parsed.migrations) };
};

const SECRET_HALF = /^AGE-SECRET-KEY-\S+$/;

const readIdentities = async (file: string): Promise<readonly string[]> => {
  if (isSecretHalf(file))
    throw new Error('--identity is the secret half of a key itself: name the file that holds it instead.');
  const identities = (await readFile(file, 'utf8')).split(/\r?\n/).filter((line) => SECRET_HALF.test(line));
  if (identities.length === 0) throw new Error(`${file} holds no key as age-keygen writes it, AGE-SECRET-KEY-1…`);
  return identities;
};

/** @throws Error with a sentence where no key in the file opens what is encrypted to `recipient`, or that is no key. */
export const refuseUnfitIdentity = async (recipient: string, identity: string): Promise<void> => {
  const sealed = await sealTo(recipient, Readable.from([Buffer.from('tried before an archive is written')]));
  const identities = await readIdentities(identity);
  try {
    (await openSealed(identities, sealed)).destroy();
  } catch (error) {
    throw new Error(`No key in ${identity} opens what is encrypted to ${recipient}.`, { cause: error });
  }
};

/** What is in an archive before it is compressed, or was encrypted. */
const bytesOf = async (file: string, identity: string | undefined): Promise<Readable> => {
  const sealed = await isSealed(file).catch((error: unknown) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(`${file} ${code === 'ENOENT' ? 'is not there.' : `can't be read (${code}).`}`, { cause: error });
  });
  if (!sealed) return createReadStream(file);
  if (identity === undefined)
    throw new Error(`${file} is encrypted: name the file with the key that opens it by --identity.`);
  return openSealed(await readIdentities(identity), createReadStream(file));
};

/**
 * @param identity the file with the key, where the archive is encrypted.
 * @throws Error with a sentence when the file is no archive that this version reads, or can't be opened.
 */
export const openArchive = async (file: string, identity?: string): Promise<ArchiveReader> => {
  const bytes = await bytesOf(file, identity);
  const text = createBrotliDecompress();
  text.setEncoding('utf8');
  // Errors of either are those of what is read.
  pipeline(bytes, text, () => undefined);
  const lines = linesOf(text);
  const { value } = await nextLine(
    file,
    lines,
    "can't be read as an archive: it is none, or it is damaged or cut off.",
  );
  return new ArchiveFileReader(headerOf(file, value as string | undefined), file, text, lines);
};
