import { Type } from '@sinclair/typebox';
import { apiVersion } from '../../../../../domain/shared/api-version.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';

export interface VersionRoutesParts {
  /** Of the package. */
  readonly version: string;
}

const VersionSchema = Type.Object({ version: Type.String(), revision: Type.String() });

const { get } = routesOf({ tag: 'Version', scopes: ['read_user'] });

const present = ({ version }: VersionRoutesParts) => ({
  version: apiVersion(version),
  revision: version,
});

export const getVersion = (parts: VersionRoutesParts) =>
  get('/version', 'getVersion', {
    summary: 'Who answers',
    access: 'user',
    parameters: {},
    answer: VersionSchema,
    handle: () => present(parts),
  });

export const getMetadata = (parts: VersionRoutesParts) =>
  get('/metadata', 'getMetadata', {
    summary: 'Who answers, and with what',
    access: 'user',
    parameters: {},
    answer: Type.Object({ ...VersionSchema.properties, enterprise: Type.Boolean() }),
    handle: () => ({ ...present(parts), enterprise: false }),
  });

export const createVersionRoutes = (parts: VersionRoutesParts): readonly Route[] => [
  getVersion(parts),
  getMetadata(parts),
];
