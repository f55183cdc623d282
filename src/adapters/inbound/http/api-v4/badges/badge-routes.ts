import { Type } from '@sinclair/typebox';
import type { BadgeHolder } from '../../../../../application/badges/badges.js';
import { checkBadge, type Badge, type BadgeFields } from '../../../../../domain/badges/badge.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import { clearable, given } from '../../kit/given.js';
import { found } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { pathId, text } from '../../validation/parameters.js';
import { badgesOf, collectionsOf, renderFor, type BadgeRoutesParts, type Collection } from './badge-places.js';
import { ADDRESS, BadgePreviewSchema, BadgeSchema, NAME, presentBadge, presentPreview } from './badge-schema.js';

type Parts = BadgeRoutesParts;

const BADGE_ID = pathId('Numeric id of the badge');
const { list, get, post, put, remove } = routesOf({ tag: 'Badges' });

const badgeIn = ({ badgeReader }: Parts, { holders }: Collection) =>
  found('Badge', 'badge_id', holders, (holder, id: number) => badgeReader.find(badgesOf(holder), id));

/** @throws Forbidden for one of a group, of which a project has no say. */
const requireOwn = ({ badge, ...holder }: BadgeHolder & { readonly badge: Badge }): void => {
  if ('project' in holder && badge.place.kind === 'group')
    throw new Forbidden('A badge of a group is changed and removed in the group');
};

const shown = async (parts: Parts, actor: Actor, holder: BadgeHolder, badge: Badge) => {
  const [rendered] = await renderFor(parts, actor, holder, [badge]);
  return presentBadge(rendered!);
};

const listBadges = (parts: Parts, { path, name, id, readers }: Collection) =>
  list(path, `list${name}Badges`, {
    summary: `Badges of a ${name.toLowerCase()}`,
    ...(name === 'Project' ? { description: 'With those of the groups above it.' } : {}),
    access: 'anyone',
    parameters: { id, name: Type.Optional(text(255, 'Those that are called exactly so')) },
    items: BadgeSchema,
    guard: readers,
    read: async ({ actor, subject, parameters: { name: called }, page }) => {
      const query = { of: badgesOf(subject), page, ...given({ name: called || undefined }) };
      const badges = await parts.badgeReader.list(query);
      return { ...badges, items: await renderFor(parts, actor, subject, badges.items) };
    },
    present: presentBadge,
  });

const getBadge = (parts: Parts, { path, name, id, readers }: Collection) =>
  get(`${path}/:badge_id`, `get${name}Badge`, {
    summary: 'One badge',
    access: 'anyone',
    parameters: { id, badge_id: BADGE_ID },
    answer: BadgeSchema,
    guard: found('Badge', 'badge_id', readers, (place, badge: number) =>
      parts.badgeReader.find(badgesOf(place), badge),
    ),
    handle: async ({ actor, subject }) => {
      const [rendered] = await renderFor(parts, actor, subject, [subject.badge]);
      return presentBadge(rendered!);
    },
  });

const previewBadge = (parts: Parts, { path, name, id, holders }: Collection) =>
  get(`${path}/render`, `preview${name}Badge`, {
    summary: 'What a badge would be, without adding it',
    access: 'user',
    parameters: { id, link_url: ADDRESS, image_url: ADDRESS },
    answer: BadgePreviewSchema,
    guard: holders,
    handle: async ({ actor, subject, parameters: { link_url, image_url } }) => {
      const fields: BadgeFields = { name: null, linkUrl: link_url, imageUrl: image_url };
      checkBadge(fields);
      const [rendered] = await renderFor(parts, actor, subject, [fields]);
      return presentPreview(rendered!);
    },
  });

const addBadge = (parts: Parts, { path, name, id, holders }: Collection) =>
  post(path, `add${name}Badge`, {
    summary: 'Add a badge',
    description:
      '`%{project_path}`, `%{project_title}`, `%{project_name}`, `%{project_id}`, `%{project_namespace}`, `%{group_name}`, `%{gitlab_server}`, `%{default_branch}`, `%{commit_sha}` and `%{latest_tag}` are filled in for each project. 422 for more than 50 badges.',
    access: 'user',
    parameters: { id, link_url: ADDRESS, image_url: ADDRESS, name: NAME },
    answer: BadgeSchema,
    guard: holders,
    handle: async ({ actor, subject, parameters: { link_url, image_url, name: called } }) => {
      const fields = { name: clearable(called) ?? null, linkUrl: link_url, imageUrl: image_url };
      return shown(parts, actor, subject, await parts.badges.add(subject, fields));
    },
  });

const editBadge = (parts: Parts, collection: Collection) =>
  put(`${collection.path}/:badge_id`, `edit${collection.name}Badge`, {
    summary: 'Change a badge',
    ...(collection.name === 'Project' ? { description: '403 for one of a group.' } : {}),
    access: 'user',
    parameters: {
      ...{ id: collection.id, badge_id: BADGE_ID },
      ...{ link_url: Type.Optional(ADDRESS), image_url: Type.Optional(ADDRESS), name: NAME },
    },
    answer: BadgeSchema,
    guard: badgeIn(parts, collection),
    handle: async ({ actor, subject, parameters: { link_url, image_url, name: called } }) => {
      requireOwn(subject);
      const changes = given({ name: clearable(called), linkUrl: link_url, imageUrl: image_url });
      return shown(parts, actor, subject, await parts.badges.change(subject, subject.badge, changes));
    },
  });

const removeBadge = (parts: Parts, collection: Collection) =>
  remove(`${collection.path}/:badge_id`, `remove${collection.name}Badge`, {
    summary: 'Remove a badge',
    ...(collection.name === 'Project' ? { description: '403 for one of a group.' } : {}),
    access: 'user',
    parameters: { id: collection.id, badge_id: BADGE_ID },
    guard: badgeIn(parts, collection),
    handle: async ({ subject }) => {
      requireOwn(subject);
      await parts.badges.remove(subject, subject.badge);
    },
  });

/** Badges of projects and of groups. `render` stands before what numbers name. */
export const createBadgeRoutes = (parts: Parts): readonly Route[] =>
  collectionsOf(parts.access).flatMap((collection) =>
    [listBadges, previewBadge, getBadge, addBadge, editBadge, removeBadge].map((make) => make(parts, collection)),
  );
