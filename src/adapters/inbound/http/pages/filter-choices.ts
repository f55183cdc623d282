import { together } from '../../../../application/shared/together.js';
import type { Group, Project } from '../../../../domain/workspace/namespace.js';
import type { PageContext } from './page-context.js';
import { actorFor } from './page-request.js';
import { NOTHING_CHOSEN, OFFERED, planningChoices, type PlanningChoicesParts } from './planning-choices.js';

type Offered = Readonly<Record<'author' | 'assignee' | 'reviewer' | 'label' | 'milestone', readonly string[]>>;

/** What the filters of a list of a project offer, by their names; anything else may be typed, too. */
export const filterChoices = async (
  parts: PlanningChoicesParts,
  context: PageContext,
  project: Project,
): Promise<Offered> => {
  const { people, labels, milestones } = await planningChoices(parts, context, project, NOTHING_CHOSEN);
  return {
    ...offeredPeople(context, people),
    label: labels.map(({ name }) => name),
    // The first of them stands for none.
    milestone: milestones.slice(1).map(([, title]) => title ?? ''),
  };
};

/** The same of a list of a group: of its members, and of its projects and those of the groups below it, as far as the reader sees them. */
export const groupFilterChoices = async (
  { access, reader, planningOverview }: Pick<PlanningChoicesParts, 'access' | 'reader' | 'planningOverview'>,
  context: PageContext,
  { id }: Group,
): Promise<Offered> => {
  const viewer = access.viewer(actorFor(context.browser));
  const [members, label, milestone] = await together([
    reader.groupMembers(id, { viewer, inherited: true, page: OFFERED }),
    planningOverview.labelNamesWithin(viewer, id, OFFERED.perPage),
    planningOverview.milestoneTitlesWithin(viewer, id, OFFERED.perPage),
  ]);
  return { ...offeredPeople(context, members.items), label, milestone };
};

/** Visitors are told no names of people. */
const offeredPeople = ({ browser }: PageContext, people: readonly { readonly username: string }[]) => {
  const usernames = browser.user === undefined ? [] : people.map(({ username }) => username);
  return { author: usernames, assignee: usernames, reviewer: usernames };
};
