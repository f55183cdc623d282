import { mayAssign, mayChangeConfidentiality, type Issue, type IssueParty } from '../../domain/planning/issue.js';
import { DEFAULT_LABEL_COLOR } from '../../domain/planning/label.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { changesOf, peopleChange, type ChangeOf } from '../../domain/shared/subject-changes.js';
import { PROJECT_PERMISSIONS } from '../../domain/workspace/workspace-policy.js';
import type { DomainEvents } from '../shared/domain-events.js';
import { requireSeen, type DescriptionSeen } from '../shared/overtaken.js';
import { together } from '../shared/together.js';
import { changeIssueState, type IssueHappening } from './change-issue-state.js';
import { holdMilestone } from './operations/hold-milestone.js';
import { labelSubject, type Relabelled } from './operations/label-subject.js';
import { holdIssues } from './operations/link-issues.js';
import type { PlannedChange } from './operations/plan-actions.js';
import { changesBetween, choicesOf } from './operations/told-changes.js';
import type { PlanningRepositories } from './ports/planning-repositories.js';

type Needs = PlanningRepositories & { readonly events: DomainEvents };

export interface IssueChange extends PlannedChange, DescriptionSeen {
  readonly description?: string;
  /** Asked of it as it is held: throws where it has become something else than what was to be changed. */
  readonly refuse?: (held: Issue) => void;
}

/** What is changed, by whom, and what they are to it. */
export interface ChangedIssue extends Pick<IssueHappening, 'by' | 'at'> {
  readonly issue: Issue;
  readonly party: IssueParty;
}

/**
 * Changes an issue within the caller's unit of work. Whoever calls it has seen to it that they may.
 *
 * @param others issues that are to be held together with it, as both ends of a link are.
 * @throws Forbidden for who may not change its confidentiality, or who sees it; Invalid; NotFound; Overtaken; what `refuse` throws.
 */
export const changeIssue = async (
  repositories: Needs,
  { issue, party, by, at }: ChangedIssue,
  change: IssueChange,
  others: readonly number[] = [],
): Promise<void> => {
  const { stateEvent, retitle, relabel, reassign, seenDescription, refuse, ...fields } = change;
  if (stateEvent === 'close') await repositories.events.publish({ kind: 'issue_ending', issue, by, at });
  const planned = await holdMilestone(repositories, issue.projectId, fields);
  await holdIssues(repositories, [issue.id, ...others]);
  // As it is now, and held: somebody else may be changing it.
  const before = await takeIssue(repositories, issue.id);
  requireAsWas({ seenDescription, refuse }, before);
  const changes = { ...definedIn(fields), ...planned, ...(retitle && { title: retitle(before.title) }) };
  const edited = { ...before, ...changes };
  // Compared with how it is now: a form that repeats it changes nothing.
  if (edited.confidential !== before.confidential && !mayChangeConfidentiality(party))
    throw new Forbidden('Only members from reporter up may change whether an issue is confidential');
  const happening = { issue: edited, by, at };
  await repositories.issues.update(issue.id, changes, at);
  if (edited.confidential !== before.confidential)
    await repositories.events.publish({ kind: edited.confidential ? 'issue_hidden' : 'issue_unhidden', ...happening });
  const labels = await changeLabels(repositories, relabel, { issue: edited, party, by, at });
  await repositories.resourceEvents.add(issue.id, changesBetween(before, edited), by, at);
  const assignees = await changeAssignees(repositories, reassign, party, happening);
  const told = changesOf(before, edited, { labels, assignees });
  if (told !== undefined) await repositories.events.publish({ kind: 'issue_edited', ...happening, changes: told });
  if (stateEvent !== undefined)
    await changeIssueState(repositories, stateEvent === 'close' ? 'closed' : 'opened', happening);
};

/** @throws Overtaken; what `refuse` throws. */
const requireAsWas = (
  { seenDescription, refuse }: { readonly [Key in 'seenDescription' | 'refuse']: IssueChange[Key] | undefined },
  held: Issue,
): void => {
  requireSeen(seenDescription, held.description);
  refuse?.(held);
};

/**
 * Labels that are created in passing are created for whoever may manage labels; nobody below that level makes any.
 *
 * @returns the ids of those that it got, and of those that it no longer has.
 */
export const label = (
  repositories: PlanningRepositories,
  issue: Pick<Issue, 'id' | 'projectId'>,
  names: readonly string[],
  { level, by, at }: { readonly level: number; readonly by: UserId; readonly at: Date },
): Promise<Relabelled> => {
  const color = level >= PROJECT_PERMISSIONS.manage_labels ? DEFAULT_LABEL_COLOR : null;
  return labelSubject(repositories, issue, { names, color, by, at });
};

const changeLabels = async (
  repositories: Needs,
  relabel: IssueChange['relabel'],
  { issue, party: { level }, by, at }: ChangedIssue,
): Promise<ChangeOf<readonly string[]> | undefined> => {
  if (relabel === undefined) return undefined;
  const previous = await repositories.subjectLabels.namesOf(issue.id);
  const { added, removed } = await label(repositories, issue, relabel(previous), { level, by, at });
  if (added.length > 0) await repositories.events.publish({ kind: 'issue_labelled', issue, labels: added, by, at });
  if (added.length + removed.length === 0) return undefined;
  return { previous, current: await repositories.subjectLabels.namesOf(issue.id) };
};

export const assign = async (
  { issues }: PlanningRepositories,
  { id, projectId }: Pick<Issue, 'id' | 'projectId'>,
  userIds: readonly UserId[],
  at: Date,
): ReturnType<PlanningRepositories['issues']['setAssignees']> =>
  issues.setAssignees(id, await issues.assignable(projectId, userIds, at.toISOString().slice(0, 10)));

const changeAssignees = async (
  repositories: Needs,
  reassign: IssueChange['reassign'],
  party: IssueParty,
  happening: IssueHappening,
): Promise<ChangeOf<readonly UserId[]> | undefined> => {
  if (reassign === undefined) return undefined;
  const { issue, by, at } = happening;
  const previous = await repositories.issues.assigneesOf(issue.id);
  const chosen = reassign(previous);
  const { added, removed } = await assign(repositories, issue, chosen, at);
  if (added.length > 0 && !mayAssign(issue, party))
    throw new Forbidden('Only members from reporter up may assign people to a confidential issue');
  const change = peopleChange(previous, { added, removed });
  if (change === undefined) return undefined;
  await together([
    repositories.resourceEvents.add(issue.id, choicesOf('assignee', { added, removed }), by, at),
    repositories.events.publish({ kind: 'issue_reassigned', ...happening, added, removed }),
  ]);
  return change;
};

/** @throws NotFound for one that has just been removed. */
export const takeIssue = async ({ issues }: Pick<PlanningRepositories, 'issues'>, id: number): Promise<Issue> => {
  const issue = await issues.take(id);
  if (issue === undefined) throw new NotFound();
  return issue;
};

const definedIn = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
