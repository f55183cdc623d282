const LOST = /^(\d+) files of CI jobs are lost/m;

/** What `gatehouse backup` tells of files that rows name and nobody has. */
export const sayLost = (count: number): string =>
  `${count} files of CI jobs are lost: they have rows, and are not in ARTIFACTS_DIR.`;

/** How many files a backup said that it lacks. @param told all that it told. */
export const lostIn = (told: string): number => Number(LOST.exec(told)?.[1] ?? 0);
