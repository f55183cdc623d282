import type { Project } from '../../../../domain/workspace/namespace.js';
import type { PageContext } from './page-context.js';
import { NOTHING_CHOSEN, planningChoices, type PlanningChoicesParts } from './planning-choices.js';

/** What the filters of a list of a project offer, by their names; anything else may be typed, too. */
export const filterChoices = async (
  parts: PlanningChoicesParts,
  context: PageContext,
  project: Project,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const { people, labels, milestones } = await planningChoices(parts, context, project, NOTHING_CHOSEN);
  // Visitors are told no names of people.
  const usernames = context.browser.user === undefined ? [] : people.map(({ username }) => username);
  return {
    author: usernames,
    assignee: usernames,
    reviewer: usernames,
    label: labels.map(({ name }) => name),
    // The first of them stands for none.
    milestone: milestones.slice(1).map(([, title]) => title ?? ''),
  };
};
