import { LINK_TYPES, type LinkType, type NewReleaseLink } from '../../../../../domain/repositories/release.js';
import { HttpError } from '../../http-error.js';
import { isStorable } from '../../validation/storable-text.js';

const MOST_LINKS = 100;

const isLinkType = (type: unknown): type is LinkType => (LINK_TYPES as readonly unknown[]).includes(type);

const textOf = (link: object, name: string): string | undefined => {
  const value = (link as Readonly<Record<string, unknown>>)[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > 2_000 || !isStorable(value))
    throw new HttpError(400, `assets[links][][${name}] is invalid`);
  return value;
};

const toLink = (link: unknown): NewReleaseLink => {
  if (typeof link !== 'object' || link === null) throw new HttpError(400, 'assets[links] is invalid');
  const [name, url] = [textOf(link, 'name'), textOf(link, 'url')];
  if (name === undefined) throw new HttpError(400, 'assets[links][][name] is missing');
  if (url === undefined) throw new HttpError(400, 'assets[links][][url] is missing');
  const type = textOf(link, 'link_type') ?? 'other';
  if (!isLinkType(type)) throw new HttpError(400, 'assets[links][][link_type] does not have a valid value');
  return { name, url, type, path: textOf(link, 'direct_asset_path') ?? textOf(link, 'filepath') ?? null };
};

/** The links of a release to come, from its `assets`. @throws HttpError 400 naming the first fault. */
export const readLinks = (assets: unknown): readonly NewReleaseLink[] => {
  if (assets === undefined || assets === null) return [];
  const links = typeof assets === 'object' && 'links' in assets ? assets.links : undefined;
  if (links === undefined) return [];
  if (!Array.isArray(links) || links.length > MOST_LINKS) throw new HttpError(400, 'assets[links] is invalid');
  return links.map(toLink);
};
