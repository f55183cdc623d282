const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);

/** @throws Error for an empty list. */
export const median = (values: readonly number[]): number => {
  const middle = sorted(values)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('There is no median of nothing.');
  return middle;
};

/** As in `1,234 (1,100–1,300)`: the median, the least and the most, with so many digits after the point. */
export const withSpread = (values: readonly number[], digits = 0): string => {
  const [least = 0, most = 0] = [sorted(values)[0], sorted(values).at(-1)];
  const text = (value: number) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${text(median(values))} (${text(least)}–${text(most)})`;
};
