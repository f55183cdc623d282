import { Type } from '@sinclair/typebox';
import type { GroupLabels } from '../../../../../application/planning/group-labels.js';
import type { GroupLabelReader } from '../../../../../application/planning/ports/group-labels.js';
import type { LabelSubscriptions } from '../../../../../application/planning/label-subscriptions.js';
import type { PlanningOverview } from '../../../../../application/planning/ports/planning-overview.js';
import { userIdOf, type Actor } from '../../../../../application/shared/actor.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import {
  MAX_LABELS_OF_GROUP,
  MAX_WRITTEN_COLOR,
  type Label,
  type UsableLabel,
} from '../../../../../domain/planning/label.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { GroupId } from '../../../../../domain/shared/identifiers.js';
import { mapPage } from '../../../../../domain/shared/page.js';
import { given } from '../../kit/given.js';
import { foundByName, GROUP_ID, inGroup } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { changeSubscription, SUBSCRIBE, UNSUBSCRIBE } from './change-subscription.js';
import { pathId, requiredText, text, type ParametersOf } from '../../validation/parameters.js';
import { GroupLabelSchema, NO_COUNTS, presentGroupLabel } from './label-schema.js';

export interface GroupLabelRoutesParts {
  readonly access: WorkspaceAccess;
  readonly groupLabels: GroupLabels;
  readonly groupLabelReader: GroupLabelReader;
  readonly labelSubscriptions: LabelSubscriptions;
  readonly planningOverview: PlanningOverview;
}
type Parts = GroupLabelRoutesParts;

const ALL = '/groups/:id/labels';
const GROUP_LABEL = `${ALL}/:label_id`;
const GROUP_LABEL_IN_PATH = { id: GROUP_ID, label_id: pathId('Id or name of the label') };
/** Some clients name the label beside what they change of it, not in the path. */
const NAMED = { id: GROUP_ID, name: requiredText(255, 'Id or name of the label') };
const FIELDS = {
  color: Type.Optional(text(MAX_WRITTEN_COLOR, '`#RRGGBB`, `#RGB`, or the name that CSS has for it')),
  description: Type.Optional(text(1_000)),
};
const CHANGES = { new_name: Type.Optional(requiredText(255)), ...FIELDS };
const ABOVE = 'Labels of groups above belong to these: 403.';

const { list, get, post, put, remove } = routesOf({ tag: 'Labels' });

const inGroupLabel = <P extends 'read_group' | 'manage_group_labels'>(
  { access, groupLabelReader }: Parts,
  permission: P,
) =>
  foundByName('Label', 'label_id', inGroup(access, permission), ({ group }, idOrName) =>
    groupLabelReader.find(group.id, idOrName),
  );

/** One label as its caller sees it. */
const presentFor = async ({ labelSubscriptions }: Parts, actor: Actor, label: Label) =>
  presentGroupLabel(label, await labelSubscriptions.isSubscribed(actor, label));

export const listGroupLabels = ({ access, groupLabelReader, planningOverview }: Parts) =>
  list(ALL, 'listGroupLabels', {
    summary: 'Labels of a group',
    access: 'anyone',
    parameters: {
      id: GROUP_ID,
      with_counts: Type.Boolean({ default: false, description: 'Whether it is counted what has each label' }),
      include_ancestor_groups: Type.Boolean({ default: true, description: 'Those of the groups above as well' }),
      include_descendant_groups: Type.Boolean({
        default: false,
        description: 'Those of the groups below that you see as well',
      }),
      only_group_labels: Type.Boolean({
        default: true,
        description: 'False for those of projects that you see as well',
      }),
      search: Type.Optional(text(255, 'Part of the name or description')),
    },
    items: GroupLabelSchema,
    guard: inGroup(access, 'read_group'),
    read: async ({ actor, subject: { group }, parameters, page }) => {
      const viewer = access.viewer(actor);
      const found = await groupLabelReader.list(viewer, group.id, page, {
        ...given({ search: parameters.search }),
        subscriber: userIdOf(actor),
        above: parameters.include_ancestor_groups,
        below: parameters.include_descendant_groups,
        ofProjects: !parameters.only_group_labels,
      });
      const ids = found.items.map(({ id }) => id);
      const counts = parameters.with_counts ? await planningOverview.labelCounts(viewer, ids) : undefined;
      return mapPage(found, (label) => ({ label, counts: counts && (counts.get(label.id) ?? NO_COUNTS) }));
    },
    present: ({ label, counts }) => presentGroupLabel(label, label.subscribed, counts),
  });

export const getGroupLabel = (parts: Parts) =>
  get(GROUP_LABEL, 'getGroupLabel', {
    summary: 'One label of a group, or of a group above it',
    access: 'anyone',
    parameters: GROUP_LABEL_IN_PATH,
    answer: GroupLabelSchema,
    guard: inGroupLabel(parts, 'read_group'),
    handle: ({ actor, subject }) => presentFor(parts, actor, subject.label),
  });

