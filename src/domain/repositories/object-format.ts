import { withoutEnd, withoutEnds } from '../shared/without-ends.js';
import { isObjectId, type ObjectId, type ObjectType } from './object-id.js';
import { isGitFolderToGit } from './tree-path.js';

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
const ID_BYTES = 20;
const OWNER_EXECUTES = 0o100;
const [KIND, FILE_KIND, FOLDER_KIND, LINK_KIND] = [0o170000, 0o100000, 0o040000, 0o120000];
const [BLANK, DOT, BACKSLASH] = [32, 46, 92];
const [DIGIT_ZERO, DIGIT_NINE] = [48, 57];
const [LETTER_A, LETTER_F] = [97, 102];
const [SMALL_G, LARGE_G] = [103, 71];
const NOT_ASCII = 128;
const fromUtf8 = new TextDecoder();
const byteByByte = new TextDecoder('latin1');

export type NamedEntry = Pick<TreeEntry, 'mode' | 'name'>;

/** The byte of a name at a place; behind its end that of a folder has a slash, and any other nothing. */
const byteAt = ({ mode, name }: NamedEntry, place: number): number =>
  name[place] ?? (mode === FOLDER && place === name.length ? SLASH : 0);

/** In git's order: folders compare as if a slash followed. */
export const compareEntries = (one: NamedEntry, other: NamedEntry): number => {
  const length = Math.min(one.name.length, other.name.length);
  for (let index = 0; index < length; index += 1) {
    const difference = one.name[index]! - other.name[index]!;
    if (difference !== 0) return difference;
  }
  return byteAt(one, length) - byteAt(other, length);
};

const refuse = (what: string): never => {
  throw new Error(`Not a valid object: ${what}.`);
};

/** What `.git` begins with on some file system: a dot, a `g`, or what one leaves out. */
const mayBeGitFolder = (first: number): boolean =>
  first >= NOT_ASCII || first === DOT || first === SMALL_G || first === LARGE_G;

const checkName = (name: Uint8Array): void => {
  if (name.length === 0 || name.includes(0) || name.includes(SLASH)) refuse('a name that is empty, or holds / or NUL');
  if (!mayBeGitFolder(name[0]!) && !name.includes(BACKSLASH)) return;
  const text = fromUtf8.decode(name);
  if (text === '.' || text === '..' || isGitFolderToGit(text)) refuse(`a name of ${JSON.stringify(text)}`);
};

/** The value of a digit, or of a letter from `a` on, by its code. */
const digitOf = (code: number): number => {
  if (code >= DIGIT_ZERO && code <= DIGIT_NINE) return code - DIGIT_ZERO;
  return code >= LETTER_A && code <= LETTER_F ? code - LETTER_A + 10 : refuse('an id that is not 40 hex digits');
};

/** By hand: a folder may have 100,000 ids. */
const writeId = (id: ObjectId, into: Uint8Array, at: number): void => {
  if (id.length !== 2 * ID_BYTES) refuse('an id that is not 40 hex digits');
  for (let index = 0; index < ID_BYTES; index += 1)
    into[at + index] = digitOf(id.charCodeAt(2 * index)) * 16 + digitOf(id.charCodeAt(2 * index + 1));
};

/** As many characters as one call may be given. */
const MOST_AT_ONCE = 1_000;

/** Bytes as a text, a character each, that can be compared and looked up by. */
export const byteText = (bytes: Uint8Array): string =>
  bytes.length > MOST_AT_ONCE
    ? byteByByte.decode(bytes)
    : String.fromCharCode.apply(null, bytes as unknown as number[]);

/** A mode, a blank, a name, nothing, and an id. */
export const encodedLength = ({ mode, name }: TreeEntry): number => mode.length + name.length + 2 + ID_BYTES;

/** Writes an entry at a place, and answers where it ends. @throws Error for what `git fsck --strict` would refuse. */
export const writeEntry = ({ mode, name, id }: TreeEntry, into: Uint8Array, at: number): number => {
  if (!TREE_MODES.includes(mode)) refuse(`a mode of ${mode}`);
  checkName(name);
  const start = at + utf8.encodeInto(`${mode} `, into.subarray(at)).written;
  into.set(name, start);
  writeId(id, into, start + name.length + 1);
  return start + name.length + 1 + ID_BYTES;
};

/** A tree, in git's order. @throws Error for what `git fsck --strict` would refuse. */
export const encodeTree = (entries: readonly TreeEntry[]): NewObject => {
  const sorted = [...entries].sort(compareEntries);
  const content = new Uint8Array(sorted.reduce((sum, entry) => sum + encodedLength(entry), 0));
  const names = new Set<string>();
  let at = 0;
  for (const entry of sorted) {
    at = writeEntry(entry, content, at);
    names.add(byteText(entry.name));
  }
  if (names.size !== entries.length) refuse('two entries of one name');
  return { type: 'tree', content };
};

