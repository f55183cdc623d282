import type { OldPipelineReader } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

interface LookedAt {
  readonly id: number;
  readonly project_id: ProjectId;
  readonly created_at: unknown;
  readonly removable: boolean | number;
}

/** For the same branch, tag or merge request. */
const NEWER_OF_REF = `exists (
  select 1 from pipelines newer where newer.project_id = p.project_id and newer.ref = p.ref and newer.id > p.id
    and newer.source <> 'parent_pipeline' and newer.tag = p.tag and coalesce(newer.source_branch, '') = coalesce(p.source_branch, ''))`;
/** The last deployment may be of an older pipeline, a job of which was run again. Of an environment some hundreds are kept. */
const LAST_TO_DEPLOY = `exists (
  select 1 from environment_jobs deploys join environments on environments.id = deploys.environment_id
   where deploys.pipeline_id = p.id and environments.state <> 'stopped' and deploys.job_id = (
       select latest.job_id from deployments latest where latest.environment_id = deploys.environment_id
          and latest.status = 'success' and latest.by_job = true order by latest.id desc limit 1))`;
const KEPT_FILES = `exists (
  select 1 from ci_jobs join ci_artifacts on ci_artifacts.job_id = ci_jobs.id
   where ci_jobs.pipeline_id = p.id and ci_artifacts.expires_at is null)`;
const ENDED = "p.status in ('success', 'failed', 'canceled', 'skipped') and p.updated_at < ?";
const NEXT = `
  select p.id, p.project_id, p.created_at, (${ENDED} and ${NEWER_OF_REF} and not ${LAST_TO_DEPLOY} and not ${KEPT_FILES}) as removable
    from (select id, project_id, ref, tag, source_branch, status, created_at, updated_at
            from pipelines where id > ? order by id limit ?) p
   order by p.id`;

export class KnexOldPipelineReader implements OldPipelineReader {
  constructor(private readonly session: Session) {}

  async endedBefore(instant: Date, after: number, limit: number) {
    const { dialect } = this.session;
    const looked = await this.session.run<LookedAt>(NEXT, [dialect.writeInstant(instant), after, limit]);
    const last = looked.at(-1);
    // Those behind it are younger: they are not gone through.
    const isEnd = last === undefined || looked.length < limit || dialect.readInstant(last.created_at) >= instant;
    return {
      removable: looked
        .filter(({ removable }) => Boolean(removable))
        .map(({ id, project_id: projectId }) => ({ id: Number(id), projectId })),
      last: isEnd ? undefined : Number(last.id),
    };
  }
}
