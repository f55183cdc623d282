import { withoutEnd } from '../shared/without-ends.js';

/** Why a path can't stand in a tree, in the words that its author reads. */
export type TreePathProblem =
  | 'You must provide a file path'
  | 'Path cannot include directory traversal'
  | 'Path cannot include an empty name'
  | 'Path cannot include a control character'
  | 'Path cannot include a name that git keeps for itself'
  | 'Path is too long';

const MAX_LENGTH = 4_096;
const MAX_NAME_BYTES = 255;
const MAX_DEPTH = 100;

/** Characters that HFS+ leaves out of names, so that `.g\u200cit` is `.git` there. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** `git~1` and its kind: what NTFS calls `.git` in short. */
const SHORT_NAMES = /^(?:git|gi[0-9a-f]{1,4})~\d+$/;

/** A name as the file systems see it that compare most loosely: case, ignored characters, and what NTFS drops at the end. */
export const foldForFileSystems = (name: string): string => {
  // NTFS also drops dots and spaces at the end, and what follows a colon.
  const stem = name.replace(IGNORED, '').toLowerCase().split(/[:\\]/)[0] ?? '';
  return withoutEnd(stem, /[. ]/);
};

/** A backslash ends the name of a folder on Windows. */
const foldedParts = (name: string): readonly string[] => name.split('\\').map(foldForFileSystems);

/** Whether a name in a tree would be `.git` on some file system, by case, by ignored characters or by a short name. */
export const isGitFolder = (name: string): boolean =>
  foldedParts(name).some((folded) => folded === '.git' || SHORT_NAMES.test(folded));

/** The same as `git fsck` sees it, which lets all short names pass but the first: trees that were pushed may have them. */
export const isGitFolderToGit = (name: string): boolean =>
  foldedParts(name).some((folded) => folded === '.git' || folded === 'git~1');

const nameProblem = (name: string): TreePathProblem | undefined => {
  if (name === '') return 'Path cannot include an empty name';
  if (name === '.' || name === '..') return 'Path cannot include directory traversal';
  if (/[\u0000-\u001f\u007f]/.test(name) || !name.isWellFormed()) return 'Path cannot include a control character';
  if (isGitFolder(name)) return 'Path cannot include a name that git keeps for itself';
  return new TextEncoder().encode(name).length > MAX_NAME_BYTES ? 'Path is too long' : undefined;
};

/** The first problem of a path that is to be written into a tree. */
export const treePathProblem = (path: string): TreePathProblem | undefined => {
  if (path === '') return 'You must provide a file path';
  if (path.length > MAX_LENGTH) return 'Path is too long';
  const names = path.split('/');
  if (names.length > MAX_DEPTH) return 'Path is too long';
  for (const name of names) {
    const problem = nameProblem(name);
    if (problem !== undefined) return problem;
  }
  return undefined;
};
