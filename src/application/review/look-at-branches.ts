import type { ObjectId } from '../../domain/repositories/object-id.js';
import { branchRef } from '../../domain/repositories/ref-name.js';
import type { BranchPair } from '../../domain/review/merge-request.js';
import type { BringCommits } from '../repositories/operations/bring-commits.js';
import { TooLarge, type HistoryReader, type Merger, type Staged } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { Repository } from '../repositories/ports/repository-repositories.js';
import type { RelatedProjects } from './ports/related-projects.js';
import type { NewVersion, Standing } from './ports/merge-request-ports.js';

export interface BranchTips {
  readonly repository: Repository;
  readonly sourceRepository: Repository;
  /** Null where the branch isn't there. */
  readonly target: ObjectId | null;
  readonly source: ObjectId | null;
  /** False where the source belongs to a project that has been told apart: whatever is there, `source` is null. */
  readonly sourceShown: boolean;
}

export interface Looked extends BranchTips {
  readonly standing: Standing;
  /** Absent where there is nothing to be merged. */
  readonly version?: NewVersion;
  /** Commits of a fork that were brought: to be settled once they are referred to. */
  readonly brought?: Staged;
}

interface Parts {
  readonly refs: RefReader;
  readonly related: RelatedProjects;
  readonly history: HistoryReader;
  readonly merger: Merger;
  readonly bringCommits: BringCommits;
}

interface Compared {
  readonly source: ObjectId;
  readonly target: ObjectId;
  readonly known: NewVersion | undefined;
}

/** Conflicts that are named. */
export const MOST_PATHS = 100;
/** Files that are counted. */
const MOST_FILES = 1_000;
const NONE: readonly string[] = [];
const NOTHING = { ahead: 0, behind: 0, conflicts: [] } as const;

/** Finds out by git how the two branches of a merge request stand to one another. Nothing moves. */
export class LookAtBranches {
  constructor(private readonly parts: Parts) {}

  /**
   * Undefined where one of the two projects has no code. The source of a project that has been told apart from the other isn't there: nobody
   * there shows it to whoever sees the target.
   */
  async tips({ projectId, sourceProjectId, sourceBranch, targetBranch }: BranchPair): Promise<BranchTips | undefined> {
    const { refs, related } = this.parts;
    const repository = await refs.findRepository(projectId);
    const sourceRepository =
      sourceProjectId === projectId || sourceProjectId === null
        ? repository
        : await refs.findRepository(sourceProjectId);
    if (repository === undefined || sourceRepository === undefined) return undefined;
    const target = await refs.findRef(repository.id, branchRef(targetBranch));
    const sourceShown =
      sourceProjectId === projectId ||
      (sourceProjectId !== null && (await related.areRelated(sourceProjectId, projectId)));
    const source = sourceShown ? await refs.findRef(sourceRepository.id, branchRef(sourceBranch)) : undefined;
    const tips = { target: target?.target ?? null, source: source?.target ?? null };
    return { repository, sourceRepository, sourceShown, ...tips };
  }

  /**
   * @param known what was found out last.
   * @throws Unavailable.
   */
  async execute(pair: BranchPair, known?: NewVersion): Promise<Looked | undefined> {
    const tips = await this.tips(pair);
    if (tips === undefined) return undefined;
    const { repository, sourceRepository, target, source } = tips;
    const seen = { sourceSha: source, checkedTarget: target };
    if (target === null || source === null)
      return { ...tips, standing: { ...NOTHING, ...seen, status: 'cannot_be_merged', branchesThere: false } };
    const brought = await this.parts.bringCommits.execute(sourceRepository, repository, source);
    try {
      const { version, ...standing } = await this.#compare(repository, { source, target, known });
      return {
        ...tips,
        standing: { ...standing, ...seen, branchesThere: true },
        ...(version === undefined ? {} : { version }),
        ...(brought === undefined ? {} : { brought }),
      };
    } catch (error) {
      await brought?.settle();
      throw error;
    }
  }

  async #compare({ store }: Repository, { source, target, known }: Compared) {
    const { history } = this.parts;
    const { ahead, behind } = await history.distance(store, source, target);
    if (ahead === 0) return { ...NOTHING, behind, status: 'cannot_be_merged' as const };
    const base = await history.mergeBase(store, [target, source]);
    // Without a commit in common there is nothing that one could be merged by.
    if (base === undefined) return { ahead, behind, conflicts: [], status: 'cannot_be_merged' as const };
    const conflicts = behind === 0 ? NONE : await this.#conflicts(store, target, source);
    // A push to the target mostly leaves both where they were.
    const isKnown = known?.base === base && known.head === source;
    const { fileCount, overflow } = isKnown ? known : await this.#sizeOf(store, base, source);
    return {
      ahead,
      behind,
      conflicts: conflicts ?? NONE,
      status: conflicts?.length === 0 ? ('can_be_merged' as const) : ('cannot_be_merged' as const),
      version: { base, start: target, head: source, fileCount, overflow },
    };
  }

  async #sizeOf(store: string, base: ObjectId, source: ObjectId): Promise<Pick<NewVersion, 'fileCount' | 'overflow'>> {
    const limits = { files: MOST_FILES, bytes: 0, bytesPerFile: 0 };
    try {
      const { files } = await this.parts.history.diff(store, base, source, limits);
      return { fileCount: files.length, overflow: files.length >= MOST_FILES };
    } catch (error) {
      if (error instanceof TooLarge) return { fileCount: MOST_FILES, overflow: true };
      throw error;
    }
  }

  /** Undefined where it takes too much to find out: such are not merged here, and git is asked again after a while only. */
  async #conflicts(store: string, target: ObjectId, source: ObjectId): Promise<readonly string[] | undefined> {
    try {
      const [paths = []] = await this.parts.merger.conflicts(store, [{ ours: target, theirs: source }]);
      return paths.slice(0, MOST_PATHS);
    } catch (error) {
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
  }
}
