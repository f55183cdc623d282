import { Type } from '@sinclair/typebox';
import type { Actor } from '../../../../../application/shared/actor.js';
import { readFewAtATime } from '../../../../../application/shared/page-in-batches.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { MOST_MILESTONES, type Release } from '../../../../../domain/repositories/release.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Route } from '../../route.js';
import {
  anyJson,
  instant,
  listOf,
  nullable,
  oneOf,
  parameters,
  requiredText,
  text,
} from '../../validation/parameters.js';
import { forJobsToo, JOB_TOKEN, signedInOrJob } from '../pipelines/for-jobs-too.js';
import { MAX_MESSAGE, MAX_REF, writerOf } from '../repository/code-writing.js';
import { listGroupReleases } from './group-release-routes.js';
import { createReleaseLinkRoutes } from './release-link-routes.js';
import { createReleasePermalinkRoutes } from './release-permalink-routes.js';
import {
  ALL_RELEASES,
  foundRelease,
  IN_RELEASE,
  inRelease,
  MAX_DESCRIPTION,
  ONE_RELEASE,
  RELEASES_TAG,
  showRelease,
  showReleaseInHtml,
  showReleaseOf,
  WITH_HTML,
  type ReleaseRoutesParts,
} from './release-parts.js';
import { readLinks } from './read-links.js';
import { ReleaseSchema } from './release-schema.js';
import { createTagNoteRoutes } from './tag-note-routes.js';

type Parts = ReleaseRoutesParts;

async function* shownInBatches(
  batches: AsyncIterable<readonly Release[]>,
  showOne: (release: Release) => ReturnType<typeof showRelease>,
) {
  const show = (few: readonly Release[]) => Promise.all(few.map(showOne));
  for await (const releases of batches) yield* readFewAtATime(releases, show);
}

const showing =
  (parts: Parts, actor: Actor, permitted: Permitted<'read_releases'>, html: boolean) =>
  (release: Release): ReturnType<typeof showRelease> =>
    html ? showReleaseInHtml(parts, actor, permitted, release) : showRelease(parts, actor, permitted, release);

export const listReleases = (parts: Parts) =>
  pagedList({
    path: ALL_RELEASES,
    operationId: 'listReleases',
    summary: 'Releases of a project',
    tag: RELEASES_TAG,
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      order_by: oneOf(['released_at', 'created_at'], {
        default: 'released_at',
        description: 'What the list is ordered by',
      }),
      sort: oneOf(['asc', 'desc'], { default: 'desc' }),
      include_html_description: WITH_HTML,
      job_token: JOB_TOKEN,
    },
    items: ReleaseSchema,
    guard: forJobsToo(parts, 'read_releases'),
    read: async ({ subject, parameters: { order_by: orderBy, sort, include_html_description: html }, page }) => {
      const found = await parts.releaseReader.list({ projectId: subject.project.id, orderBy, sort, page });
      return { ...found, batches: shownInBatches(found.batches, showing(parts, subject.doer, subject, html)) };
    },
    present: (release) => release,
  });

export const getRelease = (parts: Parts) =>
  route({
    method: 'get',
    path: ONE_RELEASE,
    operationId: 'getRelease',
    summary: 'The release of a tag',
    tag: RELEASES_TAG,
    access: 'anyone',
    parameters: parameters({ ...IN_RELEASE, include_html_description: WITH_HTML, job_token: JOB_TOKEN }),
    responses: { 200: ReleaseSchema },
    guard: foundRelease(parts, forJobsToo(parts, 'read_releases')),
    handle: async ({ subject, parameters: { include_html_description: html } }) => ({
      body: await showing(parts, subject.doer, subject, html)(subject.release),
    }),
  });

const FIELDS = {
  name: Type.Optional(text(255, 'What people read; the tag unless told')),
  description: Type.Optional(nullable(text(MAX_DESCRIPTION, 'In Markdown'))),
  released_at: Type.Optional(instant('When it is out; now unless told')),
  milestones: Type.Optional(
    listOf(text(255), {
      maxItems: MOST_MILESTONES,
      description: 'Titles of milestones of the project; an empty list takes them away',
    }),
  ),
};

