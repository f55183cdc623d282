import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Person } from '../../collaboration/ports/note-ports.js';

/** What whoever is given something must be allowed to do: something of these is read. */
export type ReadsSubjects = 'read_issues' | 'read_merge_requests';

/** Finds what quick actions name. */
export interface NamedThings {
  /** Those of them whom something of a project may be given to. Case doesn't count. */
  people(projectId: ProjectId, usernames: readonly string[], permission: ReadsSubjects): Promise<readonly Person[]>;
  /** Those labels that the project, or a group above it, has. */
  labels(projectId: ProjectId, names: readonly string[]): Promise<readonly string[]>;
  /** Of the project, or of a group above it. */
  milestone(projectId: ProjectId, title: string): Promise<{ readonly id: number; readonly title: string } | undefined>;
}
