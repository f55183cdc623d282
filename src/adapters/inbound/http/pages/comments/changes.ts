import type { Change, ResourceEventReader } from '../../../../../application/planning/ports/resource-event-ports.js';
import type { Subject } from '../../../../../domain/shared/subject.js';
import { inOneDirection } from '../frame/one-direction.js';

/** More happens to hardly anything; what is beyond is not told. */
const MOST_CHANGES = 200;

/** A part of a line: "added" with labels, "assigned" with people, "set the milestone" with a milestone, or "closed it". */
interface Deed {
  readonly does: string;
  readonly labels: readonly { readonly name: string; readonly color: string }[];
  /** Null is one who is gone. */
  readonly people: readonly Change['person'][];
  readonly milestone: Change['milestone'];
}

/** What one person did at once. */
export interface ChangeLine {
  readonly at: Date;
  readonly user: Change['user'];
  readonly deeds: readonly Deed[];
}

const says = (does: string): Deed => ({ does, labels: [], people: [], milestone: null });

const milestoneDeed = ({ action, milestone }: Change): Deed => {
  if (action === 'remove') return { ...says('cleared the milestone'), milestone };
  return milestone === null ? says('set a milestone') : { ...says('set the milestone'), milestone };
};

const labelDeed = ({ action, label }: Change): Deed => {
  const added = action === 'add';
  if (label === null) return says(added ? 'added a label' : 'removed a label');
  return { ...says(added ? 'added' : 'removed'), labels: [label] };
};

const STATES: Readonly<Record<string, string>> = {
  closed: 'closed it',
  reopened: 'reopened it',
  merged: 'merged it',
};

/** What each kind of change is in words. */
const DEEDS: Readonly<Record<Change['kind'], (change: Change) => Deed>> = {
  state: ({ action }) => says(STATES[action] ?? action),
  milestone: milestoneDeed,
  label: labelDeed,
  assignee: ({ action, person }) => ({ ...says(action === 'add' ? 'assigned' : 'unassigned'), people: [person] }),
  reviewer: ({ action, person }) => ({
    ...says(action === 'add' ? 'asked for a review by' : 'no longer asks for a review by'),
    people: [person],
  }),
  title: ({ words }) => says(`changed the title from “${inOneDirection(words ?? '')}”`),
  target_branch: ({ words }) => says(`changed the target branch from ${inOneDirection(words ?? '')}`),
  due_date: ({ words }) => says(words === null ? 'cleared the due date' : `set the due date to ${words}`),
  confidential: ({ action }) => says(action === 'add' ? 'made it confidential' : 'ended its confidentiality'),
};

const deedOf = (change: Change): Deed => DEEDS[change.kind](change);

/** Labels that came or went together stand together, and so do people. */
const joined = (deeds: readonly Deed[]): readonly Deed[] => {
  const all: Deed[] = [];
  for (const deed of deeds) {
    const at = all.findIndex(({ does, labels, people }) => does === deed.does && labels.length + people.length > 0);
    const same = all[at];
    if (same === undefined) all.push(deed);
    else all[at] = { ...same, labels: [...same.labels, ...deed.labels], people: [...same.people, ...deed.people] };
  }
  return all;
};

const isTogether = (one: Change, other: Change): boolean =>
  one.at.getTime() === other.at.getTime() && one.user?.id === other.user?.id;

/** Changes as lines: what somebody did in one go is one. */
const linesOf = (changes: readonly Change[]): readonly ChangeLine[] => {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && isTogether(last[0], change)) last.push(change);
    else groups.push([change]);
  }
  return groups.map((group) => ({ at: group[0]!.at, user: group[0]!.user, deeds: joined(group.map(deedOf)) }));
};

/** What was said and what was done. */
export type Happening<Said> = { readonly said: Said } | { readonly done: ChangeLine };

/** What stands on the page: comments or threads, with when each began, and whether there are more than are shown. */
interface Told<Said> {
  readonly said: readonly Said[];
  readonly at: (said: Said) => Date | undefined;
  readonly more: boolean;
}

/** All of it in the order in which it happened. What was done after the last of many comments waits for the comments between. */
export const inOrder = <Said>(
  lines: readonly ChangeLine[],
  { said, at, more }: Told<Said>,
): readonly Happening<Said>[] => {
  const left = [...lines];
  const story: Happening<Said>[] = [];
  for (const each of said) {
    const began = at(each);
    while (began !== undefined && left[0] !== undefined && left[0].at < began) story.push({ done: left.shift()! });
    story.push({ said: each });
  }
  return more ? story : [...story, ...left.map((done) => ({ done }))];
};

/** What was done to a subject, as lines. */
export const readLines = async (
  reader: Pick<ResourceEventReader, 'changes'>,
  subject: Pick<Subject, 'id' | 'projectId'>,
): Promise<readonly ChangeLine[]> => {
  const changes = await reader.changes(subject, MOST_CHANGES);
  return linesOf(changes.filter(({ commented }) => !commented));
};
