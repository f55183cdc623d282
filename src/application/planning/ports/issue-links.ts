import type { IssueLink } from '../../../domain/planning/issue-link.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';

export interface IssueLinkRepository {
  /** Whether two issues are linked, whichever is the source. */
  areLinked(one: number, other: number): Promise<boolean>;
  add(link: IssueLink, at: Date): Promise<number>;
  remove(id: number): Promise<void>;
  /** What was linked with one issue is linked with another that has no links. */
  moveAll(fromId: number, toId: number): Promise<void>;
}

/** A link of an issue, with the issue at its other end. */
export interface LinkedIssue extends IssueLink {
  readonly id: number;
  readonly createdAt: Date;
  readonly other: { readonly projectId: ProjectId; readonly iid: number };
}

export interface IssueLinkReader {
  /** Those whose other end the viewer sees, the oldest first. */
  list(issueId: number, viewer: Viewer, page: PageRequest): Promise<Page<LinkedIssue>>;
  /** Undefined where the viewer doesn't see the other end. */
  find(issueId: number, id: number, viewer: Viewer): Promise<LinkedIssue | undefined>;
}
