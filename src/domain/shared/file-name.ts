const MAX_LENGTH = 255;
const NAMELESS = 'file';

/** Control characters, ends of lines, quotes, and characters that turn the direction of what stands around them. */
const UNFIT = /[\p{Cc}\u2028\u2029"'`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const EXTENSION = /\.[^.]{1,20}$/u;

/** What it ends in says what it is: a long name is cut before that. */
const cut = (name: string): string => {
  const characters = Array.from(name);
  if (characters.length <= MAX_LENGTH) return name;
  const extension = Array.from(EXTENSION.exec(name)?.[0] ?? '');
  return [...characters.slice(0, MAX_LENGTH - extension.length), ...extension].join('');
};

/** What a file is called here, whatever its sender calls it: a name without folders, and of characters that harm no address, header or page. */
export const cleanFileName = (sent: string): string => {
  const [last = ''] = sent.toWellFormed().split(/[/\\]/).slice(-1);
  const name = cut(last.replace(UNFIT, '_').trim());
  return /^\.{0,2}$/.test(name) ? NAMELESS : name;
};
