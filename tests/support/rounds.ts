/**
 * How often something is tried that goes wrong by chance: a few times by `make test`, which others wait for, and many times by
 * `make prove`, which runs the same tests once more (`GATEHOUSE_MANY_TIMES`).
 */
export const timesOf = (few: number, many: number): number =>
  process.env['GATEHOUSE_MANY_TIMES'] === 'true' ? many : few;

/** Plays rounds of a race, several side by side, so that hundreds take seconds. */
export const playRounds = async (
  rounds: number,
  play: (round: number) => Promise<void>,
  sideBySide = 8,
): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < rounds) await play((next += 1));
  };
  await Promise.all(Array.from({ length: sideBySide }, lane));
};
