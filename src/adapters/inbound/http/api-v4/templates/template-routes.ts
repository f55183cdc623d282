import { Type } from '@sinclair/typebox';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { Templates } from '../../../../../application/templates/templates.js';
import type { TemplateKind } from '../../../../../domain/templates/template.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import type { Route } from '../../route.js';
import { pathId, text } from '../../validation/parameters.js';
import {
  LicenseSchema,
  presentLicense,
  presentTemplate,
  presentTemplateName,
  TemplateNameSchema,
  TemplateSchema,
} from './template-schema.js';

export interface TemplateRoutesParts {
  readonly templates: Templates;
  readonly users: Pick<UserReader, 'find'>;
}
type Parts = TemplateRoutesParts;

const { list, get } = routesOf({ tag: 'Templates' });
const LICENSES = '/templates/licenses';
const MAX_BLANK = 255;

/** The templates of one kind, under one address. */
interface Shelf {
  readonly kind: TemplateKind;
  readonly path: string;
  /** What one is called in refusals. */
  readonly noun: string;
  /** For names of operations. */
  readonly operation: string;
  /** For people. */
  readonly words: string;
}

const SHELVES: readonly Shelf[] = [
  {
    kind: 'gitignores',
    path: '/templates/gitignores',
    noun: 'gitignore',
    operation: 'Gitignore',
    words: '.gitignore files',
  },
  {
    kind: 'gitlab_ci_ymls',
    path: '/templates/platform_ci_ymls',
    noun: 'platform_ci_yml',
    operation: 'PlatformCiYml',
    words: 'CI files',
  },
  {
    kind: 'gitlab_ci_ymls',
    path: '/templates/gitlab_ci_ymls',
    noun: 'gitlab_ci_yml',
    operation: 'GitlabCiYml',
    words: 'CI files, under the name that clients know',
  },
  {
    kind: 'dockerfiles',
    path: '/templates/dockerfiles',
    noun: 'dockerfile',
    operation: 'Dockerfile',
    words: 'Dockerfiles',
  },
];

const listTemplates = ({ templates }: Parts, { kind, path, operation, words }: Shelf) =>
  list(path, `list${operation}Templates`, {
    summary: `Templates of ${words}`,
    access: 'anyone',
    scopes: 'any',
    parameters: {},
    items: TemplateNameSchema,
    read: async ({ page }) => pageOfList(await templates.keys(kind), page),
    present: presentTemplateName,
  });

const getTemplate = ({ templates }: Parts, { kind, path, noun, operation, words }: Shelf) =>
  get(`${path}/:key`, `get${operation}Template`, {
    summary: `One of the templates of ${words}`,
    access: 'anyone',
    scopes: 'any',
    parameters: { key: pathId('Key of the template') },
    answer: TemplateSchema,
    handle: async ({ parameters: { key } }) => presentTemplate(orNotFound(await templates.find(kind, key), noun)),
  });

const listLicenses = ({ templates }: Parts) =>
  list(LICENSES, 'listLicenseTemplates', {
    summary: 'Licenses',
    description: 'With their texts as they were written; one license alone has its blanks filled in.',
    access: 'anyone',
    scopes: 'any',
    parameters: { popular: Type.Optional(Type.Boolean({ description: 'Only the best known, or only the others' })) },
    items: LicenseSchema,
    read: ({ parameters: { popular }, page }) => {
      const wanted = templates.licenses().filter((license) => popular === undefined || license.popular === popular);
      const { items, ...rest } = pageOfList(wanted, page);
      return Promise.resolve({ ...rest, batches: templates.withTexts(items) });
    },
    present: presentLicense,
  });

/** What stands in the blanks of a license. */
export const BLANKS = {
  project: Type.Optional(text(MAX_BLANK, 'Name of what is licensed')),
  fullname: Type.Optional(text(MAX_BLANK, 'Who holds the copyright; by default the caller')),
};

/** Who a license names: the caller, unless somebody else is asked for. */
export const holderOf = async ({ users }: Parts, actor: Actor, fullname = ''): Promise<string | undefined> => {
  if (fullname !== '') return fullname;
  return actor.kind === 'user' ? (await users.find(actor.id))?.name : undefined;
};

const getLicense = (parts: Parts) =>
  get(`${LICENSES}/:key`, 'getLicenseTemplate', {
    summary: 'One license, its blanks filled in',
    access: 'anyone',
    parameters: {
      key: pathId('Key of the license, as in `mit`'),
      ...BLANKS,
    },
    answer: LicenseSchema,
    handle: async ({ actor, parameters: { key, project, fullname } }) => {
      const holder = await holderOf(parts, actor, fullname);
      const license = await parts.templates.license(key, given({ holder, project: project || undefined }));
      return presentLicense(orNotFound(license, 'License'));
    },
  });

export const createTemplateRoutes = (parts: Parts): readonly Route[] => [
  listLicenses(parts),
  getLicense(parts),
  ...SHELVES.flatMap((shelf) => [listTemplates(parts, shelf), getTemplate(parts, shelf)]),
];
