import type { Group } from './namespace.js';

/** Levels count in every question about a group, and each is a part of every address below. */
export const MAX_GROUP_DEPTH = 20;

type Place = Pick<Group, 'id' | 'fullPath'>;

/** How deep a group is: 1 at the top. */
export const depthOf = ({ fullPath }: Pick<Group, 'fullPath'>): number => fullPath.split('/').length;

/** A group that is to be moved. */
interface MovingGroup extends Place {
  readonly parentId: Group['parentId'];
  /** How many levels it has with those below it. */
  readonly levels: number;
}

type WhyNot = 'at_the_top_already' | 'there_already' | 'into_itself' | 'too_deep';

/**
 * Why a group can't be moved there; undefined where it can.
 * @param target undefined to the top.
 */
export const whyNotMoved = (group: MovingGroup, target: Place | undefined): WhyNot | undefined => {
  if (target === undefined) return group.parentId === null ? 'at_the_top_already' : undefined;
  if (target.id === group.parentId) return 'there_already';
  if (`${target.fullPath}/`.startsWith(`${group.fullPath}/`)) return 'into_itself';
  return depthOf(target) + group.levels > MAX_GROUP_DEPTH ? 'too_deep' : undefined;
};
