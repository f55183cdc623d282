import type { Knex } from 'knex';
import type {
  GroupQuery,
  GroupsOfProject,
  ListedProject,
  MemberProfile,
  MemberQuery,
  NamespaceQuery,
  ProjectLevels,
  ProjectOrder,
  ProjectQuery,
  Viewer,
  WorkspaceReader,
} from '../../../../../application/workspace/ports/workspace-readers.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page } from '../../../../../domain/shared/page.js';
import type { Group, Namespace, Project } from '../../../../../domain/workspace/namespace.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { pageOfRows } from '../page-of-rows.js';
import type { FindFirst, Session } from '../session.js';
import { containsPattern, searchKey } from '../text-search.js';
import { directLevelsIn, levelsInNamespace, sharedLevelsIn } from '../visibility/levels.js';
import { idsInside, lineageOf } from '../visibility/lineage.js';
import { unexpired, withReach } from '../visibility/memberships.js';
import { LEVEL_COLUMNS, visibleGroups, visibleProjects, type LevelColumns } from '../visibility/visible.js';
import { listGroupMembers, listProjectMembers } from './member-lists.js';
import { narrowProjects } from './narrow-projects.js';
import {
  PROJECT_COLUMNS,
  toGroup,
  toNamespace,
  toProject,
  type GroupRow,
  type NamespaceRow,
  type ProjectRow,
} from './workspace-rows.js';

const PROJECT_ORDER = {
  id: 'projects.id',
  name: 'projects.name_key',
  path: 'projects.full_path_key',
  created_at: 'projects.created_at',
  updated_at: 'projects.updated_at',
  last_activity_at: 'projects.last_activity_at',
} as const satisfies Record<ProjectOrder, string>;

const GROUP_ORDER = { id: 'namespaces.id', name: 'namespaces.name_key', path: 'namespaces.full_path_key' } as const;

type ListedRow = ProjectRow & LevelColumns;
type LevelRow = { readonly level: number };
type LevelsRow = LevelRow & { readonly direct: number };
const LEVEL_OF = ['userId', 'today', 'of'] as const;
type LevelOf<Where> = { readonly userId: UserId; readonly today: string; readonly of: Where };

/** By a part of their name or path. */
const searchNamespaces = (list: Knex.QueryBuilder, search: string | undefined): void => {
  if (search === undefined) return;
  const pattern = containsPattern(search);
  void list.whereRaw("(namespaces.name_key like ? escape '\\' or namespaces.full_path_key like ? escape '\\')", [
    pattern,
    pattern,
  ]);
};

const ofProject = (query: Knex, { id, namespaceId, shared }: GroupsOfProject, { today }: Viewer) => {
  const holding = lineageOf(query, namespaceId).select('id');
  return (groups: Knex.QueryBuilder): void => {
    void groups.whereIn('namespaces.id', holding);
    if (shared === undefined) return;
    const linked = query('project_group_links')
      .where('project_id', id)
      .andWhere('access_level', '>=', shared.minAccessLevel)
      .andWhere(unexpired('project_group_links', today));
    void groups.orWhereIn('namespaces.id', linked.select('group_id'));
  };
};

const highest = (rows: readonly LevelRow[]): number => Math.max(ACCESS_LEVEL.none, ...rows.map(({ level }) => level));

/** Levels in a project that a column tells, itself and around it: one statement, since each would be a round trip. */
const levelsAround =
  <Where extends Knex.Value>(column: 'id' | 'full_path_key') =>
  (query: Knex, { userId, today, of }: LevelOf<Where>): Knex.QueryBuilder => {
    const [who, direct] = [{ today, of: [userId] }, (is: number) => query.raw(`${is} as direct`)];
    const project = (found: 'id' | 'namespace_id') =>
      query('projects')
        .where({ [column]: of })
        .select(found);
    const above = levelsInNamespace(query, project('namespace_id'), who);
    const throughGroups = [sharedLevelsIn(query, project('id'), who), ...above].map((levels) =>
      levels.select(direct(0)),
    );
    return directLevelsIn(query, project('id'), who).select(direct(1)).unionAll(throughGroups);
  };

