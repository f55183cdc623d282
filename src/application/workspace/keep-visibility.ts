import { NotFound } from '../../domain/shared/domain-error.js';
import type { GroupId, NamespaceId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import { checkVisibilityAround, checkVisibilityWithin } from '../../domain/workspace/visibility-cap.js';
import type { Visibility } from '../../domain/shared/visibility.js';
import type { NamespaceRepository } from './ports/namespace-repository.js';

/** A group or project as it is about to be. */
interface VisibleThing {
  readonly visibility: Visibility;
  /** What will hold it; null at the top. */
  readonly within: NamespaceId | null;
  /** Of a group that is there already: what it holds counts too. */
  readonly groupId?: GroupId;
}

/**
 * The one place that keeps this rule: nothing is more visible than any group that holds it. Every work that creates, moves, widens or
 * narrows a group or project asks here first. The lock is the row of the top-level group (or personal namespace), so that narrowing
 * a group and widening something deep inside wait for each other.
 * @throws Invalid at `visibility`; NotFound "Namespace" when what would hold it is gone.
 */
export const keepVisibility = async (
  { namespaces }: { readonly namespaces: NamespaceRepository },
  { visibility, within, groupId }: VisibleThing,
): Promise<void> => {
  const held = await namespaces.takeTrees([within, groupId ?? null].filter((id) => id !== null));
  const problems = new ProblemCollector();
  if (within !== null) {
    const holder = held.find(({ id }) => id === within);
    if (holder === undefined) throw new NotFound('Namespace');
    checkVisibilityWithin(problems, visibility, holder.visibility);
  }
  if (groupId !== undefined) checkVisibilityAround(problems, visibility, await namespaces.visibilitiesInside(groupId));
  problems.refuse();
};
