import type { SubjectLabelRepository } from '../../../../../application/collaboration/ports/label-ports.js';
import { together } from '../../../../../application/shared/together.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Subject } from '../../../../../domain/shared/subject.js';
import { insertInto } from '../insert-rows.js';
import type { Session } from '../session.js';
import { labelsOfSubjects } from './labels-of-subjects.js';

const CREATE = insertInto(
  'labels',
  ['project_id', 'name', 'color', 'description', 'created_at'],
  'on conflict (project_id, name) do nothing',
);
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
  ): Promise<{ readonly added: readonly number[]; readonly removed: readonly number[] }> {
    const { query } = this.session;
    const wanted = await (color === null ? this.#idsOf(projectId, names) : this.ensure(projectId, names, color, at));
    const before = await query('subject_labels').where({ subject_id: id }).orderBy('label_id').pluck('label_id');
    const added = wanted.filter((label) => !before.includes(label));
    const removed = before.filter((label) => !wanted.includes(label));
    await query('subject_labels').where({ subject_id: id }).whereIn('label_id', removed).delete();
    if (added.length > 0)
      await query('subject_labels').insert(added.map((label) => ({ subject_id: id, label_id: label })));
    return { added, removed };
  }

  async ensure(projectId: ProjectId, names: readonly string[], color: string, at: Date): Promise<readonly number[]> {
    const created = this.session.dialect.writeInstant(at);
    const rows = names.map((name) => [projectId, name, color, '', created]);
    const [, ids] = await together([CREATE(this.session, rows), this.#idsOf(projectId, names)]);
    return ids;
  }

  async give(subjectIds: readonly number[], labelIds: readonly number[]): Promise<void> {
    await GIVE(
      this.session,
      subjectIds.flatMap((subjectId) => labelIds.map((labelId) => [subjectId, labelId])),
    );
  }

  async #idsOf(projectId: ProjectId, names: readonly string[]): Promise<readonly number[]> {
    const { dialect } = this.session;
    const sql = `select id from labels where project_id = ? and ${dialect.isOneOf('name')} order by id`;
    const rows = await this.session.run<{ readonly id: number }>(sql, [projectId, dialect.writeTexts(names)]);
    return rows.map(({ id }) => id);
  }
}
