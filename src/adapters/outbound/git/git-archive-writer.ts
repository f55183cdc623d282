import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type {
  ArchiveRequest,
  ArchiveWriter,
  ByteStream,
} from '../../../application/repositories/ports/object-stores.js';
import { begun } from './begun.js';
import { feedStream, streamOf, type Git } from './git.js';
import type { Child } from './runner/runner.js';
import { ToldChanges } from './told-changes.js';

const ARCHIVE_MS = 600_000;

/** Streams archives. Times are those of the commit, so that the same request gives the same bytes. */
export class GitArchiveWriter implements ArchiveWriter {
  readonly #told: ToldChanges;

  constructor(private readonly git: Git) {
    this.#told = new ToldChanges(git);
  }

  async archive(store: string, request: ArchiveRequest): Promise<ByteStream> {
    const { plain, compressor } = await this.#told.once(store, request.commit, () => this.#begin(store, request));
    if (compressor !== undefined) return compressed(plain, compressor);
    return request.format === 'tar.gz' ? gzipped(plain) : plain;
  }

  /** Git reads all trees before it writes: where they nest one another again and again, nothing has been sent when it gives up. */
  async #begin(store: string, request: ArchiveRequest) {
    const { plain, compressor } = await this.#start(store, request);
    try {
      return { plain: await begun(plain), compressor };
    } catch (error) {
      compressor?.kill();
      throw error;
    }
  }

  async #start(store: string, { commit, format, prefix, path, excluded = [] }: ArchiveRequest) {
    const give = await this.git.parts.heavy.take(store);
    try {
      // First, for what git writes must have somebody who reads it.
      const compressor = format === 'tar.bz2' ? await this.#startBzip2() : undefined;
      const fixed = ['archive', `--format=${format === 'zip' ? 'zip' : 'tar'}`, `--prefix=${prefix}/`];
      const paths = path === undefined || path === '' ? {} : { paths: [path] };
      const args = { fixed, ids: [commit], ...paths, excluded };
      const child = await this.git.start(store, args, { deadlineMs: ARCHIVE_MS, yields: true, ofTrees: true });
      child.stdin.end();
      return { plain: streamOf(child, 'archive', give), compressor };
    } catch (error) {
      give();
      throw error;
    }
  }

  #startBzip2(): Promise<Child> {
    return this.git.parts.runner.start({
      file: 'bzip2',
      argv: ['--stdout', '--compress'],
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
      deadlineMs: ARCHIVE_MS,
    });
  }
}

const compressed = (plain: ByteStream, compressor: Child): ByteStream => {
  feedStream(compressor, plain).catch(() => compressor.kill());
  return streamOf(compressor, 'bzip2', () => undefined);
};

/** Node writes no time into the header. */
const gzipped = (plain: ByteStream): ByteStream => pipeline(plain, createGzip(), () => undefined);
