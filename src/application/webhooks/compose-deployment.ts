import { NO_OBJECT } from '../../domain/repositories/object-id.js';
import type { WebhookFacts } from '../../domain/webhooks/webhook.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { EnvironmentReader } from '../environments/ports/environment-ports.js';
import { commitOf } from './compose-pipeline.js';
import type { ComposePushParts } from './compose-push.js';

export interface ComposeDeploymentParts extends Pick<ComposePushParts, 'refs' | 'objects' | 'urls'> {
  readonly environments: Pick<EnvironmentReader, 'findDeployment'>;
}

interface Common {
  readonly user: { readonly username: string };
  readonly project: object;
}

type Facts = Extract<WebhookFacts, { kind: 'deployment' }>;

const SHORT_SHA = 8;

/** What a deployment tells its receivers that stands otherwise than before; undefined once it is gone. */
export const composeDeployment = async (
  parts: ComposeDeploymentParts,
  { user, project: presented }: Common,
  project: Project,
  { id, status, at }: Facts,
): Promise<object | undefined> => {
  const deployment = await parts.environments.findDeployment(project.id, id);
  if (deployment === undefined) return undefined;
  const { environment, jobId, sha, ref } = deployment;
  const page = parts.urls.project(project.fullPath);
  const commit = await commitOf(parts, project, sha);
  return {
    object_kind: 'deployment',
    status,
    status_changed_at: at,
    deployment_id: id,
    deployable_id: jobId,
    deployable_url: jobId === null ? null : `${page}/-/jobs/${jobId}`,
    environment: environment.name,
    environment_tier: environment.tier,
    environment_slug: environment.slug,
    environment_external_url: environment.externalUrl,
    project: presented,
    short_sha: sha.slice(0, SHORT_SHA),
    user,
    user_url: parts.urls.user(user.username),
    commit_url: `${page}/-/commit/${sha}`,
    commit_title: commit?.title ?? null,
    ref,
  };
};

/** One that never was, as receivers are tried with. */
export const sampleDeployment = (
  { urls }: Pick<ComposeDeploymentParts, 'urls'>,
  { user, project: presented }: Common,
  { fullPath, defaultBranch }: Project,
  at: string,
): object => ({
  object_kind: 'deployment',
  status: 'success',
  status_changed_at: at,
  deployment_id: 0,
  deployable_id: null,
  deployable_url: null,
  environment: 'test',
  environment_tier: 'testing',
  environment_slug: 'test',
  environment_external_url: null,
  project: presented,
  short_sha: NO_OBJECT.slice(0, SHORT_SHA),
  user,
  user_url: urls.user(user.username),
  commit_url: `${urls.project(fullPath)}/-/commit/${NO_OBJECT}`,
  commit_title: 'Test',
  ref: defaultBranch,
});
