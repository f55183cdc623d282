import type { NamespaceId, ProjectId } from '../../../domain/shared/identifiers.js';
import type { PageRequest } from '../../../domain/shared/page.js';
import type { NoteWithAuthor } from '../../collaboration/ports/note-ports.js';
import type { SubjectDetails } from '../../collaboration/ports/subject-ports.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';
import type { MilestoneDetails } from './planning-readers.js';

export interface SearchQuery {
  /** What they may not see is left out. */
  readonly viewer: Viewer;
  /** Part of a text. */
  readonly search: string;
  readonly projectId?: ProjectId;
  /** Only in projects of this group, and of the groups below it. */
  readonly within?: NamespaceId;
  readonly page: PageRequest;
}

/** A comment with what it is about. */
export type FoundNote = NoteWithAuthor & {
  readonly subject: Pick<SubjectDetails, 'id' | 'kind' | 'iid' | 'resolvable' | 'takesSuggestions'>;
};

/** Finds what belongs to planning, the newest first. */
export interface PlanningSearch {
  /** By title and description. */
  milestones(query: SearchQuery): Promise<PageInBatches<MilestoneDetails>>;
  /** What people wrote about the issues and merge requests of a project, of its newest 20,000 comments. Case counts for letters beyond ASCII. */
  notes(query: SearchQuery & { readonly projectId: ProjectId }): Promise<PageInBatches<FoundNote>>;
}
