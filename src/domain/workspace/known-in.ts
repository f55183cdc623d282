import { isWithin } from '../shared/visibility.js';
import type { Project } from './namespace.js';

/** Whether everybody who sees one project sees the other, too: nothing that is written for all of them may name it else. */
export const isKnownIn = (
  project: Pick<Project, 'id' | 'visibility'>,
  seenIn: Pick<Project, 'id' | 'visibility'>,
): boolean =>
  project.id === seenIn.id || (project.visibility !== 'private' && isWithin(seenIn.visibility, project.visibility));
