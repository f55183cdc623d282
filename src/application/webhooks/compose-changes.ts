import type { UserId } from '../../domain/shared/identifiers.js';
import type { ChangeOf, SubjectChanges, ToldFields } from '../../domain/shared/subject-changes.js';
import type { UserReader } from '../identity/ports/identity-readers.js';
import type { MilestoneReader } from '../planning/ports/planning-readers.js';
import { together } from '../shared/together.js';
import { presentPeople } from './webhook-words.js';

/** What receivers call a field. */
const NAMES: Readonly<Record<keyof ToldFields, string>> = {
  title: 'title',
  description: 'description',
  milestoneId: 'milestone_id',
  discussionLocked: 'discussion_locked',
  dueDate: 'due_date',
  confidential: 'confidential',
  targetBranch: 'target_branch',
  squash: 'squash',
  removeSourceBranch: 'force_remove_source_branch',
  allowCollaboration: 'allow_collaboration',
};

/** The numbers that receivers know states by. */
const STATES = { opened: 1, closed: 2, merged: 3 } as const;
const STATE_CHANGES: Readonly<Record<string, ChangeOf<number> | undefined>> = {
  close: { previous: STATES.opened, current: STATES.closed },
  reopen: { previous: STATES.closed, current: STATES.opened },
  merge: { previous: STATES.opened, current: STATES.merged },
};

/** Of thousands of people the first are told. */
const MOST_PEOPLE = 200;

export interface ComposeChangesParts {
  readonly users: Pick<UserReader, 'find'>;
  readonly milestones: Pick<MilestoneReader, 'knownAs'>;
}

/** What an act changed, as receivers read it; people who are gone are left out. */
export const composeChanges = async (
  { users, milestones }: ComposeChangesParts,
  action: string,
  changes: SubjectChanges = {},
): Promise<Readonly<Record<string, ChangeOf<unknown>>>> => {
  const { labels, assignees, reviewers, milestoneId, ...fields } = changes;
  const state = STATE_CHANGES[action];
  return {
    ...(state && { state_id: state }),
    ...Object.fromEntries(Object.entries(fields).map(([field, change]) => [NAMES[field as keyof ToldFields], change])),
    ...(milestoneId && { [NAMES.milestoneId]: await milestonesOf(milestones, milestoneId) }),
    ...(labels && { labels: both(labels, (names) => names.map((title) => ({ title }))) }),
    ...(assignees && { assignees: await peopleOf(users, assignees) }),
    ...(reviewers && { reviewers: await peopleOf(users, reviewers) }),
  };
};

export const both = <Value, Shown>(
  { previous, current }: ChangeOf<Value>,
  show: (value: Value) => Shown,
): ChangeOf<Shown> => ({
  previous: show(previous),
  current: show(current),
});

/** Their ids as everybody knows them. */
const milestonesOf = async (milestones: ComposeChangesParts['milestones'], change: ChangeOf<number | null>) => {
  const known = await milestones.knownAs([change.previous, change.current].filter((id) => id !== null));
  return both(change, (id) => id && (known.get(id) ?? id));
};

const peopleOf = async (users: Pick<UserReader, 'find'>, change: ChangeOf<readonly UserId[]>) => {
  const ids = [...new Set([...change.previous, ...change.current])].slice(0, MOST_PEOPLE);
  const found = (await together(ids.map((id) => users.find(id)))).filter((user) => user !== undefined);
  return both(change, (some) => presentPeople(found.filter(({ id }) => some.includes(id))));
};
