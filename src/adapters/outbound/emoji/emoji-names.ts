import { gemoji } from 'gemoji';
import { madeOnce } from '../../../domain/shared/made-once.js';

const known = madeOnce(() => new Set(gemoji.flatMap(({ names }) => names)));

export const isEmoji = (name: string): boolean => known().has(name);
