import { Type } from '@sinclair/typebox';
import { MAX_TEXT } from '../../../../../domain/planning/issue.js';
import { clearable, given } from '../../kit/given.js';
import {
  clearableDay,
  identifier,
  instantOrDay,
  listOf,
  oneOf,
  text,
  timeIn,
  type ParametersOf,
} from '../../validation/parameters.js';

/** What narrows lists of milestones, of projects and of groups. */
export const MILESTONE_FILTERS = {
  iids: Type.Optional(listOf(identifier(), { description: 'Numbers within the project, or within the group' })),
  state: oneOf(['active', 'closed', 'all'], { default: 'all' }),
  title: Type.Optional(text(255, 'The whole title')),
  search: Type.Optional(text(255, 'Part of title or description')),
  updated_after: Type.Optional(instantOrDay('Changed then or later')),
  updated_before: Type.Optional(instantOrDay('Changed then or before')),
};

export const filtersIn = ({ iids, state, title, search, ...sent }: ParametersOf<typeof MILESTONE_FILTERS>) =>
  given({
    iids,
    state: state === 'all' ? undefined : state,
    titles: title === undefined ? undefined : [title],
    search,
    updatedAfter: timeIn(sent.updated_after),
    updatedBefore: timeIn(sent.updated_before),
  });

/** Two names of one thing: newer clients send the first. */
export const withThoseAbove = (sent: {
  readonly include_ancestors: boolean;
  readonly include_parent_milestones: boolean;
}) => ({ withThoseAbove: sent.include_ancestors || sent.include_parent_milestones });

const FIELDS = {
  description: Type.Optional(text(MAX_TEXT)),
  start_date: Type.Optional(clearableDay()),
  due_date: Type.Optional(clearableDay()),
};
const fieldsOf = ({ description, start_date, due_date }: ParametersOf<typeof FIELDS>) =>
  given({ description, startDate: clearable(start_date), dueDate: clearable(due_date) });

export const NEW_MILESTONE = { title: text(1_000), ...FIELDS };

export const newMilestoneIn = ({ title, ...fields }: ParametersOf<typeof NEW_MILESTONE>) => ({
  title,
  ...fieldsOf(fields),
});

export const MILESTONE_CHANGES = {
  title: Type.Optional(text(1_000)),
  ...FIELDS,
  state_event: Type.Optional(oneOf(['close', 'activate'])),
};

export const milestoneChangesIn = ({
  title,
  state_event: stateEvent,
  ...fields
}: ParametersOf<typeof MILESTONE_CHANGES>) => ({ ...fieldsOf(fields), ...given({ title, stateEvent }) });
