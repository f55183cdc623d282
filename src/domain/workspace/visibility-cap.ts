import type { ProblemCollector } from '../shared/problem-collector.js';
import { isWithin, VISIBILITIES, type Visibility } from '../shared/visibility.js';

/** Nothing is more visible than what holds it. */
export const checkVisibilityWithin = (problems: ProblemCollector, visibility: Visibility, limit: Visibility): void => {
  problems.check(isWithin(visibility, limit), 'visibility', `${visibility} is not allowed in a ${limit} group`);
};

/** What a group holds, however deep: which visibilities its projects have, and its subgroups. */
export interface VisibilitiesInside {
  readonly projects: readonly Visibility[];
  readonly subgroups: readonly Visibility[];
}

/** A group is never less visible than what it holds. */
export const checkVisibilityAround = (
  problems: ProblemCollector,
  visibility: Visibility,
  { projects, subgroups }: VisibilitiesInside,
): void => {
  const higher = VISIBILITIES.filter((each) => !isWithin(each, visibility)).reverse();
  for (const each of higher.filter((one) => projects.includes(one)))
    problems.add('visibility', `${visibility} is not allowed since this group contains ${each} projects.`);
  problems.check(
    !higher.some((each) => subgroups.includes(each)),
    'visibility',
    `${visibility} is not allowed since there are sub-groups with higher visibility.`,
  );
};
