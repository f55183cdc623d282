import type { Assignment } from '../../../../../application/pipelines/give-jobs.js';
import type { CiCache, CiImage, CiService } from '../../../../../domain/pipelines/ci-file/ci-config.js';
import {
  commitVariables,
  jobVariables,
  SECRET_VARIABLES,
  type CiValue,
} from '../../../../../domain/pipelines/predefined-variables.js';
import { environmentVariables } from '../../../../../domain/pipelines/job-environment.js';
import { codeRefOf, type Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { JOB_USERNAME, ORDINARY_DEPTH } from '../../../../../domain/pipelines/ci-job.js';
import type { WebUrls } from '../../web-urls.js';
import { sentArtifacts, sentDependencies } from './artifacts-for-runner.js';
import { idTokensOf, type ClaimSigner, type SentVariable } from './job-id-tokens.js';
import { releaseStep } from './release-step.js';

const NO_COMMIT = '0'.repeat(40);

const repositoryUrl = ({ project, token }: Assignment, urls: WebUrls): string => {
  const url = new URL(urls.cloneByHttp(project.fullPath));
  url.username = JOB_USERNAME;
  url.password = token;
  return url.href;
};

const environmentIn = ({ job, pipeline, environment, told }: Assignment) => {
  const said = job.definition.options.environment;
  if (environment === null || said === null) return [];
  return environmentVariables({ said, environment, jobId: job.id, pipeline, told });
};

const ADDRESSES: Readonly<Record<string, string>> = {
  CI_MERGE_REQUEST_PROJECT_PATH: 'CI_MERGE_REQUEST_PROJECT_URL',
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'CI_MERGE_REQUEST_SOURCE_PROJECT_URL',
};

/** Beside the path of each project where it is shown. */
const withAddresses = (values: readonly CiValue[], urls: WebUrls): readonly CiValue[] =>
  values.flatMap((each) => {
    const key = ADDRESSES[each.key];
    return key === undefined ? [each] : [each, { key, value: urls.project(each.value) }];
  });

/** What wins comes last: a runner takes the last one of a name. */
const variablesOf = (assignment: Assignment, urls: WebUrls, version: string): readonly SentVariable[] => {
  const { job, pipeline, project, commit, user, runner, token, timeoutSeconds, told, kept, given, configPath } =
    assignment;
  const { image } = job.definition.options;
  const known = [
    ...commitVariables({
      project,
      commit,
      ...pipeline,
      ...codeRefOf(pipeline),
      protectedRef: job.protectedRef,
      configPath,
    }),
    ...withAddresses(assignment.ofMergeRequests, urls),
    ...jobVariables({
      job: { ...job, image: image?.name },
      ...{ pipeline, user, runner, token, timeoutSeconds, version },
      urls: {
        server: urls.root,
        api: urls.api(''),
        project: urls.project(project.fullPath),
        pipeline: urls.pipeline(project.fullPath, pipeline.id),
        job: urls.job(project.fullPath, job.id),
        repository: repositoryUrl(assignment, urls),
      },
    }),
  ];
  // Messages and titles are anybody's to write: what they seem to name isn't put into them.
  const predefined = [
    ...known.map((each) => ({ ...each, raw: each.value.includes('$') })),
    ...environmentIn(assignment),
  ];
  const open = (values: readonly CiValue[]): readonly SentVariable[] =>
    values.map(({ key, value, file, raw }) => {
      const masked = SECRET_VARIABLES.has(key);
      return { key, value, public: !masked, masked, ...(file === true && { file }), ...(raw === true && { raw }) };
    });
  return [
    ...open(predefined),
    ...open([...job.definition.variables]),
    ...open([...told]).map((each) => ({ ...each, public: false })),
    ...kept.map(({ key, value, masked, type, raw }) => ({
      ...{ key, value, public: false, masked },
      ...(type === 'file' && { file: true as const }),
      ...(raw && { raw: true as const }),
    })),
    ...open([...given]).map((each) => ({ ...each, public: false })),
  ];
};

/** Steps of a job that a runner does one after the other. */
const stepsOf = ({ job, timeoutSeconds: timeout }: Assignment) => {
  const { script, afterScript, release } = job.definition.options;
  const must = { timeout, when: 'on_success', allow_failure: false };
  return [
    { name: 'script', script, ...must },
    ...(release === undefined ? [] : [{ name: 'release', ...releaseStep(release), ...must }]),
    ...(afterScript.length === 0
      ? []
      : [{ name: 'after_script', script: afterScript, timeout, when: 'always', allow_failure: true }]),
  ];
};

const sentImage = ({ name, entrypoint, pullPolicy }: CiImage) => ({
  ...{ name, entrypoint, ports: [] },
  ...(pullPolicy.length > 0 && { pull_policy: pullPolicy }),
});

const sentService = (service: CiService) => ({
  ...sentImage(service),
  ...{ alias: service.alias ?? '', command: service.command },
  variables: service.variables.map(({ key, value }) => ({ key, value, public: true, masked: false })),
});

/** What jobs of protected branches keep isn't what others may replace. */
const sentCache = ({ key, paths, untracked, policy, when, fallbackKeys }: CiCache, protectedRef: boolean) => {
  const kept = (name: string): string => `${name}-${protectedRef ? 'protected' : 'non_protected'}`;
  const keys = { key: kept(typeof key === 'string' ? key : ''), fallback_keys: fallbackKeys.map(kept) };
  return { ...keys, paths, untracked, policy, when };
};

const WHOLE_PAST = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];

