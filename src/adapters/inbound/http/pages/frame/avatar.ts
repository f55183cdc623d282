const HUES = 8;

/** The letters that stand for a name: its first and its last word's, or the first two of a single one. */
export const initialsOf = (name: string): string => {
  const words = name.split(/[\s._-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const [first, last] = [words.at(0) ?? '', words.length > 1 ? (words.at(-1) ?? '') : ''];
  const letter = (word: string): string => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? '';
  const initials = last === '' ? Array.from(first).slice(0, 2).join('') : letter(first) + letter(last);
  return initials === '' ? '?' : initials.toUpperCase();
};

/** A person's color, the same on every page: the number of a class in the stylesheet. */
export const hueOf = (name: string): number =>
  Array.from(name).reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003, 7) % HUES;
