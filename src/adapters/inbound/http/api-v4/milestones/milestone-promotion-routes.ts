import type { GroupMilestones } from '../../../../../application/planning/group-milestones.js';
import type { GroupMilestoneReader } from '../../../../../application/planning/ports/group-milestones.js';
import { groupOfProject } from '../../kit/group-of-project.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { route, type Guard, type Route } from '../../route.js';
import { parameters } from '../../validation/parameters.js';
import { inMilestone, MILESTONE, MILESTONE_IN_PATH, type MilestoneRoutesParts } from './milestone-routes.js';
import { MilestoneSchema, presentMilestone } from './milestone-schema.js';

interface Parts extends MilestoneRoutesParts {
  readonly groupMilestones: GroupMilestones;
  readonly groupMilestoneReader: GroupMilestoneReader;
}

/** The milestone of a project with the group that the project is in, for whoever may manage the milestones of both. */
const inGroupOfMilestone = (parts: Parts) => {
  const milestone = inMilestone(parts, 'manage_milestones');
  const decide = async (context: Parameters<typeof milestone.decide>[0]) => {
    const subject = await milestone.decide(context);
    const manager = await groupOfProject(parts.access, context.actor, subject.project, 'manage_group_milestones');
    return { ...subject, manager };
  };
  return { ...milestone, decide } satisfies Guard<unknown>;
};

export const promoteMilestone = (parts: Parts) =>
  route({
    method: 'post',
    path: `${MILESTONE}/promote`,
    operationId: 'promoteMilestone',
    summary: 'Make a milestone of a project one of its group (developers of the group)',
    description:
      'Milestones of that title of the other projects in the group, and in the groups below it, become the same milestone: what is planned for any of them is planned for it.',
    tag: 'Milestones',
    access: 'user',
    parameters: parameters(MILESTONE_IN_PATH),
    responses: { 200: MilestoneSchema },
    guard: inGroupOfMilestone(parts),
    handle: async ({ subject }) => {
      const { manager, milestone } = subject;
      const id = await parts.groupMilestones.promote(subject, manager, milestone.id);
      const promoted = orNotFound(await parts.groupMilestoneReader.find(manager.group.id, { id }), 'Milestone');
      return { body: presentMilestone(promoted, parts.urls) };
    },
  });

export const createMilestonePromotionRoutes = (parts: Parts): readonly Route[] => [promoteMilestone(parts)];
