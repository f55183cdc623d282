import type { SubjectLabelRepository } from '../../../../../application/collaboration/ports/label-ports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Subject } from '../../../../../domain/shared/subject.js';
import type { Session } from '../session.js';
import { labelsOfSubjects } from './labels-of-subjects.js';

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
  ): Promise<{ readonly added: readonly number[]; readonly removed: readonly number[] }> {
    const { query } = this.session;
    if (color !== null) await this.#create(projectId, names, color, at);
    const wanted = await query('labels')
      .where({ project_id: projectId })
      .whereIn('name', [...names])
      .orderBy('id')
      .pluck('id');
    const before = await query('subject_labels').where({ subject_id: id }).orderBy('label_id').pluck('label_id');
    const added = wanted.filter((label) => !before.includes(label));
    const removed = before.filter((label) => !wanted.includes(label));
    await query('subject_labels').where({ subject_id: id }).whereIn('label_id', removed).delete();
    if (added.length > 0)
      await query('subject_labels').insert(added.map((label) => ({ subject_id: id, label_id: label })));
    return { added, removed };
  }

  async #create(projectId: ProjectId, names: readonly string[], color: string, at: Date): Promise<void> {
    if (names.length === 0) return;
    const { query, dialect } = this.session;
    const created_at = dialect.writeInstant(at);
    const rows = names.map((name) => ({ project_id: projectId, name, color, description: '', created_at }));
    await query('labels').insert(rows).onConflict(['project_id', 'name']).ignore();
  }
}
