import { Type } from '@sinclair/typebox';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { foundByName, PROJECT_ID } from '../../kit/guards.js';
import { given } from '../../kit/given.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Route } from '../../route.js';
import { oneOf, parameters, pathId, text } from '../../validation/parameters.js';
import { inCode, MAX_NAME, type CodeRoutesParts } from './code-routes-parts.js';
import { presentTag, TagSchema } from './present-tag.js';

const TAG = 'Tags';
const ALL = '/projects/:id/repository/tags';

const listTags = (parts: CodeRoutesParts): Route =>
  pagedList({
    path: ALL,
    operationId: 'listTags',
    summary: 'Tags',
    tag: TAG,
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      order_by: oneOf(['updated', 'name', 'version'], {
        default: 'updated',
        description: 'By the time of its commit, by name, or by the numbers in its name',
      }),
      sort: oneOf(['asc', 'desc'], { default: 'desc' }),
      search: Type.Optional(
        text(MAX_NAME, 'Part of the name: `^` before it means the beginning, `$` after it the end'),
      ),
    },
    items: TagSchema,
    guard: inCode(parts),
    read: ({ subject, parameters: { order_by: orderBy, sort, search }, page }) =>
      parts.tags.list(subject, { ...given({ search }), orderBy, sort, page }),
    present: (tag, { subject: { project } }) => presentTag(tag, project, parts.urls),
  });

const ONE = { id: PROJECT_ID, tag_name: pathId('Its name, URL-encoded') };

const inTag = (parts: CodeRoutesParts) =>
  foundByName('Tag', 'tag_name', inCode(parts), (place, name) => parts.tags.find(place, name));

const getTag = (parts: CodeRoutesParts): Route =>
  route({
    method: 'get',
    path: `${ALL}/:tag_name`,
    operationId: 'getTag',
    summary: 'One tag',
    tag: TAG,
    access: 'anyone',
    parameters: parameters(ONE),
    responses: { 200: TagSchema },
    guard: inTag(parts),
    handle: ({ subject: { project, tag } }) => Promise.resolve({ body: presentTag(tag, project, parts.urls) }),
  });

/** Of tags, platforms tell X.509 signatures alone, and the service has nothing to hold one against. */
const getTagSignature = (parts: CodeRoutesParts): Route =>
  route({
    method: 'get',
    path: `${ALL}/:tag_name/signature`,
    operationId: 'getTagSignature',
    summary: 'The X.509 signature of a tag: none is told, whatever it carries',
    tag: TAG,
    access: 'anyone',
    parameters: parameters(ONE),
    responses: {},
    guard: inTag(parts),
    handle: () => Promise.reject(new NotFound('Signature')),
  });

export const createTagRoutes = (parts: CodeRoutesParts): readonly Route[] => [
  listTags(parts),
  getTag(parts),
  getTagSignature(parts),
];
