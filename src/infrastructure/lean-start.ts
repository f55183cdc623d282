import { setFlagsFromString } from 'node:v8';

/**
 * Loading the modules allocates a lot that is garbage a moment later, for which the engine would double the space of young
 * objects again and again and never give it back: some 15 MB that an idle process keeps. To be called before they are loaded.
 */
export const beginLeanStart = (): void => setFlagsFromString('--semi-space-growth-factor=1');

/** Lets the space grow as usual: under requests it pays. */
export const endLeanStart = (): void => setFlagsFromString('--semi-space-growth-factor=2');
