import type { Issue, IssueState } from '../../../domain/planning/issue.js';
import type { Label } from '../../../domain/planning/label.js';
import type { User } from '../../../domain/identity/user.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';
import type { Note } from './planning-repositories.js';

/** A user as issues and notes name him. */
export type Person = Pick<User, 'id' | 'username' | 'name' | 'state'>;

/** An issue with everything that is shown of it. */
export interface IssueDetails extends Issue {
  readonly projectPath: string;
  readonly author: Person | null;
  readonly closedBy: Person | null;
  readonly assignees: readonly Person[];
  readonly labels: readonly string[];
  readonly userNotesCount: number;
}

export interface IssueQuery {
  /** Confidential issues, and those of projects that he may not see, are left out. */
  readonly viewer: Viewer;
  readonly projectId?: ProjectId;
  readonly state?: IssueState;
  readonly kind?: Issue['kind'];
  readonly iids?: readonly number[];
  /** All of them. */
  readonly labels?: readonly string[];
  readonly labelled?: boolean;
  readonly authorId?: UserId;
  readonly assigneeId?: UserId;
  readonly search?: string;
  readonly confidential?: boolean;
  readonly orderBy: 'created_at' | 'updated_at';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

export type NoteWithAuthor = Note & { readonly author: Person | null };

export interface NoteQuery {
  readonly orderBy: 'created_at' | 'updated_at';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

export interface PlanningReader {
  findIssue(projectId: ProjectId, iid: number): Promise<IssueDetails | undefined>;
  listIssues(query: IssueQuery): Promise<Page<IssueDetails>>;
  listNotes(issueId: number, query: NoteQuery): Promise<Page<NoteWithAuthor>>;
  findNote(issueId: number, id: number): Promise<NoteWithAuthor | undefined>;
  listLabels(projectId: ProjectId, page: PageRequest): Promise<Page<Label>>;
  /** @param idOrName digits alone are an id. */
  findLabel(projectId: ProjectId, idOrName: string): Promise<Label | undefined>;
}
