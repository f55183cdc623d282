/** The first line of every archive tells that it is one, and of which form. */
export const FORMAT = 'gatehouse archive';
/** 1 had no repositories, and 2 no files of CI jobs. */
export const FORMAT_VERSION = 3;

/** Ends the lines of a table. No row is written so: a backslash in a row stands with another one, or with a letter. */
export const END_OF_TABLE = '\\.';
