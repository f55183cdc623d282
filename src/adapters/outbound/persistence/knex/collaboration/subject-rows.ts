import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { SubjectKind } from '../../../../../domain/shared/subject.js';
import type { Session } from '../session.js';

const ADD = 'insert into subjects (kind, project_id) values (?, ?) returning id';

/** Makes a subject. @returns its id, which the row of its kind has, too. */
export const addSubject = async (session: Session, kind: SubjectKind, projectId: ProjectId): Promise<number> => {
  const [row] = await session.run<{ id: number }>(ADD, [kind, projectId]);
  return row!.id;
};

/** Removes a subject with the row of its kind and all that refers to it. */
export const removeSubject = async (session: Session, id: number): Promise<void> => {
  await session.query('subjects').where({ id }).delete();
};
