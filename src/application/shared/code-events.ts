import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';

/** A project was made as a fork of another, and has no code yet. */
export interface ProjectForkedEvent {
  readonly kind: 'project_forked';
  readonly projectId: ProjectId;
  readonly sourceId: ProjectId;
  /** The only branch that it gets; null for all of them, and the tags. Whoever keeps branches refuses one that isn't there. */
  readonly branch: string | null;
  readonly by: UserId;
  readonly at: Date;
}

/** The code of a fork, or of elsewhere, is there, or will never be: `error` says why. */
export interface CodeCopiedEvent {
  readonly kind: 'code_copied';
  readonly projectId: ProjectId;
  readonly error: string | null;
}

/** Code is to be fetched from elsewhere into a project that has none; or that has begun. */
export interface CodeImportEvent {
  readonly kind: 'code_import_asked' | 'code_import_begun';
  readonly projectId: ProjectId;
  readonly at: Date;
}
