import type { GroupId, NamespaceId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

/** `above (id, parent_id, distance)`: namespaces that a query begins with, and all that hold them. */
const above = (first: string): string =>
  `above (id, parent_id, distance) as (
    ${first} union all
    select namespaces.id, namespaces.parent_id, above.distance + 1 from namespaces join above on namespaces.id = above.parent_id)`;

/** What holds the project of a first binding. */
export const ABOVE_PROJECT = above(
  `select namespaces.id, namespaces.parent_id, 0 from namespaces
    join projects on projects.namespace_id = namespaces.id where projects.id = ?`,
);

/** The namespace of a first binding and what holds it. */
export const ABOVE_GROUP = above('select id, parent_id, 0 from namespaces where id = ?');

/** People's own namespaces have no labels. */
const topOf = (tree: string): string =>
  `with recursive ${tree} select above.id from above join namespaces on namespaces.id = above.id
    where above.parent_id is null and namespaces.kind = 'group'`;

const TOP_OF_PROJECT = topOf(ABOVE_PROJECT);
const TOP_OF_GROUP = topOf(ABOVE_GROUP);

const nameOf = (top: number): string => `labels of the tree ${top}`;

const findTop = async (session: Session, sql: string, id: number): Promise<number | undefined> =>
  (await session.run<{ readonly id: number }>(sql, [id]))[0]?.id;

/** Whatever was moved while this work waited is looked for again. @returns false where no group is at the top. */
const holdTop = async (session: Session, sql: string, id: number): Promise<boolean> => {
  let held: number | undefined;
  for (;;) {
    const top = await findTop(session, sql, id);
    if (top === undefined || top === held) return top !== undefined;
    await session.hold(nameOf(top));
    held = top;
  }
};

/*
 * Who adds a label to a project, changes the labels of a group or moves either elsewhere holds the labels of the whole tree until its work
 * ends. They are held after rows of projects and of what is in them: whoever has them waits for none of these.
 */

/**
 * Whoever moves a group or a project holds the rows of projects, and of groups, before the labels. So who has the labels waits for none of
 * these: what their work refers to is kept before, from being moved, renamed and removed.
 */
const keepGroup = (session: Session, groupId: GroupId): Promise<unknown> =>
  session.run(`select id from namespaces where id = ? ${session.dialect.sharedLock('namespaces', 'existing')}`, [
    groupId,
  ]);

/** The same of a project, and of those that a subject refers to: its own, and that of the source branch of a merge request. */
export const keepProjects = (session: Session, projectId: ProjectId, subjectId = 0): Promise<unknown> =>
  session.run(
    `select id from projects where id in (
       select cast(? as bigint)
       union all select project_id from subjects where id = ?
       union all select source_project_id from merge_requests where id = ?)
     order by id ${session.dialect.sharedLock('projects', 'existing')}`,
    [projectId, subjectId, subjectId],
  );

/** Holds the labels of the tree of a project, which isn't removed meanwhile. @param subjectId what gets labels, and is changed further. */
export const holdLabelsOfProject = async (
  session: Session,
  projectId: ProjectId,
  subjectId?: number,
): Promise<void> => {
  await keepProjects(session, projectId, subjectId);
  await holdTop(session, TOP_OF_PROJECT, projectId);
};

/** Holds the labels of the tree of a group. @returns false where the group is gone. */
export const holdLabelsOfGroup = async (session: Session, groupId: GroupId): Promise<boolean> => {
  await keepGroup(session, groupId);
  return holdTop(session, TOP_OF_GROUP, groupId);
};

/**
 * Holds the labels of the tree that something was taken out of, and of the one that it is in now.
 *
 * @param from what held it; null where it was at the top itself.
 */
export const holdLabelsOfBoth = async (
  session: Session,
  moved: { readonly projectId: ProjectId } | { readonly groupId: GroupId },
  from: NamespaceId | null,
): Promise<void> => {
  const there =
    'projectId' in moved
      ? await findTop(session, TOP_OF_PROJECT, moved.projectId)
      : await findTop(session, TOP_OF_GROUP, moved.groupId);
  const before =
    from === null ? ('groupId' in moved ? moved.groupId : undefined) : await findTop(session, TOP_OF_GROUP, from);
  const tops = [...new Set([there, before])].filter((top) => top !== undefined);
  // Always in the order of their ids: two that move something crosswise wait for each other.
  for (const top of tops.sort((one, other) => one - other)) await session.hold(nameOf(top));
};
