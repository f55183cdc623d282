import { Type } from '@sinclair/typebox';
import { route, type Route } from '../../route.js';
import { parameters } from '../../validation/parameters.js';

/** The release of the API that clients find here; they decide by it what they may ask for. */
const API_RELEASE = '13.5.0';

export interface VersionRoutesParts {
  /** Of the package. */
  readonly version: string;
}

const VersionSchema = Type.Object({ version: Type.String(), revision: Type.String() });

export const createVersionRoutes = ({ version }: VersionRoutesParts): readonly Route[] => {
  const body = { version: `${API_RELEASE}-gatehouse.${version}`, revision: version };
  const getVersion = route({
    method: 'get',
    path: '/version',
    operationId: 'getVersion',
    summary: 'Who answers',
    tag: 'Version',
    access: 'user',
    scopes: ['read_user'],
    parameters: parameters({}),
    responses: { 200: VersionSchema },
    handle: () => Promise.resolve({ body }),
  });
  const getMetadata = route({
    method: 'get',
    path: '/metadata',
    operationId: 'getMetadata',
    summary: 'Who answers, and with what',
    tag: 'Version',
    access: 'user',
    scopes: ['read_user'],
    parameters: parameters({}),
    responses: { 200: Type.Object({ ...VersionSchema.properties, enterprise: Type.Boolean() }) },
    handle: () => Promise.resolve({ body: { ...body, enterprise: false } }),
  });
  return [getVersion, getMetadata];
};
