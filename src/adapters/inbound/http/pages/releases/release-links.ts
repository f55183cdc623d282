import type { Release, NewReleaseLink } from '../../../../../domain/repositories/release.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import type { Releases } from '../../../../../application/repositories/releases.js';

const MOST_LINKS = 50;
const LINE = /^(.*\S)\s+(\S+)$/;

/** As people write them: a name and an address on a line. */
export const linesOf = ({ links }: Pick<Release, 'links'>): string =>
  links.map(({ name, url }) => `${name} ${url}`).join('\n');

/** @throws Invalid for a line without an address. */
export const readLinkLines = (text: string): readonly NewReleaseLink[] => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length > MOST_LINKS) throw new Invalid({ links: [`are more than ${MOST_LINKS}`] });
  return lines.map((line) => {
    const [, name, url] = LINE.exec(line) ?? [];
    if (name === undefined || url === undefined)
      throw new Invalid({ links: ['need a name and an address on each line'] });
    return { name, url, path: null, type: 'other' };
  });
};

type EditOf = Parameters<Releases['edit']>;

interface Editing {
  readonly place: EditOf[0];
  readonly actor: EditOf[1];
  readonly release: Release;
}

/** Makes the links of a release those that are wanted; what stays keeps what only the API sets. */
export const replaceLinks = async (
  releases: Releases,
  { place, actor, release }: Editing,
  wanted: readonly NewReleaseLink[],
): Promise<void> => {
  const names = new Set(wanted.map(({ name }) => name));
  for (const link of release.links)
    if (!names.has(link.name)) await releases.removeLink(place, actor, release, link.id);
  for (const link of wanted) {
    const before = release.links.find(({ name }) => name === link.name);
    if (before === undefined) await releases.addLink(place, actor, release, link);
    else if (before.url !== link.url) await releases.editLink(place, actor, release, { ...before, url: link.url });
  }
};
