import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheStore } from './cache-store.js';
import { findFiles, type FoundFile, type FoundFiles, type WantedFiles } from './find-files.js';
import type { Job, JobCache } from './job.js';
import { expandBy, type Variables } from './job-environment.js';
import { counted, type LeavingPlace } from './job-files.js';
import type { JobLog } from './job-log.js';
import { run, type Command } from './run-bash.js';

/** Where a job has the files that it keeps. */
export interface CachePlace extends LeavingPlace {
  readonly command: Omit<Command, 'file' | 'args'>;
}

/** A tree of packages has many. */
const MOST_FILES = 300_000;
const MEBIBYTE = 1_048_576;
/** The server ends keys so, that jobs of protected branches are brought nothing that others kept. */
const PROTECTION = /-(?:non_)?protected$/;
/** A file that changed while it was read. */
const CHANGED = 1;

const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;

/** Folders before what is in them: a link that stands where one of them was is replaced by it, and not followed. */
const withFolders = (paths: readonly string[]): readonly string[] => {
  const all = new Set<string>();
  for (const path of paths) {
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) all.add(path.slice(0, end));
    all.add(path);
  }
  return [...all];
};

/** What the jobs of a project keep for those that come. Whatever goes wrong with it, a job goes on without. */
export class JobCaches {
  /** @param owner the project of a server. */
  constructor(
    private readonly store: CacheStore,
    private readonly owner: string,
    private readonly job: Job,
    private readonly log: JobLog,
  ) {}

  /** Whether there is anything to find, or to keep. */
  get isOff(): boolean {
    return this.job.caches.length === 0 || this.store.isOff;
  }

  async restore(place: CachePlace): Promise<void> {
    for (const cache of this.job.caches)
      if (expandBy(cache.policy, place.variables) !== 'push') await this.#restoreOne(cache, place);
  }

  async keep(well: boolean, place: CachePlace): Promise<void> {
    for (const cache of this.job.caches) {
      if (expandBy(cache.policy, place.variables) === 'pull') continue;
      if (cache.when !== 'always' && (cache.when === 'on_success') !== well) continue;
      const key = expandBy(cache.key, place.variables);
      await this.#keepOne(key, cache, place).catch((error: unknown) => {
        if (!place.signal.aborted) this.log.warning(`The cache ${key} is not kept: ${(error as Error).message}.`);
      });
    }
  }

  async #restoreOne(cache: JobCache, { project, variables, signal, command }: CachePlace): Promise<void> {
    for (const key of this.#keysOf(cache, variables)) {
      const archive = await this.store.find(this.owner, key);
      if (archive === undefined) {
        this.log.line(`There is no cache ${key}.`);
        continue;
      }
      try {
        await runTar(['--extract', '-p', `--file=${archive}`, `--directory=${project}`, '--no-same-owner'], command);
        return this.log.line(`Restored the cache ${key}.`);
      } catch (error) {
        if (signal.aborted) return;
        this.log.warning(
          `The cache ${key} is removed: a part of it, at most, was restored. ${(error as Error).message}.`,
        );
        await this.store.remove(this.owner, key);
      }
    }
  }

  /** Its own comes first. */
  #keysOf({ key, fallbackKeys }: JobCache, variables: Variables): readonly string[] {
    const protection = PROTECTION.exec(key)?.[0] ?? '';
    const general = variables['CACHE_FALLBACK_KEY'] ?? '';
    const ofVariable = general.endsWith(protection) ? general : general + protection;
    const all = [key, ...fallbackKeys, ...(general === '' ? [] : [ofVariable])];
    return all.map((each) => expandBy(each, variables));
  }

  async #keepOne(key: string, cache: JobCache, place: CachePlace): Promise<void> {
    const { files, folders } = await this.#find(cache, place);
    if (files.length === 0) return this.log.warning(`There is nothing to keep in the cache ${key}.`);
    const tooLarge = (bytes: number): void =>
      this.log.warning(
        `The cache ${key} (${counted(files.length)}, ${mebibytes(bytes)}) is larger than this runner keeps.`,
      );
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (this.store.isTooLarge(bytes)) return tooLarge(bytes);
    const paths = [...folders, ...files.map(({ path }) => path)];
    const stored = await this.store.put(this.owner, key, (archive) => this.#pack(paths, archive, place));
    if (stored.isTooLarge) return tooLarge(stored.bytes);
    this.log.line(`Kept the cache ${key}: ${counted(files.length)}, ${mebibytes(stored.bytes)}.`);
  }

  async #find(cache: JobCache, place: CachePlace): Promise<Pick<FoundFiles, 'files' | 'folders'>> {
    const { project, variables, signal } = place;
    const wanted = { exclude: [], keepLinks: true, most: MOST_FILES, signal };
    const found = await findFiles(project, { ...wanted, paths: cache.paths.map((path) => expandBy(path, variables)) });
    for (const path of found.missing) this.log.warning(`${path}: no files found in the folder of the job.`);
    if (!cache.untracked) return found;
    const known = new Set(found.files.map(({ path }) => path));
    const others = await this.#untracked(place, wanted);
    return { folders: found.folders, files: [...found.files, ...others.filter(({ path }) => !known.has(path))] };
  }

  /** What git doesn't know, with all that is in a repository within the code; none where there is no code. */
  async #untracked(
    { project, untracked }: CachePlace,
    wanted: Omit<WantedFiles, 'paths'>,
  ): Promise<readonly FoundFile[]> {
    const names = await untracked().catch((error: unknown) => {
      this.log.warning(`${(error as Error).message}.`);
      return [];
    });
    const [files, folders] = [new Set(names), names.filter((name) => name.endsWith('/'))];
    if (files.size === 0) return [];
    const all = await findFiles(project, { ...wanted, paths: ['.'] });
    return all.files.filter(({ path }) => files.has(path) || folders.some((folder) => path.startsWith(folder)));
  }

  async #pack(paths: readonly string[], archive: string, { project, files, command }: CachePlace): Promise<void> {
    const names = join(files, 'cached-files');
    await writeFile(
      names,
      withFolders(paths)
        .map((path) => `./${path}\0`)
        .join(''),
      { mode: 0o600 },
    );
    try {
      const how = ['--no-recursion', '--null', `--files-from=${names}`];
      await runTar(['--create', `--file=${archive}`, `--directory=${project}`, ...how], command, [CHANGED]);
    } finally {
      await rm(names, { force: true });
    }
  }
}

/** @throws Error for an exit code that is none of the `good` ones, or 0. */
const runTar = async (
  args: readonly string[],
  command: CachePlace['command'],
  good: readonly number[] = [],
): Promise<void> => {
  const code = await run({ ...command, file: 'tar', args });
  // One that was ended answers this, too.
  command.signal.throwIfAborted();
  if (code !== 0 && !good.includes(code)) throw new Error(`tar ended with exit code ${code}`);
};
