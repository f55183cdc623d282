import type { GroupLabels } from '../../../../../application/planning/group-labels.js';
import { groupOfProject } from '../../kit/group-of-project.js';
import { route, type Guard, type Route } from '../../route.js';
import { parameters } from '../../validation/parameters.js';
import { inLabel, LABEL, LABEL_IN_PATH, type LabelRoutesParts } from './label-routes.js';
import { GroupLabelSchema, presentGroupLabel } from './label-schema.js';

interface Parts extends LabelRoutesParts {
  readonly groupLabels: GroupLabels;
}

/** The label of a project with the group that the project is in, for whoever may manage the labels of both. */
const inGroupOfLabel = (parts: Parts) => {
  const label = inLabel(parts, 'manage_labels');
  const decide = async (context: Parameters<typeof label.decide>[0]) => {
    const subject = await label.decide(context);
    const manager = await groupOfProject(parts.access, context.actor, subject.project, 'manage_group_labels');
    return { ...subject, manager };
  };
  return { ...label, decide } satisfies Guard<unknown>;
};

export const promoteLabel = (parts: Parts) =>
  route({
    method: 'put',
    path: `${LABEL}/promote`,
    operationId: 'promoteLabel',
    summary: 'Make a label of a project one of its group (reporters of the group)',
    description:
      'Labels of that name of the other projects in the group, and in the groups below it, become the same label: what has any of them has it.',
    tag: 'Labels',
    access: 'user',
    parameters: parameters(LABEL_IN_PATH),
    responses: { 200: GroupLabelSchema },
    guard: inGroupOfLabel(parts),
    handle: async ({ actor, subject }) => {
      const promoted = await parts.groupLabels.promote(subject, subject.manager, subject.label);
      return { body: presentGroupLabel(promoted, await parts.labelSubscriptions.isSubscribed(actor, promoted)) };
    },
  });

export const createLabelPromotionRoutes = (parts: Parts): readonly Route[] => [promoteLabel(parts)];
