import { MOST_COMPARED } from '../../domain/pipelines/ci-file/compared-refs.js';
import type { FoundPaths } from '../../domain/pipelines/ci-file/includes.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { HistoryReader } from '../repositories/ports/object-stores.js';
import type { CommitPlace } from './ci-files.js';

/** More, or larger ones, count as if everything had changed. */
const CHANGED = { files: 1_000 };

/** A commit of a project. */
export type ComparedPlace = CommitPlace & { readonly projectId: ProjectId };

export interface Problem {
  readonly problem: string;
}

/** Paths of files that differ between commits, for rules that ask about them. Undefined where everything counts as changed. */
export class ChangedPaths {
  constructor(
    private readonly history: Pick<HistoryReader, 'diff' | 'mergeBase'>,
    /** The commit of a branch, a tag or an id. @throws Unavailable. */
    private readonly commitOf: (
      place: Pick<ComparedPlace, 'projectId' | 'store'>,
      name: string,
    ) => Promise<ObjectId | undefined>,
  ) {}

  /** @throws Unavailable. */
  async from({ store, commit }: CommitPlace, before: ObjectId): Promise<readonly string[] | undefined> {
    const { files, overflow } = await this.history.diff(store, before, commit.id, CHANGED);
    return overflow ? undefined : files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]);
  }

  /** Since the last commit that a branch, a tag or an id has in common with it. @throws Unavailable. */
  async since(place: ComparedPlace, name: string): Promise<FoundPaths> {
    const other = await this.commitOf(place, name);
    if (other === undefined) return { problem: 'rules:changes:compare_to is not a valid ref' };
    const base = await this.history.mergeBase(place.store, [other, place.commit.id]);
    return { listed: await this.from(place, base ?? other) };
  }

  /** The same for each of several, as rules name them. @throws Unavailable. */
  async sinceEach(
    place: ComparedPlace,
    compared: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, readonly string[] | undefined> | Problem> {
    if (compared.size > MOST_COMPARED)
      return { problem: `rules:changes:compare_to names more than ${MOST_COMPARED} refs` };
    const since = new Map<string, readonly string[] | undefined>();
    for (const [text, name] of compared) {
      const found = await this.since(place, name);
      if ('problem' in found) return found;
      since.set(text, found.listed);
    }
    return since;
  }
}
