const BRANCHES = 'refs/heads/';
const TAGS = 'refs/tags/';
/** What `git notes` writes: commits of their own, which say something of others. */
const NOTES = 'refs/notes/';
const MAX_BYTES = 255;

/** Control characters, space, and what git's revision syntax uses. */
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]/;
const LIKE_AN_OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

export type RefKind = 'branch' | 'tag';

/** A ref that clients may change, split into its kind and its short name. */
export interface RefParts {
  readonly kind: RefKind;
  readonly name: string;
}

export const branchRef = (name: string): string => BRANCHES + name;
export const tagRef = (name: string): string => TAGS + name;
/** Where git finds the commits of a merge request, whatever becomes of its branch. */
export const mergeRequestRef = (iid: number): string => `refs/merge-requests/${iid}/head`;

/** Undefined for refs outside branches and tags: notes, and those that belong to the service. */
export const refPartsOf = (ref: string): RefParts | undefined => {
  if (ref.startsWith(BRANCHES)) return { kind: 'branch', name: ref.slice(BRANCHES.length) };
  return ref.startsWith(TAGS) ? { kind: 'tag', name: ref.slice(TAGS.length) } : undefined;
};

/** Whether it is one of the refs that `git notes` writes, which clients may change, too. */
export const isNotesRef = (ref: string): boolean => ref.startsWith(NOTES);

/** The folder of refs that clients may change, if it is in one. */
const rootOf = (ref: string): string | undefined => [BRANCHES, TAGS, NOTES].find((root) => ref.startsWith(root));

const isComponent = (part: string): boolean =>
  part !== '' && !part.startsWith('.') && !part.startsWith('-') && !part.endsWith('.lock') && !part.endsWith('.');

const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

/**
 * Whether the name of a branch, a tag or notes is one that git takes (git-check-ref-format) and that no command line can mistake for an
 * option.
 * @param ref in full, such as `refs/heads/main`.
 */
export const isRefName = (ref: string): boolean => {
  const root = rootOf(ref);
  if (root === undefined || !ref.isWellFormed() || utf8Length(ref) > MAX_BYTES) return false;
  const name = ref.slice(root.length);
  if (FORBIDDEN.test(ref) || ref.includes('..') || ref.includes('@{') || name === '@') return false;
  // A file of that name would stand beside the folders of the store.
  if (name === 'HEAD') return false;
  return ref.split('/').every(isComponent);
};

const OF_THE_SERVICE = /^refs\/(?:keep\/\d+|merge-requests\/\d+\/(?:head|merge))$/;

/** Whether it is a ref that the service makes, so that what clients may no longer reach stays: no client may change it. */
export const isServiceRef = (ref: string): boolean => OF_THE_SERVICE.test(ref);

/** As the name of a ref, but for a pattern, in which `*` stands for any text. */
export const isRefPattern = (pattern: string): boolean => isRefName(pattern.replaceAll('*', 'x'));

/** A branch or tag of such a name would be taken for the commit. */
export const looksLikeObjectId = (name: string): boolean => LIKE_AN_OBJECT_ID.test(name);

/** A branch of such a name would be taken for another ref. */
export const looksLikeFullRef = (name: string): boolean => name.startsWith('refs/');

/** The refs that would be folders above this one: `a` and `a/b` can't both be there. */
export const foldersAbove = (ref: string): readonly string[] => {
  const root = rootOf(ref) ?? ref;
  const parts = ref.slice(root.length).split('/');
  return parts.slice(1).map((_, index) => root + parts.slice(0, index + 1).join('/'));
};
