/** Counting goes no further: beyond, how many there are helps nobody to choose. */
export const MOST_COUNTED = 1_000;

/** How many of a list there are in each state, as its tabs say; of all states together under `all`. */
export const stateCounts = (counts: Readonly<Record<string, number>>): Readonly<Record<string, string>> => {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return Object.fromEntries(Object.entries({ ...counts, all }).map(([state, count]) => [state, inWords(count)]));
};

const inWords = (count: number): string => (count < MOST_COUNTED ? String(count) : `${MOST_COUNTED - 1}+`);
