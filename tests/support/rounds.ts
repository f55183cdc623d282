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
