import { Type } from '@sinclair/typebox';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { tagRef } from '../../../../../domain/repositories/ref-name.js';
import { inProject } from '../../kit/guards.js';
import { component } from '../../openapi/component.js';
import { route, type Route } from '../../route.js';
import { parameters, text } from '../../validation/parameters.js';
import { writerOf } from '../repository/code-writing.js';
import { IN_RELEASE, MAX_DESCRIPTION, RELEASES_TAG, type ReleaseRoutesParts } from './release-parts.js';

type Parts = ReleaseRoutesParts;

const PATH = '/projects/:id/repository/tags/:tag_name/release';

const TagNoteSchema = component(
  'schemas/TagNote',
  Type.Object({ tag_name: Type.String(), description: Type.String() }),
);

const IN_NOTE = parameters({ ...IN_RELEASE, description: text(MAX_DESCRIPTION, 'In Markdown') });

const createTagNote = (parts: Parts) =>
  route({
    method: 'post',
    path: PATH,
    operationId: 'createTagNote',
    summary: 'Make a release of a tag that is there, the old way',
    description: 'Use `POST /projects/:id/releases`, which knows more of a release.',
    tag: RELEASES_TAG,
    access: 'user',
    parameters: IN_NOTE,
    responses: { 201: TagNoteSchema },
    guard: inProject(parts.access, 'write_releases'),
    handle: async ({ actor, subject, parameters: { tag_name: tag, description } }) => {
      if ((await parts.revisions.find(subject, tagRef(tag))) === undefined) throw new NotFound('Tag');
      await parts.releases.create(subject, await writerOf(parts.users, actor), { tag, description, links: [] });
      return { status: 201, body: { tag_name: tag, description } };
    },
  });

const editTagNote = (parts: Parts) =>
  route({
    method: 'put',
    path: PATH,
    operationId: 'editTagNote',
    summary: 'Change what is told of a tag, the old way',
    description: 'Use `PUT /projects/:id/releases/:tag_name`.',
    tag: RELEASES_TAG,
    access: 'user',
    parameters: IN_NOTE,
    responses: { 200: TagNoteSchema, 404: Type.Object({ message: Type.String() }) },
    guard: inProject(parts.access, 'write_releases'),
    handle: async ({ actor, subject, parameters: { tag_name: tag, description } }) => {
      const release = await parts.releaseReader.find(subject.project.id, tag);
      if (release === undefined) return { status: 404, body: { message: 'Release does not exist' } };
      await parts.releases.edit(subject, actor, release, { description });
      return { body: { tag_name: tag, description } };
    },
  });

export const createTagNoteRoutes = (parts: Parts): readonly Route[] => [createTagNote(parts), editTagNote(parts)];
