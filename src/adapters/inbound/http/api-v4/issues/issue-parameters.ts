import { Type } from '@sinclair/typebox';
import type { IssueFilters, IssueQuery } from '../../../../../application/planning/ports/planning-readers.js';
import { SUBJECT_ORDERS } from '../../../../../application/collaboration/ports/subject-order.js';
import { daysOf, DUE_NAMES } from '../../../../../domain/planning/due-days.js';
import { MAX_TEXT } from '../../../../../domain/planning/issue.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { clearable, given } from '../../kit/given.js';
import { component } from '../../openapi/component.js';
import {
  clearableDay,
  clearableIdentifier,
  clearablePeople,
  identifier,
  listOf,
  objectOf,
  oneOf,
  peopleIn,
  personOrNobody,
  text,
  type ParametersOf,
} from '../../validation/parameters.js';
import {
  namedPeople,
  names,
  ORDERS,
  personIn,
  refuseBothWays,
  SOMEBODY,
  SUBJECT_EXCLUSIONS,
  SUBJECT_FILTERS,
  subjectExclusionsIn,
  subjectFiltersIn,
} from '../collaboration/subject-filters.js';

const EXCLUSIONS = component(
  'schemas/IssueExclusions',
  objectOf(
    {
      ...SUBJECT_EXCLUSIONS,
      assignee_username: Type.Optional(namedPeople()),
      iids: Type.Optional(listOf(identifier(), { description: 'Numbers within the project' })),
    },
    'Leaves out what has one of these, as in `not[labels]=bug`',
  ),
);

/** What narrows issues, in lists and where they are counted. */
export const COUNTED_FILTERS = {
  ...SUBJECT_FILTERS,
  iids: Type.Optional(listOf(identifier(), { description: 'Numbers within the project' })),
  author_id: Type.Optional(identifier<UserId>()),
  author_username: Type.Optional(text(255, 'Who opened it, by name')),
  assignee_id: Type.Optional(text(32, SOMEBODY)),
  assignee_username: Type.Optional(namedPeople()),
  due_date: Type.Optional(
    oneOf(['', ...DUE_NAMES], { description: 'When they are due, seen from today in UTC; 0: never' }),
  ),
  confidential: Type.Optional(Type.Boolean()),
  issue_type: Type.Optional(oneOf(['issue', 'incident'])),
  not: Type.Optional(EXCLUSIONS),
};

/** What narrows a list of issues. */
export const FILTERS = {
  state: oneOf(['opened', 'closed', 'all'], { default: 'all' }),
  ...COUNTED_FILTERS,
  order_by: oneOf([...SUBJECT_ORDERS, 'due_date', 'relative_position'], {
    default: 'created_at',
    description: `${ORDERS}, and those of one project by \`relative_position\`, as they were put on boards`,
  }),
  sort: oneOf(['asc', 'desc'], { default: 'desc' }),
};

export const LABELS = listOf(text(255), { description: 'Separated by commas' });

/** What is sent of an issue that is opened or changed, beside its title. */
export const FIELDS = {
  description: Type.Optional(text(MAX_TEXT)),
  confidential: Type.Optional(Type.Boolean()),
  due_date: Type.Optional(clearableDay()),
  milestone_id: Type.Optional(
    clearableIdentifier('Id of a milestone of the project, or of a group above it; 0, or empty, takes it away'),
  ),
  labels: Type.Optional(LABELS),
  assignee_ids: Type.Optional(clearablePeople<UserId>('Who it is assigned to')),
  assignee_id: Type.Optional(personOrNobody<UserId>('Who it is assigned to; 0, or empty, is nobody')),
};

/** What a form or JSON says of an issue. */
export const fieldsIn = (sent: ParametersOf<typeof FIELDS>) => {
  const { description, confidential, due_date, milestone_id, labels, assignee_ids, assignee_id } = sent;
  return given({
    description,
    confidential,
    dueDate: clearable(due_date),
    milestoneId: milestone_id === 0 ? null : clearable(milestone_id),
    labels: labels && names(labels),
    assigneeIds: peopleIn(assignee_ids ?? (assignee_id === undefined ? undefined : [assignee_id])),
  });
};

type Narrowed = Omit<IssueFilters, 'viewer'>;
export type CountedFilters = ParametersOf<typeof COUNTED_FILTERS>;

const exclusionsIn = (not: CountedFilters['not']): Pick<Narrowed, 'not'> =>
  not === undefined
    ? {}
    : { not: { ...subjectExclusionsIn(not), ...given({ assigneeUsernames: not.assignee_username, iids: not.iids }) } };

/** Two ways to name one person. */
const EXCLUSIVE = [
  ['author_id', 'author_username'],
  ['assignee_id', 'assignee_username'],
] as const;

/** @throws ParametersInvalid, HttpError. */
export const countedIn = (sent: CountedFilters, today: string): Narrowed => {
  refuseBothWays(sent, EXCLUSIVE);
  const { due_date: due, ...people } = sent;
  const assignee = personIn('assignee_id', people.assignee_id);
  return {
    ...subjectFiltersIn(sent),
    ...exclusionsIn(sent.not),
    ...(due !== undefined && due !== '' && daysOf(due, today)),
    ...given({
      iids: sent.iids,
      authorId: people.author_id,
      authorUsername: people.author_username,
      assigneeId: assignee.id,
      assigned: assignee.any,
      assigneeUsernames: people.assignee_username,
      confidential: sent.confidential,
      kind: sent.issue_type,
    }),
  };
};

/** @throws ParametersInvalid, HttpError. */
export const filtersIn = (sent: ParametersOf<typeof FILTERS>, today: string): Omit<IssueQuery, 'viewer' | 'page'> => ({
  ...countedIn(sent, today),
  ...given({ state: sent.state === 'all' ? undefined : sent.state }),
  orderBy: sent.order_by,
  sort: sent.sort,
});
