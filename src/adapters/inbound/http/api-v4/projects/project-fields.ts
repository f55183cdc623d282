import { Type } from '@sinclair/typebox';
import type { CreateProjectCommand } from '../../../../../application/workspace/projects.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { VISIBILITIES } from '../../../../../domain/shared/visibility.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { nullable, oneOf, text, type ParametersOf } from '../../validation/parameters.js';

/** What is sent of a project that is created or changed. */
export const FIELDS = {
  name: Type.Optional(text(1_000)),
  path: Type.Optional(text(1_000)),
  description: Type.Optional(nullable(text(10_000))),
  visibility: Type.Optional(oneOf(VISIBILITIES)),
  default_branch: Type.Optional(nullable(text(1_000))),
  merge_when_pipeline_succeeds: Type.Optional(Type.Boolean()),
};
type Fields = ParametersOf<typeof FIELDS>;

/** What was given, in the words of the application; what was not given stays out. */
export const changesIn = (fields: Fields) => {
  const { name, path, description, visibility, default_branch: defaultBranch } = fields;
  const { merge_when_pipeline_succeeds: mergeWhenPipelineSucceeds } = fields;
  return given({ name, path, description, visibility, defaultBranch, mergeWhenPipelineSucceeds });
};

export const creationBy = (creatorId: UserId, fields: Fields): CreateProjectCommand => {
  if (fields.name === undefined && fields.path === undefined) {
    throw new HttpError(400, 'name, path are missing, at least one parameter must be provided');
  }
  return {
    description: null,
    visibility: 'private',
    defaultBranch: null,
    mergeWhenPipelineSucceeds: false,
    ...changesIn(fields),
    creatorId,
  };
};
