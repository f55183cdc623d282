import type { UserState } from '../../../domain/identity/user.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { Openness } from '../../../domain/workspace/project-features.js';
import type { ImportState } from '../../../domain/workspace/fork.js';
import type { Project } from '../../../domain/workspace/namespace.js';
import type { Viewer } from './workspace-readers.js';

export interface StarRepository {
  /** False when they have starred it already. */
  add(projectId: ProjectId, userId: UserId, at: Date): Promise<boolean>;
  /** False when they have not starred it. */
  remove(projectId: ProjectId, userId: UserId): Promise<boolean>;
}

export interface ForkRepository {
  /** @throws Conflict where the project has a source already. */
  add(projectId: ProjectId, sourceId: ProjectId, state: ImportState, at: Date): Promise<void>;
  /** The project gets its code from elsewhere. */
  addImport(projectId: ProjectId, at: Date): Promise<void>;
  /** False where it has no source. */
  remove(projectId: ProjectId): Promise<boolean>;
  setImport(projectId: ProjectId, state: ImportState, error: string | null): Promise<void>;
  /** How open the source of a fork is, which stays so until the work ends; undefined where it has none. */
  holdSource(projectId: ProjectId): Promise<Openness | undefined>;
  /** Tells forks that are more visible than this, or whose code is, apart from their source. */
  removeMoreVisible(sourceId: ProjectId, limit: Openness): Promise<void>;
}

/** What lists show of a project that isn't in its row. */
export interface ProjectFacts {
  readonly stars: number;
  readonly forks: number;
  readonly topics: readonly string[];
}

/** What others made of a project, and what it was made of. */
export interface ProjectRelations extends ProjectFacts {
  /** Its source, where it is a fork and the viewer sees the source. */
  readonly forkedFrom?: { readonly project: Project } & ProjectFacts;
  /** Whether it follows a repository elsewhere. */
  readonly isMirror: boolean;
  /** How its code arrives, where it was copied from another project, or from elsewhere. */
  readonly copied?: { readonly state: ImportState; readonly error: string | null };
}

export interface Starrer {
  readonly userId: UserId;
  readonly username: string;
  readonly name: string;
  readonly state: UserState;
  readonly since: Date;
}

export interface ProjectRelationsReader {
  /** Has an entry for each of the projects. */
  relationsOf(viewer: Viewer, projects: readonly ProjectId[]): Promise<ReadonlyMap<ProjectId, ProjectRelations>>;
  hasStarred(projectId: ProjectId, userId: UserId): Promise<boolean>;
  /** The newest first. */
  starrers(
    projectId: ProjectId,
    query: { readonly search?: string; readonly page: PageRequest },
  ): Promise<Page<Starrer>>;
}
