import type { ActivityEvent } from '../../../domain/activity/activity-event.js';
import type { EventFilter } from '../../../domain/activity/event-filter.js';
import type { User } from '../../../domain/identity/user.js';
import type { GroupId, ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';
import type { PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';

/** Whose entries are meant. */
export type Feed =
  /** `level` is that of the viewer, whom the project is visible to. */
  | { readonly kind: 'project'; readonly projectId: ProjectId; readonly level: number }
  /** Of everybody in all projects of a group, and of the groups below it, that the viewer sees. */
  | { readonly kind: 'group'; readonly groupId: GroupId }
  /** Of everybody in all projects that the viewer is a member of. */
  | { readonly kind: 'memberships' }
  /** Of one person, as far as the viewer may see them. */
  | { readonly kind: 'author'; readonly authorId: UserId };

/** Where a page begins: after the entry of this instant and id, in the order of the list. */
export interface Position {
  readonly createdAt: Date;
  readonly id: number;
}

export interface ActivityQuery {
  readonly viewer: Viewer;
  readonly feed: Feed;
  readonly filter: EventFilter;
  readonly sort: SortDirection;
}

/** A query of what one person did. */
export interface QueryOfAuthor extends ActivityQuery {
  readonly feed: Extract<Feed, { readonly kind: 'author' }>;
}

export type ActivityEventWithAuthor = ActivityEvent & {
  /** Absent once the account is gone. */
  readonly author: Pick<User, 'id' | 'username' | 'name' | 'state'> | null;
  readonly projectPath: string;
  /** Nothing is told of what it is about: the viewer may not read that any more, or never might. */
  readonly withheld?: true;
};

export interface ActivitySlice extends Omit<PageInBatches<ActivityEventWithAuthor>, 'total'> {
  /** Of its last entry: where the next slice goes on. */
  readonly last: Position | undefined;
}

/** Ids of what has a page for the viewer. */
export interface Standing {
  readonly issues: ReadonlySet<number>;
  readonly milestones: ReadonlySet<number>;
  readonly merge_requests: ReadonlySet<number>;
  /** Projects whose code they may read. */
  readonly code: ReadonlySet<number>;
}

/** Reads feeds. Only what the viewer may see is counted, paged and answered. */
export interface ActivityReader {
  /** @param after absent at the beginning. */
  listAfter(query: ActivityQuery, after: Position | undefined, count: number): Promise<ActivitySlice>;
  /** @param page at most `MAX_OFFSET` entries deep. */
  listPage(query: ActivityQuery, page: PageRequest): Promise<ActivitySlice & { readonly total?: number }>;
  /** What of that which these entries tell of is still there for whoever was shown the entries. */
  standing(viewer: Viewer, events: readonly ActivityEvent[]): Promise<Standing>;
  /** How many entries of a person each UTC day (`YYYY-MM-DD`) has, of the latest `limit` that are examined. */
  countByDay(query: QueryOfAuthor, limit: number): Promise<ReadonlyMap<string, number>>;
}
