/** How far the code of a fork has come. */
export type ImportState = 'scheduled' | 'started' | 'finished' | 'failed';