/** Forms send an empty title where they mean none. */
const titlesIn = (milestones: readonly string[] | undefined): readonly string[] | undefined =>
  milestones?.filter((title) => title !== '');

export const createRelease = (parts: Parts) =>
  route({
    method: 'post',
    path: ALL_RELEASES,
    operationId: 'createRelease',
    summary: 'Make a release of a tag',
    description:
      'A job of the project that runs may, by its token in `JOB-TOKEN` or as `job_token`: in the name of its user, who may do no more by it than whoever may push to its branch, or make its tag.',
    tag: RELEASES_TAG,
    access: 'anyone',
    parameters: parameters({
      id: PROJECT_ID,
      tag_name: requiredText(MAX_REF, 'Its tag'),
      ...FIELDS,
      ref: Type.Optional(text(MAX_REF, 'Where the tag is made, if it is not there yet')),
      tag_message: Type.Optional(text(MAX_MESSAGE, 'Makes it an annotated tag')),
      assets: Type.Optional(
        anyJson('`links`: each has `name`, `url`, and may have `link_type` and `direct_asset_path`'),
      ),
      job_token: JOB_TOKEN,
    }),
    responses: { 201: ReleaseSchema },
    isFromJob: async (token) => (await parts.jobTokens.readerBy(token)) !== undefined,
    guard: signedInOrJob(parts, 'write_releases'),
    handle: async ({ subject, parameters: { tag_name: tag, name, description, released_at, ref, ...sent } }) => {
      const { tag_message: tagMessage, assets, milestones } = sent;
      const releasedAt = released_at === undefined ? undefined : new Date(released_at);
      await parts.releases.create(subject, await writerOf(parts.users, subject.doer), {
        tag,
        links: readLinks(assets),
        ...given({ name, description: description ?? undefined, releasedAt, ref, tagMessage }),
        ...given({ milestones: titlesIn(milestones) }),
      });
      return { status: 201, body: await showReleaseOf(parts, subject.doer, subject, tag) };
    },
  });

export const editRelease = (parts: Parts) =>
  route({
    method: 'put',
    path: ONE_RELEASE,
    operationId: 'editRelease',
    summary: 'Change a release',
    tag: RELEASES_TAG,
    access: 'user',
    parameters: parameters({ ...IN_RELEASE, ...FIELDS }),
    responses: { 200: ReleaseSchema },
    guard: inRelease(parts, 'write_releases'),
    handle: async ({ actor, subject, parameters: { tag_name: tag, released_at, ...sent } }) => {
      const releasedAt = released_at === undefined ? undefined : new Date(released_at);
      const { name, description, milestones } = sent;
      const changes = given({ name, description, releasedAt, milestones: titlesIn(milestones) });
      if (Object.keys(changes).length === 0) throw new HttpError(400, 'params is empty');
      await parts.releases.edit(subject, actor, subject.release, changes);
      return { body: await showReleaseOf(parts, actor, subject, tag) };
    },
  });

export const removeRelease = (parts: Parts) =>
  route({
    method: 'delete',
    path: ONE_RELEASE,
    operationId: 'removeRelease',
    summary: 'Remove a release; its tag stays',
    tag: RELEASES_TAG,
    access: 'user',
    parameters: parameters(IN_RELEASE),
    responses: { 200: ReleaseSchema },
    guard: inRelease(parts, 'write_releases'),
    handle: async ({ actor, subject }) => {
      const body = await showRelease(parts, actor, subject, subject.release);
      await parts.releases.remove(subject, actor, subject.release);
      return { body };
    },
  });

export const createReleaseRoutes = (parts: Parts): readonly Route[] => [
  ...[listReleases, getRelease, createRelease, editRelease, removeRelease].map((make) => make(parts)),
  listGroupReleases(parts),
  ...createReleasePermalinkRoutes(parts),
  ...createReleaseLinkRoutes(parts),
  ...createTagNoteRoutes(parts),
];
