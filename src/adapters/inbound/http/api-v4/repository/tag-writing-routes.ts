import { Type } from '@sinclair/typebox';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { Tags } from '../../../../../application/repositories/browse/tags.js';
import type { ChangeRefs } from '../../../../../application/repositories/change-refs.js';
import type { Releases } from '../../../../../application/repositories/releases.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { given } from '../../kit/given.js';
import { foundByName, inProject, PROJECT_ID } from '../../kit/guards.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId, requiredText, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { committedAtOf, MAX_MESSAGE, MAX_REF, writerOf } from './code-writing.js';
import { MAX_DESCRIPTION } from '../releases/release-parts.js';
import { presentTag, TagSchema } from './present-tag.js';

export interface TagWritingRoutesParts {
  readonly access: WorkspaceAccess;
  readonly users: UserReader;
  readonly tags: Tags;
  readonly changeRefs: ChangeRefs;
  readonly releases: Pick<Releases, 'create'>;
  readonly urls: WebUrls;
}
type Parts = TagWritingRoutesParts;

const TAG = 'Tags';
const ALL = '/projects/:id/repository/tags';

export const createTag = (parts: Parts) =>
  route({
    method: 'post',
    path: ALL,
    operationId: 'createTag',
    summary: 'Make a tag',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      id: PROJECT_ID,
      tag_name: requiredText(MAX_REF, 'Its name'),
      ref: requiredText(MAX_REF, 'What it leads to: a branch, a tag, or the id of a commit'),
      message: Type.Optional(text(MAX_MESSAGE, 'Makes it an annotated tag')),
      release_description: Type.Optional(
        text(MAX_DESCRIPTION, 'Makes a release of it that says this, where you may; the old way'),
      ),
    }),
    responses: { 201: TagSchema },
    guard: inProject(parts.access, 'push_code'),
    handle: async ({ actor, subject, parameters: { tag_name: name, ref: target, ...sent } }) => {
      const { message, release_description: description } = sent;
      const writer = await writerOf(parts.users, actor);
      await parts.changeRefs.createTag(subject, writer, name, { target, ...given({ message }) });
      const releasing = parts.access.alsoWhere(actor, subject, 'write_releases');
      if (description !== undefined && description !== '' && releasing !== undefined)
        await parts.releases.create(releasing, writer, { tag: name, description, links: [] });
      const tag = await parts.tags.find(subject, name);
      if (tag === undefined) throw new NotFound('Tag');
      return { status: 201, body: presentTag(tag, subject.project, parts.urls) };
    },
  });

export const removeTag = (parts: Parts) =>
  route({
    method: 'delete',
    path: `${ALL}/:tag_name`,
    operationId: 'removeTag',
    summary: 'Remove a tag; protected ones are removed by Maintainers',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, tag_name: pathId('URL-encoded name of the tag') }),
    responses: { 204: null },
    guard: foundByName('Tag', 'tag_name', inProject(parts.access, 'push_code'), (place, name) =>
      parts.changeRefs.findTag(place, name),
    ),
    lastChanged: ({ tag }) => committedAtOf(tag),
    handle: async ({ actor, subject, parameters: { tag_name: name } }) => {
      await parts.changeRefs.removeTag(subject, await writerOf(parts.users, actor), name, subject.tag);
      return { status: 204 };
    },
  });

export const createTagWritingRoutes = (parts: Parts): readonly Route[] =>
  [createTag, removeTag].map((make) => make(parts));
