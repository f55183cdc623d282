import { randomBytes } from 'node:crypto';

/** Where a file is written before it is whole: beside its place, and two that are written at once apart. */
export const partialOf = (file: string): string => `${file}.${randomBytes(4).toString('hex')}.partial`;
