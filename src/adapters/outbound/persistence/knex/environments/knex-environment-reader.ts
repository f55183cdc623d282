import type { Knex } from 'knex';
import type {
  DeploymentDetails,
  DeploymentQuery,
  EnvironmentQuery,
  EnvironmentReader,
} from '../../../../../application/environments/ports/environment-ports.js';
import { together } from '../../../../../application/shared/together.js';
import type { Deployment } from '../../../../../domain/environments/deployment.js';
import type { Environment } from '../../../../../domain/environments/environment.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { readPeople } from '../identity/people.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';
import { toDeployment, toEnvironment, type DeploymentRow, type EnvironmentRow } from './environment-rows.js';

export class KnexEnvironmentReader implements EnvironmentReader {
  constructor(private readonly session: Session) {}

  find(projectId: ProjectId, id: number): Promise<Environment | undefined> {
    return this.#one(this.#environments().where({ id, project_id: projectId }));
  }

  findById(id: number): Promise<Environment | undefined> {
    return this.#one(this.#environments().where({ id }));
  }

  findByName(projectId: ProjectId, name: string): Promise<Environment | undefined> {
    return this.#one(this.#environments().where({ project_id: projectId, name }));
  }

  ofJob(jobId: number): Promise<Environment | undefined> {
    const named = this.session.query('environment_jobs').where({ job_id: jobId }).select('environment_id');
    return this.#one(this.#environments().whereIn('id', named));
  }

  list({ projectId, name, search, states, page }: EnvironmentQuery): Promise<Page<Environment>> {
    const { dialect } = this.session;
    const list = this.#environments().where({ project_id: projectId }).orderBy('name');
    if (name !== undefined) void list.where({ name });
    if (search !== undefined) void list.whereRaw("lower(name) like ? escape '\\'", [containsPattern(search)]);
    if (states !== undefined) void list.whereIn('state', [...states]);
    return pageOfRows(this.session, list, page, (row: EnvironmentRow) => toEnvironment(row, dialect));
  }

  async lastDeploymentsOf(environmentIds: readonly number[]): Promise<ReadonlyMap<number, DeploymentDetails>> {
    if (environmentIds.length === 0) return new Map();
    const { query } = this.session;
    const newest = query('deployments')
      .whereIn('environment_id', [...environmentIds])
      .where({ status: 'success' })
      .groupBy('environment_id')
      .max('id');
    const rows = (await query('deployments').whereIn('id', newest).select('*')) as DeploymentRow[];
    const details = await this.#withDetails(rows);
    return new Map(details.map((deployment) => [deployment.environmentId, deployment]));
  }

  async findDeployment(projectId: ProjectId, id: number): Promise<DeploymentDetails | undefined> {
    const rows = (await this.session
      .query('deployments')
      .where({ id, project_id: projectId })
      .select('*')) as DeploymentRow[];
    return (await this.#withDetails(rows))[0];
  }

  async deployments(asked: DeploymentQuery): Promise<Page<DeploymentDetails>> {
    const { query, dialect } = this.session;
    const { projectId, environmentId, environment, status, orderBy, sort } = asked;
    const list = query('deployments').where({ project_id: projectId }).select('*').orderBy(orderBy, sort);
    if (orderBy !== 'id') void list.orderBy('id', sort);
    // Where those without one stand differs between databases.
    if (orderBy === 'finished_at') void list.whereNotNull('finished_at');
    if (environmentId !== undefined) void list.where({ environment_id: environmentId });
    if (environment !== undefined)
      void list.whereIn(
        'environment_id',
        query('environments').where({ project_id: projectId, name: environment }).select('id'),
      );
    if (status !== undefined) void list.where({ status });
    const bounds = [
      ...[['updated_at', '>=', asked.updatedAfter] as const, ['updated_at', '<=', asked.updatedBefore] as const],
      ...[['finished_at', '>=', asked.finishedAfter] as const, ['finished_at', '<=', asked.finishedBefore] as const],
    ];
    for (const [column, order, at] of bounds)
      if (at !== undefined) void list.where(column, order, dialect.writeInstant(at));
    const page = await pageOfRows(this.session, list, asked.page, (row: DeploymentRow) => row);
    return { ...page, items: await this.#withDetails(page.items) };
  }

  async deploymentBefore({ id, environmentId }: Pick<Deployment, 'id' | 'environmentId'>) {
    const { query, dialect } = this.session;
    const row = (await query('deployments')
      .where({ environment_id: environmentId, status: 'success' })
      .where('id', '<', id)
      .orderBy('id', 'desc')
      .first()) as DeploymentRow | undefined;
    return row && toDeployment(row, dialect);
  }

  async dueBefore(at: Date, limit: number): Promise<readonly Environment[]> {
    const { dialect } = this.session;
    const rows = (await this.session
      .query('environments')
      .join('projects', 'projects.id', 'environments.project_id')
      .where('projects.archived', false)
      .whereNull('projects.removal_requested_at')
      .whereNotNull('auto_stop_at')
      .where('auto_stop_at', '<', dialect.writeInstant(at))
      .orderBy('auto_stop_at')
      .limit(limit)
      .select('environments.*')) as EnvironmentRow[];
    return rows.map((row) => toEnvironment(row, dialect));
  }

  #environments(): Knex.QueryBuilder {
    return this.session.query('environments').select('*');
  }

  async #one(list: Knex.QueryBuilder): Promise<Environment | undefined> {
    const [row] = (await list.limit(1)) as EnvironmentRow[];
    return row && toEnvironment(row, this.session.dialect);
  }

  async #withDetails(rows: readonly DeploymentRow[]): Promise<readonly DeploymentDetails[]> {
    const { dialect } = this.session;
    const [people, environments] = await together([
      readPeople(
        this.session,
        rows.map(({ user_id: id }) => id),
      ),
      this.#byIds(rows.map(({ environment_id: id }) => id)),
    ]);
    // What is removed meanwhile isn't shown.
    return rows.flatMap((row) => {
      const environment = environments.get(row.environment_id);
      if (environment === undefined) return [];
      return [{ ...toDeployment(row, dialect), user: people.get(row.user_id) ?? null, environment }];
    });
  }

  async #byIds(ids: readonly number[]): Promise<ReadonlyMap<number, Environment>> {
    if (ids.length === 0) return new Map();
    const rows = (await this.#environments().whereIn('id', [...new Set(ids)])) as EnvironmentRow[];
    return new Map(rows.map((row) => [row.id, toEnvironment(row, this.session.dialect)]));
  }
}
