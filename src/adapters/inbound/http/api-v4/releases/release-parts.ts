import { Type } from '@sinclair/typebox';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { PlanningOverview } from '../../../../../application/planning/ports/planning-overview.js';
import type { MilestoneReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { ObjectReader } from '../../../../../application/repositories/ports/object-stores.js';
import type { ReleaseReader } from '../../../../../application/repositories/ports/release-repository.js';
import type { Releases } from '../../../../../application/repositories/releases.js';
import type { Revisions } from '../../../../../application/repositories/browse/revisions.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import { LINK_TYPES, type NewReleaseLink, type Release } from '../../../../../domain/repositories/release.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { foundByName, inProject, PROJECT_ID } from '../../kit/guards.js';
import type { Guard } from '../../route.js';
import { oneOf, pathId, text, type ParametersOf } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import type { JobAccess } from '../pipelines/for-jobs-too.js';
import type { ProjectMarkdown } from '../../pages/project-markdown.js';
import { asWritten } from '../markdown/as-written.js';
import { presentRelease } from './release-schema.js';

export interface ReleaseRoutesParts extends JobAccess {
  readonly users: UserReader;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly revisions: Revisions;
  readonly releases: Releases;
  readonly releaseReader: ReleaseReader;
  readonly milestoneReader: MilestoneReader;
  readonly planningOverview: Pick<PlanningOverview, 'progressOf'>;
  readonly markdown: ProjectMarkdown;
  readonly clock: Clock;
  readonly urls: WebUrls;
}

export const RELEASES_TAG = 'Releases';
/** Of what a release says of itself. */
export const MAX_DESCRIPTION = 500_000;
export const ALL_RELEASES = '/projects/:id/releases';
export const ONE_RELEASE = `${ALL_RELEASES}/:tag_name`;
export const IN_RELEASE = { id: PROJECT_ID, tag_name: pathId('URL-encoded name of the tag') };

/** The release of a path, in a project that a guard lets pass. */
export const foundRelease = <Place extends Permitted<'read_releases' | 'write_releases'>>(
  { releaseReader }: ReleaseRoutesParts,
  place: Guard<Place>,
) => foundByName('Release', 'tag_name', place, ({ project }, tag) => releaseReader.find(project.id, tag));

/** The same for whoever may do this to the project's code. */
export const inRelease = <P extends 'read_releases' | 'write_releases'>(parts: ReleaseRoutesParts, permission: P) =>
  foundRelease(parts, inProject(parts.access, permission));

/** Its milestones, for whoever may read those of the project, and how far their issues are, but for confidential ones. */
const plansOf = async (
  { access, milestoneReader, planningOverview }: ReleaseRoutesParts,
  actor: Actor,
  { project, level }: Permitted<'read_releases' | 'write_releases'>,
  { projectId, milestoneIds }: Release,
) => {
  if (!isOffered(project, level, 'read_milestones')) return { milestones: [], progress: new Map() };
  const milestones = await milestoneReader.findAll(projectId, milestoneIds);
  const ids = milestones.map(({ id }) => id);
  const progress = await planningOverview.progressOf(access.viewer(actor), ids);
  return { milestones, progress };
};

/** As whoever asks sees it. */
export const showRelease = async (
  parts: ReleaseRoutesParts,
  actor: Actor,
  permitted: Permitted<'read_releases' | 'write_releases'>,
  release: Release,
) => {
  const { users, objects, revisions, clock, urls } = parts;
  const repository = await revisions.repositoryOf(permitted);
  const author = release.authorId === null ? undefined : await users.find(release.authorId);
  const commit = repository && (await objects.commit(repository.store, release.commitId));
  const plans = await plansOf(parts, actor, permitted, release);
  return presentRelease({ release, project: permitted.project, author, commit, ...plans, now: clock.now() }, urls);
};

export const WITH_HTML = Type.Boolean({
  default: false,
  description: 'Whether `description_html` is there, the description as HTML',
});

/** The same with its description as HTML, as whoever asks sees what it names. */
export const showReleaseInHtml = async (
  parts: ReleaseRoutesParts,
  actor: Actor,
  permitted: Permitted<'read_releases'>,
  release: Release,
) => {
  const { description } = release;
  const text = { text: description ?? '', cut: false };
  const [[made], shown] = await Promise.all([
    parts.markdown.renderFor(actor, [text], permitted),
    showRelease(parts, actor, permitted, release),
  ]);
  const empty = description === null || description.trim() === '';
  return { ...shown, description_html: made?.html ?? (empty ? '' : asWritten(description)) };
};

/** The same, as it is now. @throws NotFound. */
export const showReleaseOf = async (
  parts: ReleaseRoutesParts,
  actor: Actor,
  permitted: Permitted<'read_releases' | 'write_releases'>,
  tag: string,
) => {
  const release = await parts.releaseReader.find(permitted.project.id, tag);
  if (release === undefined) throw new NotFound();
  return showRelease(parts, actor, permitted, release);
};

export const LINK = {
  name: text(1_000, 'What people read'),
  url: text(2_000, 'Where it is'),
  link_type: Type.Optional(oneOf(LINK_TYPES, { description: 'What it is' })),
  filepath: Type.Optional(text(2_000, 'A path below the address of the release that leads to it')),
  direct_asset_path: Type.Optional(text(2_000, 'The newer name of `filepath`')),
};

export const toLink = ({
  name,
  url,
  link_type: type = 'other',
  filepath,
  direct_asset_path: path = filepath,
}: ParametersOf<typeof LINK>): NewReleaseLink => ({ name, url, type, path: path ?? null });
