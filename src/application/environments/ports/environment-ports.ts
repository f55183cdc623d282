import type { Deployment, DeploymentStatus } from '../../../domain/environments/deployment.js';
import type { Environment, EnvironmentFields, EnvironmentState } from '../../../domain/environments/environment.js';
import type { CiEnvironment } from '../../../domain/pipelines/ci-file/ci-config.js';
import type { CheckStatus } from '../../../domain/pipelines/commit-status.js';
import type { User } from '../../../domain/identity/user.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';

/** A branch or tag by its short name. */
export interface NamedRef {
  readonly ref: string;
  readonly tag: boolean;
}

export type NewEnvironment = EnvironmentFields & Pick<Environment, 'projectId' | 'slug' | 'createdAt'>;

export type EnvironmentChange = Partial<EnvironmentFields & Pick<Environment, 'state' | 'autoStopAt'>>;

export interface EnvironmentRepository {
  /** Of works that add environments to a project, each waits for the one before. */
  hold(projectId: ProjectId): Promise<void>;
  /** No further than `most`. */
  countOf(projectId: ProjectId, most: number): Promise<number>;
  named(projectId: ProjectId, name: string): Promise<Environment | undefined>;
  /** Those that a job brought a branch or tag to last, and that aren't stopped. */
  deployedFrom(projectId: ProjectId, from: NamedRef, limit: number): Promise<readonly Environment[]>;
  hasSlug(projectId: ProjectId, slug: string): Promise<boolean>;
  /** @throws Invalid at `name` or `slug` where the project has one. */
  add(environment: NewEnvironment): Promise<Environment>;
  /** Nobody else changes it until the transaction ends. */
  take(id: number): Promise<Environment | undefined>;
  /** @throws Invalid likewise. */
  change(id: number, change: EnvironmentChange, at: Date): Promise<void>;
  /** Those of a project that wait for a job to stop them which isn't there any more. */
  reopenWithoutJob(projectId: ProjectId, at: Date): Promise<void>;
  /** Removes the one that has been stopped longest and that no job waits for; false where there is none. */
  removeStopped(projectId: ProjectId): Promise<boolean>;
  /** With all of its deployments. */
  remove(id: number): Promise<void>;
}

export type NewDeployment = Omit<Deployment, 'id' | 'iid' | 'updatedAt'>;

export interface DeploymentRepository {
  /** Gives it the next number of its project, and lets go of the oldest of its environment beyond those that are kept. */
  add(deployment: NewDeployment): Promise<Deployment>;
  find(id: number): Promise<Deployment | undefined>;
  /** Nobody else changes it until the transaction ends. */
  take(id: number): Promise<Deployment | undefined>;
  ofJob(jobId: number): Promise<Deployment | undefined>;
  /** The newest that succeeded; of those that jobs made where told. */
  lastOf(environmentId: number, made?: 'by a job'): Promise<Deployment | undefined>;
  setStatus(id: number, to: Pick<Deployment, 'status'>, at: Date): Promise<void>;
  /** Notes the merge requests that were merged by one of these commits, in place of those that were noted. */
  noteBrought(id: number, commits: readonly string[]): Promise<void>;
  /** Those of a project whose job is gone before it came to its end. Answers them, canceled. */
  cancelWithoutJob(projectId: ProjectId, at: Date): Promise<readonly Deployment[]>;
  remove(id: number): Promise<void>;
  /** Removes so many of a project; answers how many. */
  removeOfProject(projectId: ProjectId, limit: number): Promise<number>;
}

/** A job of the CI file that is for an environment. */
export interface EnvironmentJob {
  readonly jobId: number;
  readonly pipelineId: number;
  readonly environmentId: number;
  readonly action: CiEnvironment['action'];
  /** How it stood when it was last looked at. */
  readonly status: CheckStatus;
}

export interface EnvironmentJobRepository {
  /** One that is known stays as it is. */
  add(job: EnvironmentJob): Promise<void>;
  /** Of a pipeline those that stand otherwise than when they were last looked at, as they stand now. */
  changedOf(pipelineId: number): Promise<readonly EnvironmentJob[]>;
  seen(jobs: readonly Pick<EnvironmentJob, 'jobId' | 'status'>[]): Promise<void>;
}

export interface EnvironmentRepositories {
  readonly environments: EnvironmentRepository;
  readonly deployments: DeploymentRepository;
  readonly environmentJobs: EnvironmentJobRepository;
}

type Person = Pick<User, 'id' | 'username' | 'name' | 'state'>;

export interface DeploymentDetails extends Deployment {
  readonly user: Person | null;
  readonly environment: Environment;
}

export interface EnvironmentQuery {
  readonly projectId: ProjectId;
  /** The whole name. */
  readonly name?: string;
  /** Part of the name, whatever its case. */
  readonly search?: string;
  readonly states?: readonly EnvironmentState[];
  readonly page: PageRequest;
}

export interface DeploymentQuery {
  readonly projectId: ProjectId;
  readonly environmentId?: number;
  /** The name of one. */
  readonly environment?: string;
  readonly status?: DeploymentStatus;
  readonly updatedAfter?: Date;
  readonly updatedBefore?: Date;
  readonly finishedAfter?: Date;
  readonly finishedBefore?: Date;
  readonly orderBy: 'id' | 'iid' | 'created_at' | 'updated_at' | 'finished_at' | 'ref';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

export interface EnvironmentReader {
  find(projectId: ProjectId, id: number): Promise<Environment | undefined>;
  /** Of whatever project. */
  findById(id: number): Promise<Environment | undefined>;
  findByName(projectId: ProjectId, name: string): Promise<Environment | undefined>;
  /** In the order of their names. */
  list(query: EnvironmentQuery): Promise<Page<Environment>>;
  /** The newest of each of these environments that succeeded. */
  lastDeploymentsOf(environmentIds: readonly number[]): Promise<ReadonlyMap<number, DeploymentDetails>>;
  findDeployment(projectId: ProjectId, id: number): Promise<DeploymentDetails | undefined>;
  deployments(query: DeploymentQuery): Promise<Page<DeploymentDetails>>;
  /** The one that was deployed to the same environment until this one succeeded. */
  deploymentBefore(deployment: Pick<Deployment, 'id' | 'environmentId'>): Promise<Deployment | undefined>;
  /** The environment of a job. */
  ofJob(jobId: number): Promise<Environment | undefined>;
  /** Those that are to be stopped by now, of projects where that can be done. */
  dueBefore(at: Date, limit: number): Promise<readonly Environment[]>;
}