/** Those that nobody has removed. */
const projectsIn = (query: Knex): Knex.QueryBuilder =>
  query('projects')
    .join('namespaces', 'namespaces.id', 'projects.namespace_id')
    .whereNull('projects.removal_requested_at');

/** The levels that somebody has by themselves. */
const levelsOn = (session: Session) => ({
  inNamespace: session.keep<LevelRow, LevelOf<NamespaceId>>(LEVEL_OF, (query, { userId, today, of: id }) => {
    const [members, owner] = levelsInNamespace(query, id, { today, of: [userId] });
    return members.unionAll(owner);
  }),
  inProject: session.keep<LevelsRow, LevelOf<ProjectId>>(LEVEL_OF, levelsAround('id')),
  inProjectAt: session.keep<LevelsRow, LevelOf<string>>(LEVEL_OF, levelsAround('full_path_key')),
});

const toLevels = (rows: readonly LevelsRow[]): ProjectLevels => {
  const of = (direct: number): number => highest(rows.filter((row) => row.direct === direct));
  return { directLevel: of(1), groupLevel: of(0) };
};

export class KnexWorkspaceReader implements WorkspaceReader {
  readonly #levels: ReturnType<typeof levelsOn>;
  readonly #findProject: FindFirst<ProjectRow>;
  readonly #findProjectByPath: FindFirst<ProjectRow>;

  constructor(private readonly session: Session) {
    this.#levels = levelsOn(session);
    const by = (column: string) => (query: Knex, value: Knex.Value) =>
      projectsIn(query).where(column, value).select(PROJECT_COLUMNS);
    this.#findProject = session.prepare('bigint', by('projects.id'));
    this.#findProjectByPath = session.prepare('text', by('projects.full_path_key'));
  }

  async findProject(id: ProjectId): Promise<Project | undefined> {
    return this.#toProject(await this.#findProject(id));
  }

  async findProjects(ids: readonly ProjectId[]): Promise<readonly Project[]> {
    const rows = (await projectsIn(this.session.query)
      .whereIn('projects.id', [...ids])
      .select(PROJECT_COLUMNS)) as ProjectRow[];
    return rows.map((row) => toProject(row, this.session.dialect));
  }

  async findProjectByPath(fullPath: string): Promise<Project | undefined> {
    return this.#toProject(await this.#findProjectByPath(searchKey(fullPath)));
  }

  findGroup(id: GroupId): Promise<Group | undefined> {
    return this.#group({ id });
  }

  findGroupByPath(fullPath: string): Promise<Group | undefined> {
    return this.#group({ full_path_key: searchKey(fullPath) });
  }

  async findNamespace(id: NamespaceId) {
    const row = await this.session.query('namespaces').where({ id }).whereNull('removal_requested_at').first();
    return row && { ...toNamespace(row), ownerId: row.owner_id, visibility: row.visibility };
  }

  async findNamespaceByPath(fullPath: string): Promise<Namespace | undefined> {
    const row = await this.session
      .query('namespaces')
      .where({ full_path_key: searchKey(fullPath) })
      .whereNull('removal_requested_at')
      .first();
    return row && toNamespace(row);
  }

  async findPersonalNamespace(userId: UserId): Promise<Namespace | undefined> {
    const row = await this.session.query('namespaces').where({ owner_id: userId }).first();
    return row && toNamespace(row);
  }

