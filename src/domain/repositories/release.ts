import { NotPossible } from '../shared/domain-error.js';
import { ProblemCollector } from '../shared/problem-collector.js';
import type { ProjectId, UserId } from '../shared/identifiers.js';
import type { ObjectId } from './object-id.js';

export const LINK_TYPES = ['other', 'runbook', 'image', 'package'] as const;
export type LinkType = (typeof LINK_TYPES)[number];

/** Something outside that belongs to a release. */
export interface ReleaseLink {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  /** Below the address of the release, where it stays the same when `url` changes. */
  readonly path: string | null;
  readonly type: LinkType;
}

export type NewReleaseLink = Omit<ReleaseLink, 'id'>;

/** A tag that people are told of. */
export interface Release {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly tag: string;
  readonly name: string;
  readonly description: string | null;
  readonly commitId: ObjectId;
  readonly authorId: UserId | null;
  /** May lie ahead. */
  readonly releasedAt: Date;
  readonly createdAt: Date;
  readonly links: readonly ReleaseLink[];
  /** Of its project: what it was planned for. */
  readonly milestoneIds: readonly number[];
}

/** Each comes with its text when a release is told. */
export const MOST_MILESTONES = 20;

const MAX_NAME = 255;
const ADDRESS = /^(?:https?|ftp):\/\/[^\s]+$/i;

/** @throws Invalid naming every problem of a link; NotPossible where two of them have one name. */
export const checkReleaseLinks = (links: readonly NewReleaseLink[]): void => {
  links.forEach(checkReleaseLink);
  if (new Set(links.map(({ name }) => name)).size < links.length) throw new NotPossible('Name has already been taken');
};

/** @throws Invalid naming every problem of a link. */
export const checkReleaseLink = ({ name, url, path }: NewReleaseLink): void =>
  new ProblemCollector()
    .check(name.trim() !== '', 'name', "can't be blank")
    .check(name.length <= MAX_NAME, 'name', `is too long (maximum is ${MAX_NAME} characters)`)
    .check(ADDRESS.test(url), 'url', 'is blocked: Only allowed schemes are http, https, ftp')
    .check(path === null || path.startsWith('/'), 'filepath', 'is in an invalid format')
    .refuse();
