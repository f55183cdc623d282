import { Type } from '@sinclair/typebox';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { given } from '../../kit/given.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Route } from '../../route.js';
import { oneOf, parameters, pathId, text } from '../../validation/parameters.js';
import { changerOf, inCode, MAX_NAME, type CodeRoutesParts } from './code-routes-parts.js';
import { BranchSchema, presentBranch } from './present-branch.js';

const TAG = 'Branches';
const ALL = '/projects/:id/repository/branches';

const SORTS = {
  name_asc: { orderBy: 'name', sort: 'asc' },
  updated_asc: { orderBy: 'updated', sort: 'asc' },
  updated_desc: { orderBy: 'updated', sort: 'desc' },
} as const;

const listBranches = (parts: CodeRoutesParts): Route =>
  pagedList({
    path: ALL,
    operationId: 'listBranches',
    summary: 'Branches',
    tag: TAG,
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      search: Type.Optional(
        text(MAX_NAME, 'Part of the name: `^` before it means the beginning, `$` after it the end'),
      ),
      regex: Type.Optional(text(255, 'A regular expression of RE2 that the name matches')),
      sort: oneOf(['name_asc', 'updated_asc', 'updated_desc'], { default: 'name_asc' }),
    },
    items: BranchSchema,
    guard: inCode(parts),
    read: ({ actor, subject, parameters: { search, regex, sort }, page }) =>
      parts.branches.list(subject, changerOf(actor, subject), { ...given({ search, regex }), ...SORTS[sort], page }),
    present: (branch, { subject: { project } }) => presentBranch(branch, project, parts.urls),
  });

const getBranch = (parts: CodeRoutesParts): Route =>
  route({
    method: 'get',
    path: `${ALL}/:branch`,
    operationId: 'getBranch',
    summary: 'One branch',
    description: 'HEAD answers 204 where it is there.',
    tag: TAG,
    access: 'anyone',
    parameters: parameters({ id: PROJECT_ID, branch: pathId('Its name, URL-encoded: `feature%2Fpumps`') }),
    responses: { 200: BranchSchema, 204: null },
    guard: inCode(parts),
    handle: async ({ actor, request, subject, parameters: { branch: name } }) => {
      const branch = await parts.branches.find(subject, changerOf(actor, subject), name);
      if (branch === undefined) throw new NotFound('Branch');
      return request.method === 'HEAD' ? { status: 204 } : { body: presentBranch(branch, subject.project, parts.urls) };
    },
  });

export const createBranchRoutes = (parts: CodeRoutesParts): readonly Route[] => [listBranches(parts), getBranch(parts)];
