import { Type } from '@sinclair/typebox';
import type { Release } from '../../../../../domain/repositories/release.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { found } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId } from '../../validation/parameters.js';
import { pageOfAll } from '../repository/page-of-all.js';
import {
  IN_RELEASE,
  inRelease,
  LINK,
  ONE_RELEASE,
  RELEASES_TAG,
  toLink,
  type ReleaseRoutesParts,
} from './release-parts.js';
import { presentReleaseLink, ReleaseLinkSchema } from './release-schema.js';

type Parts = ReleaseRoutesParts;

const ALL = `${ONE_RELEASE}/assets/links`;
const ONE = `${ALL}/:link_id`;
const IN_LINK = { ...IN_RELEASE, link_id: pathId('Number of the link') };

const inLink = <P extends 'read_releases' | 'write_releases'>(parts: Parts, permission: P) =>
  found('Link', 'link_id', inRelease(parts, permission), ({ release }, id) =>
    Promise.resolve(release.links.find((link) => link.id === id)),
  );

const show = async ({ releaseReader, urls }: Parts, project: Project, { tag }: Release, id: number) => {
  const release = await releaseReader.find(project.id, tag);
  const link = release?.links.find((each) => each.id === id);
  if (release === undefined || link === undefined) throw new NotFound('Link');
  return presentReleaseLink(link, release, project, urls);
};

const listLinks = (parts: Parts) =>
  pagedList({
    path: ALL,
    operationId: 'listReleaseLinks',
    summary: 'Links of a release',
    tag: RELEASES_TAG,
    access: 'anyone',
    parameters: IN_RELEASE,
    items: ReleaseLinkSchema,
    guard: inRelease(parts, 'read_releases'),
    read: ({ subject: { release }, page }) => Promise.resolve(pageOfAll(release.links, page)),
    present: (link, { subject: { release, project } }) => presentReleaseLink(link, release, project, parts.urls),
  });

const getLink = (parts: Parts) =>
  route({
    method: 'get',
    path: ONE,
    operationId: 'getReleaseLink',
    summary: 'One link of a release',
    tag: RELEASES_TAG,
    access: 'anyone',
    parameters: parameters(IN_LINK),
    responses: { 200: ReleaseLinkSchema },
    guard: inLink(parts, 'read_releases'),
    handle: async ({ subject: { link, release, project } }) => ({
      body: presentReleaseLink(link, release, project, parts.urls),
    }),
  });

const createLink = (parts: Parts) =>
  route({
    method: 'post',
    path: ALL,
    operationId: 'createReleaseLink',
    summary: 'Add a link to a release',
    tag: RELEASES_TAG,
    access: 'user',
    parameters: parameters({ ...IN_RELEASE, ...LINK }),
    responses: { 201: ReleaseLinkSchema },
    guard: inRelease(parts, 'write_releases'),
    handle: async ({ actor, subject, parameters: sent }) => {
      const id = await parts.releases.addLink(subject, actor, subject.release, toLink(sent));
      return { status: 201, body: await show(parts, subject.project, subject.release, id) };
    },
  });

const editLink = (parts: Parts) =>
  route({
    method: 'put',
    path: ONE,
    operationId: 'editReleaseLink',
    summary: 'Change a link of a release',
    tag: RELEASES_TAG,
    access: 'user',
    parameters: parameters({
      ...IN_LINK,
      ...LINK,
      name: Type.Optional(LINK.name),
      url: Type.Optional(LINK.url),
    }),
    responses: { 200: ReleaseLinkSchema },
    guard: inLink(parts, 'write_releases'),
    handle: async ({ actor, subject, parameters: { name, url, link_type, filepath, direct_asset_path } }) => {
      const { link } = subject;
      await parts.releases.editLink(subject, actor, subject.release, {
        id: link.id,
        name: name ?? link.name,
        url: url ?? link.url,
        type: link_type ?? link.type,
        path: direct_asset_path ?? filepath ?? link.path,
      });
      return { body: await show(parts, subject.project, subject.release, link.id) };
    },
  });

const removeLink = (parts: Parts) =>
  route({
    method: 'delete',
    path: ONE,
    operationId: 'removeReleaseLink',
    summary: 'Remove a link of a release',
    tag: RELEASES_TAG,
    access: 'user',
    parameters: parameters(IN_LINK),
    responses: { 200: ReleaseLinkSchema },
    guard: inLink(parts, 'write_releases'),
    handle: async ({ actor, subject }) => {
      const { link, release, project } = subject;
      await parts.releases.removeLink(subject, actor, release, link.id);
      return { body: presentReleaseLink(link, release, project, parts.urls) };
    },
  });

export const createReleaseLinkRoutes = (parts: Parts): readonly Route[] =>
  [listLinks, getLink, createLink, editLink, removeLink].map((make) => make(parts));
