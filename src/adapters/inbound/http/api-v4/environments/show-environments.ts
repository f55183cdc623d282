import type { Deployments } from '../../../../../application/environments/deployments.js';
import type { Environments } from '../../../../../application/environments/environments.js';
import type {
  DeploymentDetails,
  EnvironmentReader,
} from '../../../../../application/environments/ports/environment-ports.js';
import type { CiJobReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import type { ObjectReader } from '../../../../../application/repositories/ports/object-stores.js';
import type { RefReader } from '../../../../../application/repositories/ports/ref-reader.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { ProjectRelationsReader } from '../../../../../application/workspace/ports/project-relations.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { orNotFound } from '../../kit/or-not-found.js';
import type { WebUrls } from '../../web-urls.js';
import { presentCiJob } from '../pipelines/ci-job-schema.js';
import { presentBasicProject } from '../projects/present-project.js';
import { presentDeployment, presentEnvironment } from './environment-schema.js';

export interface EnvironmentRoutesParts {
  readonly access: WorkspaceAccess;
  readonly environments: Environments;
  readonly deployments: Deployments;
  readonly environmentReader: EnvironmentReader;
  readonly relations: Pick<ProjectRelationsReader, 'relationsOf'>;
  readonly ciJobReader: Pick<CiJobReader, 'some'>;
  readonly refReader: Pick<RefReader, 'findRepository'>;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly urls: WebUrls;
  readonly clock: Clock;
}
type Parts = EnvironmentRoutesParts;

/** A project in the form of lists. */
export const simpleProject = async ({ access, relations, urls }: Parts, actor: Actor, project: Project) => {
  const related = await relations.relationsOf(access.viewer(actor), [project.id]);
  return presentBasicProject(project, urls, related.get(project.id) ?? { stars: 0, forks: 0, topics: [] });
};

/** Deployments as they are shown, each with its job. */
export const showDeployments = async (parts: Parts, project: Project, deployments: readonly DeploymentDetails[]) => {
  const { ciJobReader, refReader, objects, urls, clock } = parts;
  const jobs = await ciJobReader.some(
    project.id,
    deployments.flatMap(({ jobId }) => jobId ?? []),
  );
  const repository = jobs.length === 0 ? undefined : await refReader.findRepository(project.id);
  const shas = repository === undefined ? [] : [...new Set(jobs.map(({ pipeline }) => pipeline.sha))];
  const commits = new Map(
    await Promise.all(shas.map(async (sha) => [sha, await objects.commit(repository!.store, sha)] as const)),
  );
  const around = { project, urls, now: clock.now() };
  const shown = new Map(
    jobs.map((job) => [job.id, presentCiJob(job, { ...around, commit: commits.get(job.pipeline.sha) })]),
  );
  return deployments.map((each) =>
    presentDeployment(each, each.jobId === null ? null : (shown.get(each.jobId) ?? null), urls),
  );
};

/** One environment as it is now, with what was deployed there last. */
export const showEnvironment = async (parts: Parts, actor: Actor, project: Project, id: number) => {
  const { environmentReader } = parts;
  const environment = orNotFound(await environmentReader.find(project.id, id), 'Environment');
  const last = (await environmentReader.lastDeploymentsOf([id])).get(id);
  const [shown = null] = await showDeployments(parts, project, last === undefined ? [] : [last]);
  return { ...presentEnvironment(environment, await simpleProject(parts, actor, project)), last_deployment: shown };
};
