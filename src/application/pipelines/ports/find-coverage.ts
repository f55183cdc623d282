/** How much of the code tests reach, in percent, as the end of a log tells it; null where it doesn't. @param pattern of the CI file. */
export type FindCoverage = (pattern: string, log: string) => number | null;
