import { isElsewhere } from '../shared/ci-config-path.js';
import type { KnownEnvironment } from './job-environment.js';
import { codeRefOf, type Pipeline } from './pipeline.js';

/** What a signed token says of the job that shows it. */
export interface ClaimedJob {
  readonly job: { readonly id: number; readonly protectedRef: boolean };
  readonly pipeline: Pick<Pipeline, 'id' | 'source' | 'ref' | 'tag' | 'sourceBranch' | 'sha'>;
  readonly project: {
    readonly id: number;
    readonly fullPath: string;
    readonly visibility: string;
    readonly namespace: { readonly id: number; readonly fullPath: string };
  };
  readonly user: { readonly id: number; readonly username: string };
  readonly runner: { readonly id: number };
  readonly environment: KnownEnvironment | null;
  /** What the job does with it, as its file says. */
  readonly action: string | undefined;
  /** Of the CI file that it is from. */
  readonly configPath: string;
  /** The public address of the service. */
  readonly server: string;
}

/** By the usual names, so that whoever trusts jobs elsewhere can ask for the same. Numbers are texts, but for that of the runner. */
export const claimsOf = (claimed: ClaimedJob): Readonly<Record<string, unknown>> => {
  const { job, pipeline, project, user, runner, environment, action, configPath, server } = claimed;
  const { ref, tag } = codeRefOf(pipeline);
  const [type, path] = tag ? ['tag', `refs/tags/${ref}`] : ['branch', `refs/heads/${ref}`];
  return {
    sub: `project_path:${project.fullPath}:ref_type:${type}:ref:${ref}`,
    ...{ namespace_id: String(project.namespace.id), namespace_path: project.namespace.fullPath },
    ...{ project_id: String(project.id), project_path: project.fullPath, project_visibility: project.visibility },
    ...{ user_id: String(user.id), user_login: user.username },
    ...{ pipeline_id: String(pipeline.id), pipeline_source: pipeline.source, job_id: String(job.id) },
    ...{ ref, ref_type: type, ref_path: path, ref_protected: String(job.protectedRef), sha: pipeline.sha },
    ...{ runner_id: runner.id, runner_environment: 'self-hosted' },
    // Of a file of another project neither is known for certain: it is the one that was there when the pipeline was made.
    ...(isElsewhere(configPath)
      ? { ci_config_ref_uri: null, ci_config_sha: null }
      : {
          ci_config_ref_uri: `${server.replace(/^\w+:\/\//, '')}/${project.fullPath}//${configPath}@${path}`,
          ci_config_sha: pipeline.sha,
        }),
    ...(environment !== null && {
      ...{ environment: environment.name, environment_protected: 'false', deployment_tier: environment.tier },
      environment_action: action,
    }),
  };
};
