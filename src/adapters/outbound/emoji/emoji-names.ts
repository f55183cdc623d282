import { gemoji } from 'gemoji';

const NAMES: ReadonlySet<string> = new Set(gemoji.flatMap(({ names }) => names));

export const isEmoji = (name: string): boolean => NAMES.has(name);
