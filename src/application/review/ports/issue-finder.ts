import type { Issue } from '../../../domain/planning/issue.js';
import type { Project } from '../../../domain/workspace/namespace.js';
import type { Actor } from '../../shared/actor.js';

export interface FoundIssue {
  readonly issue: Issue;
  readonly project: Project;
  readonly mayClose: boolean;
}

/** Finds issues as somebody sees them. */
export interface IssueFinder {
  /** @param project its number or path. Undefined where it isn't there, or not for them to see. */
  find(actor: Actor, project: string, iid: number): Promise<FoundIssue | undefined>;
}
