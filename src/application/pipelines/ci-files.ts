import { held } from '../../domain/repositories/held-objects.js';
import type { CiReading } from '../../domain/pipelines/ci-file/ci-config.js';
import type { CiMap } from '../../domain/pipelines/ci-file/ci-value.js';
import type { CiFileTools, FoundFile, FoundPaths, PathsWanted } from '../../domain/pipelines/ci-file/includes.js';
import type { IncludedFile, OtherCode } from '../../domain/pipelines/ci-file/read-includes.js';
import { includingElsewhere } from '../../domain/pipelines/ci-file/including-elsewhere.js';
import { isPattern, pathsOfPattern } from '../../domain/pipelines/ci-file/path-patterns.js';
import { readCiFile } from '../../domain/pipelines/ci-file/read-ci-file.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import { isElsewhere, ownCiFiles, USUAL_CI_FILE } from '../../domain/shared/ci-config-path.js';
import {
  TooLarge,
  type HistoryReader,
  type ObjectReader,
  type StoreName,
} from '../repositories/ports/object-stores.js';

/** Of one file. */
export const MOST_CI_FILE_BYTES = 4 * 1024 * 1024;
/** Of the files of a commit: patterns are looked for among so many. */
const MOST_PATHS = 100_000;

/** A commit where it is kept. */
export interface CommitPlace {
  readonly store: StoreName;
  readonly commit: { readonly id: ObjectId };
}

/** A commit of a project that may say where its CI file is (`Project.ciConfigPath`). */
export interface CiFilePlace extends CommitPlace {
  readonly configPath: string | null;
}

/** The path of the CI file of a commit; undefined where it has none. Of another project it is there until somebody reads it. @throws Unavailable. */
export const ciFileAt = async (
  objects: Pick<ObjectReader, 'entryAt'>,
  { store, commit, configPath }: CiFilePlace,
): Promise<string | undefined> => {
  if (configPath !== null && isElsewhere(configPath)) return configPath;
  for (const path of ownCiFiles(configPath))
    if ((await objects.entryAt(store, commit.id, path)) !== undefined) return path;
  return undefined;
};

/** Finds the code of another project as whoever reads a file may reach it. @throws Unavailable. */
export type ReachCode = (code: OtherCode) => Promise<CommitPlace | { readonly missing: 'reference' | 'project' }>;

/** The text of a file in the archive of a job, by their names; undefined where there is none. */
export type LeftBy = (job: string, path: string) => Promise<string | undefined>;

/** A text that is elsewhere, by its address, or why it can't be had. */
export type FetchRemote = (address: string) => Promise<{ readonly text: string } | { readonly problem: string }>;

/** Who reads a file, and for which pipeline: without them other projects are out of reach, nothing is fetched, and whatever has rules is included. */
export interface Reader {
  readonly reach?: ReachCode;
  readonly fetch?: FetchRemote;
  readonly known?: () => ReadonlyMap<string, string>;
  /** Those of the variables that may be put into the file. */
  readonly shown?: () => ReadonlyMap<string, string>;
  /** Those that may stand in what it includes. */
  readonly naming?: () => ReadonlyMap<string, string>;
  /** Paths of what has changed; undefined, as without it, where everything counts as changed. @throws Unavailable. */
  readonly changed?: () => Promise<readonly string[] | undefined>;
  /** The same since what a branch, a tag or an id has in common with the commit, or what is wrong with it. @throws Unavailable. */
  readonly changedSince?: (name: string) => Promise<FoundPaths>;
  /** What a job left that may be included. @throws Unavailable. */
  readonly leftBy?: LeftBy;
  /** What the file is given. */
  readonly inputs?: CiMap;
}

interface Parts {
  readonly objects: ObjectReader;
  readonly history: HistoryReader;
  /** Anew for each file: its regular expressions have their time together. */
  readonly tools: () => CiFileTools;
  /** The text of a template that comes with the service. */
  readonly template: (name: string) => Promise<string | undefined>;
}

/** CI files as they are in repositories. */
export class CiFiles {
  constructor(private readonly parts: Parts) {}

