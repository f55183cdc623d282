import { Type } from '@sinclair/typebox';
import { component } from '../../openapi/component.js';
import type { ApiChange } from '../../api-v3/changes/api-change.js';

export const ApiChangeSchema = component(
  'schemas/ApiChange',
  Type.Object({
    release: Type.String({ description: 'The release that made the change' }),
    before: Type.String({ description: 'In version 3' }),
    after: Type.String({ description: 'In version 4' }),
    description: Type.String(),
  }),
);

export const presentApiChange = ({ release, before, after, description }: ApiChange) => ({
  release,
  before,
  after,
  description,
});
