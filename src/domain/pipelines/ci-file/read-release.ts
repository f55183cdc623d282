import type { CiRelease, CiReleaseLink } from './ci-config.js';
import type { Entry } from './entry.js';

const KEYS: ReadonlySet<string> = new Set([
  ...['tag_name', 'tag_message', 'name', 'description', 'ref', 'released_at', 'assets', 'milestones'],
]);
const LINK: ReadonlySet<string> = new Set(['name', 'url', 'filepath', 'link_type']);
const MOST_LINKS = 50;
const MOST_MILESTONES = 20;
const LONGEST_NAME = 1_024;

/** The release that a job makes. @returns undefined, with an error, for what names no tag or says nothing of it. */
export const releaseOf = (entry: Entry): CiRelease | undefined => {
  if (entry.map() === undefined) return undefined;
  entry.knows(KEYS);
  const tagName = required(entry, 'tag_name')?.text(LONGEST_NAME);
  const description = required(entry, 'description')?.text();
  const text = (key: string) => entry.read(key, (said) => said.text(LONGEST_NAME), null);
  const links = entry.at('assets')?.read('links', linksOf, []) ?? [];
  const milestones = entry.read('milestones', (said) => said.texts({ most: MOST_MILESTONES, alone: true }), []);
  if (tagName === undefined || description === undefined) return undefined;
  return {
    ...{ tagName, description, links, name: text('name'), ref: text('ref') },
    tagMessage: entry.read('tag_message', (said) => said.text(), null),
    releasedAt: text('released_at'),
    ...(milestones.length > 0 && { milestones }),
  };
};

const required = (entry: Entry, key: string): Entry | undefined => {
  const said = entry.at(key);
  return said === undefined || said.value === '' ? entry.error(`${key} can't be blank`) : said;
};

const linksOf = (entry: Entry): readonly CiReleaseLink[] | undefined =>
  entry.entries(MOST_LINKS, 'an array of hashes')?.flatMap((each) => linkOf(each) ?? []);

const linkOf = (entry: Entry): CiReleaseLink | undefined => {
  if (entry.map() === undefined) return undefined;
  entry.knows(LINK);
  const [name, url] = [required(entry, 'name')?.text(LONGEST_NAME), required(entry, 'url')?.text(LONGEST_NAME)];
  if (name === undefined || url === undefined) return undefined;
  const filepath = entry.read('filepath', (said) => said.text(LONGEST_NAME), null);
  return { name, url, filepath, linkType: entry.read('link_type', (said) => said.text(LONGEST_NAME), null) };
};
