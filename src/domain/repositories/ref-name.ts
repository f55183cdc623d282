const BRANCHES = 'refs/heads/';
const TAGS = 'refs/tags/';
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

/** Undefined for refs outside branches and tags: those belong to the service. */
export const refPartsOf = (ref: string): RefParts | undefined => {
  if (ref.startsWith(BRANCHES)) return { kind: 'branch', name: ref.slice(BRANCHES.length) };
  return ref.startsWith(TAGS) ? { kind: 'tag', name: ref.slice(TAGS.length) } : undefined;
};

const isComponent = (part: string): boolean =>
  part !== '' && !part.startsWith('.') && !part.startsWith('-') && !part.endsWith('.lock') && !part.endsWith('.');

const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

/**
 * Whether the name of a branch or tag is one that git takes (git-check-ref-format) and that no command line can mistake for an option.
 * @param ref in full, such as `refs/heads/main`.
 */
export const isRefName = (ref: string): boolean => {
  const parts = refPartsOf(ref);
  if (parts === undefined || !ref.isWellFormed() || utf8Length(ref) > MAX_BYTES) return false;
  if (FORBIDDEN.test(ref) || ref.includes('..') || ref.includes('@{') || parts.name === '@') return false;
  // A file of that name would stand beside the folders of the store.
  if (parts.name === 'HEAD') return false;
  return ref.split('/').every(isComponent);
};

const OF_THE_SERVICE = /^refs\/(?:keep\/\d+|merge-requests\/\d+\/(?:head|merge))$/;

/** Whether it is a ref that the service makes, so that what clients may no longer reach stays: no client may change it. */
export const isServiceRef = (ref: string): boolean => OF_THE_SERVICE.test(ref);

/** As the name of a ref, but for a pattern, in which `*` stands for any text. */
export const isRefPattern = (pattern: string): boolean => isRefName(pattern.replaceAll('*', 'x'));

/** A branch of such a name would be taken for the commit. */
export const looksLikeObjectId = (name: string): boolean => LIKE_AN_OBJECT_ID.test(name);

/** The refs that would be folders above this one: `a` and `a/b` can't both be there. */
export const foldersAbove = (ref: string): readonly string[] => {
  const { name, kind } = refPartsOf(ref) ?? { name: '', kind: 'branch' as const };
  const root = kind === 'branch' ? BRANCHES : TAGS;
  const parts = name.split('/');
  return parts.slice(1).map((_, index) => root + parts.slice(0, index + 1).join('/'));
};
