import type { Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isPathOf, isPattern } from '../../../domain/pipelines/ci-file/path-patterns.js';
import type { FileForZip } from '../zip/write-zip.js';

export interface WantedFiles {
  readonly paths: readonly string[];
  readonly exclude: readonly string[];
  /** Links are among the files, wherever they lead. */
  readonly keepLinks?: boolean;
  /** How many there may be. */
  readonly most?: number;
  /** Ends the search. */
  readonly signal?: AbortSignal;
}

export interface FoundFile extends FileForZip {
  readonly bytes: number;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Those that were asked for with all that is in them. */
  readonly folders: readonly string[];
  /** What has none of them, as it was asked for. */
  readonly missing: readonly string[];
  /** Links that lead out of the folder, or to a folder: they are left out. */
  readonly links: readonly string[];
}

/** More than any archive that is taken. */
const MOST_FILES = 100_000;

/** A pattern below the folder; undefined for one that leads elsewhere. */
const below = (folder: string, pattern: string): string | undefined => {
  const relative = pattern.startsWith(`${folder}/`) || pattern === folder ? pattern.slice(folder.length) : pattern;
  if (relative === pattern && pattern.startsWith('/')) return undefined;
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? undefined : parts.join('/');
};

/** What a pattern begins with before its first wild card: nothing of it lies elsewhere. */
const beginningOf = (pattern: string): readonly string[] => {
  const parts = pattern.split('/');
  const wild = parts.findIndex(isPattern);
  return wild < 0 ? parts : parts.slice(0, wild);
};

const leadsTo = (beginning: readonly string[], folder: readonly string[]): boolean =>
  beginning.every((part, at) => folder[at] === undefined || folder[at] === part);

/** A pattern asks for a file, or for a folder with all that is in it. */
const asks = (pattern: string, path: string): boolean => pattern === '' || isPathOf(pattern, path);

class Search {
  readonly files: FoundFile[] = [];
  readonly folders: string[] = [];
  readonly links: string[] = [];
  readonly matched = new Set<string>();
  readonly #beginnings: readonly (readonly string[])[];
  readonly #exclude: readonly string[];
  readonly #keepsLinks: boolean;
  readonly #most: number;
  readonly #signal: AbortSignal | undefined;

  constructor(
    private readonly root: string,
    private readonly patterns: readonly string[],
    { exclude, keepLinks = false, most = MOST_FILES, signal }: Omit<WantedFiles, 'paths'>,
  ) {
    this.#keepsLinks = keepLinks;
    this.#most = most;
    this.#signal = signal;
    this.#beginnings = patterns.map(beginningOf);
    this.#exclude = exclude.flatMap((pattern) => below(root, pattern) ?? []);
  }

  /** @param parts the folder, below the root. @param inside whether all of it was asked for. */
  async through(parts: readonly string[], inside: boolean): Promise<void> {
    this.#signal?.throwIfAborted();
    const entries = await readdir(join(this.root, ...parts), { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = [...parts, entry.name];
      // The past of the code, and how it was fetched, is no work of a job.
      if (path.length === 1 && entry.name === '.git') continue;
      const shown = path.join('/');
      if (this.#isExcluded(shown)) continue;
      const asked = this.#askFor(shown) || inside;
      if (entry.isDirectory()) {
        if (asked) this.folders.push(shown);
        if (asked || this.#beginnings.some((beginning) => leadsTo(beginning, path))) await this.through(path, asked);
      } else if (asked) await this.#take(shown, entry.isSymbolicLink());
    }
  }

  #askFor(path: string): boolean {
    const asking = this.patterns.filter((pattern) => asks(pattern, path));
    for (const pattern of asking) this.matched.add(pattern);
    return asking.length > 0;
  }

  #isExcluded(path: string): boolean {
    return this.#exclude.some((pattern) => asks(pattern, path));
  }

  async #take(path: string, isLink: boolean): Promise<void> {
    const from = isLink && !this.#keepsLinks ? await this.#ledTo(path) : join(this.root, path);
    const found = from === undefined ? undefined : await lstat(from);
    if (from === undefined || found === undefined || !this.#isKept(found)) return void this.links.push(path);
    if (this.files.length >= this.#most) throw new Error(`more than ${this.#most} files are asked for`);
    this.files.push({ path, from, bytes: found.size });
  }

  /** Sockets and others are no files. */
  #isKept(found: Stats): boolean {
    return found.isFile() || (this.#keepsLinks && found.isSymbolicLink());
  }

  /** The file that a link leads to, where that is in the folder. */
  async #ledTo(path: string): Promise<string | undefined> {
    try {
      const target = await realpath(join(this.root, path));
      return target.startsWith(this.root + sep) && (await stat(target)).isFile() ? target : undefined;
    } catch {
      return undefined;
    }
  }
}

/**
 * The files of a folder that patterns ask for, in the order of their names; nothing outside it, wherever links lead.
 * @throws Error for more than any archive may have.
 */
export const findFiles = async (folder: string, { paths, ...wanted }: WantedFiles): Promise<FoundFiles> => {
  const root = await realpath(folder);
  const patterns = new Map(paths.map((path) => [path, below(root, path) ?? below(folder, path)]));
  const search = new Search(
    root,
    [...patterns.values()].flatMap((pattern) => pattern ?? []),
    wanted,
  );
  await search.through([], [...patterns.values()].includes(''));
  const missing = [...patterns].filter(([, pattern]) => pattern === undefined || !search.matched.has(pattern));
  return { files: search.files, folders: search.folders, links: search.links, missing: missing.map(([path]) => path) };
};
