import { apiVersion } from '../shared/api-version.js';
import type { ProjectId } from '../shared/identifiers.js';
import type { Visibility } from '../shared/visibility.js';
import { DEPLOY_FREEZE } from './freeze-period.js';
import type { PipelineSource } from './pipeline.js';

/** A variable of a job. */
export interface CiValue {
  readonly key: string;
  readonly value: string;
  /** Given as the path of a file that holds the value. */
  readonly file?: boolean;
  /** What looks like another variable in it is left as it is. */
  readonly raw?: boolean;
}

/** What each of them is, by its key: of those of one key the last counts. */
export const valuesByKey = (values: readonly Pick<CiValue, 'key' | 'value'>[]): ReadonlyMap<string, string> =>
  new Map(values.map(({ key, value }) => [key, value]));

/** What is told to a job of a commit. */
export interface CommitFacts {
  readonly project: {
    readonly id: ProjectId;
    readonly name: string;
    readonly path: string;
    readonly fullPath: string;
    readonly visibility: Visibility;
    readonly defaultBranch: string | null;
    readonly description: string | null;
    readonly namespace: { readonly id: number; readonly fullPath: string };
  };
  readonly commit: {
    readonly id: string;
    readonly message: string;
    readonly author: { readonly name: string; readonly email: string };
    readonly committer: { readonly at: string };
  };
  readonly ref: string;
  readonly tag: boolean;
  readonly source: PipelineSource;
  readonly beforeSha: string | null;
  /** Of a merge request, whose code is only proposed, the branch that it comes from; null for any other. */
  readonly sourceBranch: string | null;
  readonly protectedRef: boolean;
  /** Of its CI file. */
  readonly configPath: string;
}

/** What jobs are told of the schedule that made their pipeline: nobody gave it. */
export const SCHEDULE_DESCRIPTION = 'CI_PIPELINE_SCHEDULE_DESCRIPTION';

/** What jobs are told of the job that started their pipeline. */
export const upstreamVariables = (upstream: {
  readonly projectId: number;
  readonly pipelineId: number;
  readonly jobId: number;
}): readonly CiValue[] =>
  toList({
    CI_UPSTREAM_PROJECT_ID: String(upstream.projectId),
    CI_UPSTREAM_PIPELINE_ID: String(upstream.pipelineId),
    CI_UPSTREAM_JOB_ID: String(upstream.jobId),
  });

const TOLD: ReadonlySet<string> = new Set([
  ...[DEPLOY_FREEZE, SCHEDULE_DESCRIPTION, 'CI_UPSTREAM_PROJECT_ID', 'CI_UPSTREAM_PIPELINE_ID', 'CI_UPSTREAM_JOB_ID'],
]);

/** Whether jobs are told it of how their pipeline came to be: nobody gave it. */
export const isTold = ({ key }: CiValue): boolean => TOLD.has(key);

const NO_COMMIT = '0'.repeat(40);
const SHORT = 8;
const MAX_SLUG = 63;

/** A name as it can stand in an address: small letters, digits and `-`, at most 63 of them. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '');

const toList = (values: Readonly<Record<string, string | undefined>>): readonly CiValue[] =>
  Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]));

/** What is known of a commit of a project, by whatever pipeline it is used. */
export const placeVariables = (
  project: CommitFacts['project'] | undefined,
  sha: string | undefined,
): readonly CiValue[] =>
  toList({
    ...(project && {
      CI_PROJECT_ID: String(project.id),
      CI_PROJECT_NAME: project.path,
      CI_PROJECT_TITLE: project.name,
      CI_PROJECT_PATH: project.fullPath,
      CI_PROJECT_PATH_SLUG: slugOf(project.fullPath),
      CI_PROJECT_NAMESPACE: project.namespace.fullPath,
      CI_PROJECT_NAMESPACE_ID: String(project.namespace.id),
      CI_PROJECT_DESCRIPTION: project.description ?? '',
      CI_PROJECT_ROOT_NAMESPACE: project.namespace.fullPath.split('/')[0]!,
      CI_PROJECT_VISIBILITY: project.visibility,
      CI_DEFAULT_BRANCH: project.defaultBranch ?? undefined,
    }),
    CI_COMMIT_SHA: sha,
    CI_COMMIT_SHORT_SHA: sha?.slice(0, SHORT),
  });

