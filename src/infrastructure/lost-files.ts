const LOST = /^(\d+) (?:files of CI jobs are lost|repositories have no folder)/gm;

/** What `gatehouse backup` tells of files that rows name and nobody has. */
export const sayLostArtifacts = (count: number): string =>
  `${count} files of CI jobs are lost: they have rows, and are not in ARTIFACTS_DIR.`;

/** The same of repositories. */
export const sayLostRepositories = (count: number): string =>
  `${count} repositories have no folder, and are not in it: "gatehouse repositories check" names them.`;

/** How many of both a backup said that it lacks. @param told all that it told. */
export const lostIn = (told: string): number =>
  [...told.matchAll(LOST)].reduce((sum, [, count]) => sum + Number(count), 0);
