import { Type } from '@sinclair/typebox';
import type { ShownTrigger } from '../../../../../application/pipelines/pipeline-triggers.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';

const instant = Type.String({ format: 'date-time' });

export const TriggerSchema = component(
  'schemas/PipelineTrigger',
  Type.Object({
    id: Type.Integer(),
    description: Type.String(),
    token: Type.String({ description: 'Whole for its owner, the first 4 characters for others' }),
    created_at: instant,
    updated_at: instant,
    last_used: nullable(instant),
    expires_at: Type.Null(),
    owner: BasicUserSchema,
  }),
);

export const presentTrigger = (trigger: ShownTrigger, urls: WebUrls) => ({
  id: trigger.id,
  description: trigger.description,
  token: trigger.token,
  created_at: trigger.createdAt.toISOString(),
  updated_at: trigger.updatedAt.toISOString(),
  last_used: trigger.lastUsedAt?.toISOString() ?? null,
  expires_at: null,
  owner: presentPerson(trigger.owner, urls),
});
