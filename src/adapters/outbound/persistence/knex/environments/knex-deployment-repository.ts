import type {
  DeploymentRepository,
  NewDeployment,
} from '../../../../../application/environments/ports/environment-ports.js';
import { hasEnded, KEPT_DEPLOYMENTS, type Deployment } from '../../../../../domain/environments/deployment.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import { insertInto } from '../insert-rows.js';
import { whichBrought } from '../review/which-brought.js';
import type { Session } from '../session.js';
import { nextNumber } from '../shared/project-counter.js';
import { toDeployment, type DeploymentRow } from './environment-rows.js';

const INSERT_BROUGHT = insertInto('deployed_merge_requests', ['deployment_id', 'merge_request_id']);

export class KnexDeploymentRepository implements DeploymentRepository {
  constructor(private readonly session: Session) {}

  async add(deployment: NewDeployment): Promise<Deployment> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(deployment.createdAt);
    await this.#makeRoomIn(deployment.environmentId);
    const [row] = (await query('deployments')
      .insert({
        project_id: deployment.projectId,
        iid: await nextNumber(this.session, deployment.projectId, 'deployment'),
        environment_id: deployment.environmentId,
        job_id: deployment.jobId,
        by_job: deployment.byJob,
        user_id: deployment.userId,
        ref: deployment.ref,
        tag: deployment.tag,
        sha: deployment.sha,
        status: deployment.status,
        created_at: at,
        updated_at: at,
        finished_at: writeInstantOrNull(dialect, deployment.finishedAt),
      })
      .returning('*')) as DeploymentRow[];
    return toDeployment(row!, dialect);
  }

  async find(id: number): Promise<Deployment | undefined> {
    const { query, dialect } = this.session;
    const row = (await query('deployments').where({ id }).first()) as DeploymentRow | undefined;
    return row && toDeployment(row, dialect);
  }

  async take(id: number): Promise<Deployment | undefined> {
    const { query, dialect } = this.session;
    const [row] = (await dialect.lockRows(query('deployments').where({ id }).select('*'))) as DeploymentRow[];
    return row && toDeployment(row, dialect);
  }

  async ofJob(jobId: number): Promise<Deployment | undefined> {
    const { query, dialect } = this.session;
    const row = (await query('deployments').where({ job_id: jobId }).first()) as DeploymentRow | undefined;
    return row && toDeployment(row, dialect);
  }

  async lastOf(environmentId: number, made?: 'by a job'): Promise<Deployment | undefined> {
    const { query, dialect } = this.session;
    const row = (await query('deployments')
      .where({ environment_id: environmentId, status: 'success', ...(made !== undefined && { by_job: true }) })
      .orderBy('id', 'desc')
      .first()) as DeploymentRow | undefined;
    return row && toDeployment(row, dialect);
  }

  async setStatus(id: number, { status }: Pick<Deployment, 'status'>, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const written = dialect.writeInstant(at);
    await query('deployments')
      .where({ id })
      .update({
        status,
        updated_at: written,
        finished_at: hasEnded(status) ? written : null,
      });
  }

  async noteBrought(id: number, commits: readonly string[]): Promise<void> {
    const { query } = this.session;
    const ofProject = query('deployments').where({ id }).select('project_id');
    const merged = query('merge_requests').where('merge_requests.state', 'merged').whereIn('project_id', ofProject);
    const ids = (await whichBrought(query, merged, commits).select('merge_requests.id')) as { readonly id: number }[];
    await query('deployed_merge_requests').where({ deployment_id: id }).delete();
    await INSERT_BROUGHT(
      this.session,
      ids.map(({ id: mergeRequestId }) => [id, mergeRequestId]),
    );
  }

  async cancelWithoutJob(projectId: ProjectId, at: Date): Promise<readonly Deployment[]> {
    const { query, dialect } = this.session;
    const written = dialect.writeInstant(at);
    const rows = (await query('deployments')
      .where({ project_id: projectId, by_job: true, job_id: null })
      .whereIn('status', ['created', 'running'])
      .update({ status: 'canceled', updated_at: written, finished_at: written })
      .returning('*')) as DeploymentRow[];
    return rows.map((row) => toDeployment(row, dialect));
  }

  async remove(id: number): Promise<void> {
    await this.session.query('deployments').where({ id }).delete();
  }

  removeOfProject(projectId: ProjectId, limit: number): Promise<number> {
    const { query } = this.session;
    const some = query('deployments').where({ project_id: projectId }).limit(limit).select('id');
    return query('deployments').whereIn('id', some).delete();
  }

  /** What is deployed there stays, however old it is, with the last that a job made, and so does what hasn't ended. */
  async #makeRoomIn(environmentId: number): Promise<void> {
    const { query } = this.session;
    const oldest = (await query('deployments')
      .where({ environment_id: environmentId })
      .orderBy('id', 'desc')
      .offset(KEPT_DEPLOYMENTS - 1)
      .first('id')) as Pick<DeploymentRow, 'id'> | undefined;
    if (oldest === undefined) return;
    const last = [await this.lastOf(environmentId), await this.lastOf(environmentId, 'by a job')];
    await query('deployments')
      .where({ environment_id: environmentId })
      .where('id', '<=', oldest.id)
      .whereNotIn(
        'id',
        last.flatMap((each) => each?.id ?? []),
      )
      .whereNotNull('finished_at')
      .delete();
  }
}
