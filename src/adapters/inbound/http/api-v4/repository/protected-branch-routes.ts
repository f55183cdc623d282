import { Type } from '@sinclair/typebox';
import type { ProtectedRefRepository } from '../../../../../application/repositories/ports/repository-repositories.js';
import type { ProtectedRefs } from '../../../../../application/repositories/protected-refs.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId, requiredText, text, type ParametersOf } from '../../validation/parameters.js';
import { MAX_REF } from './code-writing.js';
import { pageOfAll } from './page-of-all.js';
import { presentProtectedBranch, ProtectedBranchSchema } from './protected-ref-schema.js';
import { allowedTo, protectionLevel, requireUnchanged, sentLevel, UNCHANGING } from './protection-levels.js';

export interface ProtectedRefRoutesParts {
  readonly access: WorkspaceAccess;
  readonly protectedRefs: ProtectedRefs;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf' | 'tagsOf'>;
}
type Parts = ProtectedRefRoutesParts;

const TAG = 'Protected branches';
const ALL = '/projects/:id/protected_branches';
const ONE = `${ALL}/:name`;
const IN_PATH = { id: PROJECT_ID, name: pathId('URL-encoded name or pattern') };

const LEVELS = {
  push_access_level: Type.Optional(protectionLevel('Who may push')),
  merge_access_level: Type.Optional(protectionLevel('Who may merge')),
  allow_force_push: Type.Optional(Type.Boolean({ description: 'Whether who may push may do it by force' })),
  allowed_to_push: Type.Optional(allowedTo('push_access_level')),
  allowed_to_merge: Type.Optional(allowedTo('merge_access_level')),
  ...UNCHANGING,
};

/** @throws as the levels do; Unprocessable for rules that can't be kept. */
const levelsOf = (sent: ParametersOf<typeof LEVELS>) => {
  requireUnchanged(sent);
  return given({
    pushLevel: sentLevel([
      ['push_access_level', sent.push_access_level],
      ['allowed_to_push', sent.allowed_to_push],
    ]),
    mergeLevel: sentLevel([
      ['merge_access_level', sent.merge_access_level],
      ['allowed_to_merge', sent.allowed_to_merge],
    ]),
    allowForcePush: sent.allow_force_push,
  });
};

const show = async ({ protections }: Parts, projectId: ProjectId, name: string) => {
  const branch = (await protections.branchesOf(projectId)).find((each) => each.name === name);
  if (branch === undefined) throw new NotFound();
  return presentProtectedBranch(branch);
};

export const listProtectedBranches = ({ access, protections }: Parts) =>
  pagedList({
    path: ALL,
    operationId: 'listProtectedBranches',
    summary: 'Protected branches of a project',
    tag: TAG,
    access: 'user',
    parameters: { id: PROJECT_ID, search: Type.Optional(text(MAX_REF, 'Part of the name')) },
    items: ProtectedBranchSchema,
    guard: inProject(access, 'read_protected_refs'),
    read: async ({ subject: { project }, parameters: { search = '' }, page }) =>
      pageOfAll(
        (await protections.branchesOf(project.id)).filter(({ name }) => name.includes(search)),
        page,
      ),
    present: presentProtectedBranch,
  });

export const getProtectedBranch = (parts: Parts) =>
  route({
    method: 'get',
    path: ONE,
    operationId: 'getProtectedBranch',
    summary: 'One protected branch, or pattern',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 200: ProtectedBranchSchema },
    guard: inProject(parts.access, 'read_protected_refs'),
    handle: async ({ subject: { project }, parameters: { name } }) => ({ body: await show(parts, project.id, name) }),
  });

export const protectBranch = (parts: Parts) =>
  route({
    method: 'post',
    path: ALL,
    operationId: 'protectBranch',
    summary: 'Protect a branch, or all whose names match a pattern',
    description:
      'Of several that match a branch the one that permits most decides. Maintainers push and merge unless told.',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, name: requiredText(MAX_REF, 'Name or pattern'), ...LEVELS }),
    responses: { 201: ProtectedBranchSchema },
    guard: inProject(parts.access, 'manage_protected_refs'),
    handle: async ({ subject, parameters: { name, ...sent } }) => {
      await parts.protectedRefs.protectBranch(subject, name, levelsOf(sent));
      return { status: 201, body: await show(parts, subject.project.id, name) };
    },
  });

export const editProtectedBranch = (parts: Parts) =>
  route({
    method: 'patch',
    path: ONE,
    operationId: 'editProtectedBranch',
    summary: 'Change how a branch is protected',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...IN_PATH, ...LEVELS }),
    responses: { 200: ProtectedBranchSchema },
    guard: inProject(parts.access, 'manage_protected_refs'),
    handle: async ({ subject, parameters: { name, ...sent } }) => {
      await parts.protectedRefs.editBranch(subject, name, levelsOf(sent));
      return { body: await show(parts, subject.project.id, name) };
    },
  });

export const unprotectBranch = (parts: Parts) =>
  route({
    method: 'delete',
    path: ONE,
    operationId: 'unprotectBranch',
    summary: 'Stop to protect a branch, or a pattern',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 204: null },
    guard: inProject(parts.access, 'manage_protected_refs'),
    handle: async ({ subject, parameters: { name } }) => {
      if (!(await parts.protectedRefs.unprotectBranch(subject, name))) throw new NotFound();
      return { status: 204 };
    },
  });

export const createProtectedBranchRoutes = (parts: Parts): readonly Route[] =>
  [listProtectedBranches, getProtectedBranch, protectBranch, editProtectedBranch, unprotectBranch].map((make) =>
    make(parts),
  );
