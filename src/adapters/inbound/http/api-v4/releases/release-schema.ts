import { Type } from '@sinclair/typebox';
import type { UserProfile } from '../../../../../application/identity/ports/identity-readers.js';
import type { Progress } from '../../../../../application/planning/ports/planning-overview.js';
import type { MilestoneDetails } from '../../../../../application/planning/ports/planning-readers.js';
import type { Commit } from '../../../../../application/repositories/ports/object-stores.js';
import { ARCHIVE_FORMATS } from '../../../../../domain/repositories/archive-name.js';
import type { Release, ReleaseLink } from '../../../../../domain/repositories/release.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { MilestoneOfReleaseSchema, presentMilestoneOfRelease } from '../milestones/milestone-schema.js';
import { CommitSchema, presentCommit } from '../repository/present-commit.js';
import { presentBasicUser } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';

const instant = Type.String({ format: 'date-time' });

export const ReleaseLinkSchema = component(
  'schemas/ReleaseLink',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    url: Type.String(),
    direct_asset_url: Type.String(),
    external: Type.Boolean(),
    link_type: Type.String({ description: '`other`, `runbook`, `image` or `package`' }),
  }),
);

const BASIC = {
  name: Type.String(),
  tag_name: Type.String(),
  description: nullable(Type.String()),
  created_at: instant,
  released_at: instant,
  upcoming_release: Type.Boolean(),
};

export const BasicReleaseSchema = component('schemas/BasicRelease', Type.Object(BASIC));

export const ReleaseSchema = component(
  'schemas/Release',
  Type.Object({
    ...BASIC,
    description_html: Type.Optional(Type.String({ description: 'With `include_html_description`' })),
    author: nullable(BasicUserSchema),
    commit: nullable(CommitSchema),
    commit_path: Type.String(),
    tag_path: Type.String(),
    assets: Type.Object({
      count: Type.Integer(),
      sources: Type.Array(Type.Object({ format: Type.String(), url: Type.String() })),
      links: Type.Array(ReleaseLinkSchema),
    }),
    milestones: Type.Optional(Type.Array(MilestoneOfReleaseSchema, { description: 'Where there are any' })),
    evidences: Type.Array(Type.Object({})),
    _links: Type.Object({
      self: Type.String(),
      edit_url: Type.String(),
      opened_issues_url: Type.String({ description: 'Pages of what is planned for its milestones' }),
      closed_issues_url: Type.String(),
      opened_merge_requests_url: Type.String(),
      merged_merge_requests_url: Type.String(),
      closed_merge_requests_url: Type.String(),
    }),
  }),
);

export const presentReleaseLink = (link: ReleaseLink, { tag }: Release, project: Project, urls: WebUrls) => ({
  id: link.id,
  name: link.name,
  url: link.url,
  direct_asset_url: link.path === null ? link.url : `${urls.release(project.fullPath, tag)}/downloads${link.path}`,
  external: true,
  link_type: link.type,
});

export interface ReleaseFacts {
  readonly release: Release;
  readonly project: Project;
  readonly author: UserProfile | undefined;
  readonly commit: Commit | undefined;
  readonly milestones: readonly MilestoneDetails[];
  /** How far each is, for whoever asks. */
  readonly progress: ReadonlyMap<number, Progress>;
  readonly now: Date;
}

export const presentBasicRelease = (release: Release, now: Date) => ({
  name: release.name,
  tag_name: release.tag,
  description: release.description,
  created_at: release.createdAt.toISOString(),
  released_at: release.releasedAt.toISOString(),
  upcoming_release: release.releasedAt > now,
});

/** Pages of what is planned for the milestones of a release. */
const plannedFor = ({ tag }: Release, { fullPath }: Project, urls: WebUrls) => {
  const list = (of: 'issues' | 'merge_requests', state: string): string => {
    const query = new URLSearchParams({ release_tag: tag, scope: 'all', state });
    return `${urls.subject(fullPath, of)}?${query.toString()}`;
  };
  return {
    opened_issues_url: list('issues', 'opened'),
    closed_issues_url: list('issues', 'closed'),
    opened_merge_requests_url: list('merge_requests', 'opened'),
    merged_merge_requests_url: list('merge_requests', 'merged'),
    closed_merge_requests_url: list('merge_requests', 'closed'),
  };
};

export const presentRelease = (facts: ReleaseFacts, urls: WebUrls) => {
  const { release, project, author, commit, milestones, progress, now } = facts;
  const { tag, links } = release;
  const sources = ARCHIVE_FORMATS.map((format) => ({ format, url: urls.archive(project, tag, format) }));
  const page = urls.release(project.fullPath, tag);
  return {
    ...presentBasicRelease(release, now),
    author: author === undefined ? null : presentBasicUser(author, urls),
    commit: commit === undefined ? null : presentCommit(commit, project, urls),
    commit_path: `/${project.fullPath}/-/commit/${release.commitId}`,
    tag_path: `/${project.fullPath}/-/tags/${tag}`,
    assets: {
      count: sources.length + links.length,
      sources,
      links: links.map((link) => presentReleaseLink(link, release, project, urls)),
    },
    ...(milestones.length > 0 && {
      milestones: milestones.map((each) => presentMilestoneOfRelease(each, progress.get(each.id), urls)),
    }),
    evidences: [],
    _links: { self: page, edit_url: `${page}/edit`, ...plannedFor(release, project, urls) },
  };
};
