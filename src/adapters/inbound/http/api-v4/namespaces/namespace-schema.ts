import { Type } from '@sinclair/typebox';
import type { Namespace } from '../../../../../domain/workspace/namespace.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';

export const NamespaceSchema = component(
  'schemas/Namespace',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String(),
    kind: Type.String(),
    full_path: Type.String(),
    parent_id: nullable(Type.Integer()),
    avatar_url: nullable(Type.String()),
    web_url: Type.String(),
  }),
);

export const presentNamespace = (namespace: Namespace, urls: WebUrls) => ({
  id: namespace.id,
  name: namespace.name,
  path: namespace.path,
  kind: namespace.kind,
  full_path: namespace.fullPath,
  parent_id: namespace.parentId,
  avatar_url: null,
  web_url: namespace.kind === 'group' ? urls.group(namespace.fullPath) : urls.user(namespace.path),
});
