import { stripVTControlCharacters } from 'node:util';

/** Marks of runners around what they do for each step. */
const SECTION = /section_(?:start|end):\d+:[^\r\n]*\r/g;

/** What a terminal would show of a line in the end: what was written over is gone. */
const shownOf = (line: string): string => line.slice(line.replace(/\r$/, '').lastIndexOf('\r') + 1).replace(/\r$/, '');

/** A log as text: without the signs that colour it, and without what a progress bar wrote over. */
export const logText = (log: string): string =>
  stripVTControlCharacters(log.replace(SECTION, '')).split('\n').map(shownOf).join('\n');
