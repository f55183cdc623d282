import type { SubjectLabelRepository } from '../../../../../application/collaboration/ports/label-ports.js';
import type { Subject } from '../../../../../domain/shared/subject.js';
import type { Session } from '../session.js';

export class KnexSubjectLabelRepository implements SubjectLabelRepository {
  constructor(private readonly session: Session) {}

  async set(
    { id, projectId }: Pick<Subject, 'id' | 'projectId'>,
    names: readonly string[],
    color: string | null,
    at: Date,
  ): Promise<void> {
    const { query, dialect } = this.session;
    await query('subject_labels').where({ subject_id: id }).delete();
    if (names.length === 0) return;
    if (color !== null) {
      const created_at = dialect.writeInstant(at);
      const rows = names.map((name) => ({ project_id: projectId, name, color, description: '', created_at }));
      await query('labels').insert(rows).onConflict(['project_id', 'name']).ignore();
    }
    const labels = await query('labels')
      .where({ project_id: projectId })
      .whereIn('name', [...names])
      .select('id');
    if (labels.length === 0) return;
    await query('subject_labels').insert(labels.map((label) => ({ subject_id: id, label_id: label.id })));
  }
}
