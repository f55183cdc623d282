import type { Issue } from '../../../domain/planning/issue.js';
import type { Actor } from '../../shared/actor.js';

/** Finds issues as somebody sees them. */
export interface IssueFinder {
  /** @param project its number or path. Undefined where it isn't there, or not for them to see. */
  find(
    actor: Actor,
    project: string,
    iid: number,
  ): Promise<{ readonly issue: Issue; readonly mayClose: boolean } | undefined>;
}
