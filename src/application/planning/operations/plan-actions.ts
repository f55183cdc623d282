import { dayIn, nameIn, namesIn, peopleIn } from '../../../domain/collaboration/action-arguments.js';
import type { ActionName, QuickAction } from '../../../domain/collaboration/quick-action.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import { done, NOT_ALLOWED, notDone } from '../../collaboration/operations/common-actions.js';
import type { ActionOutcome } from '../../collaboration/ports/action-ports.js';
import type { UserActor } from '../../shared/actor.js';
import type { NamedThings, ReadsSubjects } from '../ports/named-things.js';

type Change<Value> = (before: Value) => Value;

/** What quick actions make of an issue or merge request. */
export interface PlannedChange {
  readonly stateEvent?: 'close' | 'reopen';
  readonly retitle?: Change<string>;
  readonly relabel?: Change<readonly string[]>;
  readonly reassign?: Change<readonly UserId[]>;
  readonly milestoneId?: number | null;
  readonly dueDate?: string | null;
  readonly confidential?: boolean;
  readonly discussionLocked?: boolean | null;
}

/** What the actions are about, and what whoever asks for them may do. */
export interface Planned {
  readonly actor: UserActor;
  readonly projectId: ProjectId;
  readonly words: 'issue' | 'merge request';
  readonly title: string;
  readonly state: string;
  readonly mayChange: boolean;
  readonly mayAssign: boolean;
  readonly mayLock: boolean;
  /** What somebody must be allowed to do to be assigned. */
  readonly assignable: ReadsSubjects;
  /** UTC day. */
  readonly today: string;
}

export interface PlannedAction {
  readonly change: PlannedChange;
  readonly outcome: ActionOutcome;
}

export type Plan = (
  things: NamedThings,
  planned: Planned,
  action: QuickAction,
) => Promise<PlannedAction> | PlannedAction;

/** It can't be done; nothing changes. */
export const refused = (action: QuickAction, why: string): PlannedAction => ({
  change: {},
  outcome: notDone(action, why),
});

export const planned = (
  change: PlannedChange,
  message: string,
  changes: ActionOutcome['changes'] = {},
): PlannedAction => ({ change, outcome: done(message, changes) });

const changeState =
  (stateEvent: 'close' | 'reopen', from: string): Plan =>
  (_, { state, words }, action) => {
    if (state !== from) return refused(action, `this ${words} is ${state === 'opened' ? 'open' : state}.`);
    const did = stateEvent === 'close' ? 'Closed' : 'Reopened';
    return planned({ stateEvent }, `${did} this ${words}.`, { state_event: stateEvent });
  };

interface Merging {
  /** What becomes of those that are there when some are named. */
  readonly merge: <Value>(before: readonly Value[], named: readonly Value[]) => readonly Value[];
  readonly did: string;
  /** What the API calls what changed. */
  readonly attribute: string;
}

const ADD = <Value>(before: readonly Value[], named: readonly Value[]) => [...new Set([...before, ...named])];
const REMOVE = <Value>(before: readonly Value[], named: readonly Value[]) =>
  before.filter((each) => !named.includes(each));
const REPLACE = <Value>(_: readonly Value[], named: readonly Value[]) => named;

const changePeople =
  ({ merge, did, attribute }: Merging): Plan =>
  async (things, { actor, projectId, assignable, mayAssign }, action) => {
    if (!mayAssign) return refused(action, NOT_ALLOWED);
    const names = peopleIn(action.argument, actor.username);
    if (names === undefined || names.length === 0) return refused(action, 'name people, as in @ada, or me.');
    const people = await things.people(projectId, names, assignable);
    const known = new Set(people.map(({ username }) => username.toLowerCase()));
    const unknown = names.filter((name) => !known.has(name.toLowerCase()));
    if (unknown.length > 0) return refused(action, `nobody here is called ${atAll(unknown)}.`);
    const ids = people.map(({ id }) => id);
    const reassign = (before: readonly UserId[]) => merge(before, ids);
    return planned({ reassign }, `${did} ${atAll(people.map(({ username }) => username))}.`, { [attribute]: ids });
  };

const atAll = (names: readonly string[]): string => names.map((name) => `@${name}`).join(' ');

const unassign: Plan = (things, about, action) =>
  action.argument === ''
    ? planned({ reassign: () => [] }, 'Removed all assignees.', { assignee_ids: [] })
    : changePeople({ merge: REMOVE, did: 'Removed assignee', attribute: 'unassign_ids' })(things, about, action);

