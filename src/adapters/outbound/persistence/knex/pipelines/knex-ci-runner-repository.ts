import type { CiRunnerRepository } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { CiRunner, RunnerAbout, RunnerFields } from '../../../../../domain/pipelines/ci-runner.js';
import type { GroupId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import { countUpTo } from '../count-up-to.js';
import type { Session } from '../session.js';
import { lineageOf } from '../visibility/lineage.js';
import { CI_RUNNER_COLUMNS, toCiRunner, type CiRunnerRow } from './ci-rows.js';

const columnsOf = (fields: RunnerFields) => ({
  description: fields.description,
  tags: JSON.stringify(fields.tags),
  run_untagged: fields.runUntagged,
  locked: fields.locked,
  paused: fields.paused,
  protected_only: fields.protectedOnly,
  maximum_timeout: fields.maximumTimeout,
  maintenance_note: fields.maintenanceNote,
});

const UNKNOWN: RunnerAbout = { name: null, version: null, revision: null, platform: null, architecture: null };

export class KnexCiRunnerRepository implements CiRunnerRepository {
  constructor(private readonly session: Session) {}

  async add(runner: Parameters<CiRunnerRepository['add']>[0], projectIds: readonly ProjectId[]): Promise<CiRunner> {
    const { query, dialect } = this.session;
    const [row] = (await query('ci_runners')
      .insert({
        ...columnsOf(runner),
        type: runner.type,
        namespace_id: runner.groupId,
        token_digest: runner.tokenDigest,
        created_by: runner.createdBy,
        created_at: dialect.writeInstant(runner.createdAt),
        about: JSON.stringify(UNKNOWN),
      })
      .returning([...CI_RUNNER_COLUMNS])) as CiRunnerRow[];
    for (const projectId of projectIds) await this.enable(row!.id, projectId);
    return toCiRunner(row!, dialect);
  }

  async take(id: number): Promise<CiRunner | undefined> {
    await this.session.hold(`runner ${id}`);
    const row = (await this.session
      .query('ci_runners')
      .where({ id })
      .first(...CI_RUNNER_COLUMNS)) as CiRunnerRow | undefined;
    return row && toCiRunner(row, this.session.dialect);
  }

  async save(id: number, fields: RunnerFields): Promise<CiRunner> {
    const [row] = (await this.session
      .query('ci_runners')
      .where({ id })
      .update(columnsOf(fields))
      .returning([...CI_RUNNER_COLUMNS])) as CiRunnerRow[];
    return toCiRunner(row!, this.session.dialect);
  }

  async setToken(id: number, tokenDigest: string): Promise<void> {
    await this.session.query('ci_runners').where({ id }).update({ token_digest: tokenDigest });
  }

  async remove(id: number): Promise<void> {
    await this.session.query('ci_runners').where({ id }).delete();
  }

  async count(limit: number): Promise<number> {
    await this.session.hold('runners');
    return countUpTo(this.session, this.session.query('ci_runners').select('id'), limit);
  }

  async countOf(projectId: ProjectId, limit: number): Promise<number> {
    await this.session.hold(`runners of ${projectId}`);
    const { query } = this.session;
    const own = query('ci_runner_projects').where({ project_id: projectId }).select('runner_id');
    return countUpTo(this.session, own, limit);
  }

  async countOfGroup(groupId: GroupId, limit: number): Promise<number> {
    await this.session.hold(`runners of group ${groupId}`);
    return countUpTo(
      this.session,
      this.session.query('ci_runners').where({ namespace_id: groupId }).select('id'),
      limit,
    );
  }

  async takesJobsOf({ id, type, groupId }: CiRunner, projectId: ProjectId): Promise<boolean> {
    if (type === 'instance_type') return true;
    const { query } = this.session;
    if (groupId === null)
      return (await query('ci_runner_projects').where({ runner_id: id, project_id: projectId }).first()) !== undefined;
    const home = query('projects').where('projects.id', projectId).select('namespace_id');
    return (await lineageOf(query, home).where({ id: groupId }).first('id')) !== undefined;
  }

  async projectsOf(id: number): Promise<readonly ProjectId[]> {
    const rows = await this.session
      .query('ci_runner_projects')
      .where({ runner_id: id })
      .orderBy('project_id')
      .select('project_id');
    return rows.map(({ project_id }) => project_id);
  }

  async enable(id: number, projectId: ProjectId): Promise<void> {
    await this.session
      .query('ci_runner_projects')
      .insert({ runner_id: id, project_id: projectId })
      .onConflict(['runner_id', 'project_id'])
      .ignore();
  }

  async disable(id: number, projectId: ProjectId): Promise<boolean> {
    return (
      (await this.session.query('ci_runner_projects').where({ runner_id: id, project_id: projectId }).delete()) > 0
    );
  }

  async contacted(id: number, at: Date, about: RunnerAbout, address: string | null): Promise<void> {
    const { query, dialect } = this.session;
    await query('ci_runners')
      .where({ id })
      .update({ contacted_at: dialect.writeInstant(at), about: JSON.stringify(about), address });
  }

  async removeOfProject(projectId: ProjectId): Promise<void> {
    const { query } = this.session;
    const shared = query('ci_runner_projects').whereNot({ project_id: projectId }).select('runner_id');
    await query('ci_runners')
      .whereIn('id', query('ci_runner_projects').where({ project_id: projectId }).select('runner_id'))
      .whereNotIn('id', shared)
      .delete();
  }
}
