import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { RefRules } from '../../../domain/repositories/push-decision.js';
import type { RefKind } from '../../../domain/repositories/ref-name.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { Ref, Repository } from './repository-repositories.js';

export interface RefQuery {
  readonly repositoryId: number;
  readonly kind: RefKind;
  /** Part of the name; `^` before it asks for the beginning, `$` after it for the end. */
  readonly search?: string;
  readonly orderBy: 'name' | 'updated';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

/** A repository whose folder should go, or whose refs were not all written. */
export interface UnkeptStore {
  readonly id: number;
  readonly store: string;
}

/** What a name means in a project that has code: undefined for no ref of that name. */
export interface ResolvedRef {
  readonly repository: Repository;
  readonly ref: Ref | undefined;
}

/** What decides about a push, besides what is protected. */
export type Standing = Pick<RefRules, 'defaultBranch' | 'archived' | 'empty'>;

/** Reads repositories and refs from their rows; no git takes part. */
export interface RefReader {
  findRepository(projectId: ProjectId): Promise<Repository | undefined>;
  /** Undefined for a project that is gone, or has no repository. */
  standing(projectId: ProjectId): Promise<Standing | undefined>;
  /** Whether it still waits for its code: that of the source of a fork, or of elsewhere. */
  isBeingCopied(projectId: ProjectId): Promise<boolean>;
  /** By its full name. */
  findRef(repositoryId: number, name: string): Promise<Ref | undefined>;
  /** Those of these refs that are there, by their full names. */
  findRefs(repositoryId: number, names: readonly string[]): Promise<readonly Ref[]>;
  /**
   * The ref that a caller means by a name: a full one, else a branch, else a tag. Of a branch and a tag of one name it is the tag where that
   * alone is protected: who may not touch it puts nothing in its place.
   */
  resolve(repositoryId: number, name: string): Promise<Ref | undefined>;
  /** The same in the repository of a project, which is found beside it; undefined where there is none. */
  resolveIn(projectId: ProjectId, name: string): Promise<ResolvedRef | undefined>;
  /** In the order of their names, a batch at a time; those that begin with one of the prefixes. */
  advertised(repositoryId: number, prefixes?: readonly string[]): AsyncIterable<readonly Ref[]>;
  list(query: RefQuery): Promise<Page<Ref>>;
  /** Refs that lead to one of these commits. */
  pointingAt(repositoryId: number, ids: readonly ObjectId[]): Promise<readonly Ref[]>;
  /** Those of these projects that have a branch. */
  withBranches(projectIds: readonly ProjectId[]): Promise<ReadonlySet<ProjectId>>;
  /** Repositories without a project, into whose files nobody is writing refs. */
  orphans(now: Date, limit: number): Promise<readonly UnkeptStore[]>;
  /** Repositories whose files don't say everything that their rows say. */
  stale(limit: number): Promise<readonly UnkeptStore[]>;
}
