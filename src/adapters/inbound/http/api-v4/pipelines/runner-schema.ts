import { Type } from '@sinclair/typebox';
import type { CiRunner } from '../../../../../domain/pipelines/ci-runner.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import { presentRunner, RunnerSchema } from './ci-job-schema.js';

const instant = Type.String({ format: 'date-time' });

export const RunnerDetailSchema = component(
  'schemas/RunnerDetail',
  Type.Object({
    ...RunnerSchema.properties,
    architecture: nullable(Type.String()),
    platform: nullable(Type.String()),
    revision: nullable(Type.String()),
    version: nullable(Type.String()),
    contacted_at: nullable(instant),
    created_at: instant,
    locked: Type.Boolean(),
    run_untagged: Type.Boolean(),
    access_level: Type.String({ description: '`not_protected` or `ref_protected`' }),
    maximum_timeout: nullable(Type.Integer({ description: 'Seconds' })),
    maintenance_note: nullable(Type.String()),
    tag_list: Type.Array(Type.String()),
    projects: Type.Array(Type.Object({ id: Type.Integer() }), { description: 'Whose jobs it takes' }),
    groups: Type.Array(Type.Unknown()),
  }),
);

export const NewRunnerSchema = component(
  'schemas/NewRunner',
  Type.Object({
    id: Type.Integer(),
    token: Type.String({ description: 'Shown this once' }),
    token_expires_at: Type.Null(),
  }),
);

export const presentRunnerDetail = (runner: CiRunner, projects: readonly ProjectId[], now: Date) => ({
  ...presentRunner(runner, now),
  architecture: runner.about.architecture,
  platform: runner.about.platform,
  revision: runner.about.revision,
  version: runner.about.version,
  contacted_at: runner.contactedAt?.toISOString() ?? null,
  created_at: runner.createdAt.toISOString(),
  locked: runner.locked,
  run_untagged: runner.runUntagged,
  access_level: runner.protectedOnly ? 'ref_protected' : 'not_protected',
  maximum_timeout: runner.maximumTimeout,
  maintenance_note: runner.maintenanceNote,
  tag_list: runner.tags,
  projects: projects.map((id) => ({ id })),
  groups: [],
});

export const RunnerTokenSchema = component(
  'schemas/RunnerToken',
  Type.Object({ token: Type.String({ description: 'Shown this once' }), token_expires_at: Type.Null() }),
);
