import { Type } from '@sinclair/typebox';
import type { DeploymentDetails } from '../../../../../application/environments/ports/environment-ports.js';
import type { Environment } from '../../../../../domain/environments/environment.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { CiJobSchema } from '../pipelines/ci-job-schema.js';
import { BasicProjectSchema } from '../projects/project-schema.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';

const instant = Type.String({ format: 'date-time' });

const BASIC = {
  id: Type.Integer(),
  name: Type.String(),
  slug: Type.String({ description: 'The name as it can stand in an address' }),
  external_url: nullable(Type.String()),
  created_at: instant,
  updated_at: instant,
};

/** An environment as deployments name it. */
const BasicEnvironmentSchema = component('schemas/BasicEnvironment', Type.Object(BASIC));

export const DeploymentSchema = component(
  'schemas/Deployment',
  Type.Object({
    id: Type.Integer(),
    iid: Type.Integer({ description: 'Counted within the project' }),
    ref: Type.String({ description: 'A branch or tag' }),
    sha: Type.String(),
    created_at: instant,
    updated_at: instant,
    user: BasicUserSchema,
    environment: BasicEnvironmentSchema,
    deployable: nullable(CiJobSchema),
    status: Type.String({
      description: '`created`, `running`, `success`, `failed`, `canceled` or `skipped`',
    }),
  }),
);

/** An environment, with its project in the form of lists. */
export const EnvironmentSchema = component(
  'schemas/Environment',
  Type.Object({
    ...BASIC,
    tier: Type.String({ description: '`production`, `staging`, `testing`, `development` or `other`' }),
    state: Type.String({ description: '`available`, `stopping` or `stopped`' }),
    auto_stop_at: nullable(instant),
    project: BasicProjectSchema,
    last_deployment: Type.Optional(nullable(DeploymentSchema)),
  }),
);

const presentBasicEnvironment = (environment: Environment) => ({
  id: environment.id,
  name: environment.name,
  slug: environment.slug,
  external_url: environment.externalUrl,
  created_at: environment.createdAt.toISOString(),
  updated_at: environment.updatedAt.toISOString(),
});

/** @param project as lists show it. */
export const presentEnvironment = (environment: Environment, project: object) => ({
  ...presentBasicEnvironment(environment),
  tier: environment.tier,
  state: environment.state,
  auto_stop_at: environment.autoStopAt?.toISOString() ?? null,
  project,
});

/** @param deployable its job, as jobs are shown. */
export const presentDeployment = (deployment: DeploymentDetails, deployable: object | null, urls: WebUrls) => ({
  id: deployment.id,
  iid: deployment.iid,
  ref: deployment.ref,
  sha: deployment.sha,
  created_at: deployment.createdAt.toISOString(),
  updated_at: deployment.updatedAt.toISOString(),
  user: presentPerson(deployment.user, urls),
  environment: presentBasicEnvironment(deployment.environment),
  deployable,
  status: deployment.status,
});
