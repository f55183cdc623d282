import { Type } from '@sinclair/typebox';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId, requiredText } from '../../validation/parameters.js';
import { MAX_REF } from './code-writing.js';
import { pageOfAll } from './page-of-all.js';
import type { ProtectedRefRoutesParts } from './protected-branch-routes.js';
import { presentProtectedTag, ProtectedTagSchema } from './protected-ref-schema.js';
import { allowedTo, protectionLevel, sentLevel } from './protection-levels.js';

type Parts = ProtectedRefRoutesParts;

const TAG = 'Protected tags';
const ALL = '/projects/:id/protected_tags';
const ONE = `${ALL}/:name`;
const IN_PATH = { id: PROJECT_ID, name: pathId('URL-encoded name or pattern') };

const show = async ({ protections }: Parts, projectId: ProjectId, name: string) => {
  const tag = (await protections.tagsOf(projectId)).find((each) => each.name === name);
  if (tag === undefined) throw new NotFound();
  return presentProtectedTag(tag);
};

export const listProtectedTags = ({ access, protections }: Parts) =>
  pagedList({
    path: ALL,
    operationId: 'listProtectedTags',
    summary: 'Protected tags of a project',
    tag: TAG,
    access: 'user',
    parameters: { id: PROJECT_ID },
    items: ProtectedTagSchema,
    guard: inProject(access, 'read_protected_refs'),
    read: async ({ subject: { project }, page }) => pageOfAll(await protections.tagsOf(project.id), page),
    present: presentProtectedTag,
  });

export const getProtectedTag = (parts: Parts) =>
  route({
    method: 'get',
    path: ONE,
    operationId: 'getProtectedTag',
    summary: 'One protected tag, or pattern',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 200: ProtectedTagSchema },
    guard: inProject(parts.access, 'read_protected_refs'),
    handle: async ({ subject: { project }, parameters: { name } }) => ({ body: await show(parts, project.id, name) }),
  });

export const protectTag = (parts: Parts) =>
  route({
    method: 'post',
    path: ALL,
    operationId: 'protectTag',
    summary: 'Say who may make a tag, or all whose names match a pattern',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      id: PROJECT_ID,
      name: requiredText(MAX_REF, 'Name or pattern'),
      create_access_level: Type.Optional(protectionLevel('Who may make it')),
      allowed_to_create: Type.Optional(allowedTo('create_access_level')),
    }),
    responses: { 201: ProtectedTagSchema },
    guard: inProject(parts.access, 'manage_protected_refs'),
    handle: async ({ subject, parameters: { name, create_access_level: level, allowed_to_create: allowed } }) => {
      const createLevel = sentLevel([
        ['create_access_level', level],
        ['allowed_to_create', allowed],
      ]);
      await parts.protectedRefs.protectTag(subject, name, createLevel);
      return { status: 201, body: await show(parts, subject.project.id, name) };
    },
  });

export const unprotectTag = (parts: Parts) =>
  route({
    method: 'delete',
    path: ONE,
    operationId: 'unprotectTag',
    summary: 'Stop to protect a tag, or a pattern',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 204: null },
    guard: inProject(parts.access, 'manage_protected_refs'),
    handle: async ({ subject, parameters: { name } }) => {
      await parts.protectedRefs.unprotectTag(subject, name);
      return { status: 204 };
    },
  });

export const createProtectedTagRoutes = (parts: Parts): readonly Route[] =>
  [listProtectedTags, getProtectedTag, protectTag, unprotectTag].map((make) => make(parts));
