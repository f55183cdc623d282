import { Type } from '@sinclair/typebox';
import type { ScheduleDetails } from '../../../../../application/pipelines/ports/schedule-ports.js';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { jsonOf, type CiMap } from '../../../../../domain/pipelines/ci-file/ci-value.js';
import type { CiValue } from '../../../../../domain/pipelines/predefined-variables.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { BasicPipelineSchema, presentBasicPipeline } from './pipeline-schema.js';

const instant = Type.String({ format: 'date-time' });

const BASIC = {
  id: Type.Integer(),
  description: Type.String(),
  ref: Type.String({ description: 'A branch or tag' }),
  cron: Type.String(),
  cron_timezone: Type.String(),
  next_run_at: nullable(Type.String({ format: 'date-time', description: 'Null while it is not active' })),
  active: Type.Boolean(),
  created_at: instant,
  updated_at: instant,
  owner: nullable(BasicUserSchema),
};

export const BasicScheduleSchema = component('schemas/BasicPipelineSchedule', Type.Object(BASIC));

export const ScheduleVariableSchema = component(
  'schemas/PipelineScheduleVariable',
  Type.Object({
    variable_type: Type.String({ description: '`env_var` or `file`' }),
    key: Type.String(),
    value: Type.String(),
    raw: Type.Boolean({
      description: 'Always false: what looks like another variable in its value is put in its place',
    }),
  }),
);

const ScheduleInputSchema = component(
  'schemas/PipelineScheduleInput',
  Type.Object({ name: Type.String(), value: Type.Unknown({ description: 'A text, a number, a boolean or a list' }) }),
);

export const ScheduleSchema = component(
  'schemas/PipelineSchedule',
  Type.Object({
    ...BASIC,
    last_pipeline: nullable(BasicPipelineSchema),
    variables: Type.Optional(
      Type.Array(ScheduleVariableSchema, { description: 'For its owner and for Maintainers alone' }),
    ),
    inputs: Type.Optional(Type.Array(ScheduleInputSchema, { description: 'For the same people' })),
  }),
);

export const presentBasicSchedule = (schedule: ScheduleDetails, urls: WebUrls) => ({
  id: schedule.id,
  description: schedule.description,
  ref: schedule.ref,
  cron: schedule.cron,
  cron_timezone: schedule.cronTimezone,
  next_run_at: schedule.nextRunAt?.toISOString() ?? null,
  active: schedule.active,
  created_at: schedule.createdAt.toISOString(),
  updated_at: schedule.updatedAt.toISOString(),
  owner: schedule.owner && presentPerson(schedule.owner, urls),
});

export const presentScheduleVariable = ({ key, value, file }: CiValue) => ({
  variable_type: file === true ? 'file' : 'env_var',
  key,
  value,
  raw: false,
});

interface Around {
  readonly projectPath: string;
  readonly urls: WebUrls;
  readonly last: Pipeline | undefined;
  /** What it gives; undefined for who may not see that. */
  readonly given: { readonly variables: readonly CiValue[]; readonly inputs: CiMap } | undefined;
}

export const presentSchedule = (schedule: ScheduleDetails, { projectPath, urls, last, given }: Around) => ({
  ...presentBasicSchedule(schedule, urls),
  last_pipeline: last === undefined ? null : presentBasicPipeline(last, projectPath, urls),
  ...(given && {
    variables: given.variables.map(presentScheduleVariable),
    inputs: [...given.inputs].map(([name, value]) => ({ name, value: jsonOf(value) })),
  }),
});
