import { isObjectId, type ObjectId, type ObjectType } from './object-id.js';
import { isGitFolder } from './tree-path.js';

/** As git writes them in trees: no leading zero. */
const TREE_MODES = ['40000', '100644', '100755', '120000', '160000'] as const;
export type TreeMode = (typeof TREE_MODES)[number];

export interface TreeEntry {
  readonly mode: TreeMode;
  /** As bytes: old trees hold names that aren't UTF-8, and they must stay as they are. */
  readonly name: Uint8Array;
  readonly id: ObjectId;
}

/** Whether an entry is a file, or a link: no folder, and no submodule, whose commit is elsewhere. */
export const isFile = ({ mode }: Pick<TreeEntry, 'mode'>): boolean => mode !== '40000' && mode !== '160000';

export interface Signature {
  readonly name: string;
  readonly email: string;
  readonly at: Date;
  /** Minutes east of UTC. */
  readonly offset: number;
}

export interface NewCommit {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

export interface NewTag {
  readonly target: ObjectId;
  readonly targetType: ObjectType;
  readonly name: string;
  readonly tagger: Signature;
  readonly message: string;
}

/** An object that is to be written, without its header. */
export interface NewObject {
  readonly type: ObjectType;
  readonly content: Uint8Array;
}

const utf8 = new TextEncoder();
const SLASH = 47;
const FOLDER: TreeMode = '40000';
const DIGIT_ZERO = 48;
const LETTER_A = 97;
const fromUtf8 = new TextDecoder();
const byteByByte = new TextDecoder('latin1');

const compareBytes = (one: Uint8Array, other: Uint8Array): number => {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const difference = one[index]! - other[index]!;
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
};

const sortKey = ({ mode, name }: TreeEntry): Uint8Array => {
  if (mode !== FOLDER) return name;
  const key = new Uint8Array(name.length + 1);
  key.set(name);
  key[name.length] = SLASH;
  return key;
};

const refuse = (what: string): never => {
  throw new Error(`Not a valid object: ${what}.`);
};

const checkEntry = ({ mode, name, id }: TreeEntry): void => {
  if (!TREE_MODES.includes(mode)) refuse(`a mode of ${mode}`);
  if (!isObjectId(id)) refuse('an id that is not 40 hex digits');
  if (name.length === 0 || name.includes(0) || name.includes(SLASH)) refuse('a name that is empty, or holds / or NUL');
  const text = fromUtf8.decode(name);
  if (text === '.' || text === '..' || isGitFolder(text)) refuse(`a name of ${JSON.stringify(text)}`);
};

/** Of a digit or a letter from `a` on, by its code. */
const digitOf = (code: number): number => code - (code < LETTER_A ? DIGIT_ZERO : LETTER_A - 10);

/** By hand: a folder may have 100,000 ids. */
const hexToBytes = (hex: ObjectId): Uint8Array => {
  const bytes = new Uint8Array(hex.length / 2);
  for (let index = 0; index < bytes.length; index += 1)
    bytes[index] = digitOf(hex.charCodeAt(2 * index)) * 16 + digitOf(hex.charCodeAt(2 * index + 1));
  return bytes;
};

const concat = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** A tree, in git's order: folders compare as if a slash followed. @throws Error for what `git fsck --strict` would refuse. */
export const encodeTree = (entries: readonly TreeEntry[]): NewObject => {
  entries.forEach(checkEntry);
  const sorted = entries
    .map((entry) => ({ entry, key: sortKey(entry) }))
    .sort((one, other) => compareBytes(one.key, other.key));
  const names = new Set(entries.map(({ name }) => byteByByte.decode(name)));
  if (names.size !== entries.length) refuse('two entries of one name');
  const content = concat(
    sorted.flatMap(({ entry: { mode, name, id } }) => [
      utf8.encode(`${mode} `),
      name,
      Uint8Array.of(0),
      hexToBytes(id),
    ]),
  );
  return { type: 'tree', content };
};

/** Each byte as two digits. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The entries of a tree as it is stored. */
export const decodeTree = (content: Uint8Array): readonly TreeEntry[] => {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(32, at);
    const end = content.indexOf(0, space);
    const mode = byteByByte.decode(content.subarray(at, space)).replace(/^0+/, '') as TreeMode;
    let id = '';
    for (let index = end + 1; index < end + 21; index += 1) id += HEX[content[index]!] ?? '';
    entries.push({ mode, name: content.subarray(space + 1, end), id });
    at = end + 21;
  }
  return entries;
};

/** git leaves these out of names and addresses: they would end the line or the address. */
const UNFIT = /[\u0000-\u001f<>]/g;
const CRUD = /^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g;

const clean = (text: string): string => text.replace(UNFIT, '').replace(CRUD, '');

const zone = (offset: number): string => {
  const minutes = Math.abs(Math.trunc(offset));
  const [hours, rest] = [Math.trunc(minutes / 60), minutes % 60];
  return `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}${String(rest).padStart(2, '0')}`;
};

const writeSignature = ({ name, email, at, offset }: Signature): string => {
  const shown = clean(name) === '' ? clean(email).split('@')[0] : clean(name);
  return `${shown === undefined || shown === '' ? 'nobody' : shown} <${clean(email)}> ${Math.trunc(at.getTime() / 1000)} ${zone(offset)}`;
};

const checkMessage = (message: string): void => {
  if (message.includes('\0')) refuse('a message that holds NUL');
};

/** @throws Error for an id that is none, or a message that holds NUL. */
export const encodeCommit = ({ tree, parents, author, committer, message }: NewCommit): NewObject => {
  if (![tree, ...parents].every(isObjectId)) refuse('an id that is not 40 hex digits');
  checkMessage(message);
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${writeSignature(author)}`,
    `committer ${writeSignature(committer)}`,
    '',
    message,
  ];
  return { type: 'commit', content: utf8.encode(lines.join('\n')) };
};

/** @throws Error for an id that is none, a name with a line end, or a message that holds NUL. */
export const encodeTag = ({ target, targetType, name, tagger, message }: NewTag): NewObject => {
  if (!isObjectId(target) || /[\u0000-\u0020]/.test(name)) refuse('a target or name');
  checkMessage(message);
  const lines = [`object ${target}`, `type ${targetType}`, `tag ${name}`, `tagger ${writeSignature(tagger)}`, ''];
  return { type: 'tag', content: utf8.encode(`${lines.join('\n')}\n${message}\n`) };
};
