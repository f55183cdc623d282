import { Type } from '@sinclair/typebox';
import { SUBJECT_ORDERS } from '../../../../../application/collaboration/ports/subject-order.js';
import type { MergeRequestQuery } from '../../../../../application/review/ports/merge-request-ports.js';
import { MAX_DESCRIPTION } from '../../../../../domain/review/merge-request.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import { clearable, given } from '../../kit/given.js';
import { component } from '../../openapi/component.js';
import {
  clearableIdentifier,
  clearablePeople,
  identifier,
  instantOrDay,
  listOf,
  objectOf,
  oneOf,
  peopleIn,
  personOrNobody,
  text,
  timeIn,
  type ParametersOf,
} from '../../validation/parameters.js';
import {
  MOST_PEOPLE,
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
import { LABELS } from '../issues/issue-parameters.js';
import { WITH_LABELS_DETAILS } from '../labels/label-details.js';
import { MAX_REF } from '../repository/code-writing.js';

const EXCLUSIONS = component(
  'schemas/MergeRequestExclusions',
  objectOf(
    {
      ...SUBJECT_EXCLUSIONS,
      assignee_username: Type.Optional(namedPeople()),
      reviewer_id: Type.Optional(identifier<UserId>()),
      reviewer_username: Type.Optional(text(255)),
      source_branch: Type.Optional(text(MAX_REF)),
      target_branch: Type.Optional(text(MAX_REF)),
    },
    'Leaves out what has one of these, as in `not[labels]=bug`',
  ),
);

/** What narrows a list of merge requests. */
export const FILTERS = {
  state: oneOf(['opened', 'closed', 'locked', 'merged', 'all'], { default: 'all' }),
  ...SUBJECT_FILTERS,
  iids: Type.Optional(listOf(identifier(), { description: 'Numbers within the project' })),
  author_id: Type.Optional(identifier<UserId>()),
  author_username: Type.Optional(text(255, 'Who opened it, by name')),
  assignee_id: Type.Optional(text(32, SOMEBODY)),
  reviewer_id: Type.Optional(text(32, SOMEBODY)),
  reviewer_username: Type.Optional(text(255, 'Who was asked to look at it, by name')),
  assignee_username: Type.Optional(namedPeople('Names of people; it is assigned to all of them')),
  merge_user_id: Type.Optional(identifier<UserId>('Who merged it')),
  merge_user_username: Type.Optional(text(255, 'Who merged it, by name')),
  approved: Type.Optional(oneOf(['yes', 'no'], { description: 'Whether as many approved it as its project asks for' })),
  approved_by_ids: Type.Optional(
    listOf(text(32), { maxItems: MOST_PEOPLE, description: 'Ids of people who all approved it; or None, or Any' }),
  ),
  approved_by_usernames: Type.Optional(namedPeople('The same, by name')),
  approver_ids: Type.Optional(
    listOf(text(32), { maxItems: MOST_PEOPLE, description: 'People who are named to approve it: nobody ever is' }),
  ),
  source_branch: Type.Optional(text(MAX_REF, 'What is to be merged')),
  target_branch: Type.Optional(text(MAX_REF, 'Where it is to be merged into')),
  source_project_id: Type.Optional(identifier<ProjectId>('The project of the source branch')),
  not: Type.Optional(EXCLUSIONS),
  environment: Type.Optional(text(255, 'Name of an environment that a deployment brought it to')),
  deployed_after: Type.Optional(instantOrDay('Brought to an environment then or later')),
  deployed_before: Type.Optional(instantOrDay('Brought to an environment then or before')),
  with_merge_status_recheck: Type.Boolean({
    default: false,
    description: 'Whether it is found out first whether they can be merged, where nobody has since a branch moved',
  }),
  with_labels_details: WITH_LABELS_DETAILS,
  wip: Type.Optional(oneOf(['yes', 'no'], { description: 'Whether they are drafts' })),
  order_by: oneOf([...SUBJECT_ORDERS, 'merged_at'], { default: 'created_at', description: ORDERS }),
  sort: oneOf(['asc', 'desc'], { default: 'desc' }),
  view: Type.Optional(oneOf(['simple'], { description: 'Tells little of each' })),
};

/** What is sent of a merge request that is opened or changed, beside title and branches. */
export const FIELDS = {
  description: Type.Optional(text(MAX_DESCRIPTION)),
  milestone_id: Type.Optional(
    clearableIdentifier('Id of a milestone of the project, or of a group above it; 0, or empty, takes it away'),
  ),
  labels: Type.Optional(LABELS),
  assignee_id: Type.Optional(personOrNobody<UserId>('Who it is assigned to; 0, or empty, is nobody')),
  assignee_ids: Type.Optional(clearablePeople<UserId>('Who it is assigned to')),
  reviewer_ids: Type.Optional(clearablePeople<UserId>('Who is asked to look at it')),
  remove_source_branch: Type.Optional(
    Type.Boolean({ description: 'Whether the source branch goes once it is merged' }),
  ),
  squash: Type.Optional(Type.Boolean({ description: 'Whether its commits become one' })),
  allow_collaboration: Type.Optional(
    Type.Boolean({ description: 'Of a fork: whether those who may merge should be let push to the source branch' }),
  ),
  allow_maintainer_to_push: Type.Optional(Type.Boolean({ description: 'The same, by its old name' })),
};

/** What a form or JSON says of a merge request. */
export const fieldsIn = (sent: ParametersOf<typeof FIELDS>) => {
  const { description, milestone_id, assignee_id, assignee_ids, reviewer_ids, squash } = sent;
  return given({
    description,
    milestoneId: milestone_id === 0 ? null : clearable(milestone_id),
    labels: sent.labels && names(sent.labels),
    assigneeIds: peopleIn(assignee_ids ?? (assignee_id === undefined ? undefined : [assignee_id])),
    reviewerIds: peopleIn(reviewer_ids),
    removeSourceBranch: sent.remove_source_branch,
    squash,
    allowCollaboration: sent.allow_collaboration ?? sent.allow_maintainer_to_push,
  });
};

type Sent = ParametersOf<typeof FILTERS>;

/** @throws ParametersInvalid. */
const approvalsIn = ({ approved, approved_by_ids: ids, approved_by_usernames: approvedByUsernames }: Sent) => {
  const [first] = ids ?? [];
  const some = ids?.length === 1 ? personIn('approved_by_ids', first) : {};
  const people = some.any === undefined ? ids?.map((id) => personIn('approved_by_ids', id).id) : undefined;
  return given({
    approved: approved === undefined ? undefined : approved === 'yes',
    approvedByAnybody: some.any,
    approvedByIds: people?.filter((id) => id !== undefined),
    approvedByUsernames,
  });
};

const exclusionsIn = (not: Sent['not']): Pick<MergeRequestQuery, 'not'> =>
  not === undefined
    ? {}
    : {
        not: {
          ...subjectExclusionsIn(not),
          ...given({
            assigneeUsernames: not.assignee_username,
            reviewerId: not.reviewer_id,
            reviewerUsername: not.reviewer_username,
            sourceBranch: not.source_branch,
            targetBranch: not.target_branch,
          }),
        },
      };

/** What asks for something that no merge request has: nobody is named to approve. */
const findsNothing = ({ approver_ids: ids }: Sent) => ids?.some((id) => !/^(?:none|0|)$/i.test(id)) === true;

const deploymentIn = (sent: Sent): Pick<MergeRequestQuery, 'deployed'> => {
  const deployed = given({
    environment: sent.environment,
    after: timeIn(sent.deployed_after),
    before: timeIn(sent.deployed_before),
  });
  return Object.keys(deployed).length === 0 ? {} : { deployed };
};

export type Filters = Omit<MergeRequestQuery, 'viewer' | 'page'>;

/** Two ways to name one person. */
const EXCLUSIVE = [
  ['author_id', 'author_username'],
  ['assignee_id', 'assignee_username'],
  ['reviewer_id', 'reviewer_username'],
  ['merge_user_id', 'merge_user_username'],
  ['approved_by_ids', 'approved_by_usernames'],
] as const;

/** Undefined where nothing is found; merging is one unit of work, so that none is ever locked. @throws ParametersInvalid, HttpError. */
export const filtersIn = (sent: Sent): Filters | undefined => {
  refuseBothWays(sent, EXCLUSIVE);
  const { state } = sent;
  if (state === 'locked' || findsNothing(sent)) return undefined;
  const [assignee, reviewer] = [personIn('assignee_id', sent.assignee_id), personIn('reviewer_id', sent.reviewer_id)];
  return {
    ...subjectFiltersIn(sent),
    ...approvalsIn(sent),
    ...exclusionsIn(sent.not),
    ...deploymentIn(sent),
    ...given({
      state: state === 'all' ? undefined : state,
      iids: sent.iids,
      authorId: sent.author_id,
      authorUsername: sent.author_username,
      assigneeId: assignee.id,
      assigneeUsernames: sent.assignee_username,
      assigned: assignee.any,
      reviewerId: reviewer.id,
      reviewed: reviewer.any,
      reviewerUsername: sent.reviewer_username,
      mergeUserId: sent.merge_user_id,
      mergeUsername: sent.merge_user_username,
      sourceBranch: sent.source_branch,
      targetBranch: sent.target_branch,
      sourceProjectId: sent.source_project_id,
      draft: sent.wip === undefined ? undefined : sent.wip === 'yes',
    }),
    orderBy: sent.order_by,
    sort: sent.sort,
  };
};
