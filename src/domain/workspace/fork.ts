/** How far the code has come of a fork, or of a project that gets it from elsewhere. */
export type ImportState = 'scheduled' | 'started' | 'finished' | 'failed';
