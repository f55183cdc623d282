/** How many jobs have each set of tags. */
export type JobsByTags = ReadonlyMap<string, number>;

/** More would only hold up those of others. */
const MOST_GOING_ON = 2_000;
/** Whoever looks for a job of a runner looks at each set that jobs wait with. */
const MOST_TAG_SETS = 100;

export const together = (one: JobsByTags, other: JobsByTags): JobsByTags => {
  const sum = new Map(one);
  for (const [tags, jobs] of other) sum.set(tags, (sum.get(tags) ?? 0) + jobs);
  return sum;
};

/** Why the jobs of one more pipeline of a project may not begin, in words; undefined where they may. @param goingOn those of its pipelines that have not ended. */
export const lackOfRoom = (goingOn: JobsByTags, more: JobsByTags): string | undefined => {
  if (more.size === 0) return undefined;
  const all = together(goingOn, more);
  if ([...all.values()].reduce((sum, jobs) => sum + jobs, 0) > MOST_GOING_ON)
    return `Pipelines of a project that have not ended have at most ${MOST_GOING_ON} jobs together.`;
  if (all.size > MOST_TAG_SETS)
    return `Jobs of pipelines of a project that have not ended have at most ${MOST_TAG_SETS} different sets of tags.`;
  return undefined;
};

/** Jobs that are not there yet, by their sets of tags. */
export const byTags = (sets: readonly string[]): JobsByTags => {
  const counted = new Map<string, number>();
  for (const tags of sets) counted.set(tags, (counted.get(tags) ?? 0) + 1);
  return counted;
};
