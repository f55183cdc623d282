import { Type } from '@sinclair/typebox';
import type { Group } from '../../../../../domain/workspace/namespace.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';

export const GroupSchema = component(
  'schemas/Group',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String(),
    description: Type.String(),
    visibility: Type.String(),
    avatar_url: nullable(Type.String()),
    web_url: Type.String(),
    full_name: Type.String(),
    full_path: Type.String(),
    parent_id: nullable(Type.Integer()),
    request_access_enabled: Type.Boolean(),
    created_at: Type.String({ format: 'date-time' }),
  }),
);

export const presentGroup = (group: Group, urls: WebUrls) => ({
  id: group.id,
  name: group.name,
  path: group.path,
  description: group.description,
  visibility: group.visibility,
  avatar_url: null,
  web_url: urls.group(group.fullPath),
  full_name: group.fullName,
  full_path: group.fullPath,
  parent_id: group.parentId,
  request_access_enabled: group.requestAccessEnabled,
  created_at: group.createdAt.toISOString(),
});
