import { Type } from '@sinclair/typebox';
import type { CiRunner } from '../../../../../domain/pipelines/ci-runner.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Group } from '../../../../../domain/workspace/namespace.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
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
    groups: Type.Array(Type.Object({ id: Type.Integer(), web_url: Type.String(), name: Type.String() }), {
      description: 'The group whose jobs it takes, where it is one of a group',
    }),
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

export interface RunnerContext {
  readonly projects: readonly ProjectId[];
  readonly group: Group | null;
  readonly urls: WebUrls;
  readonly now: Date;
}

export const presentRunnerDetail = (runner: CiRunner, { projects, group, urls, now }: RunnerContext) => ({
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
  groups: group === null ? [] : [{ id: group.id, web_url: urls.group(group.fullPath), name: group.name }],
});

export const RunnerTokenSchema = component(
  'schemas/RunnerToken',
  Type.Object({ token: Type.String({ description: 'Shown this once' }), token_expires_at: Type.Null() }),
);
