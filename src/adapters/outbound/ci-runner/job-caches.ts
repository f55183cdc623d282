import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheStore } from './cache-store.js';
import { findFiles } from './find-files.js';
import type { Job, JobCache } from './job.js';
import { expandBy, type Variables } from './job-environment.js';
import type { LeavingPlace } from './job-files.js';
import type { JobLog } from './job-log.js';
import { run, type Command } from './run-bash.js';

/** Where a job has the files that it keeps. */
export interface CachePlace extends LeavingPlace {
  readonly command: Omit<Command, 'file' | 'args'>;
}

/** A tree of packages has many; their names take some hundred megabytes. */
const MOST_FILES = 1_000_000;
const MEBIBYTE = 1_048_576;

const counted = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

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
    for (const cache of this.job.caches) {
      if (expandBy(cache.policy, place.variables) === 'push') continue;
      await this.#orGoOn(() => this.#restoreOne(cache, place), place.signal);
    }
  }

  async keep(well: boolean, place: CachePlace): Promise<void> {
    for (const cache of this.job.caches) {
      if (expandBy(cache.policy, place.variables) === 'pull') continue;
      if (cache.when !== 'always' && (cache.when === 'on_success') !== well) continue;
      await this.#orGoOn(() => this.#keepOne(cache, place), place.signal);
    }
  }

  async #orGoOn(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    await work().catch((error: unknown) => {
      if (!signal.aborted) this.log.warning(`The job goes on without: ${(error as Error).message}.`);
    });
  }

  async #restoreOne(cache: JobCache, { project, variables, command }: CachePlace): Promise<void> {
    for (const key of this.#keysOf(cache, variables)) {
      const archive = await this.store.find(this.owner, key);
      if (archive === undefined) {
        this.log.line(`There is no cache ${key}.`);
        continue;
      }
      await runTar(['--extract', `--file=${archive}`, `--directory=${project}`, '--no-same-owner'], command);
      return this.log.line(`Restored the cache ${key}.`);
    }
  }

  /** Its own comes first. */
  #keysOf({ key, fallbackKeys }: JobCache, variables: Variables): readonly string[] {
    const general = variables['CACHE_FALLBACK_KEY'];
    const others = general === undefined || general === '' ? fallbackKeys : [...fallbackKeys, general];
    return [key, ...others].map((each) => expandBy(each, variables));
  }

  async #keepOne(cache: JobCache, place: CachePlace): Promise<void> {
    const key = expandBy(cache.key, place.variables);
    const paths = await this.#pathsOf(cache, place);
    if (paths.length === 0) return this.log.warning(`There is nothing to keep in the cache ${key}.`);
    const { bytes, isTooLarge } = await this.store.put(this.owner, key, (archive) => this.#pack(paths, archive, place));
    const size = `${counted(paths.length)}, ${(bytes / MEBIBYTE).toFixed(1)} MiB`;
    if (isTooLarge) this.log.warning(`The cache ${key} (${size}) is larger than this runner keeps.`);
    else this.log.line(`Kept the cache ${key}: ${size}.`);
  }

  async #pathsOf(cache: JobCache, { project, variables, untracked }: CachePlace): Promise<readonly string[]> {
    const paths = cache.paths.map((path) => expandBy(path, variables));
    const wanted = { paths, exclude: [], keepLinks: true, most: MOST_FILES };
    const found = await findFiles(project, wanted);
    for (const path of found.missing) this.log.warning(`${path}: no files found in the folder of the job.`);
    const others = cache.untracked ? await untracked() : [];
    return [...new Set([...found.files.map(({ path }) => path), ...others])];
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
      await runTar(['--create', `--file=${archive}`, `--directory=${project}`, ...how], command);
    } finally {
      await rm(names, { force: true });
    }
  }
}

/** @throws Error. */
const runTar = async (args: readonly string[], command: CachePlace['command']): Promise<void> => {
  const code = await run({ ...command, file: 'tar', args });
  if (code !== 0) throw new Error(`tar ended with exit code ${code}`);
};
