import { Type } from '@sinclair/typebox';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { Branches } from '../../../../../application/repositories/browse/branches.js';
import type { ChangeRefs } from '../../../../../application/repositories/change-refs.js';
import type { ProtectedRefs } from '../../../../../application/repositories/protected-refs.js';
import type { RemoveMergedBranches } from '../../../../../application/repositories/remove-merged-branches.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { ACCEPTED, AcceptedSchema } from '../../accepted.js';
import { given } from '../../kit/given.js';
import { foundByName, inProject, PROJECT_ID } from '../../kit/guards.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId, requiredText } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { committedAtOf, MAX_REF, writerOf } from './code-writing.js';
import { BranchSchema, presentBranch } from './present-branch.js';

export interface BranchWritingRoutesParts {
  readonly access: WorkspaceAccess;
  readonly users: UserReader;
  readonly branches: Branches;
  readonly changeRefs: ChangeRefs;
  readonly protectedRefs: ProtectedRefs;
  readonly removeMergedBranches: RemoveMergedBranches;
  readonly urls: WebUrls;
}
type Parts = BranchWritingRoutesParts;

const TAG = 'Branches';
const ALL = '/projects/:id/repository/branches';
const ONE = `${ALL}/:branch`;
const BRANCH = pathId('URL-encoded name of the branch');

const show = async (
  { access, branches, urls }: Parts,
  actor: UserActor,
  { project }: Permitted<'push_code' | 'manage_protected_refs'>,
  name: string,
) => {
  // Read anew: the first branch has become the default one.
  const permitted = await access.project(actor, String(project.id), 'read_code');
  const branch = await branches.find(permitted, { level: permitted.level, admin: actor.admin }, name);
  if (branch === undefined) throw new NotFound('Branch');
  return presentBranch(branch, permitted.project, urls);
};

export const createBranch = (parts: Parts) =>
  route({
    method: 'post',
    path: ALL,
    operationId: 'createBranch',
    summary: 'Make a branch',
    description: 'In an empty repository the default branch is made first, with an empty `README.md`.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      id: PROJECT_ID,
      branch: requiredText(MAX_REF, 'Its name'),
      ref: requiredText(MAX_REF, 'Where it begins: a branch, a tag, or the id of a commit'),
    }),
    responses: { 201: BranchSchema },
    guard: inProject(parts.access, 'push_code'),
    handle: async ({ actor, subject, parameters: { branch, ref } }) => {
      await parts.changeRefs.createBranch(subject, await writerOf(parts.users, actor), branch, ref);
      return { status: 201, body: await show(parts, actor, subject, branch) };
    },
  });

export const removeBranch = (parts: Parts) =>
  route({
    method: 'delete',
    path: ONE,
    operationId: 'removeBranch',
    summary: 'Remove a branch; what it had is kept for two weeks',
    description: 'The default branch stays. Protected ones are removed by Maintainers.',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, branch: BRANCH }),
    responses: { 200: Type.Object({ branch: Type.String() }) },
    guard: foundByName('Branch', 'branch', inProject(parts.access, 'push_code'), (place, name) =>
      parts.changeRefs.findBranch(place, name),
    ),
    lastChanged: ({ branch }) => committedAtOf(branch),
    handle: async ({ actor, subject, parameters: { branch } }) => {
      await parts.changeRefs.removeBranch(subject, await writerOf(parts.users, actor), branch, subject.branch);
      return { body: { branch } };
    },
  });

export const removeMergedBranches = (parts: Parts) =>
  route({
    method: 'delete',
    path: '/projects/:id/repository/merged_branches',
    operationId: 'removeMergedBranches',
    summary: 'Remove the branches that have reached the default branch, after the answer',
    description: 'The default branch and protected ones stay.',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID }),
    responses: { 202: AcceptedSchema },
    guard: inProject(parts.access, 'push_code'),
    handle: async ({ actor, subject }) => {
      await parts.removeMergedBranches.request(subject, actor);
      return { status: 202, body: ACCEPTED };
    },
  });

const DEVELOPER = 30;
const MAINTAINER = 40;
/** Absent leaves it as it is. */
const levelOf = (developers: boolean | undefined) =>
  developers === undefined ? undefined : developers ? DEVELOPER : MAINTAINER;

export const protectBranchInPlace = (parts: Parts) =>
  route({
    method: 'put',
    path: `${ONE}/protect`,
    operationId: 'protectBranchInPlace',
    summary: 'Protect a branch, the old way',
    description: 'Use `POST /projects/:id/protected_branches`, which knows patterns and levels.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      id: PROJECT_ID,
      branch: BRANCH,
      developers_can_push: Type.Optional(Type.Boolean({ description: 'Whether developers may push to it' })),
      developers_can_merge: Type.Optional(Type.Boolean({ description: 'Whether developers may merge into it' })),
    }),
    responses: { 200: BranchSchema },
    guard: inProject(parts.access, 'manage_protected_refs'),
    handle: async ({ actor, subject, parameters: { branch, ...sent } }) => {
      await show(parts, actor, subject, branch);
      const pushLevel = levelOf(sent.developers_can_push);
      const mergeLevel = levelOf(sent.developers_can_merge);
      await parts.protectedRefs.keepBranchProtected(subject, branch, given({ pushLevel, mergeLevel } as const));
      return { body: await show(parts, actor, subject, branch) };
    },
  });

export const unprotectBranchInPlace = (parts: Parts) =>
  route({
    method: 'put',
    path: `${ONE}/unprotect`,
    operationId: 'unprotectBranchInPlace',
    summary: 'Stop to protect a branch, the old way',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, branch: BRANCH }),
    responses: { 200: BranchSchema },
    guard: inProject(parts.access, 'manage_protected_refs'),
    handle: async ({ actor, subject, parameters: { branch } }) => {
      await show(parts, actor, subject, branch);
      await parts.protectedRefs.unprotectBranch(subject, branch);
      return { body: await show(parts, actor, subject, branch) };
    },
  });

export const createBranchWritingRoutes = (parts: Parts): readonly Route[] =>
  [createBranch, removeBranch, removeMergedBranches, protectBranchInPlace, unprotectBranchInPlace].map((make) =>
    make(parts),
  );
