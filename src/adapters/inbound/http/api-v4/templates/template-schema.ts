import { Type } from '@sinclair/typebox';
import type { License } from '../../../../../domain/templates/license.js';
import type { Template } from '../../../../../domain/templates/template.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';

export const TemplateNameSchema = component(
  'schemas/TemplateName',
  Type.Object({ key: Type.String(), name: Type.String() }),
);

export const TemplateSchema = component(
  'schemas/Template',
  Type.Object({ name: Type.String(), content: Type.String() }),
);

export const LicenseSchema = component(
  'schemas/License',
  Type.Object({
    key: Type.String(),
    name: Type.String(),
    nickname: nullable(Type.String()),
    html_url: Type.String(),
    source_url: Type.Null(),
    popular: Type.Boolean(),
    description: Type.String(),
    conditions: Type.Array(Type.String()),
    permissions: Type.Array(Type.String()),
    limitations: Type.Array(Type.String()),
    content: Type.String(),
  }),
);

export const presentTemplateName = (key: string) => ({ key, name: key });

export const presentTemplate = ({ key, content }: Template) => ({ name: key, content });

export const presentLicense = ({ url, ...license }: License) => ({
  key: license.key,
  name: license.name,
  nickname: license.nickname,
  html_url: url,
  source_url: null,
  popular: license.popular,
  description: license.description,
  conditions: license.conditions,
  permissions: license.permissions,
  limitations: license.limitations,
  content: license.content,
});
