import type { DailyProgress } from '../../../../../application/planning/ports/planning-overview.js';
import type { Milestone } from '../../../../../domain/planning/milestone.js';
import { lineChart, type Chart } from './chart.js';
import { DAY_MS, spansOver, type Span } from './time-spans.js';

const MOST_SPANS = 60;

const startOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

/** How many there were when a span ended; nothing of spans that are still to come. */
const untilEnds = (spans: readonly Span[], perDay: ReadonlyMap<string, number>, now: number) => {
  const days = [...perDay].map(([day, count]) => ({ at: startOf(day), count }));
  return spans.map(({ from, to }) =>
    from > now ? null : days.reduce((sum, { at, count }) => (at < to ? sum + count : sum), 0),
  );
};

/**
 * How many issues a milestone had, and how many of them were closed, from its start to its end; undefined without issues. It ends when it
 * is due, or today if that is later or never.
 */
export const burnUp = (
  { startDate, dueDate }: Pick<Milestone, 'startDate' | 'dueDate'>,
  { joined, closed }: DailyProgress,
  now: Date,
): Chart | undefined => {
  const days = [...joined.keys()].sort();
  const [firstJoined] = days;
  if (firstJoined === undefined) return undefined;
  const first = Math.min(startOf(startDate ?? firstJoined), now.getTime());
  const last = Math.max(dueDate === null ? 0 : startOf(dueDate), now.getTime());
  const spans = spansOver(first, last, MOST_SPANS, DAY_MS);
  return lineChart({
    caption: 'Issues of the milestone over time',
    spans,
    series: [
      { name: 'all issues', tone: 'all', values: untilEnds(spans, joined, now.getTime()) },
      { name: 'closed issues', tone: 'done', values: untilEnds(spans, closed, now.getTime()) },
    ],
  });
};
