import { Type } from '@sinclair/typebox';
import {
  DESCRIBED_KINDS,
  type DescribedKind,
  type DescriptionTemplate,
  type DescriptionTemplates,
} from '../../../../../application/repositories/browse/description-templates.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
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

type Parts = TemplateRoutesParts & {
  readonly access: WorkspaceAccess;
  readonly descriptionTemplates: DescriptionTemplates;
};

const { list, get } = routesOf({ tag: 'Templates' });
const ALL = '/projects/:id/templates/:type';
const LICENSES = 'licenses';
const TYPES = [...TEMPLATE_KINDS, LICENSES, ...DESCRIBED_KINDS] as const;
const IN_PATH = { id: PROJECT_ID, type: oneOf(TYPES, { description: 'The kind of template' }) };

const isDescribed = (type: (typeof TYPES)[number]): type is DescribedKind =>
  DESCRIBED_KINDS.some((kind) => kind === type);

/** Those that its code has; none for whoever may not read that. */
const descriptionsFor = async (
  { access, descriptionTemplates }: Parts,
  actor: Actor,
  place: PermittedProject<'read_project'>,
  kind: DescribedKind,
): Promise<readonly DescriptionTemplate[]> => {
  const code = access.alsoWhere(actor, place, 'read_code');
  return code === undefined ? [] : descriptionTemplates.of(code, kind);
};

const listProjectTemplates = (parts: Parts) =>
  list(ALL, 'listProjectTemplates', {
    summary: 'Templates for files of a project, and for descriptions of its issues and merge requests',
    description:
      'The latter are the Markdown files in `.platform/issue_templates` and `.platform/merge_request_templates` of its default branch, or in the same folders of `.gitlab`.',
    access: 'anyone',
    parameters: IN_PATH,
    items: TemplateNameSchema,
    guard: inProject(parts.access, 'read_project'),
    read: async ({ actor, subject, parameters: { type }, page }) => {
      const { templates } = parts;
      const named = ({ name }: { readonly name: string }) => ({ key: name, name });
      if (isDescribed(type)) return pageOfList((await descriptionsFor(parts, actor, subject, type)).map(named), page);
      if (type === LICENSES) return pageOfList(templates.licenses(), page);
      const keys = await templates.keys(type);
      return pageOfList(
        keys.map((name) => named({ name })),
        page,
      );
    },
    present: ({ key, name }) => ({ key, name }),
  });

const getProjectTemplate = (parts: Parts) =>
  get(`${ALL}/:name`, 'getProjectTemplate', {
    summary: 'One template for a file of a project, or for a description',
    description: 'A license has its blanks filled in; what is licensed is the project unless `project` says otherwise.',
    access: 'anyone',
    parameters: { ...IN_PATH, name: pathId('Key of the template'), ...BLANKS },
    answer: Type.Union([LicenseSchema, TemplateSchema]),
    guard: inProject(parts.access, 'read_project'),
    handle: async ({ actor, subject, parameters: { type, name, project, fullname } }) => {
      const { templates } = parts;
      if (isDescribed(type)) {
        const found = (await descriptionsFor(parts, actor, subject, type)).find((template) => template.name === name);
        return { name, content: orNotFound(await found?.read(), 'Template') };
      }
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
