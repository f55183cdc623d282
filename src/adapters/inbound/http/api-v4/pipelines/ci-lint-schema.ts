import { Type, type Static } from '@sinclair/typebox';
import type { Lint, LintedJob } from '../../../../../application/pipelines/lint-ci-files.js';
import { mayFail, WHENS } from '../../../../../domain/pipelines/ci-file/ci-config.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';

const texts = Type.Array(Type.String());

const CiLintJobSchema = component(
  'schemas/CiLintJob',
  Type.Object({
    name: Type.String(),
    stage: Type.String(),
    before_script: texts,
    script: texts,
    after_script: texts,
    tag_list: texts,
    environment: nullable(Type.String()),
    when: Type.Unsafe<string>({ type: 'string', enum: WHENS }),
    allow_failure: Type.Boolean(),
    needs: nullable(Type.Array(Type.Object({ name: Type.String(), artifacts: Type.Boolean() }))),
  }),
);

export const CiLintSchema = component(
  'schemas/CiLint',
  Type.Object({
    valid: Type.Boolean(),
    merged_yaml: nullable(
      Type.String({ description: 'The file with all that it includes and repeats; null where that can’t be had' }),
    ),
    errors: texts,
    warnings: texts,
    jobs: Type.Optional(Type.Array(CiLintJobSchema, { description: 'Where `include_jobs` asks for them' })),
  }),
);

export const GlobalCiLintSchema = component(
  'schemas/GlobalCiLint',
  Type.Object({
    status: Type.Unsafe<string>({ type: 'string', enum: ['valid', 'invalid'] }),
    errors: texts,
    warnings: texts,
    merged_yaml: nullable(Type.String()),
  }),
);

export const presentLint = ({ errors, warnings, mergedYaml, jobs }: Lint, includeJobs: boolean) => ({
  valid: errors.length === 0,
  merged_yaml: mergedYaml,
  errors: [...errors],
  warnings: [...warnings],
  ...(includeJobs ? { jobs: jobs.map(presentJob) } : {}),
});

const presentJob = ({ job, planned }: LintedJob): Static<typeof CiLintJobSchema> => {
  const { script, afterScript, environment } = job.options;
  const { name, when, allowFailure, needs } = planned ?? { ...job, allowFailure: mayFail(job) };
  return {
    name,
    stage: job.stage,
    before_script: script.slice(0, job.before),
    script: script.slice(job.before),
    after_script: [...afterScript],
    tag_list: [...job.tags],
    environment: environment?.name ?? null,
    when,
    allow_failure: allowFailure,
    needs: needs?.map((need) => ({ name: need.name, artifacts: need.artifacts })) ?? null,
  };
};
