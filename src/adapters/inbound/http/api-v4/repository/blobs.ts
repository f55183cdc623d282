import { Type } from '@sinclair/typebox';
import type { ObjectInfo } from '../../../../../application/repositories/ports/object-stores.js';
import { isObjectId } from '../../../../../domain/repositories/object-id.js';
import { foundByName, PROJECT_ID } from '../../kit/guards.js';
import { component } from '../../openapi/component.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId } from '../../validation/parameters.js';
import { bytesOf, PLAIN, readBlob, withContent } from './bytes.js';
import { inCode, type CodeRoutesParts } from './code-routes-parts.js';

const ONE = '/projects/:id/repository/blobs/:sha';
const IN_PATH = { id: PROJECT_ID, sha: pathId('Id of the blob') };
const JSON_TYPE = { 'Content-Type': 'application/json' } as const;

const BlobSchema = component(
  'schemas/Blob',
  Type.Object({
    size: Type.Integer(),
    encoding: Type.Literal('base64'),
    sha: Type.String(),
    content: Type.String({ description: 'In base64, without line ends' }),
  }),
);

interface FoundBlob {
  readonly store: string;
  readonly info: ObjectInfo;
}

const inBlob = (parts: CodeRoutesParts) =>
  foundByName('Blob', 'sha', inCode(parts), async (place, sha): Promise<FoundBlob | undefined> => {
    const repository = isObjectId(sha) ? await parts.revisions.repositoryOf(place) : undefined;
    const info = repository && (await parts.objects.info(repository.store, sha));
    return info?.type === 'blob' ? { store: repository!.store, info } : undefined;
  });

const getBlob = (parts: CodeRoutesParts): Route =>
  route({
    method: 'get',
    path: ONE,
    operationId: 'getBlob',
    summary: 'A blob, with its content in base64',
    tag: 'Repositories',
    access: 'anyone',
    parameters: parameters(IN_PATH),
    responses: { 200: BlobSchema },
    guard: inBlob(parts),
    handle: ({ subject: { blob } }) => {
      const fields = { size: blob.info.size, encoding: 'base64', sha: blob.info.id };
      const bytes = async () => withContent(fields, await readBlob(parts.objects, blob.store, blob.info));
      return Promise.resolve({ bytes, headers: JSON_TYPE });
    },
  });

const getRawBlob = (parts: CodeRoutesParts): Route =>
  route({
    method: 'get',
    path: `${ONE}/raw`,
    operationId: 'getRawBlob',
    summary: 'The bytes of a blob',
    tag: 'Repositories',
    access: 'anyone',
    parameters: parameters(IN_PATH),
    responses: { 200: bytesOf('text/plain') },
    guard: inBlob(parts),
    handle: ({ subject: { blob } }) =>
      Promise.resolve({
        bytes: () => readBlob(parts.objects, blob.store, blob.info),
        headers: { ...PLAIN, 'Content-Disposition': 'inline', 'Content-Length': String(blob.info.size) },
      }),
  });

export const createBlobRoutes = (parts: CodeRoutesParts): readonly Route[] => [getBlob(parts), getRawBlob(parts)];
