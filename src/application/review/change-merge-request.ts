import { isDraft, type MergeRequest, type MergeRequestParty } from '../../domain/review/merge-request.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import { changesOf, peopleChange, type ChangeOf } from '../../domain/shared/subject-changes.js';
import type { SubjectLabelRepository } from '../collaboration/ports/label-ports.js';
import type { PlannedChange } from '../planning/operations/plan-actions.js';
import { changesBetween, choicesOf } from '../planning/operations/told-changes.js';
import { holdMilestone } from '../planning/operations/hold-milestone.js';
import type { MilestoneRepository } from '../planning/ports/planning-repositories.js';
import type { ResourceEventRepository } from '../planning/ports/resource-event-ports.js';
import type { DomainEvents } from '../shared/domain-events.js';
import { requireSeen, type DescriptionSeen } from '../shared/overtaken.js';
import { together } from '../shared/together.js';
import { changeLabels } from './merge-request-labels.js';
import type { IssueOfText } from './named-issues.js';
import type { MergeRequestChanges, PeopleKind, ReviewRepositories } from './ports/merge-request-ports.js';
import { takeBackApprovals } from './take-back-approvals.js';

export type ChangeNeeds = ReviewRepositories & {
  readonly milestones: MilestoneRepository;
  readonly subjectLabels: SubjectLabelRepository;
  readonly resourceEvents: ResourceEventRepository;
  readonly events: DomainEvents;
};

export interface ChangesAsSeen extends MergeRequestChanges, DescriptionSeen {}

export interface MergeRequestChange
  extends PlannedChange, Omit<ChangesAsSeen, 'title' | 'milestoneId' | 'discussionLocked'> {
  readonly reviewers?: readonly UserId[];
  /** Those that its texts name, where these change. */
  readonly issues?: readonly IssueOfText[];
}

/** What is changed, by whom, and what they are to it. */
export interface ChangedMergeRequest {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly party: MergeRequestParty;
  readonly at: Date;
}

/** What the history calls one of them. */
export const CHOSEN = { assignees: 'assignee', reviewers: 'reviewer' } as const;

const PEOPLE = { assignees: 'merge_request_reassigned', reviewers: 'merge_request_reviewers_chosen' } as const;

interface Happening {
  readonly mergeRequest: MergeRequest;
  readonly by: UserId;
  readonly at: Date;
}

/** Changes a merge request within the caller's unit of work. Whoever calls it has seen to it that they may. @throws Invalid, NotFound, Overtaken. */
export const changeMergeRequest = async (
  repositories: ChangeNeeds,
  { id, projectId, party, at }: ChangedMergeRequest,
  change: MergeRequestChange,
): Promise<void> => {
  const { mergeRequests, events } = repositories;
  const { userId: by, level } = party;
  const { stateEvent, retitle, relabel, reassign, reviewers, issues, seenDescription, ...planned } = change;
  const { confidential: _c, dueDate: _d, ...rest } = planned;
  // As it is now, and held: somebody else may be changing it. Before its milestone, which others take last.
  const before = await mergeRequests.take(id);
  if (before === undefined) throw new NotFound();
  requireSeen(seenDescription, before.description);
  const held = await holdMilestone(repositories, projectId, rest);
  const changes = {
    ...definedIn(rest),
    ...held,
    ...(retitle && { title: retitle(before.title) }),
    ...(stateEvent === 'reopen' && endsInvitation(before, by) && { allowCollaboration: false }),
  };
  await mergeRequests.update(id, changes, at);
  if (issues !== undefined) await mergeRequests.setIssues(id, issues);
  const happening = { mergeRequest: { ...before, ...changes }, by, at };
  await followTarget(repositories, before, happening);
  await followTitle(repositories, before, happening);
  const chosen = {
    assignees: reassign && (await choose(repositories, 'assignees', reassign, happening)),
    reviewers: reviewers && (await choose(repositories, 'reviewers', () => reviewers, happening)),
  };
  const { added, change: labels } = await changeLabels(repositories, before, relabel, { level, by, at });
  if (added.length > 0) await events.publish({ kind: 'merge_request_labelled', ...happening, labels: added });
  await repositories.resourceEvents.add(id, changesBetween(before, happening.mergeRequest), by, at);
  const told = changesOf(before, happening.mergeRequest, { ...chosen, labels });
  if (told !== undefined) await events.publish({ kind: 'merge_request_edited', ...happening, changes: told });
  if (stateEvent !== undefined) await changeState(repositories, stateEvent, happening);
};

/** What was said of it was said of another branch. */
const followTarget = async (
  { mergeRequests, automaticMerges, events }: ChangeNeeds,
  before: MergeRequest,
  happening: Happening,
): Promise<void> => {
  if (happening.mergeRequest.targetBranch === before.targetBranch) return;
  await takeBackApprovals(mergeRequests, before);
  await automaticMerges.remove(before.id);
  if (before.state === 'opened') await events.publish({ kind: 'merge_request_retargeted', ...happening });
};

/** Whoever says that it isn't ready wants it merged by nobody, nor by itself. */
const followTitle = async (
  { automaticMerges }: ChangeNeeds,
  { title }: MergeRequest,
  { mergeRequest }: Happening,
): Promise<void> => {
  if (isDraft(mergeRequest.title) && !isDraft(title)) await automaticMerges.remove(mergeRequest.id);
};

/** It ended when the merge request was closed: nobody but its author gives it again by reopening. */
const endsInvitation = ({ state, authorId }: MergeRequest, by: UserId): boolean =>
  state === 'closed' && authorId !== by;

const choose = async (
  repositories: ChangeNeeds,
  kind: PeopleKind,
  rechoose: (before: readonly UserId[]) => readonly UserId[],
  happening: Happening,
): Promise<ChangeOf<readonly UserId[]> | undefined> => {
  const { id, projectId } = happening.mergeRequest;
  const previous = await repositories.mergeRequests.peopleOf(id, kind);
  const chosen = await choosable(repositories, projectId, rechoose(previous), happening.at);
  const { added, removed } = await repositories.mergeRequests.setPeople(id, kind, chosen);
  const change = peopleChange(previous, { added, removed });
  if (change === undefined) return undefined;
  const { by, at } = happening;
  await together([
    repositories.resourceEvents.add(id, choicesOf(CHOSEN[kind], { added, removed }), by, at),
    repositories.events.publish({ kind: PEOPLE[kind], ...happening, added, removed }),
  ]);
  return change;
};

const changeState = async (
  { mergeRequests, automaticMerges, events }: ChangeNeeds,
  stateEvent: 'close' | 'reopen',
  happening: Happening,
): Promise<void> => {
  const { mergeRequest, by, at } = happening;
  const state = stateEvent === 'close' ? 'closed' : 'opened';
  if (!(await mergeRequests.changeState(mergeRequest.id, state, by, at))) return;
  await automaticMerges.remove(mergeRequest.id);
  const kind = state === 'closed' ? 'merge_request_closed' : 'merge_request_reopened';
  await events.publish({ kind, ...happening });
};

export const choosable = (
  { mergeRequests }: ChangeNeeds,
  projectId: ProjectId,
  userIds: readonly UserId[],
  at: Date,
): Promise<readonly UserId[]> => mergeRequests.choosable(projectId, userIds, at.toISOString().slice(0, 10));

const definedIn = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
