import { createWriteStream } from 'node:fs';
import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipReader, type ZipEntry } from '../zip/read-zip.js';

/** What an archive may come to: a small one may be made of very many zeros. */
const MOST_BYTES = 4 * 1_073_741_824;

export interface Unpacked {
  readonly files: number;
  /** What was left out: links, and what belongs to the code’s own folder. */
  readonly leftOut: number;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Makes folders one below the other, none of which is a link. */
const makeFolders = async (root: string, parts: readonly string[]): Promise<void> => {
  let path = root;
  for (const part of parts) {
    path = join(path, part);
    const found = await lstat(path).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (found === undefined) await mkdir(path);
    else if (!found.isDirectory()) throw new Error(`${parts.join('/')} is no folder here`);
  }
};

const writeEntry = async (root: string, parts: readonly string[], entry: ZipEntry, signal: AbortSignal) => {
  await makeFolders(root, parts.slice(0, -1));
  const path = join(root, ...parts);
  // What stands there may be a link.
  await rm(path, { force: true });
  const target = createWriteStream(path, { flags: 'wx', mode: entry.isExecutable ? 0o755 : 0o644 });
  await pipeline(await entry.bytes(), target, { signal });
};

/**
 * Unpacks an archive into a folder and nowhere else: names that lead out of it are refused, and links are left out.
 * @throws Error for one that can't be read, or comes to more than anybody makes.
 */
export const unpackArchive = async (archive: string, root: string, signal: AbortSignal): Promise<Unpacked> => {
  const zip = await ZipReader.open(archive);
  let [files, leftOut, bytes] = [0, 0, 0];
  try {
    for await (const entry of zip.entries()) {
      signal.throwIfAborted();
      const parts = entry.path.split('/').filter((part) => part !== '' && part !== '.');
      const isOfCode = parts[0]?.toLowerCase() === '.git';
      bytes += entry.size;
      if (bytes > MOST_BYTES) throw new Error('it has more than 4 GiB unpacked');
      if (isOfCode || entry.isLink) leftOut += 1;
      else if (entry.isFolder) await makeFolders(root, parts);
      else {
        await writeEntry(root, parts, entry, signal);
        files += 1;
      }
    }
  } finally {
    zip.close();
  }
  return { files, leftOut };
};