  async namespaceLevel({ userId, today }: Viewer, id: NamespaceId): Promise<number> {
    return userId === null ? ACCESS_LEVEL.none : highest(await this.#levels.inNamespace({ userId, today, of: id }));
  }

  async levelsInProject({ userId, today }: Viewer, of: ProjectId): Promise<ProjectLevels> {
    return toLevels(userId === null ? [] : await this.#levels.inProject({ userId, today, of }));
  }

  async levelsInProjectByPath({ userId, today }: Viewer, fullPath: string): Promise<ProjectLevels> {
    const of = searchKey(fullPath);
    return toLevels(userId === null ? [] : await this.#levels.inProjectAt({ userId, today, of }));
  }

  listProjects(query: ProjectQuery): Promise<Page<ListedProject>> {
    const { viewer, orderBy, sort, page } = query;
    const list = visibleProjects(this.session.query, viewer, (projects) =>
      projects.from('projects').join('namespaces', 'namespaces.id', 'projects.namespace_id'),
    ).select([...PROJECT_COLUMNS, LEVEL_COLUMNS]);
    narrowProjects(this.session, list, query);
    void list.orderBy(PROJECT_ORDER[orderBy], sort);
    if (orderBy !== 'id') void list.orderBy('projects.id', sort);
    return pageOfRows(this.session, list, page, (row: ListedRow) => ({
      ...toProject(row, this.session.dialect),
      directLevel: row.direct_level ?? ACCESS_LEVEL.none,
      groupLevel: Math.max(row.reach_level ?? ACCESS_LEVEL.none, row.shared_level ?? ACCESS_LEVEL.none),
    }));
  }

  listGroups(query: GroupQuery): Promise<Page<Group>> {
    const { viewer, search, minAccessLevel, topLevelOnly, parentId, below, skip, paths, orderBy, sort, page } = query;
    const list = visibleGroups(this.session.query, viewer).select('namespaces.*');
    if (query.ofProject !== undefined) void list.where(ofProject(this.session.query, query.ofProject, viewer));
    searchNamespaces(list, search);
    if (minAccessLevel !== undefined) void list.where('reach.level', '>=', minAccessLevel);
    if (topLevelOnly === true) void list.whereNull('namespaces.parent_id');
    if (parentId !== undefined) void list.where('namespaces.parent_id', parentId);
    if (below !== undefined)
      void list.whereIn('namespaces.id', idsInside(this.session.query, below)).whereNot('namespaces.id', below);
    if (skip !== undefined) void list.whereNotIn('namespaces.id', [...skip]);
    if (paths !== undefined)
      void list.whereIn(
        'namespaces.full_path_key',
        paths.map((path) => searchKey(path)),
      );
    void list.orderBy(GROUP_ORDER[orderBy], sort);
    if (orderBy !== 'id') void list.orderBy('namespaces.id', sort);
    return pageOfRows(this.session, list, page, (row: GroupRow) => toGroup(row, this.session.dialect));
  }

  listNamespaces({ viewer, search, ownedOnly, page }: NamespaceQuery): Promise<Page<Namespace>> {
    const list = withReach(this.session.query, viewer)
      .from('namespaces')
      .leftJoin('reach', 'reach.namespace_id', 'namespaces.id')
      .whereNull('namespaces.removal_requested_at')
      .select('namespaces.*')
      .orderBy('namespaces.id');
    searchNamespaces(list, search);
    if (ownedOnly) void list.where('reach.level', '>=', ACCESS_LEVEL.owner);
    else if (!viewer.admin) void list.whereNotNull('reach.level');
    return pageOfRows(this.session, list, page, (row: NamespaceRow) => toNamespace(row));
  }

  async groupNames(viewer: Viewer, fullPaths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const paths = fullPaths.map((path) => searchKey(path));
    const seen = visibleGroups(this.session.query, viewer).whereIn('namespaces.full_path_key', paths);
    const rows = await this.session.runKept<Pick<GroupRow, 'name' | 'full_path'>>(
      seen.select('namespaces.name', 'namespaces.full_path'),
    );
    return new Map(rows.map(({ name, full_path }) => [full_path, name]));
  }

  projectMembers(projectId: ProjectId, query: MemberQuery): Promise<Page<MemberProfile>> {
    return listProjectMembers(this.session, projectId, query);
  }

  groupMembers(groupId: GroupId, query: MemberQuery): Promise<Page<MemberProfile>> {
    return listGroupMembers(this.session, groupId, query);
  }

  #toProject(row: ProjectRow | undefined): Project | undefined {
    return row && toProject(row, this.session.dialect);
  }

  async #group(where: Record<string, unknown>): Promise<Group | undefined> {
    const row = (await this.session
      .query('namespaces')
      .where({ ...where, kind: 'group' })
      .whereNull('removal_requested_at')
      .first()) as GroupRow | undefined;
    return row && toGroup(row, this.session.dialect);
  }
}
