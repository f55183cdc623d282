import type {
  EnvironmentChange,
  EnvironmentRepository,
  NamedRef,
  NewEnvironment,
} from '../../../../../application/environments/ports/environment-ports.js';
import type { Environment } from '../../../../../domain/environments/environment.js';
import { STATUSES_GOING_ON } from '../../../../../domain/pipelines/pipeline.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { countUpTo } from '../count-up-to.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { toEnvironment, type EnvironmentRow } from './environment-rows.js';

const taken = (attribute: string) => () => new Invalid({ [attribute]: ['has already been taken'] });
const REFUSALS = {
  environments_project_id_name_unique: taken('name'),
  environments_project_id_slug_unique: taken('slug'),
};

export class KnexEnvironmentRepository implements EnvironmentRepository {
  constructor(private readonly session: Session) {}

  hold(projectId: ProjectId): Promise<void> {
    return this.session.hold(`environments of ${projectId}`);
  }

  countOf(projectId: ProjectId, most: number): Promise<number> {
    const { query } = this.session;
    return countUpTo(this.session, query('environments').where({ project_id: projectId }).select('id'), most);
  }

  async named(projectId: ProjectId, name: string): Promise<Environment | undefined> {
    const { query, dialect } = this.session;
    const row = (await query('environments').where({ project_id: projectId, name }).first()) as
      EnvironmentRow | undefined;
    return row && toEnvironment(row, dialect);
  }

  async deployedFrom(projectId: ProjectId, { ref, tag }: NamedRef, limit: number): Promise<readonly Environment[]> {
    const { query, dialect } = this.session;
    const newest = query('deployments as newer')
      .where('newer.environment_id', query.ref('environments.id'))
      .where('newer.status', 'success')
      .max('newer.id');
    const rows = (await query('environments')
      .join('deployments', 'deployments.environment_id', 'environments.id')
      .whereIn('deployments.id', newest)
      .where('environments.project_id', projectId)
      .where('environments.state', 'available')
      .where('deployments.by_job', true)
      .where('deployments.ref', ref)
      .where('deployments.tag', tag)
      .orderBy('environments.id')
      .limit(limit)
      .select('environments.*')) as EnvironmentRow[];
    return rows.map((row) => toEnvironment(row, dialect));
  }

  async hasSlug(projectId: ProjectId, slug: string): Promise<boolean> {
    return (await this.session.query('environments').where({ project_id: projectId, slug }).first('id')) !== undefined;
  }

  async add(environment: NewEnvironment): Promise<Environment> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(environment.createdAt);
    const insert = query('environments')
      .insert({
        project_id: environment.projectId,
        name: environment.name,
        slug: environment.slug,
        external_url: environment.externalUrl,
        tier: environment.tier,
        state: 'available',
        created_at: at,
        updated_at: at,
      })
      .returning('*');
    const [row] = (await onUniqueViolation(insert, REFUSALS)) as EnvironmentRow[];
    return toEnvironment(row!, dialect);
  }

  async take(id: number): Promise<Environment | undefined> {
    const { query, dialect } = this.session;
    const [row] = (await dialect.lockRows(query('environments').where({ id }).select('*'))) as EnvironmentRow[];
    return row && toEnvironment(row, dialect);
  }

  async change(id: number, { name, externalUrl, tier, state, autoStopAt }: EnvironmentChange, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const update = query('environments')
      .where({ id })
      .update({
        ...(name !== undefined && { name }),
        ...(externalUrl !== undefined && { external_url: externalUrl }),
        ...(tier !== undefined && { tier }),
        ...(state !== undefined && { state }),
        ...(autoStopAt !== undefined && { auto_stop_at: writeInstantOrNull(dialect, autoStopAt) }),
        updated_at: dialect.writeInstant(at),
      });
    await onUniqueViolation(update, REFUSALS);
  }

  async reopenWithoutJob(projectId: ProjectId, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const stopping = query('environment_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'environment_jobs.job_id')
      .where('environment_jobs.environment_id', query.ref('environments.id'))
      .where('environment_jobs.action', 'stop')
      .whereIn('commit_statuses.status', [...STATUSES_GOING_ON]);
    await query('environments')
      .where({ project_id: projectId, state: 'stopping' })
      .whereNotExists(stopping)
      .update({ state: 'available', updated_at: dialect.writeInstant(at) });
  }

  async removeStopped(projectId: ProjectId): Promise<boolean> {
    const { query } = this.session;
    const wanted = query('environment_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'environment_jobs.job_id')
      .where('environment_jobs.environment_id', query.ref('environments.id'))
      .whereIn('commit_statuses.status', [...STATUSES_GOING_ON]);
    const oldest = query('environments')
      .where({ project_id: projectId, state: 'stopped' })
      .whereNotExists(wanted)
      .orderBy(['updated_at', 'id'])
      .limit(1)
      .select('id');
    return (await query('environments').whereIn('id', oldest).delete()) === 1;
  }

  async remove(id: number): Promise<void> {
    await this.session.query('environments').where({ id }).delete();
  }
}
