import type { RestoredFolder } from './restored-folder.js';

/** A file that a CI job left, as an archive has it. */
export interface ArchivedArtifact {
  /** What it is called where files lie. */
  readonly artifact: string;
  readonly bytes: number;
  /** Is read to its end before the next file is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Files of CI jobs as they are at one moment, while they are served. */
export interface ArtifactCopies {
  /** Forgets what was taken. What is removed meanwhile can be taken again all the same. */
  begin(): void;
  /** Holds on to these files; answers those that are not there. */
  take(keys: readonly string[]): Promise<readonly string[]>;
  /** Those that were taken since it was last begun. */
  files(): AsyncIterable<ArchivedArtifact>;
  discard(): Promise<void>;
}

/** Where files of CI jobs are restored. */
export interface RestoredArtifacts extends RestoredFolder {
  add(file: ArchivedArtifact): Promise<void>;
}
