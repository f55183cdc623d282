import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { Viewer } from './workspace-readers.js';

/** What projects are about. */
export interface Topic {
  readonly name: string;
  /** How many projects have it, of those that the viewer sees. */
  readonly projects: number;
}

export interface TopicReader {
  /** Those of projects that the viewer sees, by name. @param search part of the name. */
  list(viewer: Viewer, page: PageRequest, search?: string): Promise<Page<Topic>>;
}
