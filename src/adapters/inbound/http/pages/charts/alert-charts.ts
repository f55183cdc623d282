import type { Arrival, DailyAlerts } from '../../../../../application/alerts/ports/alert-readers.js';
import { SEVERITIES } from '../../../../../domain/alerts/severity.js';
import { barChart, type Chart } from './chart.js';
import { DAY_MS, daysUntil, spansOver } from './time-spans.js';

const DAYS = 30;
const MOST_SPANS = 30;

/** The first instant that the chart of a list covers. */
export const beginOfAlertChart = (now: Date): Date =>
  new Date((Math.floor(now.getTime() / DAY_MS) - DAYS + 1) * DAY_MS);

/** The alerts of a list by the day on which they started, the worst at the bottom; undefined where none started lately. */
export const alertsOverTime = (counts: readonly DailyAlerts[], now: Date): Chart | undefined => {
  if (counts.length === 0) return undefined;
  const spans = daysUntil(now, DAYS);
  const series = SEVERITIES.flatMap((severity) => {
    const days = new Map(counts.flatMap((each) => (each.severity === severity ? [[each.day, each.count]] : [])));
    if (days.size === 0) return [];
    return [{ name: severity, tone: severity, values: spans.map(({ label }) => days.get(label) ?? 0) }];
  });
  return barChart({ caption: `Alerts that started in the last ${DAYS} days`, spans, series });
};

/** Arrivals in equal spans from the first to the last that is known; undefined without any. */
export const occurrencesOf = (arrivals: readonly Arrival[]): Chart | undefined => {
  if (arrivals.length === 0) return undefined;
  const times = arrivals.map(({ at }) => at.getTime());
  const spans = spansOver(Math.min(...times), Math.max(...times), MOST_SPANS);
  const begin = spans[0]?.from ?? 0;
  const length = (spans[0]?.to ?? 1) - begin;
  const values = new Array<number>(spans.length).fill(0);
  for (const time of times) {
    const place = Math.floor((time - begin) / length);
    values[place] = (values[place] ?? 0) + 1;
  }
  return barChart({ caption: 'Arrivals over time', spans, series: [{ name: 'arrivals', tone: 'all', values }] });
};
