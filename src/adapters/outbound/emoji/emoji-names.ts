import { gemoji } from 'gemoji';
import { madeOnce } from '../../../domain/shared/made-once.js';

const known = madeOnce(() => new Map(gemoji.flatMap(({ emoji, names }) => names.map((name) => [name, emoji]))));

export const isEmoji = (name: string): boolean => known().has(name);

export const emojiOf = (name: string): string | undefined => known().get(name);
