import type { UserId } from './identifiers.js';

export interface ChangeOf<Value> {
  readonly previous: Value;
  readonly current: Value;
}

/** The fields of issues and merge requests whose changes are told, as far as a subject has them. */
export interface ToldFields {
  readonly title: string;
  readonly description: string;
  readonly milestoneId: number | null;
  readonly discussionLocked: boolean | null;
  readonly dueDate: string | null;
  readonly confidential: boolean;
  readonly targetBranch: string;
  readonly squash: boolean;
  readonly removeSourceBranch: boolean | null;
  readonly allowCollaboration: boolean;
}

/** What is beside a subject, and changed with it. */
export interface ChangesBeside {
  /** Their names. */
  readonly labels?: ChangeOf<readonly string[]>;
  readonly assignees?: ChangeOf<readonly UserId[]>;
  readonly reviewers?: ChangeOf<readonly UserId[]>;
}

/** What one act changed of an issue or merge request. */
export type SubjectChanges = ChangesBeside & {
  readonly [Field in keyof ToldFields]?: ChangeOf<ToldFields[Field]>;
};

const FIELDS = [
  'title',
  'description',
  'milestoneId',
  'discussionLocked',
  'dueDate',
  'confidential',
  'targetBranch',
  'squash',
  'removeSourceBranch',
  'allowCollaboration',
] as const satisfies readonly (keyof ToldFields)[];

/** What nobody ever said is as what was said not to be: a form that is sent as it was shown says so. */
const isSame = (field: keyof ToldFields, before: Partial<ToldFields>, after: Partial<ToldFields>): boolean =>
  (before[field] ?? false) === (after[field] ?? false);

/** All that is not what it was; undefined where nothing is. */
export const changesOf = (
  before: Partial<ToldFields>,
  after: Partial<ToldFields>,
  beside: { readonly [Name in keyof ChangesBeside]: ChangesBeside[Name] | undefined },
): SubjectChanges | undefined => {
  const fields = FIELDS.filter((field) => !isSame(field, before, after)).map((field) => [
    field,
    { previous: before[field] ?? null, current: after[field] ?? null },
  ]);
  const changes = [...fields, ...Object.entries(beside).filter(([, change]) => change !== undefined)];
  return changes.length === 0 ? undefined : (Object.fromEntries(changes) as SubjectChanges);
};

/** People before and after some came and others went; undefined where nobody did. */
export const peopleChange = (
  previous: readonly UserId[],
  { added, removed }: { readonly added: readonly UserId[]; readonly removed: readonly UserId[] },
): ChangeOf<readonly UserId[]> | undefined =>
  added.length + removed.length === 0
    ? undefined
    : { previous, current: [...previous.filter((id) => !removed.includes(id)), ...added] };
