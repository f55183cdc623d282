import { Unprocessable } from '../shared/domain-error.js';
import type { NamespaceId, ProjectId } from '../shared/identifiers.js';
import { ProblemCollector } from '../shared/problem-collector.js';
import { fillPlaceholders, MOST_PLACEHOLDERS, placeholdersOf } from './placeholders.js';

/** Whose badge it is: one of a group stands on every project below it. */
export type BadgePlace =
  { readonly kind: 'project'; readonly id: ProjectId } | { readonly kind: 'group'; readonly id: NamespaceId };

/** What a badge says, as people wrote it: both addresses may have placeholders. */
export interface BadgeFields {
  readonly name: string | null;
  readonly linkUrl: string;
  readonly imageUrl: string;
}

/** A small picture with a link that stands on the page of a project. */
export interface Badge extends BadgeFields {
  readonly id: number;
  readonly place: BadgePlace;
}

export const MAX_BADGE_NAME = 255;
export const MAX_BADGE_URL = 1_024;
/** More than people look at. */
const MOST_BADGES = 50;

// Whitespace, controls and backslashes are read differently by different parsers.
const AMBIGUOUS = /[\s\p{C}\\]/u;

/** The first problem of an address of a badge, if it has one. */
const urlProblem = (url: string): string | undefined => {
  if (url.trim() === '') return "can't be blank";
  if (url.length > MAX_BADGE_URL) return `is too long (maximum is ${MAX_BADGE_URL} characters)`;
  if (placeholdersOf(url).length > MOST_PLACEHOLDERS) return `has more than ${MOST_PLACEHOLDERS} placeholders`;
  const filled = fillPlaceholders(url, () => 'x');
  if (AMBIGUOUS.test(filled) || !/^https?:\/\//i.test(filled) || !URL.canParse(filled))
    return 'must be an http or https address';
  const { username, password } = new URL(filled);
  return username === '' && password === '' ? undefined : 'must not carry a user name or password';
};

/** @throws Invalid at `name`, `link_url` and `image_url`. */
export const checkBadge = ({ name, linkUrl, imageUrl }: BadgeFields): void => {
  const problems = new ProblemCollector();
  problems
    .check((name ?? '').length <= MAX_BADGE_NAME, 'name', `is too long (maximum is ${MAX_BADGE_NAME} characters)`)
    .check(!/\p{Cc}/u.test(name ?? ''), 'name', 'must not contain control characters');
  const ofLink = urlProblem(linkUrl);
  if (ofLink !== undefined) problems.add('link_url', ofLink);
  const ofImage = urlProblem(imageUrl);
  if (ofImage !== undefined) problems.add('image_url', ofImage);
  problems.refuse();
};

/** @throws Unprocessable. */
export const requireRoomForBadge = ({ kind }: BadgePlace, badges: number): void => {
  if (badges >= MOST_BADGES) throw new Unprocessable(`A ${kind} has at most ${MOST_BADGES} badges`);
};
