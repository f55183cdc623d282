import type { ProjectId } from './identifiers.js';
import { isWithin, type Visibility } from './visibility.js';

/** A project, as far as it matters who sees it. */
export interface SeenProject {
  readonly id: ProjectId;
  readonly visibility: Visibility;
}

/** Whether everybody who sees one project sees the other, too: nothing that is written for all of them may name it else. */
export const isKnownIn = (project: SeenProject, seenIn: SeenProject): boolean =>
  project.id === seenIn.id || (project.visibility !== 'private' && isWithin(seenIn.visibility, project.visibility));
