import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { insertInto } from '../insert-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { ABOVE_PROJECT, holdLabelsOfProject, keepProjects } from './hold-labels.js';

const CREATE = insertInto(
  'labels',
  ['project_id', 'name', 'color', 'description', 'created_at'],
  'on conflict (project_id, name) do nothing',
);

const findIds = async (
  session: Session,
  projectId: ProjectId,
  names: readonly string[],
): Promise<readonly number[]> => {
  const { dialect } = session;
  const sql = `select id from labels where project_id = ? and ${dialect.isOneOf('name')} order by id`;
  const rows = await session.run<{ readonly id: number }>(sql, [projectId, dialect.writeTexts(names)]);
  return rows.map(({ id }) => id);
};

/** Gives a project rows of its own for labels of groups above, of each name the nearest, where it has none of that name. */
const adopt = async (session: Session, projectId: ProjectId, names: readonly string[]): Promise<void> => {
  const { dialect } = session;
  await session.run(
    `with recursive ${ABOVE_PROJECT}
     insert into labels (project_id, name, color, description, created_at, group_label_id)
     select cast(? as bigint), name, color, description, created_at, id from (
       select group_labels.*, row_number() over (partition by group_labels.name order by above.distance) as place
       from above join group_labels on group_labels.group_id = above.id
       where ${dialect.isOneOf('group_labels.name')}) as nearest
     where place = 1 on conflict (project_id, name) do nothing`,
    [projectId, projectId, dialect.writeTexts(names)],
  );
};

/** Where labels are used. */
interface Using {
  readonly projectId: ProjectId;
  /** What gets them, where it is changed further afterwards. */
  readonly subjectId?: number;
}

/**
 * The rows of the labels that these names mean in a project: its own, or else those of the nearest group above that has one.
 *
 * @param missing the color of those that are created because there are none, and when; undefined to leave these out.
 */
export const useLabels = async (
  session: Session,
  { projectId, subjectId }: Using,
  names: readonly string[],
  missing?: { readonly color: string; readonly at: Date },
): Promise<readonly number[]> => {
  const found = await findIds(session, projectId, names);
  // Mostly all of them were used before.
  if (found.length === new Set(names).size) return found;
  await holdLabelsOfProject(session, projectId, subjectId);
  await adopt(session, projectId, names);
  if (missing !== undefined) {
    const created = session.dialect.writeInstant(missing.at);
    await CREATE(
      session,
      names.map((name) => [projectId, name, missing.color, '', created]),
    );
  }
  return findIds(session, projectId, names);
};

/** Gives a project labels of its own like those of groups that something in another project has, where it can't use these. */
export const copyLabelsOfGroups = async (session: Session, subjectId: number, projectId: ProjectId): Promise<void> => {
  await keepProjects(session, projectId, subjectId);
  const sql = `select labels.name, labels.color, labels.description, labels.created_at from subject_labels
    join labels on labels.id = subject_labels.label_id
    where subject_labels.subject_id = ? and labels.group_label_id is not null`;
  const rows = await session.run<Pick<RowOf<'labels'>, 'name'>>(sql, [subjectId]);
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name);
  await holdLabelsOfProject(session, projectId);
  await adopt(session, projectId, names);
  await session.run(
    `insert into labels (project_id, name, color, description, created_at)
     select cast(? as bigint), name, color, description, created_at from (${sql}) as carried where true
     on conflict (project_id, name) do nothing`,
    [projectId, subjectId],
  );
};
