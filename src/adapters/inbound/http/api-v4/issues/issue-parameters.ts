import { Type } from '@sinclair/typebox';
import type { IssueQuery } from '../../../../../application/planning/ports/planning-readers.js';
import { MAX_TEXT } from '../../../../../domain/planning/issue.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { clearable, given } from '../../kit/given.js';
import {
  clearableDay,
  clearableIdentifier,
  identifier,
  identifierOrNone,
  listOf,
  oneOf,
  text,
  type ParametersOf,
} from '../../validation/parameters.js';

/** What narrows a list of issues. */
export const FILTERS = {
  state: oneOf(['opened', 'closed', 'all'], { default: 'all' }),
  labels: Type.Optional(
    listOf(text(255), { description: 'Separated by commas: issues that have all of them; or None, or Any' }),
  ),
  milestone: Type.Optional(text(255, 'Title of the milestone; or None, or Any')),
  iids: Type.Optional(listOf(identifier(), { description: 'Numbers within the project' })),
  author_id: Type.Optional(identifier<UserId>()),
  assignee_id: Type.Optional(identifier<UserId>()),
  search: Type.Optional(text(255, 'Part of title or description')),
  confidential: Type.Optional(Type.Boolean()),
  issue_type: Type.Optional(oneOf(['issue', 'incident'])),
  order_by: oneOf(['created_at', 'updated_at'], { default: 'created_at' }),
  sort: oneOf(['asc', 'desc'], { default: 'desc' }),
};

export const LABELS = listOf(text(255), { description: 'Separated by commas' });

/** What is sent of an issue that is opened or changed, beside its title. */
export const FIELDS = {
  description: Type.Optional(text(MAX_TEXT)),
  confidential: Type.Optional(Type.Boolean()),
  due_date: Type.Optional(clearableDay()),
  milestone_id: Type.Optional(clearableIdentifier('Id of a milestone of the project; 0, or empty, takes it away')),
  labels: Type.Optional(LABELS),
  assignee_ids: Type.Optional(listOf(identifierOrNone<UserId>())),
  assignee_id: Type.Optional(identifierOrNone<UserId>()),
};

// No label has a comma in its name, so a comma parts names inside JSON arrays too.
export const names = (labels: readonly string[]): readonly string[] => [
  ...new Set(labels.flatMap((label) => label.split(',').map((name) => name.trim())).filter((name) => name !== '')),
];

/** What a form or JSON says of an issue; an assignee of 0 is nobody. */
export const fieldsIn = (sent: ParametersOf<typeof FIELDS>) => {
  const { description, confidential, due_date, milestone_id, labels, assignee_ids, assignee_id } = sent;
  const assignees = assignee_ids ?? (assignee_id === undefined ? undefined : [assignee_id]);
  return given({
    description,
    confidential,
    dueDate: clearable(due_date),
    milestoneId: milestone_id === 0 ? null : clearable(milestone_id),
    labels: labels && names(labels),
    assigneeIds: assignees?.filter((id) => id > 0),
  });
};

export const labelsIn = (labels: readonly string[]): Pick<IssueQuery, 'labels' | 'labelled'> => {
  const wanted = names(labels);
  if (wanted.length === 1 && wanted[0] === 'None') return { labelled: false };
  return wanted.length === 1 && wanted[0] === 'Any' ? { labelled: true } : { labels: wanted };
};

const milestoneIn = (milestone: string): Pick<IssueQuery, 'milestoneTitle' | 'planned'> => {
  if (milestone === 'None') return { planned: false };
  return milestone === 'Any' ? { planned: true } : { milestoneTitle: milestone };
};

export const filtersIn = (filters: ParametersOf<typeof FILTERS>): Omit<IssueQuery, 'viewer' | 'page'> => {
  const { labels, milestone, iids, search, confidential, issue_type: kind, order_by: orderBy, sort } = filters;
  const { author_id: authorId, assignee_id: assigneeId } = filters;
  return {
    ...(labels && labelsIn(labels)),
    ...(milestone !== undefined && milestoneIn(milestone)),
    ...given({ state: filters.state === 'all' ? undefined : filters.state, kind }),
    ...given({ iids, authorId, assigneeId, search, confidential }),
    orderBy,
    sort,
  };
};
