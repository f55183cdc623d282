import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Person } from '../../collaboration/ports/note-ports.js';

/** Finds what quick actions name. */
export interface NamedThings {
  /** Those of them whom something of a project may be given to, each with at least a level where it is private. Case doesn't count. */
  people(projectId: ProjectId, usernames: readonly string[], least: number): Promise<readonly Person[]>;
  /** Those labels that the project has. */
  labels(projectId: ProjectId, names: readonly string[]): Promise<readonly string[]>;
  milestone(projectId: ProjectId, title: string): Promise<{ readonly id: number; readonly title: string } | undefined>;
}
