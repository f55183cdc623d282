import type { Badges } from '../../../../../application/badges/badges.js';
import type { BadgeReader } from '../../../../../application/badges/ports/badge-ports.js';
import { MAX_BADGE_URL, type Badge, type BadgeFields } from '../../../../../domain/badges/badge.js';
import { orNotFound } from '../../kit/or-not-found.js';
import type { WebUrls } from '../../web-urls.js';
import { field, pathNumber } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { refuseOvertaken, seenIn } from '../frame/seen-values.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { pageRequest } from '../page-request.js';
import {
  BADGES_TAB,
  collectionsOf,
  type BadgePlacesParts,
  type BadgesCollection,
  type BadgesPlace,
} from './badge-places.js';
import { showBadge } from './show-badge.js';

export interface BadgePagesParts extends BadgePlacesParts {
  readonly badges: Badges;
  readonly badgeReader: BadgeReader;
  readonly urls: WebUrls;
}
type Parts = BadgePagesParts;

interface OwnBadge {
  readonly place: BadgesPlace;
  readonly badge: Badge;
}

/** Settings > Badges of a project or a group: what stands below the titles of projects. */
export const addBadgePages = (pages: Pages, parts: Parts): void => {
  const tab = { name: BADGES_TAB, label: 'Badges', to: 'settings/badges', order: 82 } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'manage_badges', within: 'settings', signedIn: true });
  pages.tabs.addToGroups({ ...tab, permission: 'manage_group_badges', within: 'settings', signedIn: true });
  for (const collection of collectionsOf(parts)) {
    addList(pages, parts, collection);
    addChange(pages, parts, collection);
    addRemoval(pages, parts, collection);
  }
};

const fieldsIn = ({ request }: PageContext): BadgeFields => {
  const name = field(request, 'name').trim();
  const [linkUrl, imageUrl] = [field(request, 'link_url').trim(), field(request, 'image_url').trim()];
  return { name: name === '' ? null : name, linkUrl, imageUrl };
};

const valuesOf = ({ name, linkUrl, imageUrl }: BadgeFields) => ({
  name: name ?? '',
  link_url: linkUrl,
  image_url: imageUrl,
});

const formOf = (context: PageContext, before: BadgeFields) => ({
  form: typed(context, valuesOf(before)),
  mostUrl: MAX_BADGE_URL,
  fieldLabels: { link_url: 'link', image_url: 'picture' },
});

const wordsOf = ({ name, imageUrl }: BadgeFields): string => name ?? imageUrl;

/** @throws NotFound for one of another place, also of a group above a project. */
const findOwn = async ({ badgeReader }: Parts, { find }: BadgesCollection, context: PageContext): Promise<OwnBadge> => {
  const place = await find(context);
  const badge = orNotFound(await badgeReader.find(place.of, pathNumber(context.request)), 'Badge');
  return { place, badge: orNotFound(badge.place.kind === place.kind ? badge : undefined, 'Badge') };
};

const addList = (pages: Pages, parts: Parts, { path, find }: BadgesCollection): void =>
  addFormPage<BadgesPlace>(pages, {
    path,
    find,
    show: async (context, place, refusal) => {
      const request = pageRequest(context);
      const page = await parts.badgeReader.list({ of: place.of, page: request });
      const rendered = await place.render(page.items);
      await place.send('badges/list', {
        title: `Badges of ${place.name}`,
        address: place.address,
        kind: place.kind,
        badges: rendered.map((badge) => ({
          ...{ id: badge.id, linkUrl: badge.linkUrl, imageUrl: badge.imageUrl, words: wordsOf(badge) },
          own: badge.place.kind === place.kind,
          shown: showBadge(badge, parts.urls.root),
        })),
        page,
        request,
        ...formOf(context, { name: null, linkUrl: '', imageUrl: '' }),
        ...refusal,
      });
    },
    act: async (context, { holder, address }) => {
      const badge = await parts.badges.add(holder, fieldsIn(context));
      return { notice: `Badge “${wordsOf(badge)}” added.`, to: address };
    },
  });

const addChange = (pages: Pages, parts: Parts, collection: BadgesCollection): void =>
  addFormPage<OwnBadge>(pages, {
    path: `${collection.path}/:id`,
    find: (context) => findOwn(parts, collection, context),
    show: (context, { place, badge }, refusal) =>
      place.send('badges/one', {
        title: `Badge ${wordsOf(badge)}`,
        address: place.address,
        badge: { id: badge.id, words: wordsOf(badge) },
        seen: seenIn(context, valuesOf(badge)),
        ...formOf(context, badge),
        ...refusal,
      }),
    act: async (context, { place: { holder, address }, badge }) => {
      refuseOvertaken(context, valuesOf(badge));
      const changed = await parts.badges.change(holder, badge, fieldsIn(context));
      return { notice: `Badge “${wordsOf(changed)}” saved.`, to: address };
    },
  });

const addRemoval = (pages: Pages, parts: Parts, collection: BadgesCollection): void =>
  addRemovalPage<OwnBadge>(pages, {
    path: `${collection.path}/:id/remove`,
    find: (context) => findOwn(parts, collection, context),
    ask: async (_context, { place, badge }) => ({
      title: `Remove the badge ${wordsOf(badge)}?`,
      consequences: [
        place.kind === 'project'
          ? 'The page of the project shows it no more.'
          : 'No project below the group shows it any more.',
      ],
      button: 'Remove badge',
      cancel: place.address,
      frame: await place.frame(),
    }),
    act: async (_context, { place: { holder, address }, badge }) => {
      await parts.badges.remove(holder, badge);
      return { notice: `Badge “${wordsOf(badge)}” removed.`, to: address };
    },
  });
