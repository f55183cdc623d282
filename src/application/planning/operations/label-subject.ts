import type { SubjectLabelRepository } from '../../collaboration/ports/label-ports.js';
import { requireRoomForLabels } from '../../../domain/planning/label.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Subject } from '../../../domain/shared/subject.js';
import type { NewResourceEvent, ResourceEventRepository } from '../ports/resource-event-ports.js';

/** What the operations need of the caller's unit of work. */
export interface LabellingRepositories {
  readonly subjectLabels: SubjectLabelRepository;
  readonly resourceEvents: ResourceEventRepository;
}

export interface Labelling {
  readonly names: readonly string[];
  /** Of labels that are created because there are none yet; with null these are ignored. */
  readonly color: string | null;
  readonly by: UserId;
  readonly at: Date;
}

export interface Relabelled {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/**
 * Gives a subject these labels and no others, within the caller's unit of work, which holds it, and notes which came and went.
 *
 * @returns the ids of those that it got, and of those that it no longer has. @throws Invalid for too many.
 */
export const labelSubject = async (
  { subjectLabels, resourceEvents }: LabellingRepositories,
  subject: Pick<Subject, 'id' | 'projectId'>,
  { names, color, by, at }: Labelling,
): Promise<Relabelled> => {
  const { all, added, removed } = await subjectLabels.set(subject, names, color, at);
  // Counted as they are now: names of labels that aren't there are ignored for some.
  requireRoomForLabels(all.length, added.length);
  const event =
    (action: 'add' | 'remove') =>
    (labelId: number): NewResourceEvent => ({ kind: 'label', action, labelId });
  await resourceEvents.add(subject.id, [...added.map(event('add')), ...removed.map(event('remove'))], by, at);
  return { added, removed };
};
