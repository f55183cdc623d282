import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { SubjectKind } from '../../../../../domain/shared/subject.js';
import { insertInto } from '../insert-rows.js';
import type { Session } from '../session.js';

const ADD = insertInto('subjects', ['kind', 'project_id'], 'returning id');

/** Makes so many subjects. @returns their ids, which the rows of their kind have, too. */
export const addSubjects = async (
  session: Session,
  kind: SubjectKind,
  projectId: ProjectId,
  count: number,
): Promise<readonly number[]> => {
  const rows = Array.from({ length: count }, () => [kind, projectId]);
  const added = await ADD<{ readonly id: number }>(session, rows);
  return added.map(({ id }) => id).sort((one, other) => one - other);
};

/** Makes a subject. @returns its id, which the row of its kind has, too. */
export const addSubject = async (session: Session, kind: SubjectKind, projectId: ProjectId): Promise<number> =>
  (await addSubjects(session, kind, projectId, 1))[0]!;

/** Removes a subject with the row of its kind and all that refers to it. */
export const removeSubject = async (session: Session, id: number): Promise<void> => {
  await session.query('subjects').where({ id }).delete();
};
