/** Where files of an archive are restored. It shows nothing before all are there, and knows of a restore that ended before its end. */
export interface RestoredFolder {
  /**
   * Removes what restores left that did not end: what none of them had put in its place, and of files in their place those of this one.
   * @param move what its database calls it; undefined where it has not begun before.
   */
  clear(move: string | undefined): Promise<void>;
  /** @throws Error with a sentence where files are there that this restore did not bring. */
  refuseOthers(): Promise<void>;
  /** Notes that what appears from now on is of this restore, until `finish`. It lasts through a loss of power. */
  begin(move: string): Promise<void>;
  /** Puts all of them where they belong. */
  end(): Promise<void>;
  /** Nobody takes them away any more. */
  finish(): Promise<void>;
  /** Removes what was not put where it belongs. */
  discard(): Promise<void>;
}
