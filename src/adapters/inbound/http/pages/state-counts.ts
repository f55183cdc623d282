/** Of longer lists the tabs say nothing: looking at all of them would take longer than the page does. */
export const MOST_COUNTED = 5_000;

/** How many of a list there are in each state, as its tabs say; of all states together under `all`. */
export const stateCounts = (counts: Readonly<Record<string, number>> | undefined): Readonly<Record<string, number>> => {
  if (counts === undefined) return {};
  return { ...counts, all: Object.values(counts).reduce((sum, count) => sum + count, 0) };
};
