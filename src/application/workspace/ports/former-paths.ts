/** Where groups, accounts and projects were before they were renamed or moved. */
export interface FormerPaths {
  /**
   * The path of what was at a path, as it is now; undefined where nothing was, it is gone, or something else has taken the path since.
   * Case does not count.
   */
  pathNow(path: string): Promise<string | undefined>;
}
