/** So far apart stand issues that nobody has moved, by their numbers. The index of the order has it, too. */
export const GAP = 1_048_576;

/** So many issues to either side of a place are put further apart when nothing fits between two: first few, then more. */
export const WINDOWS = [50, 200, 1_000] as const;

/** What is put further apart takes more than one step again before it has to be. */
const LEAST_STEP = 16;

/** A number between two others, either of which may be absent; undefined where none is. */
export const between = (left: number | undefined, right: number | undefined): number | undefined => {
  if (left === undefined) return right === undefined ? 0 : right - GAP / 2;
  if (right === undefined) return left + GAP / 2;
  const middle = Math.floor((left + right) / 2);
  return middle > left && middle < right ? middle : undefined;
};

/** So many numbers between two others, equally far apart; undefined where they would stand too close. */
export const spread = (
  count: number,
  left: number | undefined,
  right: number | undefined,
): readonly number[] | undefined => {
  const room = GAP * (count + 1);
  const low = left ?? (right ?? room) - room;
  const step = Math.floor(((right ?? low + room) - low) / (count + 1));
  return step < LEAST_STEP ? undefined : Array.from({ length: count }, (_, index) => low + step * (index + 1));
};
