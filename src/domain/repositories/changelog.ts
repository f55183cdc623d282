import { titleOf, trailersOf } from './commit-message.js';
import type { ObjectId } from './object-id.js';

interface Told {
  readonly id: ObjectId;
  readonly message: string;
}

export interface ChangelogSubject {
  readonly version: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** The trailer that names the category of a commit. */
  readonly trailer: string;
  /** Path of the project, which references of commits begin with. */
  readonly projectPath: string;
}

const VERSION = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
const REVERTS = /^This reverts commit ([0-9a-f]{40})/m;

export type Version = readonly [number, number, number];

/** The three numbers of a version; undefined for what is none, or comes before a release. */
const releaseOf = (text: string): Version | undefined => {
  const [whole, major, minor, patch, stage] = VERSION.exec(text) ?? [];
  return whole === undefined || stage !== undefined ? undefined : [Number(major), Number(minor), Number(patch)];
};

export const isVersion = (text: string): boolean => VERSION.test(text);

const compareReleases = (one: Version, other: Version): number =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2];

/** The tag of the last release before a version. */
export const tagBefore = (version: string, tags: readonly string[]): string | undefined => {
  const limit = releaseOf(version.replace(/-.*$/, ''));
  let found: { readonly tag: string; readonly release: Version } | undefined;
  for (const tag of tags) {
    const release = releaseOf(tag);
    if (release === undefined || limit === undefined || compareReleases(release, limit) >= 0) continue;
    if (found === undefined || compareReleases(release, found.release) > 0) found = { tag, release };
  }
  return found?.tag;
};

/** What people read in a title must not become a link or a heading. */
const plain = (title: string): string => title.replace(/[[\]]/g, '\\$&');

/** Markdown of what changed, by category; neither what was reverted nor its reversal is a change. */
export const writeChangelog = (commits: readonly Told[], subject: ChangelogSubject): string => {
  const reverted = new Set(commits.flatMap(({ message }) => REVERTS.exec(message)?.[1] ?? []));
  const ids = new Set(commits.map(({ id }) => id));
  const categories = new Map<string, string[]>();
  for (const { id, message } of commits) {
    const trailers = trailersOf(message);
    const category = Object.hasOwn(trailers, subject.trailer) ? trailers[subject.trailer] : undefined;
    const isPair = reverted.has(id) || ids.has(REVERTS.exec(message)?.[1] ?? '');
    if (category === undefined || isPair) continue;
    const line = `- [${plain(titleOf(message))}](${subject.projectPath}@${id})`;
    categories.set(category, [...(categories.get(category) ?? []), line]);
  }
  const sections = [...categories].map(([category, lines]) => {
    const count = lines.length === 1 ? '1 change' : `${lines.length} changes`;
    return `### ${category} (${count})\n\n${lines.join('\n')}\n`;
  });
  const body = sections.length === 0 ? 'No changes.\n' : sections.join('\n');
  return `## ${subject.version} (${subject.date})\n\n${body}`;
};

const HEADING = /^## *(v?\d[^\s]*)/;

/** Puts the notes of a version before those of the releases that it follows; what people wrote above them stays there. */
export const addToChangelog = (before: string, notes: string, version: string): string => {
  const release = releaseOf(version.replace(/-.*$/, ''));
  const lines = before.split('\n');
  const at = lines.findIndex((line) => {
    const told = releaseOf((HEADING.exec(line)?.[1] ?? '').replace(/-.*$/, ''));
    return told !== undefined && release !== undefined && compareReleases(told, release) <= 0;
  });
  const [above, below] = at === -1 ? [before, ''] : [lines.slice(0, at).join('\n'), lines.slice(at).join('\n')];
  return [above, notes, below]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
};
