import type { GroupId, NamespaceId, ProjectId, UserId } from '../shared/identifiers.js';
import type { Visibility } from '../shared/visibility.js';
import type { FeatureLevels } from './project-features.js';

/** The first part of every path: a group, or a person's own. */
export interface Namespace {
  readonly id: NamespaceId;
  readonly kind: 'group' | 'user';
  readonly name: string;
  /** With those of the groups that hold it before it, as `Works / Engines`. */
  readonly fullName: string;
  readonly path: string;
  readonly fullPath: string;
  readonly parentId: NamespaceId | null;
}

export interface Group {
  readonly id: GroupId;
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly fullName: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly parentId: GroupId | null;
  /** Whether who sees it may ask to be a member. */
  readonly requestAccessEnabled: boolean;
  readonly createdAt: Date;
  /** When its own fields changed, or its place: not what is in it. */
  readonly updatedAt: Date;
}

/** How a project takes changes; `mergeWhenPipelineSucceeds` beside it. */
export interface MergeSettings {
  readonly method: 'merge' | 'rebase_merge' | 'ff';
  /** Whether source branches go once they are merged, where nobody says otherwise. */
  readonly removeSourceBranch: boolean;
  /** Whether issues that it says it closes are closed. */
  readonly autocloseIssues: boolean;
  readonly approvalsRequired: number;
  /** Whether new commits, or another target branch, take approvals back. */
  readonly resetApprovalsOnPush: boolean;
  readonly discussionsMustBeResolved: boolean;
  /** Whether commits become one when they are merged. */
  readonly squash: 'never' | 'always' | 'default_on' | 'default_off';
  /** Whether whoever pushes a branch is told where its merge request is. */
  readonly tellsAfterPush: boolean;
}

export interface Project {
  readonly id: ProjectId;
  readonly namespace: Namespace;
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly defaultBranch: string | null;
  readonly archived: boolean;
  readonly mergeWhenPipelineSucceeds: boolean;
  readonly merging: MergeSettings;
  /** Where its CI file is (`ciConfigPlace`); null where it has one of the usual names. */
  readonly ciConfigPath: string | null;
  readonly features: FeatureLevels;
  /** Whether who sees it may ask to be a member. */
  readonly requestAccessEnabled: boolean;
  readonly creatorId: UserId | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastActivityAt: Date;
}

/** What it is called, with the names of all groups that hold it. */
export const nameWithNamespace = ({ namespace, name }: Pick<Project, 'namespace' | 'name'>): string =>
  `${namespace.fullName} / ${name}`;

export interface Member {
  readonly userId: UserId;
  readonly accessLevel: number;
  /** UTC day on which the membership ends, `YYYY-MM-DD`. */
  readonly expiresAt: string | null;
  readonly createdAt: Date;
}
