import { Type } from '@sinclair/typebox';
import { readFewAtATime } from '../../../../../application/shared/page-in-batches.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { Release } from '../../../../../domain/repositories/release.js';
import { Forbidden, NotFound } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { GROUP_ID, inGroup } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import type { Route } from '../../route.js';
import { oneOf } from '../../validation/parameters.js';
import { RELEASES_TAG, showRelease, type ReleaseRoutesParts } from './release-parts.js';
import { presentBasicRelease, BasicReleaseSchema, ReleaseSchema } from './release-schema.js';

type Parts = ReleaseRoutesParts;

/** Shows releases of several projects, each project found once. One that went meanwhile takes its releases along. */
const createShow = (parts: Parts, actor: Actor) => {
  const projects = new Map<ProjectId, ReturnType<typeof findProject>>();
  const findProject = async (id: ProjectId) => {
    try {
      return await parts.access.project(actor, String(id), 'read_releases');
    } catch (error) {
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  };
  return async (release: Release) => {
    const finding = projects.get(release.projectId) ?? findProject(release.projectId);
    projects.set(release.projectId, finding);
    const project = await finding;
    return project === undefined ? [] : [await showRelease(parts, actor, project, release)];
  };
};

async function* shownInBatches(
  batches: AsyncIterable<readonly Release[]>,
  show: (release: Release) => Promise<readonly object[]>,
) {
  const showAll = async (few: readonly Release[]) => (await Promise.all(few.map(show))).flat();
  for await (const releases of batches) yield* readFewAtATime(releases, showAll);
}

export const listGroupReleases = (parts: Parts): Route =>
  pagedList({
    path: '/groups/:id/releases',
    operationId: 'listGroupReleases',
    summary: 'Releases of the projects of a group, and of everything below it',
    description: 'Of projects whose code the caller may read, by when they are out.',
    tag: RELEASES_TAG,
    access: 'anyone',
    parameters: {
      id: GROUP_ID,
      sort: oneOf(['asc', 'desc'], { default: 'desc' }),
      simple: Type.Boolean({ default: false, description: 'Leaves out author, commit, paths and assets' }),
    },
    items: Type.Union([ReleaseSchema, BasicReleaseSchema]),
    guard: inGroup(parts.access, 'read_group'),
    read: async ({ actor, subject: { group }, parameters: { sort, simple }, page }) => {
      const viewer = parts.access.viewer(actor);
      const found = await parts.releaseReader.listInGroup({ viewer, within: group.id, sort, page });
      const basic = (release: Release) => Promise.resolve([presentBasicRelease(release, parts.clock.now())]);
      return { ...found, batches: shownInBatches(found.batches, simple ? basic : createShow(parts, actor)) };
    },
    present: (release) => release,
  });