const DIGITS = utf8.encode('0123456789abcdef');

/** Written as a whole: a text that is put together of parts takes several times its room. */
const readId = (content: Uint8Array, at: number, digits: number[]): ObjectId => {
  for (let index = 0; index < ID_BYTES; index += 1) {
    const byte = content[at + index] ?? 0;
    digits[2 * index] = DIGITS[byte >> 4]!;
    digits[2 * index + 1] = DIGITS[byte & 15]!;
  }
  return String.fromCharCode.apply(null, digits);
};

/**
 * As git takes it. Old trees have modes with a leading zero, and files with rights of a group: whether somebody may execute them is all that
 * counts since.
 */
const readMode = (content: Uint8Array): TreeMode => {
  const text = byteText(content);
  const known = TREE_MODES.find((mode) => mode === text);
  if (known !== undefined) return known;
  const mode = parseInt(text, 8);
  const kind = mode & KIND;
  if (kind === FILE_KIND) return (mode & OWNER_EXECUTES) === 0 ? '100644' : '100755';
  if (kind === FOLDER_KIND) return FOLDER;
  return kind === LINK_KIND ? '120000' : '160000';
};

/** An entry of a tree as it is stored, but for its id. */
export interface FoundEntry extends NamedEntry {
  readonly idAt: number;
  readonly end: number;
}

export const entryIn = (content: Uint8Array, at: number): FoundEntry => {
  const space = content.indexOf(BLANK, at);
  const nothing = content.indexOf(0, space);
  const [mode, name] = [readMode(content.subarray(at, space)), content.subarray(space + 1, nothing)];
  return { mode, name, idAt: nothing + 1, end: nothing + 1 + ID_BYTES };
};

/** With its id. @param digits of the entry before, whose room is used again. */
export const readEntry = (content: Uint8Array, { mode, name, idAt }: FoundEntry, digits: number[] = []): TreeEntry => ({
  mode,
  name,
  id: readId(content, idAt, digits),
});

/** The entries of a tree as it is stored: of a large one in parts, between which others have their turn. */
export class TreeDecoding {
  readonly entries: TreeEntry[] = [];
  readonly #digits = new Array<number>(2 * ID_BYTES).fill(0);
  #at = 0;

  constructor(private readonly content: Uint8Array) {}

  /** About so many bytes of it; false once all are decoded. */
  goOn(bytes: number): boolean {
    const until = Math.min(this.#at + bytes, this.content.length);
    while (this.#at < until) {
      const found = entryIn(this.content, this.#at);
      this.entries.push(readEntry(this.content, found, this.#digits));
      this.#at = found.end;
    }
    return this.#at < this.content.length;
  }
}

/** git leaves these out of names and addresses: they would end the line or the address. */
const UNFIT = /[\u0000-\u001f<>]/g;
const CRUD = /[\s.,:;"'\\]/;
/** Nobody is called longer; what was pushed has no bound. */
const MOST_OF_PERSON = 1_000;
const HALF_OF_CHARACTER = /[\ud800-\udbff]/;

const clean = (text: string): string => {
  const whole = withoutEnds(text.replace(UNFIT, ''), CRUD);
  if (whole.length <= MOST_OF_PERSON) return whole;
  return withoutEnd(withoutEnd(whole.slice(0, MOST_OF_PERSON), HALF_OF_CHARACTER), CRUD);
};

const zone = (offset: number): string => {
  const minutes = Math.abs(Math.trunc(offset));
  const [hours, rest] = [Math.trunc(minutes / 60), minutes % 60];
  return `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}${String(rest).padStart(2, '0')}`;
};

const writeSignature = ({ name, email, at, offset }: Signature): string => {
  if (Number.isNaN(at.getTime()) || Number.isNaN(offset)) refuse('a time that is none');
  const shown = clean(name) === '' ? clean(email).split('@')[0] : clean(name);
  return `${shown === undefined || shown === '' ? 'nobody' : shown} <${clean(email)}> ${Math.trunc(at.getTime() / 1000)} ${zone(offset)}`;
};

const checkMessage = (message: string): void => {
  if (message.includes('\0')) refuse('a message that holds NUL');
};

/** @throws Error for an id or a time that is none, or a message that holds NUL. */
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

/** @throws Error for an id or a time that is none, a name with a line end, or a message that holds NUL. */
export const encodeTag = ({ target, targetType, name, tagger, message }: NewTag): NewObject => {
  if (!isObjectId(target) || /[\u0000-\u0020]/.test(name)) refuse('a target or name');
  checkMessage(message);
  const lines = [`object ${target}`, `type ${targetType}`, `tag ${name}`, `tagger ${writeSignature(tagger)}`, ''];
  return { type: 'tag', content: utf8.encode(`${lines.join('\n')}\n${message}\n`) };
};
