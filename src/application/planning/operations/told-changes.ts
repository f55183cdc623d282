import type { UserId } from '../../../domain/shared/identifiers.js';
import type { NewResourceEvent } from '../ports/resource-event-ports.js';

/** What the history of a subject tells of, as far as its kind has it. */
interface ToldOf {
  readonly title: string;
  readonly milestoneId: number | null;
  readonly targetBranch?: string;
  readonly dueDate?: string | null;
  readonly confidential?: boolean;
}

/** What the history tells of a subject that was changed. */
export const changesBetween = (before: ToldOf, after: ToldOf): readonly NewResourceEvent[] => {
  const events: NewResourceEvent[] = [];
  if (before.title !== after.title) events.push({ kind: 'title', action: 'change', words: before.title });
  if (before.targetBranch !== undefined && before.targetBranch !== after.targetBranch)
    events.push({ kind: 'target_branch', action: 'change', words: before.targetBranch });
  events.push(...milestonesBetween(before.milestoneId, after.milestoneId));
  const { dueDate = null, confidential = false } = after;
  if ((before.dueDate ?? null) !== dueDate)
    events.push({ kind: 'due_date', action: dueDate === null ? 'remove' : 'add', words: dueDate });
  if ((before.confidential ?? false) !== confidential)
    events.push({ kind: 'confidential', action: confidential ? 'add' : 'remove' });
  return events;
};

/** It leaves one milestone and comes to another; null is none. */
export const milestonesBetween = (from: number | null, to: number | null): readonly NewResourceEvent[] => {
  if (from === to) return [];
  const events: NewResourceEvent[] = [];
  if (from !== null) events.push({ kind: 'milestone', action: 'remove', milestoneId: from });
  if (to !== null) events.push({ kind: 'milestone', action: 'add', milestoneId: to });
  return events;
};

/** What the history tells of people who were chosen, and of those who no longer are. */
export const choicesOf = (
  kind: 'assignee' | 'reviewer',
  { added, removed = [] }: { readonly added: readonly UserId[]; readonly removed?: readonly UserId[] },
): readonly NewResourceEvent[] => [
  ...added.map((personId) => ({ kind, action: 'add', personId }) as const),
  ...removed.map((personId) => ({ kind, action: 'remove', personId }) as const),
];
