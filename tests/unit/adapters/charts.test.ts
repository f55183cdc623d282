import { describe, expect, it } from '@jest/globals';
import { alertsOverTime, occurrencesOf } from '../../../src/adapters/inbound/http/pages/charts/alert-charts.js';
import { burnUp } from '../../../src/adapters/inbound/http/pages/charts/burn-up.js';
import { barChart, type ChartData } from '../../../src/adapters/inbound/http/pages/charts/chart.js';
import { daysUntil, spansOver } from '../../../src/adapters/inbound/http/pages/charts/time-spans.js';

const NOW = new Date('2026-11-22T17:30:00.000Z');
const MINUTE = 60_000;
const DAY = 86_400_000;

describe('spans of time', () => {
  it.each([1, 59, 60, 3_600, 86_400, 30 * 86_400, 365 * 86_400, 50 * 365 * 86_400])(
    'over %d seconds are few, equal, without gaps, and cover both ends',
    (seconds) => {
      const [first, last] = [NOW.getTime() - seconds * 1_000, NOW.getTime()];
      const spans = spansOver(first, last, 30);
      expect(spans.length).toBeLessThanOrEqual(30);
      expect(spans[0]?.from).toBeLessThanOrEqual(first);
      expect(spans.at(-1)?.to).toBeGreaterThan(last);
      const length = (spans[0]?.to ?? 0) - (spans[0]?.from ?? 0);
      spans.slice(1).forEach(({ from, to }, index) => expect([from, to - from]).toEqual([spans[index]?.to, length]));
    },
  );

  it('begin at full minutes or days of UTC, and say so', () => {
    const [minute] = spansOver(NOW.getTime() - 1, NOW.getTime() + 10 * MINUTE, 30);
    expect(minute).toMatchObject({ label: '2026-11-22 17:29', tick: '11-22 17:29' });
    expect(daysUntil(NOW, 3).map(({ label }) => label)).toEqual(['2026-11-20', '2026-11-21', '2026-11-22']);
  });
});

describe('a bar chart', () => {
  const spans = daysUntil(NOW, 2);
  const chart = (series: ChartData['series']) => barChart({ caption: 'Alerts', spans, series });

  it('has whole values at its axis, the highest at or above the highest bar', () => {
    const highestOf = (value: number) =>
      chart([{ name: 'all', tone: 'all', values: [0, value] }]).grid.map(({ label }) => label);
    expect(highestOf(0)).toEqual(['0', '1']);
    expect(highestOf(3)).toEqual(['0', '1', '2', '3']);
    expect(highestOf(7)).toEqual(['0', '2', '4', '6', '8']);
    expect(highestOf(12_345)).toEqual(['0', '5,000', '10,000', '15,000']);
  });

  it('stands bars of one span on each other, and names each', () => {
    const { bars, rows, summary } = chart([
      { name: 'critical', tone: 'critical', values: [1, 0] },
      { name: 'high', tone: 'high', values: [2, 4] },
    ]);
    expect(bars.map(({ title }) => title)).toEqual([
      '2026-11-21: 1 critical',
      '2026-11-21: 2 high',
      '2026-11-22: 4 high',
    ]);
    const [lower, upper] = bars.map(({ y, height }) => [Number.parseFloat(y), Number.parseFloat(height)] as const);
    expect((upper?.[0] ?? 0) + (upper?.[1] ?? 0)).toBeCloseTo(lower?.[0] ?? 0);
    expect(rows).toEqual([
      { label: '2026-11-21', values: [1, 2] },
      { label: '2026-11-22', values: [0, 4] },
    ]);
    expect(summary).toBe('Alerts. 7 in all, the most 4 (2026-11-22).');
  });
});

describe('charts of alerts', () => {
  it('show severities that there are, the worst first, and nothing where no alert started', () => {
    const counts = [
      { day: '2026-11-22', severity: 'low', count: 2 },
      { day: '2026-10-24', severity: 'critical', count: 1 },
    ] as const;
    const chart = alertsOverTime(counts, NOW);
    expect(chart?.series.map(({ name }) => name)).toEqual(['critical', 'low']);
    expect(chart?.rows).toHaveLength(30);
    expect([chart?.rows[0]?.values, chart?.rows.at(-1)?.values]).toEqual([
      [1, 0],
      [0, 2],
    ]);
    expect(alertsOverTime([], NOW)).toBeUndefined();
  });

  it('count every arrival once, however they are spread', () => {
    const at = (ago: number) => ({ outcome: 'counted', reason: 'same_fingerprint', at: new Date(NOW.getTime() - ago) });
    const arrivals = [0, 1, MINUTE, DAY, 3 * DAY, 3 * DAY + 1].map(at);
    const chart = occurrencesOf(arrivals);
    expect(chart?.summary).toContain('6 in all');
    expect(occurrencesOf([at(0)])?.rows.map(({ values }) => values)).toEqual([[1]]);
    expect(occurrencesOf([])).toBeUndefined();
  });
});

describe('the burn-up of a milestone', () => {
  const joined = new Map([
    ['2026-11-18', 2],
    ['2026-11-20', 1],
  ]);
  const closed = new Map([['2026-11-21', 1]]);

  it('grows from its start to today, and leaves open what is still to come', () => {
    const chart = burnUp({ startDate: '2026-11-17', dueDate: '2026-11-24' }, { joined, closed }, NOW);
    expect(chart?.rows.map(({ label, values }) => [label, ...values])).toEqual([
      ['2026-11-17', 0, 0],
      ['2026-11-18', 2, 0],
      ['2026-11-19', 2, 0],
      ['2026-11-20', 3, 0],
      ['2026-11-21', 3, 1],
      ['2026-11-22', 3, 1],
      ['2026-11-23', null, null],
      ['2026-11-24', null, null],
    ]);
    expect(chart?.summary).toContain('At the end, all issues: 3, closed issues: 1.');
  });

  it('counts what was there before its start, and begins with its first issue where it has no start', () => {
    const late = burnUp({ startDate: '2026-11-21', dueDate: null }, { joined, closed }, NOW);
    expect(late?.rows[0]).toEqual({ label: '2026-11-21', values: [3, 1] });
    const open = burnUp({ startDate: null, dueDate: null }, { joined, closed }, NOW);
    expect(open?.rows.map(({ label }) => label)).toEqual(daysUntil(NOW, 5).map(({ label }) => label));
    expect(burnUp({ startDate: null, dueDate: null }, { joined: new Map(), closed }, NOW)).toBeUndefined();
  });
});
