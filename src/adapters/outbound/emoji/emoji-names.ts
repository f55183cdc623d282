import { gemoji } from 'gemoji';

let known: ReadonlySet<string> | undefined;

export const isEmoji = (name: string): boolean => {
  known ??= new Set(gemoji.flatMap(({ names }) => names));
  return known.has(name);
};
