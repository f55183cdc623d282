import type { SettingsInReach } from '../../../domain/notifications/notification-setting.js';
import type { ProjectId, NamespaceId, UserId } from '../../../domain/shared/identifiers.js';
import type { Visibility } from '../../../domain/shared/visibility.js';
import type { Cause } from './cause-ports.js';

export interface SubjectProject {
  readonly id: ProjectId;
  readonly namespaceId: NamespaceId;
  readonly name: string;
  readonly fullPath: string;
  readonly visibility: Visibility;
}

export interface SubjectIssue {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly description: string;
  readonly confidential: boolean;
  readonly dueDate: string | null;
  readonly authorId: UserId | null;
  readonly assignees: readonly { readonly id: UserId; readonly name: string }[];
}

export interface SubjectAlert {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly description: string | null;
}

/** What a cause is about, as it stands now. */
export interface Subject {
  readonly project: SubjectProject;
  readonly issue: SubjectIssue | null;
  readonly note: { readonly id: number; readonly body: string } | null;
  readonly alert: SubjectAlert | null;
  readonly actor: { readonly id: UserId; readonly name: string } | null;
}

/** Somebody beside a subject. */
export interface Person {
  readonly id: UserId;
  readonly name: string;
  readonly active: boolean;
  readonly admin: boolean;
  /** The highest level that he has in the project, direct or inherited. */
  readonly level: number;
  readonly settings: SettingsInReach;
  /** What he said himself of the issue. */
  readonly subscribed: boolean | undefined;
  /** No later than it happened. */
  readonly commented: boolean;
  /** The confirmed address that he chose, else the primary one if it is confirmed. */
  readonly address: string | null;
}

export interface Audience {
  /** Undefined once the project is being removed. */
  subjectOf(cause: Cause): Promise<Subject | undefined>;
  /** The description and comments in which an `@` stood when it happened; the newest, at most `limit`. */
  textsWithNames(cause: Cause, limit: number): Promise<readonly string[]>;
  /** @param names folded to lower case. */
  idsOfNames(names: readonly string[]): Promise<readonly UserId[]>;
  /**
   * Active people who might be mailed, by id: who takes part or has subscribed, members and whoever watches or chose events,
   * and `also`.
   */
  candidates(
    cause: Cause,
    subject: Subject,
    also: readonly UserId[],
    today: string,
    slice: { readonly after: number; readonly limit: number },
  ): Promise<readonly UserId[]>;
  people(cause: Cause, subject: Subject, ids: readonly UserId[], today: string): Promise<readonly Person[]>;
}
