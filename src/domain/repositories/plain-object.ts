import type { TreeEntry, TreeMode } from './object-format.js';
import type { ObjectId } from './object-id.js';

/**
 * Objects that are beyond doubt: most that people push, and far fewer than `git fsck --strict` lets pass. What isn't plain is no worse, but
 * git is asked about it. Text alone is plain, for what makes two contents have one SHA-1 is noise, which git's own SHA-1 recognises.
 */
export interface PlainCommit {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
}

const ID = '[0-9a-f]{40}';
const PERSON = String.raw`[^<>\n]+ <[^<>\n]*> (?:0|[1-9]\d{0,9}) [+-]\d{4}`;
const COMMIT = new RegExp(
  String.raw`^tree (${ID})\n((?:parent ${ID}\n)*)author ${PERSON}\ncommitter ${PERSON}\n(?:[^\n]+\n)*\n`,
);
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/;
/** Of what begins like `.git`, which file systems spell in many ways, these are files like any other. */
const USUAL_NAMES = new Set(['.gitignore', '.gitkeep', '.github', '.gitlab', '.gitlab-ci.yml']);
/** No `~` and `:`, which NTFS makes other names of, and none of the characters that HFS+ leaves out. */
const PLAIN_NAME = /^(?!\.{1,2}$)[\u0020-\u002e\u0030-\u0039\u003b-\u005b\u005d-\u007d]{1,255}$/;
const LIKE_GIT = /^\.git/i;
const MODES: ReadonlySet<string> = new Set<TreeMode>(['40000', '100644', '100755', '120000', '160000']);
const FOLDER: TreeMode = '40000';
const [NUL, SPACE, SLASH] = [0, 32, 47];
const ID_BYTES = 20;

const textOf = (content: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
};

export const isPlainText = (content: Uint8Array): boolean => {
  const text = textOf(content);
  return text !== undefined && !CONTROL.test(text);
};

/** Undefined for one that isn't plain. */
export const plainCommit = (content: Uint8Array): PlainCommit | undefined => {
  const text = textOf(content);
  const [, tree, parents = ''] = (text !== undefined && !CONTROL.test(text) && COMMIT.exec(text)) || [];
  if (tree === undefined) return undefined;
  return { tree, parents: parents.split('\n').flatMap((line) => (line === '' ? [] : [line.slice('parent '.length)])) };
};

/** A name that no file system takes for `.git`, nor for one of the files that git reads settings from. */
export const isPlainName = (name: string): boolean =>
  PLAIN_NAME.test(name) && (!LIKE_GIT.test(name) || USUAL_NAMES.has(name));

/** One character a byte. */
export const nameOf = ({ name }: TreeEntry): string => {
  let text = '';
  for (const byte of name) text += String.fromCharCode(byte);
  return text;
};

/** Its entries, where they are written and ordered as git does, each name once. Their names are still to be looked at. */
export const plainTree = (content: Uint8Array): readonly TreeEntry[] | undefined => {
  const entries: TreeEntry[] = [];
  const names = new Set<string>();
  for (let at = 0; at < content.length;) {
    const entry = entryAt(content, at);
    const before = entries.at(-1);
    if (entry === undefined || (before !== undefined && !comesBefore(before, entry))) return undefined;
    names.add(nameOf(entry));
    entries.push(entry);
    at += entry.mode.length + entry.name.length + 2 + ID_BYTES;
  }
  return names.size === entries.length ? entries : undefined;
};

const entryAt = (content: Uint8Array, at: number): TreeEntry | undefined => {
  const space = content.indexOf(SPACE, at);
  const end = space === -1 ? -1 : content.indexOf(NUL, space);
  if (end === -1 || end + ID_BYTES >= content.length) return undefined;
  const mode = String.fromCharCode(...content.subarray(at, Math.min(space, at + 7)));
  const name = content.subarray(space + 1, end);
  if (!MODES.has(mode) || name.length === 0 || name.includes(SLASH)) return undefined;
  let id = '';
  for (const byte of content.subarray(end + 1, end + 1 + ID_BYTES)) id += byte.toString(16).padStart(2, '0');
  return { mode: mode as TreeMode, name, id };
};

/** Folders compare as if a slash followed. */
const comesBefore = (one: TreeEntry, other: TreeEntry): boolean => {
  const length = Math.min(one.name.length, other.name.length);
  for (let index = 0; index < length; index += 1) {
    const difference = one.name[index]! - other.name[index]!;
    if (difference !== 0) return difference < 0;
  }
  return byteAfter(one, length) < byteAfter(other, length);
};

const byteAfter = ({ mode, name }: TreeEntry, length: number): number =>
  name[length] ?? (mode === FOLDER ? SLASH : NUL);