/** How many commits of the past a job is given; 0 is all. `GIT_DEPTH` says so, wherever it is set. */
const depthIn = (variables: readonly SentVariable[]): number => {
  const said = variables.findLast(({ key }) => key === 'GIT_DEPTH')?.value ?? '';
  return /^\d{1,9}$/.test(said) ? Number(said) : ORDINARY_DEPTH;
};

/** By the id of the commit: its branch may have moved on, or be gone. With the whole past come all branches and tags. */
const refspecsOf = ({ id, sha, ref, tag, sourceBranch }: Pipeline, depth: number): readonly string[] => {
  const own = `+${sha}:refs/pipelines/${id}`;
  if (depth === 0) return [own, ...WHOLE_PAST];
  if (sourceBranch !== null) return [own];
  return [own, `+${sha}:refs/${tag ? 'tags' : 'remotes/origin'}/${ref}`];
};

export interface PayloadParts {
  readonly urls: WebUrls;
  readonly version: string;
  readonly signClaims: ClaimSigner;
}

/** A job as runners take it. */
export const presentAssignment = async (assignment: Assignment, { urls, version, signClaims }: PayloadParts) => {
  const { job, token, pipeline, project, user } = assignment;
  const { image, services, cache, beforeSources = [] } = job.definition.options;
  const variables = variablesOf(assignment, urls, version);
  const depth = depthIn(variables);
  return {
    id: job.id,
    token,
    allow_git_fetch: true,
    job_info: {
      ...{ id: job.id, name: job.name, stage: job.stage, pipeline_id: pipeline.id },
      ...{ project_id: project.id, project_name: project.path, project_full_path: project.fullPath },
      ...{ namespace_id: project.namespace.id, user_id: user.id },
      time_in_queue_seconds: Math.round((job.startedAt.getTime() - (job.queuedAt ?? job.startedAt).getTime()) / 1_000),
      project_jobs_running_on_instance_runners_count: '0',
    },
    git_info: {
      repo_url: repositoryUrl(assignment, urls),
      ...{ ref: pipeline.ref, sha: pipeline.sha, before_sha: pipeline.beforeSha ?? NO_COMMIT },
      ref_type: pipeline.tag ? 'tag' : 'branch',
      refspecs: refspecsOf(pipeline, depth),
      depth,
      repo_object_format: 'sha1',
      protected: job.protectedRef,
    },
    runner_info: { timeout: assignment.timeoutSeconds, runner_session_url: null },
    inputs: [],
    variables: [...variables, ...(await idTokensOf(assignment, variables, { server: urls.root, signClaims }))],
    steps: stepsOf(assignment),
    hooks: beforeSources.length === 0 ? [] : [{ name: 'pre_get_sources_script', script: beforeSources }],
    image: image && sentImage(image),
    services: services.map(sentService),
    artifacts: sentArtifacts(assignment),
    cache: cache.map((each) => sentCache(each, job.protectedRef)),
    credentials: [],
    features: {
      trace_sections: true,
      failure_reasons: ['script_failure', 'runner_system_failure', 'job_execution_timeout'],
    },
    dependencies: sentDependencies(assignment),
    secrets: {},
  };
};
