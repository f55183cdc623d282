import type { Knex } from 'knex';
import type { CiRunnerQuery, CiRunnerReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import { spanOfStanding, type CiRunner } from '../../../../../domain/pipelines/ci-runner.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { NamespaceId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { GROUP_PERMISSIONS } from '../../../../../domain/workspace/workspace-policy.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { lineageOf, type IdOrQuery } from '../visibility/lineage.js';
import { visibleGroups, visibleProjects, wherePermitted } from '../visibility/visible.js';
import { CI_RUNNER_COLUMNS, toCiRunner, type CiRunnerRow } from './ci-rows.js';

export class KnexCiRunnerReader implements CiRunnerReader {
  constructor(private readonly session: Session) {}

  find(id: number): Promise<CiRunner | undefined> {
    return this.#one({ id });
  }

  findByToken(tokenDigest: string): Promise<CiRunner | undefined> {
    return this.#one({ token_digest: tokenDigest });
  }

  list({ type, paused, standing, tags, projectId, groupId, managedBy, page }: CiRunnerQuery): Promise<Page<CiRunner>> {
    const { query, dialect } = this.session;
    const list = query('ci_runners')
      .orderBy('id')
      .select([...CI_RUNNER_COLUMNS]) as Knex.QueryBuilder;
    if (type !== undefined) void list.where({ type });
    if (paused !== undefined) void list.where({ paused });
    if (managedBy !== undefined && !managedBy.admin) this.#narrowToManaged(list, managedBy);
    // Tags are a list of texts, each between quotes.
    for (const tag of tags) void list.whereRaw(`${dialect.indexIn('tags')} > 0`, [JSON.stringify(tag)]);
    if (standing !== undefined) void list.where((stands) => this.#narrowToStanding(stands, standing));
    if (projectId !== undefined)
      void list.where((takes) => {
        const own = query('ci_runner_projects').where({ project_id: projectId }).select('runner_id');
        const home = query('projects').where('projects.id', projectId).select('namespace_id');
        void this.#narrowToPlace(takes, home).orWhereIn('id', own);
      });
    if (groupId !== undefined) void list.where((takes) => void this.#narrowToPlace(takes, groupId));
    return pageOfRows(this.session, list, page, (row: CiRunnerRow) => toCiRunner(row, dialect));
  }

  /** As one of them is shown: nobody looks after what an archived project has. */
  #narrowToManaged(list: Knex.QueryBuilder, viewer: Viewer): void {
    const { query } = this.session;
    const groups = visibleGroups(query, viewer)
      .where('reach.level', '>=', GROUP_PERMISSIONS.manage_group_runners)
      .select('namespaces.id');
    const ofProjects = wherePermitted(this.#visibleOfRunners(viewer), viewer, 'manage_runners')
      .where('projects.archived', false)
      .select('ci_runner_projects.runner_id');
    void list.where((managed) => void managed.whereIn('namespace_id', groups).orWhereIn('id', ofProjects));
  }

  /** Projects that runners have, as far as the viewer sees them. */
  #visibleOfRunners(viewer: Viewer): Knex.QueryBuilder {
    return visibleProjects(this.session.query, viewer, (list) =>
      list.from('ci_runner_projects').join('projects', 'projects.id', 'ci_runner_projects.project_id'),
    );
  }

  /** Those of the installation, and of a namespace and whatever holds it. */
  #narrowToPlace(takes: Knex.QueryBuilder, namespaceId: IdOrQuery<NamespaceId>): Knex.QueryBuilder {
    const above = lineageOf(this.session.query, namespaceId).select('id');
    return takes.where('type', 'instance_type').orWhereIn('namespace_id', above);
  }

  #narrowToStanding(list: Knex.QueryBuilder, { is, at }: NonNullable<CiRunnerQuery['standing']>): void {
    const { query, dialect } = this.session;
    const { after, until } = spanOfStanding(is, at);
    const heard = query.raw('coalesce(contacted_at, created_at)');
    if (after !== null) void list.where(heard, '>', dialect.writeInstant(after));
    if (until !== null) void list.where(heard, '<=', dialect.writeInstant(until));
    if (is === 'never_contacted') void list.whereNull('contacted_at');
    else if (is !== 'stale') void list.whereNotNull('contacted_at');
  }

  async projectsOf(id: number): Promise<readonly ProjectId[]> {
    const rows = await this.session
      .query('ci_runner_projects')
      .where({ runner_id: id })
      .orderBy('project_id')
      .select('project_id');
    return rows.map(({ project_id }) => project_id);
  }

  async visibleProjectsOf(id: number, viewer: Viewer): Promise<readonly ProjectId[]> {
    const rows = (await this.#visibleOfRunners(viewer)
      .where('ci_runner_projects.runner_id', id)
      .orderBy('projects.id')
      .select('projects.id')) as { readonly id: ProjectId }[];
    return rows.map((row) => row.id);
  }

  async #one(where: { readonly id: number } | { readonly token_digest: string }): Promise<CiRunner | undefined> {
    const row = (await this.session
      .query('ci_runners')
      .where(where)
      .first(...CI_RUNNER_COLUMNS)) as CiRunnerRow | undefined;
    return row && toCiRunner(row, this.session.dialect);
  }
}