/** What is known of a pipeline before it has jobs: what the rules of a CI file decide by. */
export const commitVariables = (facts: CommitFacts): readonly CiValue[] => {
  const { project, commit, ref, tag, source, beforeSha, sourceBranch, protectedRef, configPath } = facts;
  const [title = '', ...rest] = commit.message.split('\n');
  return [
    ...toList({ CI: 'true', GITLAB_CI: 'true', CI_SERVER: 'yes' }),
    ...placeVariables(project, commit.id),
    ...toList({
      CI_CONFIG_PATH: configPath,
      CI_PIPELINE_SOURCE: source,
      CI_PIPELINE_TRIGGERED: source === 'trigger' ? 'true' : undefined,
      CI_COMMIT_BEFORE_SHA: beforeSha ?? NO_COMMIT,
      CI_COMMIT_REF_NAME: ref,
      CI_COMMIT_REF_SLUG: slugOf(ref),
      CI_COMMIT_REF_PROTECTED: String(protectedRef),
      CI_COMMIT_BRANCH: tag || sourceBranch !== null ? undefined : ref,
      CI_COMMIT_TAG: tag ? ref : undefined,
      CI_COMMIT_MESSAGE: commit.message,
      CI_COMMIT_TITLE: title,
      CI_COMMIT_DESCRIPTION: rest.join('\n').trim(),
      CI_COMMIT_TIMESTAMP: commit.committer.at,
      CI_COMMIT_AUTHOR: `${commit.author.name} <${commit.author.email}>`,
    }),
  ];
};

/** Public addresses of the service, of its API, and of the project. */
interface ServerAddresses {
  readonly server: string;
  readonly api: string;
  readonly project: string | undefined;
}

/** Where everything is. @param version of the package. */
export const serverVariables = (urls: ServerAddresses, version: string): readonly CiValue[] => {
  const server = new URL(urls.server);
  const secure = server.protocol === 'https:';
  const told = apiVersion(version);
  const [major, minor, patch] = told.split(/[.-]/);
  return toList({
    CI_SERVER_URL: urls.server,
    CI_SERVER_HOST: server.hostname,
    CI_SERVER_FQDN: server.host,
    CI_SERVER_PORT: server.port || (secure ? '443' : '80'),
    CI_SERVER_PROTOCOL: secure ? 'https' : 'http',
    CI_SERVER_NAME: 'Gatehouse',
    CI_SERVER_VERSION: told,
    CI_SERVER_VERSION_MAJOR: major,
    CI_SERVER_VERSION_MINOR: minor,
    CI_SERVER_VERSION_PATCH: patch,
    CI_API_V4_URL: urls.api,
    CI_PROJECT_URL: urls.project,
  });
};

interface UserFacts {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
}

/** For whom a pipeline runs. */
export const userVariables = ({ id, username, name, email }: UserFacts): readonly CiValue[] =>
  toList({
    GITLAB_USER_ID: String(id),
    GITLAB_USER_LOGIN: username,
    GITLAB_USER_NAME: name,
    GITLAB_USER_EMAIL: email ?? undefined,
  });

/** What else is told to a job, once a runner has taken it. */
export interface JobFacts {
  readonly job: {
    readonly id: number;
    readonly name: string;
    readonly stage: string;
    readonly when: string;
    readonly startedAt: Date;
    readonly image: string | undefined;
  };
  readonly timeoutSeconds: number;
  readonly token: string;
  readonly pipeline: {
    readonly id: number;
    readonly iid: number;
    readonly createdAt: Date;
    readonly name: string | null;
  };
  readonly user: UserFacts;
  readonly runner: { readonly id: number; readonly description: string | null; readonly tags: readonly string[] };
  /** Public addresses. */
  readonly urls: ServerAddresses & {
    readonly pipeline: string;
    readonly job: string;
    /** With the token of the job in it. */
    readonly repository: string;
  };
  readonly version: string;
}

/** Variables of a job that hold its token: runners hide them in its log. */
export const SECRET_VARIABLES: ReadonlySet<string> = new Set(['CI_JOB_TOKEN', 'CI_REPOSITORY_URL']);

export const jobVariables = (facts: JobFacts): readonly CiValue[] => {
  const { job, pipeline, user, runner, urls } = facts;
  return [
    ...serverVariables(urls, facts.version),
    ...userVariables(user),
    ...toList({
      CI_PIPELINE_ID: String(pipeline.id),
      CI_PIPELINE_IID: String(pipeline.iid),
      CI_PIPELINE_URL: urls.pipeline,
      CI_PIPELINE_NAME: pipeline.name ?? undefined,
      CI_PIPELINE_CREATED_AT: pipeline.createdAt.toISOString(),
      CI_JOB_ID: String(job.id),
      CI_JOB_NAME: job.name,
      CI_JOB_NAME_SLUG: slugOf(job.name),
      CI_JOB_STAGE: job.stage,
      CI_JOB_URL: urls.job,
      CI_JOB_TOKEN: facts.token,
      CI_JOB_STARTED_AT: job.startedAt.toISOString(),
      CI_JOB_MANUAL: job.when === 'manual' ? 'true' : undefined,
      CI_JOB_IMAGE: job.image,
      CI_JOB_TIMEOUT: String(facts.timeoutSeconds),
      CI_REPOSITORY_URL: urls.repository,
      CI_RUNNER_ID: String(runner.id),
      CI_RUNNER_DESCRIPTION: runner.description ?? '',
      CI_RUNNER_TAGS: JSON.stringify(runner.tags),
      // One of several says otherwise.
      CI_NODE_TOTAL: '1',
    }),
  ];
};
