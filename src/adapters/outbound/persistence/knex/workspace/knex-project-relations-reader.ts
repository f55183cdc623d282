import type { Knex } from 'knex';
import type {
  ProjectFacts,
  ProjectRelations,
  ProjectRelationsReader,
  Starrer,
} from '../../../../../application/workspace/ports/project-relations.js';
import { together } from '../../../../../application/shared/together.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { UserState } from '../../../../../domain/identity/user.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { pageOfRows } from '../page-of-rows.js';
import { keptByIds } from '../kept-queries.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { containsPattern } from '../text-search.js';
import { keptForViewers } from '../visibility/kept-for-viewers.js';
import { visibleProjects } from '../visibility/visible.js';
import { PROJECT_COLUMNS, toProject, type ProjectRow } from './workspace-rows.js';

/** Where the code of a project comes from: nothing of it is there where it is none's fork, wasn't imported and follows nobody. */
type OriginRow = Pick<RowOf<'projects'>, 'id'> &
  Partial<Pick<RowOf<'project_forks'>, 'source_id' | 'import_error'>> & {
    readonly import_state: RowOf<'project_forks'>['import_state'] | null;
    readonly mirrored: unknown;
  };

interface StarrerRow {
  readonly user_id: UserId;
  readonly username: string;
  readonly name: string;
  readonly state: UserState;
  readonly created_at: Date | string;
}

interface CountRow {
  readonly id: ProjectId;
  readonly total: number | string;
}

/** Forks are counted as their list shows them: those that the viewer sees. */
const forksOf = keptForViewers<CountRow>((query, viewer, among) =>
  visibleProjects(query, viewer, (list) =>
    list.from('project_forks').join('projects', 'projects.id', 'project_forks.project_id'),
  )
    .where(among('source_id'))
    .groupBy('source_id')
    .select({ id: 'source_id' })
    .count({ total: '*' }),
);

const starsOf = async (query: Knex, projects: readonly ProjectId[]): Promise<readonly CountRow[]> =>
  query('project_stars')
    .whereIn('project_id', [...projects])
    .groupBy('project_id')
    .select({ id: 'project_id' })
    .count<CountRow[]>({ total: '*' });

const topicsOf = keptByIds<Pick<RowOf<'project_topics'>, 'project_id' | 'name'>>((query, among) =>
  query('project_topics').where(among('project_id')).orderBy('place').select('project_id', 'name'),
);

export class KnexProjectRelationsReader implements ProjectRelationsReader {
  constructor(private readonly session: Session) {}

  async relationsOf(viewer: Viewer, projects: readonly ProjectId[]): Promise<ReadonlyMap<ProjectId, ProjectRelations>> {
    if (projects.length === 0) return new Map();
    const origins = await this.#origins(projects);
    const sources = await this.#visible(
      viewer,
      [...origins.values()].map(({ source_id: id }) => id ?? null),
    );
    const facts = await this.#facts(viewer, [...projects, ...sources.keys()]);
    return new Map(
      projects.map((id) => {
        const origin = origins.get(id);
        const source = origin?.source_id == null ? undefined : sources.get(origin.source_id);
        const state = origin?.import_state ?? null;
        const forkedFrom = source && { project: source, ...facts(source.id) };
        return [
          id,
          {
            ...facts(id),
            ...(forkedFrom === undefined ? {} : { forkedFrom }),
            ...(state === null ? {} : { copied: { state, error: origin?.import_error ?? null } }),
            isMirror: Boolean(origin?.mirrored),
          },
        ];
      }),
    );
  }

  async hasStarred(projectId: ProjectId, userId: UserId): Promise<boolean> {
    const starred = { project_id: projectId, user_id: userId };
    return (await this.session.query('project_stars').where(starred).first('user_id')) !== undefined;
  }

  starrers(
    projectId: ProjectId,
    { search, page }: { readonly search?: string; readonly page: PageRequest },
  ): Promise<Page<Starrer>> {
    const { query, dialect } = this.session;
    const list = query('project_stars')
      .join('users', 'users.id', 'project_stars.user_id')
      .where({ project_id: projectId })
      .orderBy([
        { column: 'project_stars.created_at', order: 'desc' },
        { column: 'project_stars.user_id', order: 'desc' },
      ])
      .select('project_stars.user_id', 'users.username', 'users.name', 'users.state', 'project_stars.created_at');
    if (search !== undefined) void list.whereRaw("users.search_key like ? escape '\\'", [containsPattern(search)]);
    return pageOfRows(this.session, list, page, (row: StarrerRow) => ({
      userId: row.user_id,
      username: row.username,
      name: row.name,
      state: row.state,
      since: dialect.readInstant(row.created_at),
    }));
  }

  async #origins(projects: readonly ProjectId[]): Promise<ReadonlyMap<ProjectId, OriginRow>> {
    const rows = (await this.session
      .query('projects')
      .leftJoin('project_forks', 'project_forks.project_id', 'projects.id')
      .leftJoin('pull_mirrors', 'pull_mirrors.project_id', 'projects.id')
      .whereIn('projects.id', [...projects])
      .select('projects.id', 'source_id', 'import_state', 'import_error')
      .select({ mirrored: 'pull_mirrors.enabled' })) as OriginRow[];
    return new Map(rows.map((row) => [row.id, row]));
  }

  async #visible(viewer: Viewer, ids: readonly (ProjectId | null)[]): Promise<ReadonlyMap<ProjectId, Project>> {
    const named = ids.filter((id) => id !== null);
    if (named.length === 0) return new Map();
    const rows = (await visibleProjects(this.session.query, viewer, (projects) =>
      projects.from('projects').join('namespaces', 'namespaces.id', 'projects.namespace_id'),
    )
      .whereIn('projects.id', named)
      .select(PROJECT_COLUMNS)) as ProjectRow[];
    return new Map(rows.map((row) => [row.id, toProject(row, this.session.dialect)]));
  }

  async #facts(viewer: Viewer, ids: readonly ProjectId[]): Promise<(id: ProjectId) => ProjectFacts> {
    const among = [...new Set(ids)];
    const [stars, forks, topics] = await together([
      starsOf(this.session.query, among),
      forksOf(this.session, viewer, among),
      topicsOf(this.session, among),
    ]);
    const [starsIn, forksIn] = [toCounts(stars), toCounts(forks)];
    const topicsIn = Map.groupBy(topics, ({ project_id }) => project_id);
    return (id) => ({
      stars: starsIn.get(id) ?? 0,
      forks: forksIn.get(id) ?? 0,
      topics: topicsIn.get(id)?.map(({ name }) => name) ?? [],
    });
  }
}

const toCounts = (rows: readonly CountRow[]): ReadonlyMap<ProjectId, number> =>
  new Map(rows.map(({ id, total }) => [id, Number(total)]));
