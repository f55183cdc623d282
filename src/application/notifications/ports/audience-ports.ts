import type { SettingsInReach } from '../../../domain/notifications/notification-setting.js';
import type { ProjectId, NamespaceId, UserId } from '../../../domain/shared/identifiers.js';
import type { FeatureLevels } from '../../../domain/workspace/project-features.js';
import type { Visibility } from '../../../domain/shared/visibility.js';
import type { SubjectDetails } from '../../collaboration/ports/subject-ports.js';
import type { Cause } from './cause-ports.js';

export interface TopicProject {
  readonly id: ProjectId;
  readonly namespaceId: NamespaceId;
  readonly name: string;
  readonly fullPath: string;
  readonly visibility: Visibility;
  readonly features: FeatureLevels;
}

export interface TopicAlert {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly description: string | null;
}

/** What a cause is about, as it stands now. */
export interface Topic {
  readonly project: TopicProject;
  readonly subject: SubjectDetails | null;
  readonly note: { readonly id: number; readonly body: string } | null;
  readonly alert: TopicAlert | null;
  readonly actor: { readonly id: UserId; readonly name: string } | null;
  /** The names of labels that it got, as far as the project still has them. */
  readonly labels: readonly string[];
}

/** Somebody beside a topic. */
export interface Person {
  readonly id: UserId;
  readonly name: string;
  readonly active: boolean;
  readonly admin: boolean;
  /** The highest level that they have in the project, direct or inherited. */
  readonly level: number;
  readonly settings: SettingsInReach;
  /** What they said themselves of the subject. */
  readonly subscribed: boolean | undefined;
  /** Whether they subscribed to one of the labels that the subject got. */
  readonly subscribedToLabel: boolean;
  /** No later than it happened. */
  readonly commented: boolean;
  /** Whether a merge request that they opened, or that is assigned to them, has the commit that a pipeline checked. */
  readonly checked: boolean;
  /** The confirmed address that they chose, else the primary one if it is confirmed. */
  readonly address: string | null;
}

export interface Audience {
  /** By the ids of the causes. One whose project is being removed has none. Those of one project share what is found of its people. */
  topicsOf(causes: readonly Cause[]): Promise<ReadonlyMap<number, Topic>>;
  /** The comments in which an `@` stood when it happened; the newest, at most `limit`. */
  commentsWithNames(cause: Cause, limit: number): Promise<readonly string[]>;
  /** By name. @param names folded to lower case. */
  idsOfNames(names: readonly string[]): Promise<ReadonlyMap<string, UserId>>;
  /**
   * Active people who might be mailed, by id: who takes part or has subscribed, members and whoever watches or chose events,
   * and `also`. Of labels that something got, whoever subscribed to one of them.
   */
  candidates(
    cause: Cause,
    topic: Topic,
    also: readonly UserId[],
    today: string,
    slice: { readonly after: number; readonly limit: number },
  ): Promise<readonly UserId[]>;
  people(cause: Cause, topic: Topic, ids: readonly UserId[], today: string): Promise<readonly Person[]>;
}
