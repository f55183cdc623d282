import type { Packages } from '../../../../../application/packages/packages.js';
import type { PackageFilter, PackageReader } from '../../../../../application/packages/ports/package-ports.js';
import { Type } from '@sinclair/typebox';
import { PACKAGE_STATUSES } from '../../../../../domain/packages/package.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { given } from '../../kit/given.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { oneOf, pathId, text, type ParametersOf } from '../../validation/parameters.js';
import type { IdentifyActor } from '../../authentication/identify-actor.js';
import type { WebUrls } from '../../web-urls.js';
import type { PackageAccess } from './package-callers.js';

export interface PackageRoutesParts extends PackageAccess {
  readonly packages: Packages;
  readonly packageReader: PackageReader;
  readonly identifyActor: IdentifyActor;
  readonly urls: Pick<WebUrls, 'api'>;
}

export const PACKAGES_TAG = 'Packages';
export const ALL_PACKAGES = '/projects/:id/packages';
export const ONE_PACKAGE = `${ALL_PACKAGES}/:package_id`;
export const IN_PACKAGE = { id: PROJECT_ID, package_id: pathId('Numeric id of the package') };

/** Registries elsewhere keep packages of these kinds, too: here is none of them. */
const TYPES = [
  ...(['conan', 'maven', 'npm', 'pypi', 'composer', 'nuget', 'helm', 'terraform_module', 'golang', 'debian'] as const),
  ...(['generic', 'rubygems', 'rpm', 'cargo', 'ml_model'] as const),
];

export const FILTERS = {
  package_name: Type.Optional(text(255, 'A part of the name')),
  package_version: Type.Optional(text(255, 'The whole version')),
  package_type: Type.Optional(oneOf(TYPES, { description: 'All are `generic` here' })),
  status: Type.Optional(oneOf(PACKAGE_STATUSES, { description: 'Those that are `default` unless told' })),
  order_by: oneOf(['created_at', 'name', 'version', 'type'], { default: 'created_at' }),
  sort: oneOf(['asc', 'desc'], { default: 'asc' }),
};

const NONE: Page<never> = { items: [], hasNext: false, total: 0 };

/** Lists those that a client asks for. */
export const listFiltered = async <Item>(
  asked: ParametersOf<typeof FILTERS>,
  page: PageRequest,
  list: (filter: PackageFilter) => Promise<Page<Item>>,
): Promise<Page<Item>> => {
  const { package_name: name, package_version: version, package_type: type, status, order_by: by, sort } = asked;
  if (type !== undefined && type !== 'generic') return NONE;
  return list({ ...given({ name, version, status }), orderBy: by === 'type' ? 'created_at' : by, sort, page });
};
