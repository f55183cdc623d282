import type { RenderedUrls } from '../../../../../application/badges/render-badges.js';
import { placeholdersOf } from '../../../../../domain/badges/placeholders.js';

/** A badge as a page shows it. */
export interface ShownBadge {
  readonly words: string;
  readonly href: string;
  /** Absent for a picture from elsewhere: pages load nothing from others. */
  readonly picture?: string;
}

/** The pictures that texts show, too: badges, files of code, and files that are attached to texts. */
const PICTURE = /^\/[\w.-]+(?:\/[\w.-]+)+\/(?:badges|raw|uploads)\/./;

/** The address of a picture of this service, as its own pages have it; undefined for any other. */
const pictureHere = (address: string, root: string): string | undefined => {
  // Of a group nobody knows yet whose picture it will be.
  if (!URL.canParse(address) || placeholdersOf(address).length > 0) return undefined;
  const { origin, pathname, search } = new URL(address);
  return origin === new URL(root).origin && PICTURE.test(pathname) ? pathname + search : undefined;
};

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);

/** @param root the public address of the service. */
export const showBadge = (
  { name, renderedLinkUrl, renderedImageUrl }: RenderedUrls & { readonly name: string | null },
  root: string,
): ShownBadge => {
  const picture = pictureHere(renderedImageUrl, root);
  const shown = { words: name ?? `Badge of ${hostOf(renderedImageUrl)}`, href: renderedLinkUrl };
  return picture === undefined ? shown : { ...shown, picture };
};
