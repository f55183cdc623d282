import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type {
  ArchiveRequest,
  ArchiveWriter,
  ByteStream,
} from '../../../application/repositories/ports/object-stores.js';
import { feedStream, streamOf, type Git } from './git.js';

const ARCHIVE_MS = 600_000;

/** Streams archives. Times are those of the commit, so that the same request gives the same bytes. */
export class GitArchiveWriter implements ArchiveWriter {
  constructor(private readonly git: Git) {}

  async archive(store: string, { commit, format, prefix, path }: ArchiveRequest): Promise<ByteStream> {
    const give = await this.git.parts.heavy.take(store);
    try {
      const fixed = ['archive', `--format=${format === 'zip' ? 'zip' : 'tar'}`, `--prefix=${prefix}/`];
      const args = { fixed, ids: [commit], ...(path === undefined || path === '' ? {} : { paths: [path] }) };
      const child = await this.git.start(store, args, { deadlineMs: ARCHIVE_MS });
      child.stdin.end();
      const plain = streamOf(child, 'archive', give);
      if (format === 'tar.gz') return gzipped(plain);
      return format === 'tar.bz2' ? await this.#bzipped(plain) : plain;
    } catch (error) {
      give();
      throw error;
    }
  }

  async #bzipped(plain: ByteStream): Promise<ByteStream> {
    const child = await this.git.parts.runner.start({
      file: 'bzip2',
      argv: ['--stdout', '--compress'],
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
      deadlineMs: ARCHIVE_MS,
    });
    feedStream(child, plain).catch(() => child.kill());
    return streamOf(child, 'bzip2', () => undefined);
  }
}

/** Node writes no time into the header. */
const gzipped = (plain: ByteStream): ByteStream => pipeline(plain, createGzip(), () => undefined);
