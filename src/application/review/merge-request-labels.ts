import { DEFAULT_LABEL_COLOR } from '../../domain/planning/label.js';
import type { MergeRequest } from '../../domain/review/merge-request.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { ChangeOf } from '../../domain/shared/subject-changes.js';
import { PROJECT_PERMISSIONS } from '../../domain/workspace/workspace-policy.js';
import type { SubjectLabelRepository } from '../collaboration/ports/label-ports.js';
import { labelSubject } from '../planning/operations/label-subject.js';
import type { ResourceEventRepository } from '../planning/ports/resource-event-ports.js';

/** Labels that aren't there yet are created for whoever may manage labels, and ignored for others. */
export interface LabelChanges {
  /** In place of those that it has. */
  readonly labels?: readonly string[];
  readonly addLabels?: readonly string[];
  readonly removeLabels?: readonly string[];
}

interface Needs {
  readonly subjectLabels: SubjectLabelRepository;
  readonly resourceEvents: ResourceEventRepository;
}

type Relabel = (before: readonly string[]) => readonly string[];

/** What becomes of the labels that it has; undefined where they stay. */
export const relabelling = ({ labels, addLabels = [], removeLabels = [] }: LabelChanges): Relabel | undefined => {
  if (labels === undefined && addLabels.length === 0 && removeLabels.length === 0) return undefined;
  return (before) => [...new Set([...(labels ?? before), ...addLabels])].filter((name) => !removeLabels.includes(name));
};

/**
 * Within the caller's unit of work, which holds the merge request: of several who add labels at once, none loses theirs.
 *
 * @returns the ids of those that it got, and the names before and after where they changed.
 */
export const changeLabels = async (
  repositories: Needs,
  mergeRequest: Pick<MergeRequest, 'id' | 'projectId'>,
  relabel: Relabel | undefined,
  { level, by, at }: { readonly level: number; readonly by: UserId; readonly at: Date },
): Promise<{ readonly added: readonly number[]; readonly change?: ChangeOf<readonly string[]> }> => {
  if (relabel === undefined) return { added: [] };
  const { subjectLabels } = repositories;
  const previous = await subjectLabels.namesOf(mergeRequest.id);
  const color = level >= PROJECT_PERMISSIONS.manage_labels ? DEFAULT_LABEL_COLOR : null;
  const { added, removed } = await labelSubject(repositories, mergeRequest, {
    names: relabel(previous),
    color,
    by,
    at,
  });
  if (added.length + removed.length === 0) return { added };
  return { added, change: { previous, current: await subjectLabels.namesOf(mergeRequest.id) } };
};
