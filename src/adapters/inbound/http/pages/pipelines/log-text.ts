import { withoutTerminalCodes } from '../../../../../domain/pipelines/terminal-codes.js';

/** Marks of runners around what they do for each step: a time, a name, and what is said of it. */
const SECTION = /section_(?:start|end):\d{1,15}:[^\r\n]{0,256}\r/g;

/** What a terminal would show of a line in the end: what was written over is gone. */
const shownOf = (line: string): string => line.slice(line.replace(/\r$/, '').lastIndexOf('\r') + 1).replace(/\r$/, '');

/** A log as text: without the signs that colour it, and without what a progress bar wrote over. */
export const logText = (log: string): string =>
  withoutTerminalCodes(log.replace(SECTION, '')).split('\n').map(shownOf).join('\n');
