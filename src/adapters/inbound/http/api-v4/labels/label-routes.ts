import { Type } from '@sinclair/typebox';
import type { LabelSubscriptions } from '../../../../../application/planning/label-subscriptions.js';
import type { Labels } from '../../../../../application/planning/labels.js';
import type { PlanningOverview } from '../../../../../application/planning/ports/planning-overview.js';
import type { PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import { userIdOf, type Actor } from '../../../../../application/shared/actor.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { MAX_LABEL_PRIORITY, MAX_WRITTEN_COLOR, type Label } from '../../../../../domain/planning/label.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { mapPage } from '../../../../../domain/shared/page.js';
import { given } from '../../kit/given.js';
import { foundByName, inProject, PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Route } from '../../route.js';
import {
  integer,
  nullable,
  parameters,
  pathId,
  requiredText,
  text,
  type ParametersOf,
} from '../../validation/parameters.js';
import { NO_COUNTS, presentProjectLabel, ProjectLabelSchema } from './label-schema.js';

export interface LabelRoutesParts {
  readonly access: WorkspaceAccess;
  readonly labels: Labels;
  readonly labelSubscriptions: LabelSubscriptions;
  readonly planningReader: PlanningReader;
  readonly planningOverview: PlanningOverview;
}
type Parts = LabelRoutesParts;

const TAG = 'Labels';
const ALL = '/projects/:id/labels';
export const LABEL = `${ALL}/:label_id`;
export const LABEL_IN_PATH = { id: PROJECT_ID, label_id: pathId('Id or name of the label') };
/** Some clients name the label beside what they change of it, not in the path. */
const NAMED = { id: PROJECT_ID, name: requiredText(255, 'Id or name of the label') };
const FIELDS = {
  color: Type.Optional(text(MAX_WRITTEN_COLOR, '`#RRGGBB`, `#RGB`, or the name that CSS has for it')),
  description: Type.Optional(text(1_000)),
  priority: Type.Optional(nullable(integer({ minimum: 0, maximum: MAX_LABEL_PRIORITY }))),
};

export const inLabel = <P extends 'read_labels' | 'manage_labels'>({ access, planningReader }: Parts, permission: P) =>
  foundByName('Label', 'label_id', inProject(access, permission), ({ project }, idOrName) =>
    planningReader.findLabel(project.id, idOrName),
  );

/** One label as its caller sees it. */
const presentFor = async ({ labelSubscriptions }: Parts, actor: Actor, label: Label) =>
  presentProjectLabel(label, await labelSubscriptions.isSubscribed(actor, label));

export const listLabels = ({ access, planningReader, planningOverview }: Parts) =>
  pagedList({
    path: ALL,
    operationId: 'listLabels',
    summary: 'Labels that a project can use',
    tag: TAG,
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      with_counts: Type.Boolean({ default: false, description: 'Whether it is counted what has each label' }),
      include_ancestor_groups: Type.Boolean({
        default: true,
        description: 'Those of the groups above as well',
      }),
      search: Type.Optional(text(255, 'Part of the name or description')),
    },
    items: ProjectLabelSchema,
    guard: inProject(access, 'read_labels'),
    read: async ({ actor, subject: { project }, parameters, page }) => {
      const { with_counts: counted, include_ancestor_groups: withThoseAbove, search } = parameters;
      const asked = { ...given({ search }), subscriber: userIdOf(actor), withThoseAbove };
      const found = await planningReader.listLabels(project.id, page, asked);
      const ids = found.items.map(({ id }) => id);
      const counts = counted ? await planningOverview.labelCounts(access.viewer(actor), ids, project.id) : undefined;
      return mapPage(found, (label) => ({ label, counts: counts && (counts.get(label.id) ?? NO_COUNTS) }));
    },
    present: ({ label, counts }) => presentProjectLabel(label, label.subscribed, counts),
  });

export const getLabel = (parts: Parts) =>
  route({
    method: 'get',
    path: LABEL,
    operationId: 'getLabel',
    summary: 'One label',
    tag: TAG,
    access: 'anyone',
    parameters: parameters(LABEL_IN_PATH),
    responses: { 200: ProjectLabelSchema },
    guard: inLabel(parts, 'read_labels'),
    handle: async ({ actor, subject }) => ({ body: await presentFor(parts, actor, subject.label) }),
  });

export const createLabel = ({ access, labels }: Parts) =>
  route({
    method: 'post',
    path: ALL,
    operationId: 'createLabel',
    summary: 'Make a label',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, name: requiredText(255), ...FIELDS }),
    responses: { 201: ProjectLabelSchema },
    guard: inProject(access, 'manage_labels'),
    handle: async ({ subject, parameters: { id: _id, ...label } }) => ({
      status: 201,
      body: presentProjectLabel(await labels.add(subject, label), false),
    }),
  });

const CHANGES = { new_name: Type.Optional(requiredText(255)), ...FIELDS };

const changesIn = ({ new_name: name, color, description, priority }: ParametersOf<typeof CHANGES>) =>
  given({ name, color, description, priority });

const findNamed = async ({ planningReader }: Parts, projectId: ProjectId, name: string): Promise<Label> => {
  const label = await planningReader.findLabel(projectId, name);
  if (label === undefined) throw new NotFound('Label');
  return label;
};

export const editLabel = (parts: Parts) =>
  route({
    method: 'put',
    path: LABEL,
    operationId: 'editLabel',
    summary: 'Change a label',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...LABEL_IN_PATH, ...CHANGES }),
    responses: { 200: ProjectLabelSchema },
    guard: inLabel(parts, 'manage_labels'),
    handle: async ({ actor, subject, parameters: sent }) => ({
      body: await presentFor(parts, actor, await parts.labels.edit(subject, subject.label, changesIn(sent))),
    }),
  });

export const editNamedLabel = (parts: Parts) =>
  route({
    method: 'put',
    path: ALL,
    operationId: 'editNamedLabel',
    summary: 'Change the label of a name',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...NAMED, ...CHANGES }),
    responses: { 200: ProjectLabelSchema },
    guard: inProject(parts.access, 'manage_labels'),
    handle: async ({ actor, subject, parameters: { name, ...sent } }) => ({
      body: await presentFor(
        parts,
        actor,
        await parts.labels.edit(subject, await findNamed(parts, subject.project.id, name), changesIn(sent)),
      ),
    }),
  });

export const removeNamedLabel = (parts: Parts) =>
  route({
    method: 'delete',
    path: ALL,
    operationId: 'removeNamedLabel',
    summary: 'Remove the label of a name',
    tag: TAG,
    access: 'user',
    parameters: parameters(NAMED),
    responses: { 204: null },
    guard: inProject(parts.access, 'manage_labels'),
    handle: async ({ subject, parameters: { name } }) => {
      await parts.labels.remove(subject, await findNamed(parts, subject.project.id, name));
      return { status: 204 };
    },
  });

export const removeLabel = (parts: Parts) =>
  route({
    method: 'delete',
    path: LABEL,
    operationId: 'removeLabel',
    summary: 'Remove a label',
    tag: TAG,
    access: 'user',
    parameters: parameters(LABEL_IN_PATH),
    responses: { 204: null },
    guard: inLabel(parts, 'manage_labels'),
    handle: async ({ subject }) => {
      await parts.labels.remove(subject, subject.label);
      return { status: 204 };
    },
  });

export const createLabelRoutes = (parts: Parts): readonly Route[] =>
  [listLabels, getLabel, createLabel, editLabel, removeLabel, editNamedLabel, removeNamedLabel].map((make) =>
    make(parts),
  );
