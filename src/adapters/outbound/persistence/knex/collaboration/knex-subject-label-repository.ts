import type { SubjectLabelRepository } from '../../../../../application/collaboration/ports/label-ports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Subject } from '../../../../../domain/shared/subject.js';
import { insertInto } from '../insert-rows.js';
import { copyLabelsOfGroups, useLabels } from '../planning/use-labels.js';
import type { Session } from '../session.js';
import { labelsOfSubjects } from './labels-of-subjects.js';

const GIVE = insertInto('subject_labels', ['subject_id', 'label_id']);

export class KnexSubjectLabelRepository implements SubjectLabelRepository {
  constructor(private readonly session: Session) {}

  async namesOf(subjectId: number): Promise<readonly string[]> {
    return (await labelsOfSubjects(this.session, [subjectId])).get(subjectId) ?? [];
  }

  async set(
    { id, projectId }: Pick<Subject, 'id' | 'projectId'>,
    names: readonly string[],
    color: string | null,
    at: Date,
  ): ReturnType<SubjectLabelRepository['set']> {
    const { query } = this.session;
    const missing = color === null ? undefined : { color, at };
    const wanted = await useLabels(this.session, { projectId, subjectId: id }, names, missing);
    const before = await query('subject_labels').where({ subject_id: id }).orderBy('label_id').pluck('label_id');
    const added = wanted.filter((label) => !before.includes(label));
    const removed = before.filter((label) => !wanted.includes(label));
    await query('subject_labels').where({ subject_id: id }).whereIn('label_id', removed).delete();
    await this.give([id], added);
    return { all: wanted, added, removed };
  }

  ensure(projectId: ProjectId, names: readonly string[], color: string, at: Date): Promise<readonly number[]> {
    return useLabels(this.session, { projectId }, names, { color, at });
  }

  copyThoseOfGroups(subjectId: number, projectId: ProjectId): Promise<void> {
    return copyLabelsOfGroups(this.session, subjectId, projectId);
  }

  async give(subjectIds: readonly number[], labelIds: readonly number[]): Promise<void> {
    await GIVE(
      this.session,
      subjectIds.flatMap((subjectId) => labelIds.map((labelId) => [subjectId, labelId])),
    );
  }
}
