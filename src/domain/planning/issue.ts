import { ACCESS_LEVEL } from '../shared/access-level.js';
import type { ProblemCollector } from '../shared/problem-collector.js';
import type { ProjectId, UserId } from '../shared/identifiers.js';
import { isKnownIn, type SeenProject } from '../shared/known-in.js';

export type IssueKind = 'issue' | 'incident';
export type IssueState = 'opened' | 'closed';

export interface Issue {
  readonly id: number;
  readonly projectId: ProjectId;
  /** Counted within the project; what people call it by. */
  readonly iid: number;
  readonly kind: IssueKind;
  readonly title: string;
  readonly description: string;
  readonly state: IssueState;
  /** Of an incident: the severity of the alert that opened it. */
  readonly severity: string | null;
  readonly confidential: boolean;
  /** UTC day, `YYYY-MM-DD`. */
  readonly dueDate: string | null;
  readonly milestoneId: number | null;
  /** Absent once the account is gone. */
  readonly authorId: UserId | null;
  readonly closedById: UserId | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly closedAt: Date | null;
  /** The issue that it went on as, in another project. */
  readonly movedToId: number | null;
  /** The issue that it repeats. */
  readonly duplicatedToId: number | null;
  /** Whether only members may comment; null where nobody said. */
  readonly discussionLocked: boolean | null;
}

export const MAX_TITLE = 255;
export const MAX_TEXT = 1_000_000;

/** The level from which somebody sees confidential issues, and changes those of others. */
export const REPORTER = ACCESS_LEVEL.reporter;

export const checkIssue = (
  problems: ProblemCollector,
  { title, description }: Pick<Issue, 'title' | 'description'>,
): void => {
  problems
    .check(title.trim() !== '', 'title', "can't be blank")
    .check(title.length <= MAX_TITLE, 'title', `is too long (maximum is ${MAX_TITLE} characters)`)
    .check(description.length <= MAX_TEXT, 'description', `is too long (maximum is ${MAX_TEXT} characters)`);
};

/** Somebody beside an issue: who they are and what level they have in its project. */
export interface IssueParty {
  readonly userId: UserId | null;
  readonly level: number;
  readonly assigned: boolean;
}

const isParty = ({ authorId }: Pick<Issue, 'authorId'>, { userId, assigned }: IssueParty): boolean =>
  userId !== null && (assigned || authorId === userId);

/** A confidential issue is there for reporters and up, its author and its assignees. */
export const maySeeIssue = (issue: Pick<Issue, 'authorId' | 'confidential'>, party: IssueParty): boolean =>
  !issue.confidential || party.level >= REPORTER || isParty(issue, party);

/**
 * Below reporter not even the author lifts it once the issue is open: maintainers write what is confidential relying on it. Whoever opens
 * an issue may make it confidential.
 */
export const mayChangeConfidentiality = ({ level }: Pick<IssueParty, 'level'>): boolean => level >= REPORTER;

/** Who is assigned sees the issue: to choose them is to choose who sees a confidential one. */
export const mayAssign = (
  { confidential }: Pick<Issue, 'confidential'>,
  { level }: Pick<IssueParty, 'level'>,
): boolean => !confidential || level >= REPORTER;

/** Who may comment is said by those who look after all issues, not by who opened one. */
export const mayLock = ({ level }: Pick<IssueParty, 'level'>): boolean => level >= REPORTER;

/** Whether everybody who sees one project sees an issue of another: of its own they know the number anyway. */
export const isIssueKnownIn = (
  { confidential }: Pick<Issue, 'confidential'>,
  project: SeenProject,
  seenIn: SeenProject,
): boolean => project.id === seenIn.id || (!confidential && isKnownIn(project, seenIn));

export const mayChangeIssue = (issue: Pick<Issue, 'authorId'>, party: IssueParty): boolean =>
  party.level >= REPORTER || isParty(issue, party);
