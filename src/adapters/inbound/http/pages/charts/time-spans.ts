const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY_MS = 24 * HOUR;

/** Lengths that people count in, the shortest first. */
const LENGTHS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28, 91, 364].map((days) => days * DAY_MS),
];

/** A part of the time that a chart covers, in UTC. */
export interface Span {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** For a table: the beginning of the span. */
  readonly label: string;
  /** For an axis, where there is little room. */
  readonly tick: string;
}

const spanOf = (from: number, length: number): Span => {
  const instant = new Date(from).toISOString();
  const day = instant.slice(0, 10);
  if (length % DAY_MS === 0) return { from, to: from + length, label: day, tick: day.slice(5) };
  const time = instant.slice(11, 16);
  return { from, to: from + length, label: `${day} ${time}`, tick: `${day.slice(5)} ${time}` };
};

/**
 * Equal spans that cover both instants: as long as people count in, and at most `most` of them. They begin at full minutes, hours or
 * days of UTC.
 */
export const spansOver = (first: number, last: number, most: number, shortest = MINUTE): readonly Span[] => {
  const isLongEnough = (length: number): boolean =>
    length >= shortest && Math.floor(last / length) - Math.floor(first / length) < most;
  const length = LENGTHS.find(isLongEnough) ?? Math.ceil((last - first + DAY_MS) / (most - 1) / DAY_MS) * DAY_MS;
  const begin = Math.floor(first / length) * length;
  const count = Math.floor(last / length) - Math.floor(first / length) + 1;
  return Array.from({ length: count }, (_, index) => spanOf(begin + index * length, length));
};

/** The spans, a day each, that end with the day of an instant. */
export const daysUntil = (now: Date, count: number): readonly Span[] => {
  const today = Math.floor(now.getTime() / DAY_MS);
  return Array.from({ length: count }, (_, index) => spanOf((today - count + 1 + index) * DAY_MS, DAY_MS));
};
