import { Type } from '@sinclair/typebox';
import { identifierIn, type UserId } from '../../../../../domain/shared/identifiers.js';
import { HttpError, ParametersInvalid } from '../../http-error.js';
import { given } from '../../kit/given.js';
import {
  identifier,
  instantOrDay,
  listOf,
  oneOf,
  text,
  timeIn,
  type ParametersOf,
} from '../../validation/parameters.js';

export const ORDERS =
  'By `popularity`: by thumbs that are up. What has no such day or priority is last, either way. Lists of more than 10,000 only by `created_at` and `updated_at`';

export const SOMEBODY = 'Id of a person; or None, or Any';

/** People that a filter names: each is a look-up of its own. */
export const MOST_PEOPLE = 5;
export const namedPeople = (description = 'Names of people') =>
  listOf(text(255), { maxItems: MOST_PEOPLE, description });

const MILESTONES_THAT_STAND = ['None', 'Any', 'Upcoming', 'Started'] as const;

/** What narrows lists of issues and of merge requests alike. */
export const SUBJECT_FILTERS = {
  labels: Type.Optional(
    listOf(text(255), { description: 'Separated by commas: those that have all of them; or None, or Any' }),
  ),
  milestone: Type.Optional(text(255, 'Title of the milestone; or None, or Any')),
  milestone_id: Type.Optional(
    oneOf(MILESTONES_THAT_STAND, {
      description:
        'Not an id: planned for no milestone, for any, for the next of its project to be due after today in UTC, or for one that has started; both are open',
    }),
  ),
  my_reaction_emoji: Type.Optional(text(255, 'Name of an emoji that you awarded; or None, or Any')),
  search: Type.Optional(text(255, 'Part of title or description')),
  in: Type.Optional(
    listOf(oneOf(['title', 'description']), { description: 'Where `search` looks: `title`, `description`, or both' }),
  ),
  created_after: Type.Optional(instantOrDay('Opened then or later')),
  created_before: Type.Optional(instantOrDay('Opened then or before')),
  updated_after: Type.Optional(instantOrDay('Changed then or later')),
  updated_before: Type.Optional(instantOrDay('Changed then or before')),
};

// No label has a comma in its name, so a comma parts names inside JSON arrays too.
export const names = (labels: readonly string[]): readonly string[] => [
  ...new Set(labels.flatMap((label) => label.split(',').map((name) => name.trim())).filter((name) => name !== '')),
];

const labelsIn = (labels: readonly string[]) => {
  const wanted = names(labels);
  if (wanted.length === 1 && wanted[0] === 'None') return { labelled: false };
  return wanted.length === 1 && wanted[0] === 'Any' ? { labelled: true } : { labels: wanted };
};

const WHETHER_PLANNED: ReadonlyMap<string, boolean> = new Map([
  ['None', false],
  ['Any', true],
]);

/** @param called what the two are called. @throws HttpError where both were sent. */
const milestoneIn = (
  { milestone, milestone_id: id }: Pick<ParametersOf<typeof SUBJECT_FILTERS>, 'milestone' | 'milestone_id'>,
  [one, other]: readonly [string, string] = ['milestone', 'milestone_id'],
) => {
  refuseBothWays({ [one]: milestone, [other]: id }, [[one, other]]);
  const milestoneStands = id === 'Upcoming' ? 'upcoming' : id === 'Started' ? 'started' : undefined;
  const planned = WHETHER_PLANNED.get(milestone ?? id ?? '');
  return given({ planned, milestoneStands, milestoneTitle: planned === undefined ? milestone : undefined } as const);
};

const reactionIn = (sent: string) => {
  if (sent === '') return {};
  if (/^none$/i.test(sent)) return { reacted: false };
  return /^any$/i.test(sent) ? { reacted: true } : { reaction: sent };
};

/** What leaves out issues and merge requests alike, as in `not[labels]=bug`. */
export const SUBJECT_EXCLUSIONS = {
  labels: Type.Optional(listOf(text(255), { description: 'Separated by commas: those that have none of them' })),
  milestone: Type.Optional(text(255, 'Title of a milestone; or None, or Any')),
  milestone_id: Type.Optional(
    oneOf(MILESTONES_THAT_STAND, { description: 'Those that `milestone_id` of this value would not find' }),
  ),
  author_id: Type.Optional(identifier<UserId>()),
  author_username: Type.Optional(text(255)),
  assignee_id: Type.Optional(identifier<UserId>()),
  my_reaction_emoji: Type.Optional(text(255)),
};

export const subjectExclusionsIn = (not: ParametersOf<typeof SUBJECT_EXCLUSIONS>) =>
  given({
    labels: not.labels && names(not.labels),
    ...milestoneIn(not, ['not[milestone]', 'not[milestone_id]']),
    authorId: not.author_id,
    authorUsername: not.author_username,
    assigneeId: not.assignee_id,
    reaction: not.my_reaction_emoji,
  });

/** @param pairs two ways each to name the same. @throws HttpError where both were sent. */
export const refuseBothWays = <Name extends string>(
  sent: Readonly<Partial<Record<Name, unknown>>>,
  pairs: readonly (readonly [Name, Name])[],
): void => {
  for (const [one, other] of pairs)
    if (sent[one] !== undefined && sent[other] !== undefined)
      throw new HttpError(400, `${one}, ${other} are mutually exclusive`);
};

/** Somebody, nobody or anybody. @throws ParametersInvalid. */
export const personIn = (
  parameter: string,
  sent: string | undefined,
): { readonly id?: UserId; readonly any?: boolean } => {
  if (sent === undefined || sent === '') return {};
  if (/^(?:none|0)$/i.test(sent)) return { any: false };
  if (/^any$/i.test(sent)) return { any: true };
  const id = identifierIn<UserId>(sent);
  if (id === undefined) throw new ParametersInvalid([{ parameter, problem: 'is invalid' }]);
  return { id };
};

/** @throws HttpError. */
export const subjectFiltersIn = (sent: ParametersOf<typeof SUBJECT_FILTERS>) => {
  const { labels, my_reaction_emoji: reaction, in: places = [] } = sent;
  return {
    ...(labels && labelsIn(labels)),
    ...milestoneIn(sent),
    ...(reaction !== undefined && reactionIn(reaction)),
    ...given({
      search: sent.search,
      searchIn: new Set(places).size === 1 ? places[0] : undefined,
      createdAfter: timeIn(sent.created_after),
      createdBefore: timeIn(sent.created_before),
      updatedAfter: timeIn(sent.updated_after),
      updatedBefore: timeIn(sent.updated_before),
    }),
  };
};
