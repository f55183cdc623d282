import type { Diff, DiffFile, DiffLimits } from '../../../application/repositories/ports/object-stores.js';

const STATUSES: Readonly<Record<string, DiffFile['status']>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'type_changed',
};
const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]{40}) ([0-9a-f]{40}) ([A-Z])\d*$/;
const NUMBERS = /^(-|\d+)\t(-|\d+)\t(.*)$/s;

type RawFile = Omit<DiffFile, 'patch' | 'tooLarge' | 'binary' | 'additions' | 'deletions'>;
type Numbers = Pick<DiffFile, 'binary' | 'additions' | 'deletions'>;

/** Takes fields that end in NUL one after the other. */
class Fields {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  peek(): string | undefined {
    const end = this.bytes.indexOf(0, this.#at);
    return end === -1 ? undefined : this.bytes.toString('utf8', this.#at, end);
  }

  take(): string {
    const field = this.peek() ?? '';
    this.#at = Math.min(this.bytes.indexOf(0, this.#at) + 1 || this.bytes.length, this.bytes.length);
    return field;
  }

  rest(): Buffer {
    return this.bytes.subarray(this.#at);
  }
}

const readRaw = (fields: Fields): RawFile[] => {
  const files: RawFile[] = [];
  for (let head = RAW.exec(fields.peek() ?? ''); head !== null; head = RAW.exec(fields.peek() ?? '')) {
    fields.take();
    const [, oldMode = '', newMode = '', oldId = '', newId = '', letter = ''] = head;
    const oldPath = fields.take();
    const newPath = letter === 'R' || letter === 'C' ? fields.take() : oldPath;
    files.push({ oldPath, newPath, oldMode, newMode, oldId, newId, status: STATUSES[letter] ?? 'modified' });
  }
  return files;
};

/** By the new path: files without a difference, but for blanks that were left out, have none. */
const readNumbers = (fields: Fields): ReadonlyMap<string, Numbers> => {
  const all = new Map<string, Numbers>();
  for (let found = NUMBERS.exec(fields.peek() ?? ''); found !== null; found = NUMBERS.exec(fields.peek() ?? '')) {
    fields.take();
    const [, additions = '', deletions = '', same = ''] = found;
    if (same === '') fields.take();
    const path = same === '' ? fields.take() : same;
    all.set(path, { binary: additions === '-', additions: Number(additions) || 0, deletions: Number(deletions) || 0 });
  }
  return all;
};

/**
 * Lines end in a line feed and nothing else. The flag `m` would begin one after a carriage return or U+2028 too: then a file could hold
 * what looks like the patch of another.
 */
const SECTION = /(?<=\n)(?=diff --git )/;
const FIRST_HUNK = /(?<=\n)@@ /;
const INDEX = /(?<=\n)index ([0-9a-f]{40})\.\.([0-9a-f]{40})/;

/** The sections of a patch, each with the headers of its file. */
const sectionsOf = (patch: Buffer): string[] => {
  const text = patch.toString('utf8').replace(/^\0/, '');
  return text === '' ? [] : text.split(SECTION);
};

const hunksOf = (section: string): string => {
  const at = section.search(FIRST_HUNK);
  return at === -1 ? '' : section.slice(at);
};

/** Whether a section is about a file: they come in the same order, but a file may have none. */
const isAbout = (section: string, { oldId, newId, status }: RawFile): boolean => {
  const end = section.search(FIRST_HUNK);
  const found = INDEX.exec(end === -1 ? section : section.slice(0, end));
  // Renamed, or of another mode, with the same content.
  if (found === null) return oldId === newId;
  // A file that became a link is removed and added.
  return found[1] === oldId && (found[2] === newId || status === 'type_changed');
};

const NONE: Numbers = { binary: false, additions: 0, deletions: 0 };

/** What `diff-tree -z --raw --numstat -p` answers. @param cut the answer was longer. */
export const parseDiff = (bytes: Buffer, cut: boolean, limits: DiffLimits): Diff => {
  const fields = new Fields(bytes);
  const raw = readRaw(fields);
  const numbers = readNumbers(fields);
  const sections = sectionsOf(fields.rest());
  if (cut) sections.pop();
  let next = 0;
  let left = limits.bytes;
  const files = raw.map((file): DiffFile => {
    const own = sections.slice(next, next + (file.status === 'type_changed' ? 2 : 1));
    const found = own[0] !== undefined && isAbout(own[0], file);
    if (found) next += own.length;
    const patch = found ? own.map(hunksOf).join('') : '';
    const missing = !found && cut && next >= sections.length;
    const tooLarge = missing || patch.length > limits.bytesPerFile || patch.length > left;
    if (!tooLarge) left -= patch.length;
    const counted = numbers.get(file.newPath) ?? NONE;
    return { ...file, ...counted, patch: tooLarge ? '' : patch, tooLarge: tooLarge && !counted.binary };
  });
  const shown = files.slice(0, limits.files);
  return { files: shown, overflow: cut || files.length > shown.length || shown.some(({ tooLarge }) => tooLarge) };
};
