import type {
  HistoryActions,
  HistoryKind,
  ResourceEventActions,
  ResourceEventKind,
} from '../../../domain/planning/resource-event.js';
import type { Label } from '../../../domain/planning/label.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Subject } from '../../../domain/shared/subject.js';
import type { PageRequest } from '../../../domain/shared/page.js';
import type { Person } from '../../collaboration/ports/note-ports.js';
import type { ClosingCause } from '../../shared/domain-events.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';
import type { MilestoneGroup } from '../../../domain/planning/milestone.js';
import type { MilestoneDetails } from './planning-readers.js';

export type NewResourceEvent =
  | { readonly kind: 'label'; readonly action: ResourceEventActions['label']; readonly labelId: number }
  | { readonly kind: 'milestone'; readonly action: ResourceEventActions['milestone']; readonly milestoneId: number }
  | { readonly kind: 'state'; readonly action: ResourceEventActions['state']; readonly cause?: ClosingCause }
  | {
      readonly kind: 'assignee' | 'reviewer';
      readonly action: HistoryActions['assignee'];
      readonly personId: UserId;
    }
  /** With what it was before. */
  | {
      readonly kind: 'title' | 'target_branch';
      readonly action: HistoryActions['title'];
      readonly words: string;
    }
  /** With the day, where there is one. */
  | { readonly kind: 'due_date'; readonly action: HistoryActions['due_date']; readonly words: string | null }
  | { readonly kind: 'confidential'; readonly action: HistoryActions['confidential'] };

/** What somebody did to a subject. */
export interface NotedResourceEvent {
  readonly subjectId: number;
  readonly event: NewResourceEvent;
  readonly by: UserId;
  readonly at: Date;
}

export interface ResourceEventRepository {
  /** Notes what somebody did to a subject. */
  add(subjectId: number, events: readonly NewResourceEvent[], by: UserId, at: Date): Promise<void>;
  addAll(events: readonly NotedResourceEvent[]): Promise<void>;
}

export interface ResourceEvent<Kind extends ResourceEventKind = ResourceEventKind> {
  readonly id: number;
  readonly action: ResourceEventActions[Kind];
  readonly user: Person | null;
  /** Null once it is gone. */
  readonly label: Label | null;
  readonly milestone: MilestoneDetails | null;
  /** The commit, or the id of the merge request, that closed it; null where neither did, and once the merge request is gone. */
  readonly commit: string | null;
  readonly mergeRequestId: number | null;
  readonly createdAt: Date;
}

/** What was done, as much of it as a page says in a line. */
export interface Change {
  readonly kind: HistoryKind;
  readonly action: HistoryActions[HistoryKind];
  readonly user: Pick<Person, 'id' | 'username' | 'name'> | null;
  /** Null once it is gone, or where it is of another project: issues move. */
  readonly label: Pick<Label, 'name' | 'color'> | null;
  /** With the group that it is of, if any. */
  readonly milestone:
    (Pick<MilestoneDetails, 'iid' | 'title'> & { readonly group: Pick<MilestoneGroup, 'fullPath'> | null }) | null;
  /** Who was assigned, or asked to review, or no longer; null once they are gone. */
  readonly person: Pick<Person, 'username' | 'name'> | null;
  /** What a title or branch was before, or the day that it is due. */
  readonly words: string | null;
  /** Whether a commit or a merge request did it, of which the service has made a comment. */
  readonly commented: boolean;
  readonly at: Date;
}

export interface ResourceEventReader {
  /** What was done to a subject, whatever it was: at most so many, the oldest first. */
  changes(subject: Pick<Subject, 'id' | 'projectId'>, limit: number): Promise<readonly Change[]>;
  /** In the order in which they happened. */
  list<Kind extends ResourceEventKind>(
    subjectId: number,
    kind: Kind,
    page: PageRequest,
  ): Promise<PageInBatches<ResourceEvent<Kind>>>;
  find<Kind extends ResourceEventKind>(
    subjectId: number,
    kind: Kind,
    id: number,
  ): Promise<ResourceEvent<Kind> | undefined>;
}