  /**
   * What a text says; files that it includes are those of the commit, and of other projects as far as they can be reached. None are there
   * without one. @throws Unavailable.
   */
  async read(text: string, place?: CiFilePlace, reader: Reader = {}): Promise<CiReading> {
    const { reach = nowhere, fetch = notFetched, changed, changedSince, leftBy, ...given } = reader;
    const artifacts = leftBy !== undefined;
    const asking = readCiFile(text, { ...this.parts.tools(), ...given, artifacts });
    const reachOnce = once(reach);
    let step = asking.next();
    while (step.done !== true) {
      const { value } = step;
      const found =
        'list' in value
          ? await this.#listed(value, place, { ...(changed && { changed }), ...(changedSince && { changedSince }) })
          : await this.#find(value, place, { reach: reachOnce, fetch, ...(leftBy && { leftBy }) });
      step = asking.next(found);
    }
    return step.value;
  }

  async #listed(
    { list, since }: PathsWanted,
    place: CiFilePlace | undefined,
    { changed, changedSince }: Pick<Reader, 'changed' | 'changedSince'>,
  ): Promise<FoundPaths> {
    if (list === 'all') return { listed: place && (await this.pathsOf(place)) };
    if (since !== undefined) return (await changedSince?.(since)) ?? { listed: undefined };
    return { listed: await changed?.() };
  }

  async #find(
    file: IncludedFile,
    own: CiFilePlace | undefined,
    { reach, fetch, leftBy }: Required<Pick<Reader, 'reach' | 'fetch'>> & Pick<Reader, 'leftBy'>,
  ): Promise<FoundFile> {
    const { path, code, template, remote, job } = file;
    if (remote === true) return fetch(path);
    if (template === true) return foundText(await this.parts.template(path));
    if (job !== undefined) return foundText(await leftBy?.(job, path));
    const place = code === null ? own : await reach(code);
    if (place === undefined) return { missing: 'file' };
    if ('missing' in place) return place;
    if (!isPattern(path)) return foundText(await this.textAt(place, path));
    const configPath = code === null && own !== undefined ? own.configPath : null;
    return { paths: await this.#pathsLike(path, { ...place, configPath }) };
  }

  /** But for the CI file itself, which includes them. */
  async #pathsLike(pattern: string, place: CiFilePlace): Promise<readonly string[]> {
    const paths = await this.pathsOf(place);
    const main = ownCiFiles(place.configPath);
    return pathsOfPattern(
      pattern,
      paths.filter((path) => /\.ya?ml$/.test(path) && !main.includes(path)),
    );
  }

  /** What the CI file of a commit is called, whether or not it is there. @throws Unavailable. */
  async pathAt(place: CiFilePlace): Promise<string> {
    return place.configPath ?? (await ciFileAt(this.parts.objects, place)) ?? USUAL_CI_FILE;
  }

  /** The CI file of a commit. @throws Unavailable. */
  async mainAt(place: CiFilePlace): Promise<string | undefined> {
    const { configPath } = place;
    if (configPath !== null && isElsewhere(configPath)) return includingElsewhere(configPath);
    return this.textAt(place, await this.pathAt(place));
  }

  /** Undefined where no file is, or one that is too long. @throws Unavailable. */
  async textAt({ store, commit }: CommitPlace, path: string): Promise<string | undefined> {
    const { objects } = this.parts;
    try {
      const entry = await objects.entryAt(store, commit.id, path);
      if (entry?.mode !== '100644' && entry?.mode !== '100755') return undefined;
      const found = held(await objects.read(store, entry.id, MOST_CI_FILE_BYTES), entry.id);
      return Buffer.from(found.content).toString('utf8');
    } catch (error) {
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
  }

  /** Paths of all files of a commit; none where they are too many to be read. @throws Unavailable. */
  async pathsOf({ store, commit }: CommitPlace): Promise<readonly string[]> {
    try {
      const tree = await this.parts.history.listTree(store, commit.id, '', { recursive: true });
      return tree
        .entries(0, Math.min(tree.length, MOST_PATHS))
        .flatMap(({ type, path }) => (type === 'blob' ? [path] : []));
    } catch (error) {
      if (error instanceof TooLarge) return [];
      throw error;
    }
  }
}

const foundText = (text: string | undefined): FoundFile => (text === undefined ? { missing: 'file' } : { text });

const notFetched: FetchRemote = () => Promise.resolve({ problem: 'is not fetched here.' });

const nowhere: ReachCode = () => Promise.resolve({ missing: 'project' });

/** A branch that moves on meanwhile leads to the same commit for all files. */
const once = (reach: ReachCode): ReachCode => {
  const reached = new Map<string, ReturnType<ReachCode>>();
  return (code) => {
    const name = JSON.stringify(code);
    const found = reached.get(name) ?? reach(code);
    reached.set(name, found);
    return found;
  };
};