export const createGroupLabel = ({ access, groupLabels }: Parts) =>
  post(ALL, 'createGroupLabel', {
    summary: 'Make a label of a group (reporters)',
    description: `All projects in the group and below it can use it. A group has at most ${MAX_LABELS_OF_GROUP}.`,
    access: 'user',
    parameters: { id: GROUP_ID, name: requiredText(255), ...FIELDS },
    answer: GroupLabelSchema,
    guard: inGroup(access, 'manage_group_labels'),
    handle: async ({ subject, parameters: { id: _id, ...label } }) =>
      presentGroupLabel(await groupLabels.add(subject, label), false),
  });

const changesIn = ({ new_name: name, color, description }: ParametersOf<typeof CHANGES>) =>
  given({ name, color, description });

const findNamed = async ({ groupLabelReader }: Parts, groupId: GroupId, name: string): Promise<UsableLabel> => {
  const label = await groupLabelReader.find(groupId, name);
  if (label === undefined) throw new NotFound('Label');
  return label;
};

export const editGroupLabel = (parts: Parts) =>
  put(GROUP_LABEL, 'editGroupLabel', {
    summary: 'Change a label of a group (reporters)',
    description: ABOVE,
    access: 'user',
    parameters: { ...GROUP_LABEL_IN_PATH, ...CHANGES },
    answer: GroupLabelSchema,
    guard: inGroupLabel(parts, 'manage_group_labels'),
    handle: async ({ actor, subject, parameters: sent }) =>
      presentFor(parts, actor, await parts.groupLabels.edit(subject, subject.label, changesIn(sent))),
  });

export const editNamedGroupLabel = (parts: Parts) =>
  put(ALL, 'editNamedGroupLabel', {
    summary: 'Change the label of a group that has a name (reporters)',
    description: ABOVE,
    access: 'user',
    parameters: { ...NAMED, ...CHANGES },
    answer: GroupLabelSchema,
    guard: inGroup(parts.access, 'manage_group_labels'),
    handle: async ({ actor, subject, parameters: { name, ...sent } }) => {
      const label = await findNamed(parts, subject.group.id, name);
      return presentFor(parts, actor, await parts.groupLabels.edit(subject, label, changesIn(sent)));
    },
  });

export const removeGroupLabel = (parts: Parts) =>
  remove(GROUP_LABEL, 'removeGroupLabel', {
    summary: 'Remove a label of a group (reporters)',
    description: `Whatever has it, in any project, loses it. ${ABOVE}`,
    access: 'user',
    parameters: GROUP_LABEL_IN_PATH,
    guard: inGroupLabel(parts, 'manage_group_labels'),
    handle: ({ subject }) => parts.groupLabels.remove(subject, subject.label),
  });

export const removeNamedGroupLabel = (parts: Parts) =>
  remove(ALL, 'removeNamedGroupLabel', {
    summary: 'Remove the label of a group that has a name (reporters)',
    description: ABOVE,
    access: 'user',
    parameters: NAMED,
    guard: inGroup(parts.access, 'manage_group_labels'),
    handle: async ({ subject, parameters: { name } }) =>
      parts.groupLabels.remove(subject, await findNamed(parts, subject.group.id, name)),
  });

const subscription = (parts: Parts, change: typeof SUBSCRIBE | typeof UNSUBSCRIBE, operationId: string): Route =>
  changeSubscription({
    ...change,
    path: GROUP_LABEL,
    operationId,
    summary: `${change.summary} of a group`,
    parameters: GROUP_LABEL_IN_PATH,
    answer: GroupLabelSchema,
    guard: inGroupLabel(parts, 'read_group'),
    change: (actor, { group, label }, subscribed) =>
      parts.labelSubscriptions.changeInGroup(actor, { groupId: label.group?.id ?? group.id, id: label.id }, subscribed),
    present: ({ label }, subscribed) => presentGroupLabel(label, subscribed),
  });

export const subscribeToGroupLabel = (parts: Parts) => subscription(parts, SUBSCRIBE, 'subscribeToGroupLabel');

export const unsubscribeFromGroupLabel = (parts: Parts) =>
  subscription(parts, UNSUBSCRIBE, 'unsubscribeFromGroupLabel');

/** The labels of groups. */
export const createGroupLabelRoutes = (parts: Parts): readonly Route[] => [
  listGroupLabels(parts),
  getGroupLabel(parts),
  createGroupLabel(parts),
  editGroupLabel(parts),
  removeGroupLabel(parts),
  editNamedGroupLabel(parts),
  removeNamedGroupLabel(parts),
  subscribeToGroupLabel(parts),
  unsubscribeFromGroupLabel(parts),
];
