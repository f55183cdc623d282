import { entriesOfPush } from './entries-of-push.js';
import type { Action, Target } from '../../domain/activity/activity-event.js';
import { SUBJECT_TYPES } from '../../domain/shared/subject.js';
import type {
  DomainEvent,
  IssueEvent,
  MergeRequestEvent,
  MembershipEvent,
  MilestoneEvent,
  NoteEvent,
  SetFollower,
} from '../shared/domain-events.js';
import type { ProjectEvent } from '../shared/place-events.js';
import type { ActivityRepository, NewActivityEvent } from './ports/activity-repository.js';

type Needs = { readonly activity: ActivityRepository };

const ACTION_OF: Readonly<Partial<Record<DomainEvent['kind'], Action>>> = {
  issue_opened: 'created',
  issue_closed: 'closed',
  issue_reopened: 'reopened',
  issue_removed: 'destroyed',
  note_added: 'commented',
  milestone_opened: 'created',
  milestone_closed: 'closed',
  milestone_reopened: 'reopened',
  milestone_removed: 'destroyed',
  merge_request_opened: 'created',
  merge_request_closed: 'closed',
  merge_request_reopened: 'reopened',
  merge_request_merged: 'merged',
  merge_request_approved: 'approved',
  merge_request_removed: 'destroyed',
  member_joined: 'joined',
  member_left: 'left',
  member_expired: 'expired',
  project_created: 'created',
};

const PLAIN = { push: null, comment: null, confidential: false, tellsOfCode: false, subjectId: null } as const;

const ofIssue = ({ issue, by: authorId, at: createdAt }: IssueEvent, action: Action): NewActivityEvent => {
  const { id, iid, title, projectId, confidential } = issue;
  const target: Target = { type: 'issue', id, iid, title };
  return { ...PLAIN, authorId, action, createdAt, projectId, subjectId: id, confidential, target };
};

const ofNote = ({ subject, note, by: authorId, at: createdAt }: NoteEvent, action: Action): NewActivityEvent => {
  const { id, kind, iid, title, projectId, confidential, ownId = id } = subject;
  const target: Target = { type: 'note', id: note.id, iid: null, title };
  // A commit is called by its hash, and has no number that anybody knows.
  const comment = { noteableType: SUBJECT_TYPES[kind], noteableId: kind === 'commit' ? null : ownId, noteableIid: iid };
  const tellsOfCode = kind === 'merge_request' || kind === 'commit';
  return {
    ...PLAIN,
    authorId,
    action,
    createdAt,
    projectId,
    subjectId: id,
    confidential,
    tellsOfCode,
    target,
    comment,
  };
};

const ofMilestone = ({ milestone, by: authorId, at: createdAt }: MilestoneEvent, action: Action): NewActivityEvent => {
  const { id, iid, title, projectId } = milestone;
  return { ...PLAIN, projectId, authorId, action, createdAt, target: { type: 'milestone', id, iid, title } };
};

const ofMergeRequest = (
  { mergeRequest, by: authorId, at: createdAt }: MergeRequestEvent,
  action: Action,
): NewActivityEvent => {
  const { id, iid, title, projectId } = mergeRequest;
  return {
    ...PLAIN,
    projectId,
    authorId,
    action,
    createdAt,
    subjectId: id,
    tellsOfCode: true,
    target: { type: 'merge_request', id, iid, title },
  };
};

const ofProject = ({ projectId, by, at }: MembershipEvent | ProjectEvent, action: Action): NewActivityEvent => ({
  ...PLAIN,
  projectId,
  authorId: by,
  action,
  createdAt: at,
  target: { type: 'project', id: projectId, iid: null, title: null },
});

/** Neither alerts nor accounts are in the feed: incidents and memberships are. */
const entryOf = (event: DomainEvent): NewActivityEvent | undefined => {
  const action = ACTION_OF[event.kind];
  if (action === undefined) return undefined;
  if ('issue' in event) return ofIssue(event, action);
  if (event.kind === 'note_added') return ofNote(event, action);
  if ('mergeRequest' in event) return ofMergeRequest(event, action);
  if ('milestone' in event) return ofMilestone(event, action);
  return isOfProject(event) ? ofProject(event, action) : undefined;
};

const isOfProject = (event: DomainEvent): event is MembershipEvent | ProjectEvent =>
  event.kind === 'project_created' || event.kind.startsWith('member_');

/** Keeps the feed: what happened becomes an entry, and what happens to a subject happens to what tells of it. */
export const recordActivity: SetFollower<Needs> = {
  follow: async (events, { activity }) => {
    const entries: NewActivityEvent[] = [];
    for (const event of events) {
      await followSubject(event, activity);
      if (event.kind === 'pushed' && event.quiet !== true) entries.push(...entriesOfPush(event));
      const entry = entryOf(event);
      if (entry !== undefined) entries.push(entry);
    }
    if (entries.length > 0) await activity.record(entries);
  },
};

const followSubject = async (event: DomainEvent, activity: ActivityRepository): Promise<void> => {
  if (event.kind === 'subject_removed') await activity.keepComments(event.subject.id);
  if (event.kind === 'note_removed') await activity.forgetComment(event.subject.id, event.note.id);
  if (event.kind === 'issue_hidden' || event.kind === 'issue_unhidden')
    await activity.conceal(event.issue.projectId, event.issue.id, event.kind === 'issue_hidden');
  if (event.kind === 'snippet_hidden' || event.kind === 'snippet_unhidden')
    await activity.conceal(event.subject.projectId, event.subject.id, event.kind === 'snippet_hidden');
};
