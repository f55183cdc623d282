import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';

/** Which projects' jobs may start pipelines of which others. */
export interface StarterRepository {
  /** How many a project lets in. Whoever else asks waits until the transaction ends. */
  holdAndCount(projectId: ProjectId): Promise<number>;
  /** False where it is let in already. */
  add(projectId: ProjectId, starterId: ProjectId, at: Date): Promise<boolean>;
  /** False where it isn't. */
  remove(projectId: ProjectId, starterId: ProjectId): Promise<boolean>;
}

export interface StarterRepositories {
  readonly pipelineStarters: StarterRepository;
}

export interface StarterReader {
  has(projectId: ProjectId, starterId: ProjectId): Promise<boolean>;
  /** Those that somebody sees. */
  visibleOf(projectId: ProjectId, viewer: Viewer): Promise<readonly ProjectId[]>;
}
