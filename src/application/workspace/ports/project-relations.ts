import type { UserState } from '../../../domain/identity/user.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { ImportState } from '../../../domain/workspace/fork.js';
import type { Project } from '../../../domain/workspace/namespace.js';
import type { Viewer } from './workspace-readers.js';

export interface StarRepository {
  /** False when they have starred it already. */
  add(projectId: ProjectId, userId: UserId, at: Date): Promise<boolean>;
  /** False when they have not starred it. */
  remove(projectId: ProjectId, userId: UserId): Promise<boolean>;
}

export interface ProjectCounts {
  readonly stars: number;
  readonly forks: number;
}

/** What others made of a project, and what it was made of. */
export interface ProjectRelations extends ProjectCounts {
  /** Its source, where it is a fork and the viewer sees the source. */
  readonly forkedFrom?: { readonly project: Project } & ProjectCounts;
  /** How its code arrives, where it was copied from another project. */
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
  /** The newest first. */
  starrers(
    projectId: ProjectId,
    query: { readonly search?: string; readonly page: PageRequest },
  ): Promise<Page<Starrer>>;
}
