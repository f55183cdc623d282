import { Type } from '@sinclair/typebox';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { TEMPLATE_KINDS } from '../../../../../domain/templates/template.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import type { Route } from '../../route.js';
import { oneOf, pathId } from '../../validation/parameters.js';
import { BLANKS, holderOf, type TemplateRoutesParts } from './template-routes.js';
import {
  LicenseSchema,
  presentLicense,
  presentTemplate,
  TemplateNameSchema,
  TemplateSchema,
} from './template-schema.js';

type Parts = TemplateRoutesParts & { readonly access: WorkspaceAccess };

const { list, get } = routesOf({ tag: 'Templates' });
const ALL = '/projects/:id/templates/:type';
const LICENSES = 'licenses';
const IN_PATH = { id: PROJECT_ID, type: oneOf([...TEMPLATE_KINDS, LICENSES], { description: 'The kind of template' }) };

const listProjectTemplates = ({ access, templates }: Parts) =>
  list(ALL, 'listProjectTemplates', {
    summary: 'Templates for files of a project',
    access: 'anyone',
    parameters: IN_PATH,
    items: TemplateNameSchema,
    guard: inProject(access, 'read_project'),
    read: async ({ parameters: { type }, page }) => {
      if (type === LICENSES) return pageOfList(templates.licenses(), page);
      const keys = await templates.keys(type);
      return pageOfList(
        keys.map((key) => ({ key, name: key })),
        page,
      );
    },
    present: ({ key, name }) => ({ key, name }),
  });

const getProjectTemplate = (parts: Parts) =>
  get(`${ALL}/:name`, 'getProjectTemplate', {
    summary: 'One template for a file of a project',
    description: 'A license has its blanks filled in; what is licensed is the project unless `project` says otherwise.',
    access: 'anyone',
    parameters: { ...IN_PATH, name: pathId('Key of the template'), ...BLANKS },
    answer: Type.Union([LicenseSchema, TemplateSchema]),
    guard: inProject(parts.access, 'read_project'),
    handle: async ({ actor, subject, parameters: { type, name, project, fullname } }) => {
      const { templates } = parts;
      if (type !== LICENSES) return presentTemplate(orNotFound(await templates.find(type, name), 'Template'));
      const holder = await holderOf(parts, actor, fullname);
      const blanks = given({ holder, project: project || subject.project.name });
      return presentLicense(orNotFound(await templates.license(name, blanks), 'Template'));
    },
  });

export const createProjectTemplateRoutes = (parts: Parts): readonly Route[] => [
  listProjectTemplates(parts),
  getProjectTemplate(parts),
];