const changeLabels =
  ({ merge, did, attribute }: Merging): Plan =>
  async (things, { projectId }, action) => {
    const names = namesIn(action.argument);
    if (names === undefined || names.length === 0) return refused(action, 'name labels, as in ~bug ~"to do".');
    const labels = await things.labels(projectId, names);
    const unknown = names.filter((name) => !labels.includes(name));
    if (unknown.length > 0) return refused(action, `there is no label ${tildeAll(unknown)}.`);
    const relabel = (before: readonly string[]) => merge(before, names);
    return planned({ relabel }, `${did} ${tildeAll(names)}.`, { [attribute]: names });
  };

const tildeAll = (names: readonly string[]): string => names.map((name) => `~"${name}"`).join(' ');

const unlabel: Plan = (things, about, action) =>
  action.argument === ''
    ? planned({ relabel: () => [] }, 'Removed all labels.', { labels: [] })
    : changeLabels({ merge: REMOVE, did: 'Removed the label', attribute: 'remove_labels' })(things, about, action);

const plan: Plan = async (things, { projectId }, action) => {
  const title = nameIn(action.argument);
  const milestone = title === undefined ? undefined : await things.milestone(projectId, title);
  if (milestone === undefined) return refused(action, 'there is no such milestone: name one, as in %1.0.');
  return planned({ milestoneId: milestone.id }, `Set the milestone to %"${milestone.title}".`, {
    milestone_id: milestone.id,
  });
};

const setDueDate: Plan = (_, { today }, action) => {
  const dueDate = dayIn(action.argument, today);
  if (dueDate === undefined) return refused(action, 'name a day, as in 2026-12-24, tomorrow or in 2 weeks.');
  return planned({ dueDate }, `Set the due date to ${dueDate}.`, { due_date: dueDate });
};

const retitle: Plan = (_, __, action) => {
  const title = action.argument;
  if (title === '' || title.length > 255) return refused(action, 'a title has 1 to 255 characters.');
  return planned({ retitle: () => title }, `Changed the title to “${title}”.`, { title });
};

const lock =
  (discussionLocked: boolean): Plan =>
  (_, { mayLock }, action) => {
    if (!mayLock) return refused(action, NOT_ALLOWED);
    const message = discussionLocked ? 'Locked the discussion.' : 'Unlocked the discussion.';
    return planned({ discussionLocked }, message, { discussion_locked: discussionLocked });
  };

const always =
  (change: PlannedChange, message: string, changes: ActionOutcome['changes']): Plan =>
  () =>
    planned(change, message, changes);

/** What issues and merge requests both know. */
const PLANS: Readonly<Partial<Record<ActionName, Plan>>> = {
  close: changeState('close', 'opened'),
  reopen: changeState('reopen', 'closed'),
  assign: changePeople({ merge: ADD, did: 'Assigned', attribute: 'assignee_ids' }),
  reassign: changePeople({ merge: REPLACE, did: 'Changed the assignee to', attribute: 'assignee_ids' }),
  unassign,
  label: changeLabels({ merge: ADD, did: 'Added the label', attribute: 'add_labels' }),
  relabel: changeLabels({ merge: REPLACE, did: 'Replaced all labels with', attribute: 'labels' }),
  unlabel,
  milestone: plan,
  remove_milestone: always({ milestoneId: null }, 'Removed the milestone.', { milestone_id: null }),
  title: retitle,
  lock: lock(true),
  unlock: lock(false),
};

/** What issues alone know. */
export const ISSUE_PLANS: Readonly<Partial<Record<ActionName, Plan>>> = {
  ...PLANS,
  due: setDueDate,
  remove_due_date: always({ dueDate: null }, 'Removed the due date.', { due_date: null }),
};

export const MERGE_REQUEST_PLANS = PLANS;

const then = <Value>(one: Change<Value> | undefined, other: Change<Value> | undefined): Change<Value> | undefined =>
  one === undefined || other === undefined ? (one ?? other) : (before) => other(one(before));

/** What two changes make, one after the other. */
export const bothChanges = <One extends PlannedChange>(one: One, other: PlannedChange): One & PlannedChange => {
  const retitling = then(one.retitle, other.retitle);
  const relabelling = then(one.relabel, other.relabel);
  const reassigning = then(one.reassign, other.reassign);
  return {
    ...one,
    ...other,
    ...(retitling && { retitle: retitling }),
    ...(relabelling && { relabel: relabelling }),
    ...(reassigning && { reassign: reassigning }),
  };
};

/** What a quick action makes, where a plan knows it; refused to those who may not change what it is about. */
export const planAction = async (
  things: NamedThings,
  about: Planned,
  action: QuickAction,
  plans: Readonly<Partial<Record<ActionName, Plan>>>,
): Promise<PlannedAction> => {
  const planIt = plans[action.name];
  if (planIt === undefined) return refused(action, `${about.words}s don’t know it.`);
  return about.mayChange ? planIt(things, about, action) : refused(action, NOT_ALLOWED);
};
